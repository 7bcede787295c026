// See tools/screenshots, which builds the page first.
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { launch } from './browser.mjs';
import { serve } from './server.mjs';

const folder = 'build/screenshots';
const sizes = {
  wide: { width: 1280, height: 800 },
  phone: { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};
const special = {
  'wide@2x': { width: 1280, height: 800, deviceScaleFactor: 2 },
  frame: { width: 720, height: 480 },
};
const themes = ['light', 'dark'];
const own = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen '
  + 'eighteen nineteen twenty but when the long evening came and all of them had gone home the old lamp above the empty stage '
  + 'still threw its light on the one chair where she used to sit and read to us about a river that nobody could cross '
  + 'twice';

function usage(problem) {
  console.error(`${problem}\nusage: tools/screenshots [--only PATTERN] [--hash STATE --name NAME]`);
  process.exit(2);
}

function options() {
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, hash: { type: 'string' }, name: { type: 'string' } } });
    if ((values.hash === undefined) !== (values.name === undefined)) usage('--hash and --name go together.');
    if (values.name && !/^[\w.-]+$/.test(values.name)) usage('A name has letters, digits, ".", "-" and "_".');
    return { ...values, only: new RegExp(values.only ?? '') };
  } catch (error) {
    return usage(error.message);
  }
}

// Every picture is a view, as in `step=7.2`, of one name, in some sizes.
const view = (name, hash, more = {}) => ({ name, hash, sizes: Object.keys(sizes), ...more });

function viewsOf(scene, page) {
  const last = page.steps.length;
  const at = (step) => `scene=${scene}&step=${step}`;
  const key = [...new Set([1, 4, 7, last].filter((step) => step <= last))];
  const presets = (page.fields.find(({ name }) => name === 'preset')?.choices ?? []).map(({ value }) => value);
  const words = page.fields.some(({ name }) => name === 'text') ? own.split(' ').slice(0, 64) : [];
  return [
    ...page.steps.flatMap((step, index) => [
      view(`${scene}-${index + 1}`, at(index + 1)),
      ...step.parts.map((part, number) =>
        view(`${scene}-${index + 1}.${number + 1}`, at(`${index + 1}.${number + 1}`))),
    ]),
    view(`${scene}-7`, at(Math.min(7, last)), { sizes: ['wide@2x'] }),
    ...presets.flatMap((preset) => key.map((step) => view(`${scene}-${preset}-${step}`, `${at(step)}&preset=${preset}`))),
    ...key.map((step) => view(`${scene}-pinned-${step}`, `${at(step)}&pin=weights[0,2]`)),
    ...(words.length ? key.map((step) => view(`${scene}-64words-${step}`, `${at(step)}&text=${words.join('+')}`)) : []),
    view(`${scene}-question`, at(last), { answer: 0 }),
    view(`${scene}-refused`, 'step=99'),
    view(`${scene}-text-view`, at(Math.min(7, last)), { open: '#text-view' }),
    ...key.map((step) => view(`${scene}-embed-${step}`, `${at(step)}&embed=1`, { sizes: ['frame', 'phone'] })),
  ];
}

async function open(browser, url, size, theme) {
  const page = await browser.newPage();
  await page.setViewport({ ...sizes, ...special }[size]);
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  page.on('pageerror', (error) => console.error(`the page failed: ${error.message}`));
  await page.goto(url);
  await settle(page);
  return page;
}

// Ready, with all that the scene needs, and three frames at rest.
const settle = (page) => page.evaluate(async () => {
  await window.limelight.ready;
  await document.fonts.ready;
  for (let quiet = 0, frames = -1; quiet < 3; ) {
    await new Promise(requestAnimationFrame);
    const { frames: now } = window.limelight.stats();
    const { animating, fetching } = window.limelight.page();
    quiet = now === frames && !animating && !fetching ? quiet + 1 : 0;
    frames = now;
  }
});

const { only, hash, name } = options();
const server = await serve('build/web');
const browser = await launch();
let taken = 0;
try {
  await mkdir(folder, { recursive: true });
  const views = [];
  if (name) {
    views.push(view(name, hash));
  } else {
    const first = await open(browser, server.url, 'wide', 'light');
    for (const scene of await first.evaluate(() => window.limelight.page().scenes)) {
      await first.evaluate((id) => window.limelight.setState({ scene: id }), scene.name);
      views.push(...viewsOf(scene.name, await first.evaluate(() => window.limelight.page())));
    }
    await first.close();
  }
  for (const { name: file, hash: state, sizes: wanted, open: button, answer } of views) {
    for (const size of wanted) {
      for (const theme of themes) {
        const path = `${folder}/${file}-${theme}-${size}.png`;
        if (!only.test(path.slice(folder.length + 1))) continue;
        const page = await open(browser, `${server.url}#${state}`, size, theme);
        if (button) {
          await page.$eval(button, (node) => node.click());
          await settle(page);
        }
        if (answer !== undefined) {
          await page.evaluate((guess) => window.limelight.setState({ guess }), answer);
          await settle(page);
        }
        await writeFile(path, await page.screenshot());
        await page.close();
        console.log(path);
        ++taken;
      }
    }
  }
} finally {
  await browser.close();
  await server.close();
}
if (taken === 0) {
  console.error('No view has such a name.');
  process.exit(1);
}
console.log(`${taken} pictures in ${folder}`);
