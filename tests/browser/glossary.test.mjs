// The glossary, words that explain themselves, and what the page says of itself.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { ALL, PHONE, browserTest } from './harness.mjs';

const dialog = (page) => page.waitForSelector('dialog.panel[open]', { timeout: 5000 });
const gone = (app) => app.until(() => !document.querySelector('dialog.panel'));
const shownTerms = (app) => app.run(() => [...document.querySelectorAll('.panel .terms > div')]
  .filter((node) => !node.hidden).map((node) => node.querySelector('dt').textContent));

for (const firefox of ALL ? [false, true] : [false]) {
  browserTest('the glossary finds a word and goes to the step that shows it', { firefox }, async ({ page, app }) => {
    await app.click('shell.glossary');
    await dialog(page);
    const all = await shownTerms(app);
    assert.ok(all.length > 60, `${all.length} terms`);
    assert.equal(await app.run(() => document.activeElement.id), 'glossary-filter');
    await page.keyboard.type('sparse max');
    assert.ok((await shownTerms(app)).includes('sparsemax'));
    assert.ok((await shownTerms(app)).length < 5);
    await page.keyboard.type('zzz');
    assert.deepEqual(await shownTerms(app), []);
    assert.match(await app.run(() => document.querySelector('.panel [role="status"]').textContent), /^None .+\.$/);
    for (let i = 0; i < 13; ++i) await page.keyboard.press('Backspace');
    await page.keyboard.type('rollout');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await gone(app);
    await app.until(() => window.limelight.page().scene === 'sentence');
    assert.equal((await app.page()).step, 5);
  });

  browserTest('About names five articles, links to sources, and is closed by Escape', { firefox }, async ({ page, app }) => {
    await app.pressMirror('button', 'About Limelight');
    await dialog(page);
    const said = await app.run(() => {
      const articles = [...document.querySelectorAll('.panel .article')];
      return {
        articles: articles.map((node) => [node.querySelector('h3').textContent, node.querySelectorAll('li').length]),
        links: [...document.querySelectorAll('.panel a')].map(({ href, target, rel }) => ({ href, target, rel })),
        text: document.querySelector('.panel').textContent,
      };
    });
    assert.equal(said.articles.length, 5);
    for (const [name, points] of said.articles) assert.ok(points >= 2, name);
    assert.ok(said.links.length > 20);
    for (const { href, target, rel } of said.links) {
      assert.match(href, /^https?:/);
      assert.deepEqual([target, rel], ['_blank', 'noopener']);
    }
    const [, version] = /limelight VERSION ([\d.]+)/.exec(await readFile(new URL('../../CMakeLists.txt', import.meta.url), 'utf8'));
    assert.ok(said.text.includes(`Version ${version}.`));
    await page.keyboard.press('Escape');
    await gone(app);
    assert.equal(await app.run(() => document.activeElement.textContent), 'About Limelight');
  });
}

browserTest('each button of About goes to a place that there is', { timeout: 90_000 }, async ({ page, app }) => {
  const count = await (async () => {
    await app.click('shell.about');
    await dialog(page);
    return app.run(() => document.querySelectorAll('.panel .content button').length);
  })();
  assert.ok(count >= 15);
  for (let i = 0; i < count; ++i) {
    if (i > 0) await app.run(() => window.limelight.ready);
    if (!await page.$('dialog.panel')) await app.click('shell.about');
    await dialog(page);
    await app.run((at) => document.querySelectorAll('.panel .content button')[at].click(), i);
    await gone(app);
    await app.settled();
    const { notice } = await app.page();
    assert.ok(notice === null || !/There is no|can be/.test(notice.text), notice?.text);
  }
});

browserTest('a word of the narration says what it means where the mouse rests, and not before', { hash: 'step=7' }, async ({ page, app }) => {
  const before = await app.run(() => window.limelight.stats().frames);
  const shot = () => page.screenshot({ encoding: 'base64' });
  const plain = await shot();
  await page.mouse.move(...await app.point('term.softmax'));
  await app.until((frames) => window.limelight.stats().frames > frames + 1, before);
  await app.settled();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await app.settled();
  assert.notEqual(await shot(), plain);
});

browserTest('a finger shows a word by a tap and hides it by another', { hash: 'step=7', viewport: PHONE }, async ({ page, app }) => {
  const shot = () => page.screenshot({ encoding: 'base64' });
  const plain = await shot();
  await app.tap('term.softmax');
  const shown = await shot();
  assert.notEqual(shown, plain);
  await page.touchscreen.tap(12, 140);
  await app.settled();
  assert.equal(await shot(), plain);
  assert.equal((await app.page()).step, 7);
});

browserTest('the text view explains the words that are used here, and follows', { hash: 'step=7' }, async ({ app }) => {
  const words = () => app.run(() => [...document.querySelectorAll('#mirror .words dt')].map((node) => node.textContent));
  await app.until(() => [...document.querySelectorAll('#mirror .words dt')].some((node) => node.textContent === 'softmax'));
  assert.ok(!(await words()).includes('rollout'));
  await app.set({ scene: 'sentence', step: 5 });
  await app.until(() => [...document.querySelectorAll('#mirror .words dt')].some((node) => node.textContent === 'rollout'));
});

browserTest('the menu of a phone opens the glossary and closes', { viewport: PHONE }, async ({ page, app }) => {
  await app.tap('shell.menu');
  await app.tap('shell.glossary');
  await dialog(page);
  await app.run(() => document.querySelector('.panel .close').click());
  await gone(app);
  assert.ok(!(await app.page()).targets.some(({ id }) => id === 'shell.about'));
});
