// Draws the posters of tools/posters: one of each scene, and those of all figures that the examples and documents show.
// Run: node tools/posters.mjs COMMAND FOLDER
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

const [limelight, folder] = process.argv.slice(2);
const run = (...args) => execFileSync(limelight, args, { encoding: 'utf8' });

// The step that shows best what a scene is about; of the others, the first.
const BEST = { spotlight: 'glance', scale: 'spread', layer: 'self', heads: 'weights', sentence: 'head', translate: 'alignment', caption: 'weights', patches: 'weights' };

// The figures of a document's <limelight-figure …>.
function figuresIn(file) {
  const tags = readFileSync(file, 'utf8').match(/<limelight-figure\s[^>]*>/g) ?? [];
  return tags.map((tag) => {
    const attribute = (name) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1].replaceAll('&amp;', '&');
    return { scene: attribute('scene') ?? 'spotlight', step: attribute('step'), state: attribute('state') ?? '' };
  });
}

const scenes = JSON.parse(run('scenes'));
// A step by its id, or by the number that links had once; the first without either.
const stepOf = (scene, named) => {
  const { steps } = scenes.find(({ name }) => name === scene);
  return named ? steps.find(({ id, number }) => id === named || String(number) === named) : steps[0];
};
const best = scenes.map(({ name }) => ({ scene: name, step: BEST[name], state: '' }));
const documents = ['README.md', 'web/embedding.md', ...readdirSync('web/examples').filter((name) => name.endsWith('.html')).map((name) => `web/examples/${name}`)];
const figures = new Map();
for (const { scene, step: named, state } of [...best, ...documents.flatMap(figuresIn)]) {
  const step = stepOf(scene, named).id;
  const slug = [scene, ...state.split('&').filter(Boolean).map((part) => part.replace(/^preset=/, '').replace(/[^a-z0-9]+/gi, '-')),
    ...(step === stepOf(scene, BEST[scene]).id ? [] : [step])].join('-');
  figures.set(slug, { scene, step, state });
}

mkdirSync(folder, { recursive: true });
const rows = [];
for (const [file, { scene, step, state }] of figures) {
  for (const theme of ['light', 'dark']) {
    run('render', scene, '--theme', theme, '--state', [`step=${step}`, state].filter(Boolean).join('&'), '--out', `${folder}/${file}-${theme}.svg`);
  }
  const { fields, preset_of_links: usual } = scenes.find(({ name }) => name === scene);
  const { choices, labels } = fields.find(({ name }) => name === 'preset');
  const preset = labels[choices.indexOf(new URLSearchParams(state).get('preset') ?? usual)];
  const { number, name } = stepOf(scene, step);
  // A step that came later has no number of version 1.
  rows.push({ file, scene, step, ...(number ? { number: String(number) } : {}), state, usual, preset, name });
}
writeFileSync(`${folder}/list.js`, `// Written by tools/posters: which figure each picture is of. usual: the preset that a link need not name; preset, name: the words of
// its preset and its step.
export const POSTERS = [
${rows.map((row) => `  ${JSON.stringify(row)},\n`).join('')}];
`);
