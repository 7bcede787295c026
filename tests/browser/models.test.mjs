// Trained weights come when a scene needs them, and not before.
import assert from 'node:assert/strict';
import { browserTest, pause } from './harness.mjs';

const ATTENTION = '/models/french-attention.safetensors';

// → the models that a page asks for; `answer(request)` may answer one in the server's place
function watch(answer = () => false) {
  const asked = [];
  const prepare = async (page) => {
    await page.setRequestInterception(true);
    page.on('request', async (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/models/')) asked.push(pathname);
      if (!pathname.startsWith('/models/') || !await answer(request)) request.continue();
    });
  };
  return { asked, prepare };
}

// The weights over the 13 tokens of the agreement's sentence and [STOP] are shown.
const translated = () => window.limelight.page().tables.some(({ name, rows, columns }) => name === 'weights' && rows * columns % 14 === 0);

const first = watch();
browserTest('neither a first visit nor the example by hand asks for a model', { prepare: first.prepare }, async ({ app }) => {
  await app.set({ scene: 'translate', preset: 'constructed', step: 4 });
  assert.deepEqual(first.asked, []);
  await app.set({ preset: 'agreement' });
  await app.until(translated);
  assert.deepEqual(first.asked, [ATTENTION]);
  await app.set({ step: 8 });
  await app.set({ step: 4 });
  assert.equal(first.asked.filter((path) => path === ATTENTION).length, 1);
  const { shape, data } = await app.trace('weights');
  for (let row = 0; row < shape[0]; ++row) {
    const sum = data.slice(row * shape[1], (row + 1) * shape[1]).reduce((a, b) => a + b);
    assert.ok(Math.abs(sum - 1) < 1e-5);
  }
});

let broken = true;
const failing = watch((request) => {
  if (broken) request.respond({ status: 200, contentType: 'application/octet-stream', body: 'This is no model.' });
  return broken;
});
browserTest('a file that is no model is named and refused, and can be fetched again',
  { hash: 'scene=translate&preset=agreement&step=4', prepare: failing.prepare }, async ({ app }) => {
    await app.until(() => window.limelight.page().targets.some(({ id }) => id === 'missing.again'));
    assert.match((await app.page()).narration, /french-attention\.safetensors/);
    broken = false;
    await app.click('missing.again');
    await app.until(translated);
    assert.equal(failing.asked.length, 2);
  });

const late = watch(() => pause(1000).then(() => false));
browserTest('what a link pins is there when its model has come',
  { hash: 'scene=translate&preset=agreement&step=4&pin=weights[4,6]', prepare: late.prepare }, async ({ app }) => {
    const waiting = await app.page();
    assert.match(waiting.narration, /on its way/);
    assert.ok(waiting.fetching);
    await app.until(translated);
    assert.ok(!(await app.page()).fetching);
    assert.equal((await app.state()).pin, 'weights[4,6]');
  });
