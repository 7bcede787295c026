// The opening, as a first visit has it: what it is, how it is left, and that it does not come again.
import assert from 'node:assert/strict';
import { PHONE, browserTest, pause, server } from './harness.mjs';

const page = (app) => app.page();
const over = (app) => app.until(() => !window.limelight.page().opening);
const reload = async ({ page, app }) => {
  await page.goto('about:blank');
  await page.goto(server.url);
  await app.ready();
};

for (const firefox of [false, true]) {
  browserTest('a first visit begins with a word that asks, and the pointer moves the lamp at once', { opening: true, firefox }, async ({ page: tab, app }) => {
    const first = await page(app);
    assert.equal(first.opening, true);
    assert.equal(first.theme, 'dark');
    assert.match(first.narration, /“jumped” looks most at “fox”: 52/);
    await tab.mouse.move(...await app.point('stage.word.7'));
    await app.until(() => /“lazy” looks most at /.test(window.limelight.page().narration));
    assert.equal(await app.run(() => location.hash), '');  // nothing of it is in the address
  });
}

const frames = (app) => app.run(() => window.limelight.stats().frames);
const rests = async (app, ms) => {
  const before = await frames(app);
  await pause(ms);
  assert.equal(await frames(app), before);
};
const moves = (app, from) => app.until((count) => window.limelight.stats().frames > count + 2, from);

browserTest('left alone, a hand moves the lamp once, and then no frame is drawn', { opening: true }, async ({ app }) => {
  const before = await page(app);
  await moves(app, await frames(app));
  await pause(6000);
  await app.settled();
  await rests(app, 2500);
  assert.equal((await page(app)).narration, before.narration);
  assert.equal(await app.run(() => location.hash), '');
});

browserTest('the hand goes when the pointer moves', { opening: true }, async ({ page: tab, app }) => {
  await moves(app, await frames(app));
  for (const x of [8, 9]) await tab.mouse.move(x, 300);
  await app.settled();
  await rests(app, 2500);
});

browserTest('with reduced motion no hand comes', { opening: true, media: { 'prefers-reduced-motion': 'reduce' } }, ({ app }) => rests(app, 3000));

browserTest('any key skips it, and it does not come by itself again', { opening: true }, async (given) => {
  const { page: tab, app } = given;
  await tab.keyboard.press('x');
  await over(app);
  assert.equal((await page(app)).scene, 'spotlight');
  await app.until(() => location.hash.includes('scene=spotlight'));
  await reload(given);
  assert.equal((await page(app)).opening, false);
  await app.click('shell.opening');  // but when it is asked for
  await app.until(() => window.limelight.page().opening);
  await tab.keyboard.press('Escape');
  await over(app);
});

browserTest('the arrows move the lamp, and the door of the words opens with the word that they chose', { opening: true }, async ({ page: tab, app }) => {
  await tab.keyboard.press('ArrowRight');
  await app.until(() => /“over” looks most at/.test(window.limelight.page().narration));
  await app.click('opening.words');
  await over(app);
  assert.equal((await app.state()).query, '5');
});

browserTest('the door of the translation opens that scene once it has come', { opening: true }, async ({ app }) => {
  await app.click('opening.translation');
  await over(app);
  assert.equal((await page(app)).scene, 'translate');
});

for (const firefox of [false, true]) {
  browserTest('Back leads from a door’s scene to the page that lay under the opening, and Forward on again', { opening: true, firefox }, async ({ page: tab, app }) => {
    const before = await app.run(() => history.length);
    await app.click('opening.translation');
    await over(app);
    await app.until(() => location.hash.includes('scene=translate'));
    assert.equal(await app.run(() => history.length), before + 1);
    await tab.goBack();
    await app.until(() => window.limelight.page().scene === 'spotlight');
    assert.equal((await page(app)).opening, false);
    await app.until(() => location.hash.includes('scene=spotlight'));
    await tab.goForward();
    await app.until(() => window.limelight.page().scene === 'translate');
    assert.equal(await app.run(() => history.length), before + 1);
  });
}

browserTest('the door of the words leaves nothing to go back to', { opening: true }, async ({ app }) => {
  const before = await app.run(() => history.length);
  await app.click('opening.words');
  await over(app);
  await app.until(() => location.hash.includes('scene=spotlight'));
  assert.equal(await app.run(() => history.length), before);
});

browserTest('a link has no opening', { opening: true, hash: 'scene=spotlight&step=glance' }, async ({ app }) => {
  assert.equal((await page(app)).opening, false);
});

browserTest('on a phone a tap on a word lets it ask', { opening: true, viewport: PHONE }, async ({ page: tab, app }) => {
  await tab.touchscreen.tap(...await app.point('stage.word.7'));
  await app.until(() => /“lazy” looks most at /.test(window.limelight.page().narration));
  await tab.touchscreen.tap(...await app.point('opening.skip'));
  await over(app);
});

browserTest('before the program has come, its picture stands there', { opening: true, ready: false, prepare: async (tab) => {
  await tab.setRequestInterception(true);
  tab.on('request', (request) => (/\.wasm/.test(request.url()) ? setTimeout(() => request.continue(), 1500) : request.continue()));
} }, async ({ page: tab, app }) => {
  await tab.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /opening-wide.*\.webp$/.test(name)));
  assert.equal(await app.run(() => getComputedStyle(document.getElementById('loading')).backgroundImage.includes('opening-wide')), true);
  await app.ready();
  assert.equal((await page(app)).opening, true);
});
