// The queries' tap of Layer: it follows the hand, and leads to another step only where it is dropped on a sequence.
import assert from 'node:assert/strict';
import { browserTest } from './harness.mjs';

async function drag(app, page, from, to, { let_go = true } = {}) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
  await app.settled();
  if (let_go) await page.mouse.up();
  await app.settled();
}

browserTest('the tap is where the pointer holds it, and goes back when it is dropped on nothing', { hash: 'scene=layer&step=self' },
  async ({ app, page }) => {
    const tap = await app.point('tap.query');
    const before = await app.state();
    const away = [tap[0] + 500, tap[1] + 430];
    await drag(app, page, tap, away, { let_go: false });
    const held = await app.point('tap.query');
    assert.ok(Math.hypot(held[0] - away[0], held[1] - away[1]) < 2, `it is at ${held}, the pointer at ${away}`);
    assert.deepEqual(await app.state(), before);
    await page.mouse.up();
    await app.until(([x, y]) => {
      const at = window.limelight.page().targets.find(({ id }) => id === 'tap.query');
      const { left, top } = document.querySelector('canvas').getBoundingClientRect();
      return Math.hypot(left + at.x + at.w / 2 - x, top + at.y + at.h / 2 - y) < 2;
    }, tap);
    assert.deepEqual(await app.state(), before);
  });

browserTest('dropped on the second sequence the tap makes it ask, dropped on a film of the inputs these ask again',
  { hash: 'scene=layer&step=self' }, async ({ app, page }) => {
    await drag(app, page, await app.point('tap.query'), await app.point('Z.empty'));
    assert.equal((await app.state()).step, 'cross');
    await app.settled();
    const strip = await app.point('X.strip');
    await drag(app, page, await app.point('tap.query'), [strip[0], strip[1] + 40]);
    assert.equal((await app.state()).step, 'self');
    assert.equal((await app.state()).query, '0');  // no query that the pointer crossed was chosen
  });
