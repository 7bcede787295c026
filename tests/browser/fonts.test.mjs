// Fonts come in two parts: the first with the page, the rest when a figure needs it. Until then nothing is drawn with the glyphs of
// another font.
import assert from 'node:assert/strict';
import { browserTest, ofPixels, pause } from './harness.mjs';

const REST = /\/fonts\/rest\/[a-z-]+\.ttf$/;
const BEYOND = 'она любит кофе';  // which no first part has
const LONGEST_HOLD_MS = 3000;  // as src/platform/window.cpp has it
// Where what can be undone is seen. A picture of more than the window would resize it, which empties the canvas.
const BELOW_HEAD = { captureBeyondViewport: false, clip: { x: 0, y: 60, width: 1280, height: 740 } };
const media = { 'prefers-reduced-motion': 'reduce' };

// A gate that the rests of fonts wait at; open(answer) lets them through, or answers in their place.
function createGate() {
  const gate = {
    asked: [],
    waiting: [],
    answer: null,  // function of a request; null: it waits
    async prepare(page) {
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        if (!REST.test(request.url())) return request.continue();
        gate.asked.push(new URL(request.url()).pathname);
        if (gate.answer) gate.answer(request);
        else gate.waiting.push(request);
      });
    },
    open(answer = (request) => request.continue()) {
      gate.answer = answer;
      gate.waiting.splice(0).forEach(answer);
    },
  };
  return gate;
}

const frames = (app) => app.run(() => window.limelight.stats().frames);
const change = (app, partial) => app.run((p) => window.limelight.setState(p).then(() => {}), partial);
const drawn = (app, before) => app.until((n) => window.limelight.stats().frames > n, before);

// How many pixels of two pictures differ by more than where in its texture a glyph lies makes of it.
const countDifferent = (page, ...pictures) => ofPixels(page,
  (one, other) => one.reduce((count, value, index) => count + (Math.abs(value - other[index]) > 24 ? 1 : 0), 0), ...pictures);

const first = createGate();
first.open();
browserTest('the first scene needs no more of any font than comes with the page', { prepare: first.prepare }, async ({ app }) => {
  const { steps } = await app.page();
  for (const { id, parts } of steps) for (const step of [id, ...parts.map((part) => `${id}.${part.id}`)]) await app.set({ step });
  assert.deepEqual(first.asked, []);
  await app.set({ text: BEYOND, step: 1 });
  assert.ok(first.asked.includes('/fonts/rest/inter-regular.ttf'));
  await app.set({ scene: 'score' });
  assert.ok(first.asked.includes('/fonts/rest/mono-bold.ttf'));
  assert.equal(new Set(first.asked).size, first.asked.length, 'each is fetched once');
});

const late = createGate();
browserTest('while a font is on its way, what was drawn last stays; then it is what a page with that font draws', {
  prepare: late.prepare, media,
}, async ({ page, app }) => {
  await app.settled();
  const before = [await page.screenshot(BELOW_HEAD), await frames(app)];
  await change(app, { text: BEYOND });
  await app.until(() => window.limelight.page().animating);
  await pause(500);
  assert.equal(late.waiting.length, late.asked.length);
  assert.equal(await frames(app), before[1]);
  assert.ok((await page.screenshot(BELOW_HEAD)).equals(before[0]), 'it stays as it is');
  assert.equal((await app.page()).animating, true);

  late.open();
  await drawn(app, before[1]);
  await app.settled();
  const after = await page.screenshot(BELOW_HEAD);
  await app.until(() => location.hash.includes('text='));  // which is written a moment later
  await page.reload();
  await app.ready();
  assert.equal(await countDifferent(page, await page.screenshot(BELOW_HEAD), after), 0);
  assert.ok(await countDifferent(page, before[0], after) > 1000);
});

const start = createGate();
browserTest('a link that needs more of a font shows how it loads until that is there', {
  prepare: start.prepare, media, ready: false, hash: `text=${encodeURIComponent(BEYOND)}`,
}, async ({ page, app }) => {
  await app.until(() => window.limelight !== undefined);
  await app.run(() => window.limelight.ready);
  await pause(500);
  assert.ok(start.asked.length > 0);
  assert.equal(await page.$eval('#loading', (node) => node.hidden), false);
  start.open();
  await app.until(() => document.getElementById('loading').hidden);
  await app.settled();
});

const gone = createGate();
gone.open((request) => request.respond({ status: 404, body: '' }));
browserTest('a font that cannot be had is told of, and the figure is drawn without; another figure asks for it again', {
  prepare: gone.prepare, media, expected: /404|Failed to load/,
}, async ({ app }) => {
  const before = await frames(app);
  await change(app, { text: BEYOND });
  await drawn(app, before);
  await app.settled();
  assert.match((await app.page()).notice.text, /^Limelight could not load fonts\/rest\/[a-z]+-[a-z]+\.ttf: the server answered 404\.$/);
  const asked = gone.asked.length;
  gone.open();
  await app.set({ step: 2 });
  assert.ok(gone.asked.length > asked);
});

const never = createGate();
browserTest('what waits for a font for long is drawn without, and once more when it comes', { prepare: never.prepare, media }, async ({ page, app }) => {
  const before = await frames(app);
  await change(app, { text: BEYOND });
  const start = Date.now();
  await drawn(app, before);
  assert.ok(Date.now() - start > LONGEST_HOLD_MS / 2);
  await app.settled();
  const without = [await page.screenshot(BELOW_HEAD), await frames(app)];
  never.open();
  await drawn(app, without[1]);
  await app.settled();
  assert.ok(await countDifferent(page, await page.screenshot(BELOW_HEAD), without[0]) > 100);
});
