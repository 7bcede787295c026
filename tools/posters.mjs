// Draws the posters of tools/posters: one of each scene, and those of all figures that the examples and documents show.
// Run: node tools/posters.mjs COMMAND FOLDER
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

const [limelight, folder] = process.argv.slice(2);
const run = (...args) => execFileSync(limelight, args, { encoding: 'utf8' });

// The step that shows best what a scene is about; of the others, the first.
const BEST = { spotlight: 9, scale: 2, layer: 4, heads: 3, sentence: 2, translate: 7, caption: 4, patches: 4 };

// The figures of a document's <limelight-figure …>.
function figuresIn(file) {
  const tags = readFileSync(file, 'utf8').match(/<limelight-figure\s[^>]*>/g) ?? [];
  return tags.map((tag) => {
    const attribute = (name) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1].replaceAll('&amp;', '&');
    return { scene: attribute('scene') ?? 'spotlight', step: attribute('step') ?? '1', state: attribute('state') ?? '' };
  });
}

const scenes = JSON.parse(run('scenes'));
const best = scenes.map(({ name }) => ({ scene: name, step: String(BEST[name] ?? 1), state: '' }));
const documents = ['README.md', 'web/embedding.md', ...readdirSync('web/examples').filter((name) => name.endsWith('.html')).map((name) => `web/examples/${name}`)];
const figures = new Map();
for (const { scene, step, state } of [...best, ...documents.flatMap(figuresIn)]) {
  const slug = [scene, ...state.split('&').filter(Boolean).map((part) => part.replace(/^preset=/, '').replace(/[^a-z0-9]+/gi, '-')),
    ...(step === String(BEST[scene] ?? 1) ? [] : [step])].join('-');
  figures.set(slug, { scene, step, state });
}

mkdirSync(folder, { recursive: true });
const rows = [];
for (const [file, { scene, step, state }] of figures) {
  for (const theme of ['light', 'dark']) {
    run('render', scene, '--theme', theme, '--step', step, ...(state ? ['--state', state] : []), '--out', `${folder}/${file}-${theme}.svg`);
  }
  const { steps, fields } = scenes.find(({ name }) => name === scene);
  const { choices, labels, default: usual } = fields.find(({ name }) => name === 'preset');
  const preset = labels[choices.indexOf(new URLSearchParams(state).get('preset') ?? usual)];
  rows.push({ file, scene, step, state, usual, preset, name: steps[Number.parseInt(step, 10) - 1].name });
}
writeFileSync(`${folder}/list.js`, `// Written by tools/posters: which figure each picture is of. usual: the preset that a link need not name; preset, name: the words of
// its preset and its step.
export const POSTERS = [
${rows.map((row) => `  ${JSON.stringify(row)},\n`).join('')}];
`);
