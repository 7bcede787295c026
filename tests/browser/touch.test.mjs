// Fingers: pinching, dragging and scrolling, as narrow as a phone of 360 px, and so high that all of the map is seen.
import assert from 'node:assert/strict';
import { PHONE, browserTest } from './harness.mjs';

const NARROW = { ...PHONE, width: 360, height: 1000 };
const WORDS = 'text=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p';
const box = async (app, id) => {
  const { x, y, w, h } = await app.target(id);
  return { x, y, w, h };
};

// points: [[x, y] of each finger] in px.
async function fingers(page) {
  const input = await page.createCDPSession();
  return (type, ...points) => input.send('Input.dispatchTouchEvent', {
    type, touchPoints: points.map(([x, y], id) => ({ x, y, id })),
  });
}

browserTest('two fingers zoom into a map, out of it again, and tap nothing', { viewport: NARROW, hash: `step=7&${WORDS}` },
  async ({ page, app }) => {
    const touch = await fingers(page);
    const { x, y, w, h } = await box(app, 'weights');
    const [cx, cy] = [x + w / 2, y + h / 2];
    const apart = (d) => [[cx - d, cy], [cx + d, cy]];
    await touch('touchStart', apart(30)[0]);
    await touch('touchStart', ...apart(30));
    for (const d of [36, 44, 52, 60]) await touch('touchMove', ...apart(d));
    await touch('touchEnd');
    await app.settled();
    const { zoom, pin } = await app.state();
    assert.match(zoom, /^weights:\d+\.\d+:8\.8$/);
    assert.equal(pin, '');
    await touch('touchStart', ...apart(60));
    for (const d of [50, 40, 30, 20]) await touch('touchMove', ...apart(d));
    await touch('touchEnd');
    await app.settled();
    assert.equal((await app.state()).zoom, '');
    // The figure has not kept a finger: the next tap is one.
    await app.tap('weights[3,4]');
    assert.equal((await app.state()).pin, 'weights[3,4]');
  });

browserTest('a third finger that comes and goes changes nothing of what two zoomed into', { viewport: NARROW, hash: `step=7&${WORDS}` },
  async ({ page, app }) => {
    const { x, y, w, h } = await box(app, 'weights');
    const [cx, cy] = [x + w / 2, y + h / 2];
    const { touchscreen } = page;
    const [one, other] = [await touchscreen.touchStart(cx - 30, cy), await touchscreen.touchStart(cx + 30, cy)];
    for (const d of [36, 44, 52, 60]) {
      await one.move(cx - d, cy);
      await other.move(cx + d, cy);
    }
    await app.settled();
    const { zoom } = await app.state();
    assert.match(zoom, /^weights:\d+\.\d+:8\.8$/);
    const third = await touchscreen.touchStart(cx, cy + 40);
    await third.end();
    await one.move(cx - 61, cy);
    await app.settled();
    assert.equal((await app.state()).zoom, zoom);
    for (const finger of [one, other]) await finger.end();
  });

