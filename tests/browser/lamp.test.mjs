// The lamp over the sentence: what the pointer does to it, and what it leaves alone.
import assert from 'node:assert/strict';
import { browserTest, ofPixels, pause } from './harness.mjs';

const AWAY = [640, 20];  // in the bar above the stage
const LONG = Array.from({ length: 40 }, (_, i) => `w${i}`).join('+');
const frames = (app) => app.run(() => window.limelight.stats().frames);
const narration = async (app) => (await app.page()).narration;

browserTest('a word that the pointer is on asks as long as it is there, and the address stays', {}, async ({ page, app }) => {
  const before = [(await app.page()).hash, await app.state(), await narration(app)];
  assert.match(before[2], /^jumped looks most at fox, 52\s%/);
  await page.mouse.move(...await app.point('stage.word.7'));
  await app.until(() => window.limelight.page().narration.startsWith('lazy looks most at '));
  await page.mouse.move(...AWAY);
  await app.until((text) => window.limelight.page().narration === text, before[2]);
  assert.deepEqual([(await app.page()).hash, await app.state()], before.slice(0, 2));
});

browserTest('a click on a word lets it ask, and one undo takes that back', {}, async ({ page, app }) => {
  await app.click('stage.word.1');
  await page.mouse.move(...AWAY);
  await app.until(() => window.limelight.getState().query === '1');
  assert.match(await narration(app), /^quick looks most at /);
  await app.click('shell.undo');
  await app.until(() => window.limelight.getState().query !== '1');
});

browserTest('a drag along the words takes the lamp along, and where it ends asks; one undo takes that back', {}, async ({ page, app }) => {
  const hash = (await app.page()).hash;
  await page.mouse.move(...await app.point('stage.word.2'));
  await page.mouse.down();
  for (const word of [4, 6, 7]) await page.mouse.move(...await app.point(`stage.word.${word}`), { steps: 3 });
  await app.until(() => window.limelight.page().narration.startsWith('lazy looks most at '));
  assert.equal((await app.page()).hash, hash);
  await page.mouse.up();
  await page.mouse.move(...AWAY);
  await app.until(() => window.limelight.getState().query === '7');
  await app.click('shell.undo');
  await app.until(() => window.limelight.getState().query !== '7');
});

browserTest('every word of a long sentence is there and can be made to ask', { hash: `query=10&text=${LONG}` }, async ({ app }) => {
  const words = (await app.page()).targets.filter(({ id }) => /^stage\.word\.\d+$/.test(id));
  assert.equal(words.length, decodeURIComponent(LONG).split(/[ +]/).length);
  await app.click(words.at(-1).id);
  await app.until((last) => window.limelight.getState().query === last, String(words.length - 1));
});

browserTest('the text view moves the lamp by arrow keys', {}, async ({ app }) => {
  const control = await app.mirror('slider', 'Query token');
  await control.focus();
  await app.press('ArrowRight', 'ArrowRight', 'ArrowLeft');
  await app.until(() => window.limelight.getState().query === '5');
});

browserTest('a page at rest draws no frame, also with the lamp on', {}, async ({ page, app }) => {
  await page.mouse.move(...await app.point('stage.word.3'));
  await app.settled();
  await pause(1500);  // until the tooltip is there
  await app.settled();
  const before = await frames(app);
  await pause(1000);
  assert.equal(await frames(app), before);
});

// The largest difference of two PNGs of one size, of 255.
const apart = (page, ...pictures) => ofPixels(page,
  (one, other) => one.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i])), 0), ...pictures);

for (const firefox of [false, true]) {
  browserTest('a lamp whose graphics memory is lost on its way comes back at rest, over the word that it went to', {
    firefox, fresh: true, timeout: 90_000, expected: /WebGL context was lost/,
  }, async ({ page, app }) => {
    const { x, y, width, height } = await (await page.$('#canvas')).boundingBox();
    const stage = { x: x + 80, y: y + 56, width: width - 80, height: height - 240 };
    const seen = async () => {
      await page.mouse.move(...AWAY);
      await app.settled();
      return Buffer.from(await page.screenshot({ clip: stage }));
    };
    const query = (await app.state()).query;
    await app.set({ query: '1' });
    const atRest = await seen();
    await app.set({ query });
    assert.ok(!atRest.equals(await seen()));
    const before = { ...await app.state(), query: '1' };
    await app.run(() => {
      const canvas = document.getElementById('canvas');
      canvas.dataset.old = '';
      const extension = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
      requestAnimationFrame(function watch() {
        const moves = window.limelight.page().animating && window.limelight.getState().query === '1';
        if (!moves) return requestAnimationFrame(watch);
        extension.loseContext();
        setTimeout(() => extension.restoreContext(), 300);
      });
    });
    await page.mouse.click(...await app.point('stage.word.1'));
    await page.waitForSelector('#canvas:not([data-old])');
    await app.ready();
    assert.deepEqual(await app.state(), before);
    assert.ok(await apart(page, atRest, await seen()) <= 2);  // a glyph may lie elsewhere in its texture
  });
}
