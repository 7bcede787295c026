// The element in articles of another site: how it starts, what it shows before, and what it says where it cannot.
import assert from 'node:assert/strict';
import { ALL, browserTest, driver, pause, server } from './harness.mjs';
import { SCRIPT, alike, at, figure, frameless, inBoth, scriptOf, site, stage, staged, withFigures } from './articles.mjs';

inBoth('a press on the picture itself starts the figure', withFigures('<limelight-figure scene="score"></limelight-figure>'), async ({ page }) => {
  const first = figure(page);
  await first.until((node) => node.shadowRoot.querySelector('img').naturalWidth > 0);
  const [x, y] = await first.run((node) => {
    const box = node.shadowRoot.querySelector('img').getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  });
  await page.mouse.click(x, y);
  await first.live();
});

inBoth('a figure is a picture until it is clicked, and then can be used by scripts', withFigures(
  '<limelight-figure scene="score" state="preset=fox"></limelight-figure>'), async ({ page }) => {
  const first = figure(page);
  await first.until((node) => node.shadowRoot.querySelector('img').naturalWidth > 0);
  await pause(500);
  assert.equal(await first.hasFrame(), false);
  assert.match(await first.run((node) => node.shadowRoot.querySelector('img').src), /posters\/score-light\.svg$/);
  await first.run((node) => {
    window.heard = [];
    for (const name of ['ready', 'changed', 'step', 'pinned']) node.addEventListener(name, ({ detail }) => heard.push([name, detail]));
    node.shadowRoot.querySelector('button').click();
  });
  await first.live();
  assert.equal(await first.run((node) => node.state.scene), 'score');
  assert.equal((await first.run((node) => node.step(3))).step, 'weights');
  assert.equal((await first.run((node) => node.step('triangle'))).step, 'triangle');
  assert.equal((await first.run((node) => node.step('triangle', 0.25))).t, '0.25');
  await page.waitForFunction(() => heard.some(([name, detail]) => name === 'step' && detail.t === 0.25));
  assert.equal((await first.run((node) => node.step('triangle'))).t, '1');
  assert.equal((await first.run((node) => node.set({ threshold: 0.25 }).catch((error) => error.message))).startsWith?.('There is no'), true);
  const refused = await first.run((node) => node.set({ step: 99 }).catch((error) => error.message));
  assert.match(refused, /step/);
  assert.equal(await first.run((node) => node.state.step), 'triangle');
  await page.waitForFunction(() => heard.some(([name, detail]) => name === 'step' && detail.step === 'triangle'));
  const names = await page.evaluate(() => heard.map(([name]) => name));
  assert.equal(names[0], 'ready');
  assert.ok(names.includes('changed'));
  assert.ok(!names.includes('pinned'));
});

alike('a figure that starts in view starts only there', withFigures(
  '<p style="height: 4000px">Words.</p><limelight-figure scene="spotlight" step="7" start="visible"></limelight-figure>',
), async ({ page }) => {
  const first = figure(page);
  await first.until((node) => node.shadowRoot.querySelector('img').src);
  await pause(500);
  assert.equal(await first.hasFrame(), false);
  await page.evaluate(() => document.querySelector('limelight-figure').scrollIntoView());
  await first.live();
  await first.run((node) => node.pin('weights[0,2]'));
  assert.equal(await first.run((node) => node.state.pin), 'weights[0,2]');
});

alike('of thirty figures few are alive, and one that comes back is as it was left', withFigures(
  Array.from({ length: 30 }, () => '<limelight-figure scene="spotlight" step="7" start="visible" height="500"></limelight-figure>').join(''),
  { timeout: 180_000 }), async ({ page }) => {
  const first = figure(page);
  await first.live();
  await first.run((node) => node.set({ temperature: 0.5, X: '0.0:3', text: 'a rose is a rose' }));
  const before = await first.run((node) => node.state);
  let most = 0;
  const count = () => page.$$eval('limelight-figure', (nodes) =>
    nodes.filter((node) => node.shadowRoot.querySelector('iframe')).length);
  for (let nth = 0; nth < 30; nth += ALL ? 3 : 6) {
    await page.evaluate((n) => document.querySelectorAll('limelight-figure')[n].scrollIntoView(), nth);
    await figure(page, nth).live();
    most = Math.max(most, await count());
  }
  assert.ok(most <= 4, `${most} were alive`);
  assert.ok(most > 1);
  assert.equal(await first.hasFrame(), false);
  assert.match(await first.run((node) => node.shadowRoot.querySelector('img').src.slice(0, 40)), /^data:image\/svg\+xml/);
  await page.evaluate(() => scrollTo(0, 0));
  await first.live();
  assert.deepEqual(await first.run((node) => node.state), before);
});

