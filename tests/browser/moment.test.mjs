// Time within a step: the playhead held between two steps, and playing.
import assert from 'node:assert/strict';
import { browserTest, pause } from './harness.mjs';

const HASH_PAUSE_MS = 800;  // longer than the page waits before it writes its address

for (const firefox of [false, true]) {
  browserTest('the playhead is held between two steps, and a link leads back to that moment', {
    hash: 'scene=spotlight&preset=fox&step=words', firefox,
  }, async ({ page, app }) => {
    const [fromX, fromY] = await app.point('shell.step.1'), [toX] = await app.point('shell.step.2');
    const seen = async () => {
      await app.settled();
      return (await page.screenshot({ clip: { x: 80, y: 56, width: 1100, height: 500 } })).toString('base64');
    };
    const words = await seen();
    await page.mouse.move(fromX, fromY);
    await page.mouse.down();
    await page.mouse.move(fromX + 0.3 * (toX - fromX), fromY);
    await page.mouse.move((fromX + toX) / 2, fromY);
    await page.mouse.up();
    await app.settled();  // the page hears of the pointer in its next frame
    const { step, t } = await app.state();
    assert.equal(step, 'x');
    assert.ok(Math.abs(Number(t) - 0.5) < 0.06, t);
    await page.mouse.move(fromX, fromY - 300);
    const between = await seen();
    await pause(HASH_PAUSE_MS);
    assert.match(await page.evaluate(() => location.hash), /&t=0\.\d+/);
    await page.reload();
    await app.ready();
    assert.equal((await app.state()).t, t);
    await page.keyboard.press('ArrowRight');
    assert.deepEqual([(await app.state()).step, (await app.state()).t], ['x', '1']);
    const x = await seen();
    assert.equal(new Set([words, between, x]).size, 3);
  });
}

browserTest('playing goes through the moments of a step, and comes to rest', {
  hash: 'scene=spotlight&preset=fox&step=glance&t=0.2',
}, async ({ page, app }) => {
  const before = await page.screenshot({ clip: { x: 80, y: 56, width: 1100, height: 500 } });
  await app.click('shell.play');
  await page.waitForFunction(() => !window.limelight.page().playing, { timeout: 20_000 });
  assert.deepEqual([(await app.state()).step, (await app.state()).t], ['glance', '1']);
  await app.settled();
  assert.ok(!before.equals(await page.screenshot({ clip: { x: 80, y: 56, width: 1100, height: 500 } })));
});
