// Sentence in the page: words are hidden by a double click, swapped and looked from; experiments begin by themselves.
import assert from 'node:assert/strict';
import { browserTest } from './harness.mjs';

const hasTarget = (id) => window.limelight.page().targets.some((target) => target.id === id);
const holds = (name) => { try { return window.limelight.trace(name).data.length > 0; } catch { return false; } };
const read = async (app) => {
  await app.until(holds, 'kinds');
  await app.settled();
};

browserTest('a double click hides a word and shows it again, a click looks from it', { hash: 'scene=sentence&preset=cat&hidden=' }, async ({ app, page }) => {
  await read(app);
  await app.click('stage.word.4');
  assert.equal((await app.state()).query, '4');
  assert.equal((await app.state()).hidden, '');
  await page.mouse.click(...await app.point('stage.word.5'), { count: 2 });
  await app.settled();
  assert.equal((await app.state()).hidden, '0.5:1');
  const guesses = await app.trace('guess_6');
  assert.deepEqual(guesses.shape, [1, 8]);
  assert.ok(guesses.data.every((p, i) => p > 0 && p <= (guesses.data[i - 1] ?? 1)));
  await page.mouse.click(...await app.point('stage.word.5'), { count: 2 });
  await app.settled();
  assert.equal((await app.state()).hidden, '');
});

browserTest('another word turns the head that follows the pronoun', { hash: 'scene=sentence&preset=animal&step=swap' }, async ({ app }) => {
  await read(app);
  const { shape: [, tokens], data } = await app.trace('D_3.2');
  assert.ok(data[9 * tokens + 2] < -0.8, 'away from the animal');
  assert.ok(data[9 * tokens + 7] > 0.8, 'to the street');
  await app.set({ instead: 'hungry' });
  const same = await app.trace('D_3.2');
  assert.ok(Math.abs(same.data[9 * tokens + 2]) < 0.3, 'an animal can be hungry');
});

browserTest('the experiments begin by themselves, and what they say of a head holds when it is switched off',
  { hash: 'scene=sentence&preset=pronoun&step=off' }, async ({ app }) => {
    await read(app);
    await app.until(holds, 'importance');
    await app.settled();
    const { data } = await app.trace('importance');
    const most = data.indexOf(Math.min(...data));
    const before = (await app.trace('truth_7')).data[0];
    await app.click(`off.${Math.floor(most / 8) + 1}.${most % 8 + 1}`);
    await app.until(holds, 'guess_without_7');
    const after = (await app.trace('truth_without_7')).data[0];
    assert.ok(Math.abs(after - before - data[most]) < 1e-4);
    assert.ok(await app.run(hasTarget, 'off.1.1'));
  });

browserTest('a pinned weight is the pair that the next steps look at', { hash: 'scene=sentence&preset=fox&step=head' }, async ({ app }) => {
  await read(app);
  await app.set({ pin: 'A_1.5[5,4]', step: 'pair' });
  const { query, key } = await app.state();
  assert.deepEqual([query, key], ['5', '4']);
  const [product, score] = [await app.trace('P_1.5'), await app.trace('s_1.5')];
  const sum = product.data.slice(4 * 12, 5 * 12).reduce((a, b) => a + b);
  assert.ok(Math.abs(sum / Math.sqrt(12) - score.data[4]) < 1e-4);
});