// ---- figures that start as they should not ----

const LIMELIGHT = '<limelight-figure height="300"></limelight-figure>';

alike('a figure that fails says so once', staged("begun = (say) => say('failed', { message: 'It broke.' })", LIMELIGHT),
  async ({ page }) => {
    const first = figure(page);
    await first.until((node) => node.start);
    const heard = await first.run(async (node) => {
      const events = [];
      node.addEventListener('failed', ({ detail }) => events.push(detail.message));
      return [await node.start().catch((error) => error.message), ...events];
    });
    assert.deepEqual(heard, ['It broke.', 'It broke.']);
    assert.equal(await first.words(), 'It broke.');
  });

// Ten of its seconds are one of ours.
const FAST = 'const slow = setInterval; setInterval = (f, ms) => slow(f, ms / 10);';
alike('a figure that is there before its last picture stays, and one that loads itself again and is silent then goes',
  staged(`${FAST} begun = (say) => say()`, LIMELIGHT), async ({ page }) => {
    const first = figure(page);
    await first.until((node) => node.start);
    await first.run((node) => node.start().then(() => {}));
    await pause(6000);  // more than `load` and twenty of its seconds need
    assert.equal(await first.hasFrame(), true);
    for (const says of [true, false]) {
      await page.evaluate((speaks) => {
        begun = (say) => speaks && say();
        const frame = document.querySelector('limelight-figure').shadowRoot.querySelector('iframe');
        frame.contentWindow.postMessage(speaks ? 'reload' : 'reload and be silent', '*');
      }, says);
      await pause(6000);
      assert.equal(await first.hasFrame(), says);
    }
    assert.equal(await first.words(), 'The figure does not answer any more.');
  });

alike('a figure has the theme that its article took while it was loading', staged('begun = (say) => (there = say)', LIMELIGHT),
  async ({ page }) => {
    const first = figure(page);
    await first.until((node) => node.start);
    await first.run((node) => void node.start());
    await page.waitForFunction(() => window.there);
    await page.evaluate(() => (document.documentElement.dataset.theme = 'dark'));
    await first.until((node) => /dark\.svg/.test(node.shadowRoot.querySelector('img').src));
    await page.evaluate(() => there());
    await first.live();
    await first.until((node) => node.state.theme === 'dark');
  });

alike('a figure that is not in the document, or is taken out of it, takes the place of no other', staged('begun = (say) => say()',
  LIMELIGHT.repeat(4)), async ({ page }) => {
  await figure(page).until((node) => node.start);
  const said = await page.evaluate(async () => {
    const nodes = [...document.querySelectorAll('limelight-figure')];
    const living = () => nodes.filter((node) => node.shadowRoot.querySelector('iframe')).length;
    const other = document.createElement('limelight-figure');
    const why = ({ message }) => message;
    for (const node of nodes) await node.start();
    const said = [await other.start().catch(why), await other.set({ step: 2 }).catch(why), living()];
    document.body.append(other);
    const starts = other.start().catch(why);
    setTimeout(() => other.remove(), 500);  // while the one that has to go is asked for its picture
    said.push(await starts, other.shadowRoot.querySelector('iframe'));
    for (const node of nodes) await node.start();
    return [...said, living()];
  });
  const sentence = 'The figure is not in the document, so it cannot start.';
  assert.deepEqual(said, [sentence, sentence, 4, sentence, null, 4]);
});

alike('a figure that starts in view and is taken away meanwhile does not start', staged('begun = (say) => say()',
  `<div style="position: fixed; top: 0; width: 300px"></div>${LIMELIGHT.repeat(4)}<p style="height: 150vh"></p>`), async ({ page }) => {
  await figure(page).until((node) => node.start);
  const started = await page.evaluate(async () => {
    const nodes = [...document.querySelectorAll('limelight-figure')];
    for (const node of nodes) await node.start();
    nodes[3].style.marginTop = '150vh';
    const other = document.createElement('limelight-figure');
    other.setAttribute('start', 'visible');
    const left = new Promise((resolve) => nodes[3].addEventListener('released', resolve));
    document.querySelector('div').append(other);
    setTimeout(() => other.remove(), 500);
    await left;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return other.shadowRoot.querySelector('iframe');
  });
  assert.equal(started, null);
});