browserTest('two fingers zoom while one lies beside the figure', { viewport: NARROW, fresh: true, hash: `step=7&${WORDS}` }, async ({ page, app }) => {
  await page.evaluate(() => {
    const beside = document.createElement('div');
    beside.style.cssText = 'position: fixed; left: 0; top: 0; width: 60px; height: 60px; z-index: 99';
    document.body.append(beside);
  });
  const { x, y, w, h } = await box(app, 'weights');
  const [cx, cy] = [x + w / 2, y + h / 2];
  const { touchscreen } = page;
  await touchscreen.touchStart(30, 30);
  const [one, other] = [await touchscreen.touchStart(cx - 30, cy), await touchscreen.touchStart(cx + 30, cy)];
  for (const d of [36, 44, 52, 60]) {
    await one.move(cx - d, cy);
    await other.move(cx + d, cy);
  }
  for (const finger of [one, other]) await finger.end();
  await app.settled();
  assert.match((await app.state()).zoom, /^weights:\d+\.\d+:8\.8$/);
  assert.equal((await app.state()).pin, '');
  await touchscreen.tap(cx, cy);  // while the other one still lies there
  await app.settled();
  assert.match((await app.state()).pin, /^weights\[/);
});

browserTest('a finger drags what is zoomed into, and a slider', { viewport: NARROW, hash: `step=7&${WORDS}&zoom=weights:4.4:8.8` },
  async ({ page, app }) => {
    const touch = await fingers(page);
    const { x, y, w, h } = await box(app, 'weights');
    const [cx, cy] = [x + w / 2, y + h / 2];
    await touch('touchStart', [cx, cy]);
    for (const d of [10, 20, 30, w / 4]) await touch('touchMove', [cx + d, cy]);
    await touch('touchEnd');
    await app.settled();
    assert.equal((await app.state()).zoom, 'weights:4.2:8.8');
    await app.tap('shell.sheet.toggle');
    // The sheet is scrolled by a finger until the slider is there.
    const find = () => box(app, { role: 'slider', label: /temperature/i });
    for (let tries = 0; tries < 5 && (await find()).y > NARROW.height - 60; ++tries) {
      await touch('touchStart', [180, 680]);
      for (const up of [20, 60, 120]) await touch('touchMove', [180, 680 - up]);
      await touch('touchEnd');
      await app.settled();
    }
    const slider = await find();
    assert.ok(slider.y < NARROW.height - 20, `the slider is at ${slider.y}`);
    const before = (await app.state()).temperature;
    const line = slider.y + slider.h / 2;
    await touch('touchStart', [slider.x + slider.w * 0.5, line]);
    for (const share of [0.6, 0.7, 0.8]) await touch('touchMove', [slider.x + slider.w * share, line]);
    await touch('touchEnd');
    await app.settled();
    assert.notEqual((await app.state()).temperature, before);
  });

browserTest('every control of every scene fits into 360 px, and what is pressed is as large as a finger',
  { viewport: NARROW, media: { 'prefers-reduced-motion': 'reduce' }, timeout: 120_000 },
  async ({ app }) => {
    const problems = [];
    for (const { name } of (await app.page()).scenes) {
      await app.set({ scene: name });
      const { steps } = await app.page();
      for (const { id: step, given } of steps) {
        if (given) continue;
        await app.set({ step });
        for (const { id, role, x, w, h } of (await app.page()).targets) {
          if (x < -0.5 || x + w > 360.5) problems.push(`${name} ${step}: ${id} is from ${x} to ${x + w}`);
          // Of the steps on the track each is a small part; the two buttons beside it lead to all of them.
          const least = id.startsWith('shell.step.') ? h : Math.min(w, h);
          if (role === 'button' && id.startsWith('shell.') && least < 40) problems.push(`${name} ${step}: ${id} is ${w}×${h}`);
        }
      }
    }
    assert.deepEqual(problems, []);
  });

browserTest('on a phone a finger scrolls over the words, chooses one by a tap, and drags the lamp along them', { viewport: PHONE },
  async ({ page, app }) => {
    const query = async () => Number((await app.state()).query);
    const touch = await fingers(page);
    const drag = async ([x, y], dy) => {
      await touch('touchStart', [x, y]);
      for (let step = 1; step <= 6; ++step) await touch('touchMove', [x, y + (dy * step) / 6]);
      await touch('touchEnd');
      await app.settled();
    };
    const asks = await query();
    await drag(await app.point('stage.word.3'), -80);
    assert.equal(await query(), asks);
    await app.tap('stage.word.1');
    assert.equal(await query(), 1);
    const lamp = await app.point('stage.lamp');
    const [, to] = await app.point('stage.word.3');
    await drag(lamp, to - lamp[1]);
    assert.equal(await query(), 3);
  });