alike('a picture that is not there stays away, and its sentence goes when another one comes', staged('begun = () => {}',
  `<limelight-figure height="300" poster="${site(stage)}nowhere.svg"></limelight-figure>`, { expected: /nowhere/ }), async ({ page }) => {
  const first = figure(page);
  const shown = () => first.run((node) => [node.shadowRoot.querySelector('img').hidden, node.shadowRoot.querySelector('p').textContent]);
  const missing = [true, 'There is no picture of this figure here.'];
  await first.until((node) => node.shadowRoot.querySelector('img').hidden);
  assert.deepEqual(await shown(), missing);
  await first.run((node) => node.setAttribute('height', '320'));
  assert.deepEqual(await shown(), missing);
  await first.run((node, to) => node.setAttribute('poster', `${to}somewhere.svg`), site(stage));
  await first.until((node) => node.shadowRoot.querySelector('p').textContent === '');
  assert.deepEqual(await shown(), [false, '']);
  // Taken out while it was on its way, and put in again.
  await first.run((node, to) => {
    node.setAttribute('poster', `${to}nowhere.svg`);
    node.start().catch(() => {});
  }, site(stage));
  await first.until((node) => node.shadowRoot.querySelector('iframe') && node.shadowRoot.querySelector('img').hidden);
  assert.deepEqual(await first.run((node) => {
    node.remove();
    document.body.append(node);
    return [node.shadowRoot.querySelector('img').hidden, node.shadowRoot.querySelector('p').textContent];
  }), missing);
});

alike('a figure is under its picture and cannot be used before it is drawn, but is not hidden, or it never would be', staged(
  "begun = (say) => say('loading', { share: 0 })", LIMELIGHT), async ({ page }) => {
  const first = figure(page);
  await first.until((node) => node.start);
  await first.run((node) => void node.start());
  await first.until((node) => node.shadowRoot.querySelector('iframe'));
  assert.deepEqual(await first.run((node) => {
    const frame = node.shadowRoot.querySelector('iframe');
    const { visibility, opacity, display } = getComputedStyle(frame);
    const { x, y, width, height } = frame.getBoundingClientRect();
    return [visibility, opacity, display !== 'none', frame.inert, node.shadowRoot.elementFromPoint(x + width / 2, y + height / 3).localName];
  }), ['visible', '0', true, true, 'img']);
});

// ---- figures that do not come, and why ----

for (const [what, host, sentence] of [
  ['whose site lets no other show it', () => site(frameless), 'The figure has not started: its site does not let this page show it in a frame.'],
  ['that is not where its script is', () => `${site(stage)}gone/`, 'The figure has not started: its site answered 404.'],
]) {
  inBoth(`a figure ${what} says so`, { url: at(''), ready: false, expected: /./, timeout: 60_000 }, async ({ page }) => {
    await page.goto(at(`<script>${FAST}</script>${LIMELIGHT}${scriptOf(host())}`));
    const first = figure(page);
    await first.until((node) => node.start);
    assert.equal(await first.run((node) => node.start().catch(({ message }) => message)), sentence);
    assert.equal(await first.words(), sentence);
    assert.equal(await first.run((node) => node.shadowRoot.querySelector('button').textContent), 'Try again');
  });
}

inBoth('a figure that the article’s own policy keeps away says so', {
  url: at(`<meta http-equiv="Content-Security-Policy" content="frame-src 'none'"><script>${FAST}</script>${LIMELIGHT}${SCRIPT}`),
  ready: false, expected: /./, timeout: 60_000,
}, async ({ page }) => {
  const first = figure(page);
  await first.until((node) => node.start);
  assert.match(await first.run((node) => node.start().catch(({ message }) => message)),
    /^The Content-Security-Policy of this page lets no frame of http:\/\/localhost:\d+ in; its frame-src has to name it\.$/);
});

// It says that it comes, and is then too busy to hear anything, as where a slow phone compiles the program.
alike('a figure that has spoken and is busy when its document has loaded is waited for', staged(
  `${FAST} begun = (say) => { say('loading', { share: 0.5 }); say('busy', {}); }`, LIMELIGHT), async ({ page }) => {
  const first = figure(page);
  await first.until((node) => node.start);
  assert.equal(await first.run((node) => node.start().then(() => 'started', ({ message }) => message)), 'started');
});

alike('a figure that is on its way for long is not given up, and one that falls silent on it says that it may be the network', staged(
  `${FAST} begun = (say) => { coming = setInterval(() => say('loading', { share: 0.1 }), 3000); }`, LIMELIGHT), async ({ page }) => {
  const first = figure(page);
  await first.until((node) => node.start);
  await first.run((node) => void node.start().catch(() => {}));
  await pause(4000);
  assert.equal(await first.hasFrame(), true);
  await page.evaluate(() => clearInterval(coming));
  await first.until((node) => !node.shadowRoot.querySelector('iframe'));
  assert.equal(await first.words(), 'The figure has not started. The network may be slow.');
});

// ---- theme, posters, what is hidden ----

alike('a figure has the theme of its article', withFigures(
  '<limelight-figure scene="spotlight" start="visible"></limelight-figure><limelight-figure scene="score" theme="dark"></limelight-figure>',
), async ({ page }) => {
  const [first, second] = [figure(page), figure(page, 1)];
  await first.live();
  const isDark = () => first.until((node) => node.state.theme === 'dark');
  const isLight = () => first.until((node) => node.state.theme === 'light');
  await isLight();
  assert.match(await second.run((node) => node.shadowRoot.querySelector('img').src), /score-dark\.svg$/);
  await page.evaluate(() => (document.documentElement.dataset.theme = 'dark'));
  await isDark();
  await page.evaluate(() => delete document.documentElement.dataset.theme);
  await isLight();
  await page.evaluate(() => (document.documentElement.style.colorScheme = 'dark'));
  await isDark();
  await page.evaluate(() => (document.documentElement.style.colorScheme = 'light dark'));
  await isLight();
  await page.evaluate(() => document.querySelector('limelight-figure').setAttribute('theme', 'dark'));
  await isDark();
});

browserTest('a figure follows the reader’s own choice of light or dark', withFigures(
  '<limelight-figure scene="spotlight" start="visible"></limelight-figure>'), async ({ page }) => {
  const first = figure(page);
  await first.live();
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await first.until((node) => node.state.theme === 'dark');
});

const POSTERS = [  // attributes, the picture, what is said of it
  ['scene="translate" state="preset=agreement" step="7"', 'translate-agreement', ''],
  ['scene="translate" state="preset=agreement&amp;theme=dark" step="7"', 'translate-agreement', ''],
  ['scene="spotlight" step="9"', 'spotlight', ''],
  ['scene="spotlight" state="step=9&amp;preset=coffee"', 'spotlight', ''],
  ['scene="spotlight" state="preset=fox" step="9"', 'spotlight', 'An example: she likes coffee.'],
  ['scene="spotlight" state="text=a+rose+is+a+rose" step="9"', 'spotlight', 'An example: she likes coffee.'],
  ['scene="spotlight" state="temperature=0.5" step="9"', 'spotlight', 'An example: she likes coffee.'],
  ['scene="spotlight" step="4"', 'spotlight', 'Another step of it: Glance.'],
  ['scene="translate" state="preset=agreement" step="3"', 'translate-agreement', 'Another step of it: Map.'],
  ['scene="spotlight" state="preset=fox" step="9" poster="${SITE}icon.svg"', 'icon', ''],
];
browserTest('a figure that has not started shows a picture of itself, or the nearest one with its name',
  withFigures(POSTERS.map(([attributes]) => `<limelight-figure ${attributes.replace('${SITE}', server.url)}></limelight-figure>`).join('')),
  async ({ page }) => {
    for (const [nth, [attributes, picture, words]] of POSTERS.entries()) {
      const one = figure(page, nth);
      await one.until((node) => node.shadowRoot.querySelector('img').naturalWidth > 0);
      const [, file] = /([a-z-]+?)(?:-light)?\.svg$/.exec(await one.run((node) => node.shadowRoot.querySelector('img').src));
      assert.deepEqual([file, await one.words()], [picture, words], attributes);
    }
    // Once it has been used and given back without a picture, as after a change of theme, it is another figure than its poster.
    const first = figure(page, 2);
    await first.run((node) => node.set({ temperature: 0.5 }).then(() => {}));
    await first.run((node) => node.release().then(() => {}));
    assert.equal(await first.words(), '');
    await first.run((node) => node.setAttribute('theme', 'dark'));
    assert.equal(await first.words(), 'An example: she likes coffee.');
  });

browserTest('each figure of the example article stands for itself before it starts', {
  url: `${server.url}examples/attention-in-six-figures.html`, ready: false,
}, async ({ page }) => {
  const count = await page.$$eval('limelight-figure', (nodes) => nodes.length);
  for (let nth = 0; nth < count; nth += 1) {
    await figure(page, nth).run((node) => node.scrollIntoView());
    await figure(page, nth).until((node) => node.shadowRoot.querySelector('img').naturalWidth > 0);
    assert.equal(await figure(page, nth).words(), '');
  }
});

alike('without its picture a figure is a sentence, a button and a link', withFigures(
  '<limelight-figure scene="heads" step="3" poster="/nowhere.svg"></limelight-figure>', { expected: /nowhere|404/ },
), async ({ page }) => {
  const first = figure(page);
  await first.until((node) => /There is no picture/.test(node.shadowRoot.querySelector('p').textContent));
  assert.equal(await first.run((node) => node.shadowRoot.querySelector('a').href), `${server.url}index.html#scene=heads&step=3`);
  await first.run((node) => node.start().then(() => {}));
  assert.equal(await first.run((node) => node.state.scene), 'heads');
});

alike('what an author hides is hidden, and an unknown name is a sentence', withFigures(
  '<limelight-figure hide="timeline,narration"></limelight-figure><limelight-figure hide="legend"></limelight-figure>',
), async ({ page }) => {
  await figure(page).run((node) => node.start().then(() => {}));
  const frame = await page.waitForFrame((candidate) => candidate.url().startsWith(server.url));
  const inner = driver(page, frame);
  await inner.ready();
  const { targets, hidden } = await inner.page();
  assert.deepEqual(hidden, ['timeline', 'narration']);
  assert.equal(targets.some(({ id }) => /^shell\.(play|next|step|narration)/.test(id)), false);
  await figure(page, 1).run((node) => node.scrollIntoView());
  assert.match(await figure(page, 1).run((node) => node.set({ hide: 'legend' }).catch((error) => error.message)), /nothing called.*legend.*timeline/);
});

alike('a figure is as high as its article says, or as it needs', withFigures(
  `<div style="width: 320px"><limelight-figure scene="heads" step="3"></limelight-figure>
   <limelight-figure scene="heads" step="3" height="500"></limelight-figure></div>`), async ({ page }) => {
  const height = (nth) => figure(page, nth).run((node) => node.getBoundingClientRect().height);
  for (const nth of [0, 1]) await figure(page, nth).run((node) => (node.scrollIntoView(), node.start().then(() => {})));
  await pause(1000);
  assert.ok(await height(0) > 420, `${await height(0)} px`);
  assert.equal(await height(1), 500);
});

// ---- the example ----

alike('every figure of the example article starts', { url: `${server.url}examples/attention-in-six-figures.html`, ready: false, timeout: 120_000 },
  async ({ page }) => {
    const count = await page.$$eval('limelight-figure', (nodes) => nodes.length);
    assert.equal(count, 6);
    for (let nth = 0; nth < count; nth += 1) {
      await figure(page, nth).run((node) => (node.scrollIntoView(), node.start().then(() => {})));
      const [scene, state] = await figure(page, nth).run((node) => [node.getAttribute('scene'), node.state]);
      assert.equal(state.scene, scene);
      assert.equal(state.step.split('.')[0], await figure(page, nth).run((node) => node.getAttribute('step')));
    }
  });

for (const [width, media] of [[360, {}], [1280, { 'prefers-color-scheme': 'dark' }]]) {
  browserTest(`at ${width} px nothing of the example article is wider than the window`, {
    url: `${server.url}examples/attention-in-six-figures.html`, viewport: { width, height: 800 }, media, ready: false, timeout: 60_000,
  }, async ({ page }) => {
    const last = figure(page, 5);
    await last.run((node) => (node.scrollIntoView(), node.start().then(() => {})));
    assert.ok(await last.run((node) => node.shadowRoot.querySelector('iframe').clientWidth <= node.clientWidth));
    assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth));
  });
}
