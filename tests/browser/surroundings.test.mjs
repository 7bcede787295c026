// Where the page may find itself: in a frame, on a phone, in the dark, in a browser that lacks something.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after } from 'node:test';
import { PHONE, WIDE, browserTest, countColours, driver, pause, server } from './harness.mjs';

// ---- in a frame ----

// An article of another origin, with the page in a frame.
const article = createServer((request, response) => response.setHeader('Content-Type', 'text/html').end(`<!doctype html>
  <title>An article</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
  <body style="margin: 0; height: 4000px"><p>Words above the figure.</p>
  <iframe src="${server.url}#${decodeURIComponent(request.url.slice(2))}" title="Limelight" ${request.url === '/?sandbox' ? 'sandbox="allow-scripts"' : ''}
    style="width: 100%; max-width: 700px; height: 500px; border: 0"></iframe></body>`));
await new Promise((resolve) => article.listen(0, '127.0.0.1', resolve));
after(() => article.close());

// What a test does with the framed page; `page` is the article.
const framed = (hash, more = {}) => ({ url: `http://127.0.0.1:${article.address().port}/?${hash}`, ready: false, ...more });
async function inside(page) {
  const frame = await page.waitForFrame((candidate) => candidate.url().startsWith(server.url));
  const inner = driver(page, frame);
  await inner.ready();
  return inner;
}

browserTest('embed=1 shows only the stage and the timeline', framed('embed=1&step=7'), async ({ page }) => {
  const inner = await inside(page);
  const description = await inner.page();
  assert.equal(description.embed, true);
  assert.deepEqual(description.inputs, []);
  assert.equal(description.targets.some(({ role }) => role === 'slider'), false);
  assert.ok(await inner.target('weights'));
  await inner.click({ role: 'button', label: /^Step 8/ });
  assert.equal((await inner.page()).step, 8);
});

browserTest('the wheel scrolls the article until the figure has focus', framed('embed=1&step=7'), async ({ page }) => {
  const inner = await inside(page);
  const scrolled = () => page.evaluate(() => scrollY);
  const point = await inner.point('weights[1,1]');
  await page.mouse.move(...point);
  await page.mouse.wheel({ deltaY: 100 });
  await page.waitForFunction(() => scrollY > 0);
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForFunction(() => scrollY === 0);
  await page.mouse.click(...await inner.point('weights[1,1]'));
  await page.mouse.wheel({ deltaY: 100 });
  await pause(300);
  assert.equal(await scrolled(), 0);
});

browserTest('keys are the article’s until the figure has focus', framed('embed=1&step=7'), async ({ page }) => {
  const inner = await inside(page);
  await inner.press('ArrowRight');
  assert.equal((await inner.page()).step, 7);
  await page.mouse.click(...await inner.point('weights[1,1]'));
  await inner.settled();
  await inner.press('Escape');  // of the number, then of the figure
  await inner.press('Escape');
  await inner.press('ArrowRight');
  assert.equal((await inner.page()).step, 7);
});

const framedOnPhone = framed('embed=1&step=6', { viewport: PHONE });
browserTest('a finger scrolls the article over the figure, and a tap is the figure’s', framedOnPhone, async ({ page }) => {
  const inner = await inside(page);
  const [x, y] = await inner.point('scaled.bar.1');
  const finger = await page.touchscreen.touchStart(x, y);
  for (let moved = 0; moved < 200; moved += 10) {
    await finger.move(x, y - moved);
    await pause(16);
  }
  await pause(300);  // a finger at rest throws nothing
  await finger.end();
  await page.waitForFunction(() => scrollY > 50);
  assert.equal((await inner.page()).pinned, '');
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForFunction(() => scrollY === 0);
  await inner.tap('scaled.bar.1');
  await inner.until(() => window.limelight.page().pinned === 'scaled[0,1]');
});

browserTest('a page in a frame leaves the history of the article alone', framed('embed=1&step=2'), async ({ page }) => {
  const inner = await inside(page);
  const before = await page.evaluate(() => history.length);
  for (const step of [3, 4, 5]) await inner.set({ step });
  await pause(800);
  assert.equal(await page.evaluate(() => history.length), before);
});

browserTest('a sandboxed frame without an origin of its own starts and can be used', {
  ready: false,
  url: `http://127.0.0.1:${article.address().port}/?sandbox`,
}, async ({ page }) => {
  const frame = await page.waitForFrame((candidate) => candidate.url().startsWith(server.url));
  const inner = driver(page, frame);
  await inner.ready();
  await inner.set({ step: 7 });
  assert.equal((await inner.page()).step, 7);
});

// ---- on a phone ----

browserTest('on a phone nothing is wider than the window, and a tap works', { viewport: PHONE, hash: 'step=7' },
  async ({ page, app }) => {
    const fits = async () => {
      assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth) <= PHONE.width);
      const { targets, inputs } = await app.page();
      for (const { id, field, x, w } of [...targets, ...inputs]) {
        assert.ok(x >= 0 && x + w <= PHONE.width, `${id ?? field}: from ${x} to ${x + w}`);
      }
    };
    await fits();
    await app.tap('weights[0,2]');
    assert.equal((await app.page()).pinned, 'weights[0,2]');
    await app.tap({ role: 'button', label: /^Next/ });
    assert.equal((await app.page()).step, 8);
    await fits();
    await page.evaluate(() => document.getElementById('text-view').click());
    assert.ok(await page.$eval('#mirror', (sheet) => sheet.scrollWidth <= sheet.clientWidth));
  });

browserTest('on a phone no input is so small that the browser zooms', { viewport: PHONE }, async ({ page }) => {
  const sizes = await page.$$eval('#inputs input, #mirror [type="text"]', (inputs) =>
    inputs.map((input) => parseFloat(getComputedStyle(input).fontSize)));
  assert.ok(sizes.length > 0 && sizes.every((size) => size >= 16), String(sizes));
});

const TABLET = { width: 768, height: 1024, isMobile: true, hasTouch: true };
browserTest('on a tablet the page knows that it is for fingers before the first touch', { viewport: TABLET, hash: 'step=9' },
  async ({ app }) => {
    for (const { id, role, h } of (await app.page()).targets) {
      if (!/^(shell|field)\./.test(id) || role === 'image' || id.endsWith('.term')) continue;  // a term presses nothing
      assert.ok(h >= 44, `${id} is ${h} px high`);
    }
  });

// ---- with many pixels ----

const ARABIC = Array.from({ length: 60 }, (_, i) => [...String(i)].map((digit) => 'ابتثجحخدذر'[digit]).join('') + 'سلام').join('+');
for (const [deviceScaleFactor, hash] of [[5, 'preset=fox&step=9'], [3, `text=${encodeURI(ARABIC)}&step=7`]]) {
  browserTest(`at ${deviceScaleFactor} pixels for one the figure is drawn and goes on`, {
    hash, viewport: { ...WIDE, deviceScaleFactor }, timeout: 60_000,
  }, async ({ app }) => {
    const { frames } = await app.run(() => window.limelight.stats());
    await app.set({ step: 4 });
    await app.set({ theme: 'dark' });
    const now = await app.run(() => window.limelight.stats().frames);
    assert.ok(now > frames);
    await pause(500);
    assert.equal(await app.run(() => window.limelight.stats().frames), now);
  });
}

// ---- preferences ----

browserTest('the theme follows the system until the reader chooses one', {}, async ({ page, app }) => {
  const system = (value) => page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
  const shows = (theme) => app.until((wanted) => window.limelight.page().theme === wanted
    && document.documentElement.dataset.theme === wanted, theme);
  await shows('light');
  await system('dark');
  await shows('dark');
  await app.pressMirror('button', 'Light colours');
  await shows('light');
  await system('light');
  await app.pressMirror('button', 'Dark colours');
  await shows('dark');
  await system('light');
  await app.settled();
  assert.equal((await app.page()).theme, 'dark');
});

// [red, green, blue] of the window at a place.
async function pixel(page, x, y) {
  const shot = await page.screenshot({ encoding: 'base64', clip: { x, y, width: 1, height: 1 } });
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  }, shot);
}

browserTest('who prefers more contrast gets it in the figure and around it, at once, in both themes', { fresh: true }, async ({ page, app }) => {
  const devtools = await page.createCDPSession();
  const prefer = async (contrast, scheme) => {
    await devtools.send('Emulation.setEmulatedMedia', {  // puppeteer knows no prefers-contrast
      features: [{ name: 'prefers-contrast', value: contrast }, { name: 'prefers-color-scheme', value: scheme }],
    });
    await app.until((dark) => window.limelight.page().theme === (dark ? 'dark' : 'light'), scheme === 'dark');
    await app.settled();
    const { color } = await app.run(() => ({ color: getComputedStyle(document.body).color }));
    return { paper: await pixel(page, 2, WIDE.height - 2), ink: color };
  };
  assert.deepEqual(await prefer('no-preference', 'light'), { paper: [255, 255, 255], ink: 'rgb(23, 26, 35)' });
  assert.deepEqual(await prefer('more', 'light'), { paper: [255, 255, 255], ink: 'rgb(0, 0, 0)' });
  assert.deepEqual(await prefer('more', 'dark'), { paper: [11, 13, 18], ink: 'rgb(255, 255, 255)' });
});

browserTest('for a projector all is half as large again, and is pressed where it is seen', { hash: 'step=7' }, async ({ page, app }) => {
  const size = () => page.$eval('#inputs input', (input) => parseFloat(getComputedStyle(input).fontSize));
  // The page takes the size up in a frame after the press.
  const becomes = (wanted) => page.waitForFunction(
    (pixels) => parseFloat(getComputedStyle(document.querySelector('#inputs input')).fontSize) === pixels, {}, wanted);
  const before = await size();
  await app.pressMirror('button', 'Larger text, for a projector');
  assert.equal((await app.state()).projector, 'on');
  await becomes(1.5 * before);
  for (const { id, x, y, w } of (await app.page()).targets.filter((target) => target.id.startsWith('shell.')))
    assert.ok(x >= 0 && y >= 0 && x + w <= WIDE.width, id);
  await app.run(() => document.querySelector('#mirror .close').click());
  await app.click('weights[0,2]');
  assert.equal((await app.page()).pinned, 'weights[0,2]');
  assert.match((await app.page()).hash, /projector=1/);
  await app.pressMirror('button', 'Text as usual');
  await becomes(before);
  assert.equal((await app.state()).projector, 'off');
});

const calm = { hash: 'step=3', media: { 'prefers-reduced-motion': 'reduce' } };
browserTest('who prefers less motion sees steps change at once', calm, async ({ app }) => {
  const animated = await app.run(async () => {
    await window.limelight.setState({ step: 7 });
    let seen = false;
    for (let frames = 0; frames < 20; ++frames) {
      await new Promise(requestAnimationFrame);
      seen ||= window.limelight.page().animating;
    }
    return seen;
  });
  assert.equal(animated, false);
});

// ---- what a browser may lack, and what may not arrive ----

async function standsStill(page, reason) {
  const words = await page.$eval('.still', (node) => node.innerText);
  assert.match(words, reason);
  assert.match(words, /Softmax turns the scores/);
  await page.waitForFunction(() => document.querySelector('.still img').naturalWidth > 0);
  assert.equal(await page.evaluate(() => document.elementFromPoint(innerWidth / 2, 20).closest('.still') !== null), true);
  assert.ok(await countColours(page) > 20);
}

const without = (script) => ({ ready: false, prepare: (page) => page.evaluateOnNewDocument(script) });

browserTest('without WebGL 2 the page says so and shows the figure at rest', without(() => {
  const original = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function getContext(kind, ...rest) {
    return kind === 'webgl2' ? null : original.call(this, kind, ...rest);
  };
}), async ({ page, app }) => {
  await standsStill(page, /needs WebGL 2.*Safari/s);
  assert.match(await app.run(() => window.limelight.ready.catch((error) => error.message)), /WebGL 2/);
});

browserTest('when the figure itself gets no WebGL 2 the page says so and shows the figure at rest', {
  ...without(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function getContext(kind, ...rest) {
      return this.id === 'canvas' && /webgl/.test(kind) ? null : original.call(this, kind, ...rest);
    };
  }),
}, async ({ page, app }) => {
  await page.waitForSelector('.still');
  await standsStill(page, /needs WebGL 2.*load the page again/s);
  for (const ask of [() => window.limelight.ready, () => window.limelight.setState({ step: 2 })]) {
    assert.match(await app.run(`(${ask})().then(() => 'fine', (error) => error.message)`), /WebGL 2/);
  }
});

browserTest('without WebAssembly SIMD the page says so and shows the figure at rest',
  without(() => { WebAssembly.validate = () => false; }),
  ({ page }) => standsStill(page, /needs WebAssembly SIMD.*Safari/s));

for (const [viewport, scheme] of [[WIDE, 'light'], [WIDE, 'dark'], [PHONE, 'dark']]) {
  browserTest(`without JavaScript the page shows the figure at rest and explains it, ${viewport.width} px wide and ${scheme}`, {
    ready: false, viewport, media: { 'prefers-color-scheme': scheme }, prepare: (page) => page.setJavaScriptEnabled(false),
  }, async ({ page }) => {
    const still = await page.$eval('.still', (node) => ({
      words: node.innerText,
      steps: [...node.querySelectorAll('ol > li > b')].map((name) => name.textContent.replace('.', '')),
      links: [...node.querySelectorAll('a')].map(({ href }) => href),
      figure: node.querySelector('img').currentSrc,
      width: node.querySelector('img').naturalWidth,
      fits: node.scrollWidth <= node.clientWidth,
    }));
    assert.match(still.words, /JavaScript[^]*drawn by Limelight[^]*Softmax turns the scores/);
    assert.deepEqual(still.steps, ['Words', 'X', 'W', 'Q K V', 'Scores', 'Scale', 'Softmax', 'Output']);
    assert.ok(still.links.length >= 3 && still.links.every((link) => link.startsWith('https://')));
    assert.equal(new URL(still.figure).pathname, `/fallback-${scheme}.svg`);
    assert.ok(still.width > 0 && still.fits);
    assert.ok((await page.screenshot()).length > 20_000);
  });
}

for (const relaxed of [true, false]) {
  const requested = [];
  browserTest(`a browser ${relaxed ? 'with' : 'without'} relaxed SIMD loads the build for it, and no other`, {
    async prepare(page) {
      page.on('request', (request) => requested.push(new URL(request.url()).pathname));
      if (relaxed) return;
      await page.evaluateOnNewDocument(() => {
        const { validate } = WebAssembly;
        const usesRelaxedMadd = (bytes) => [...bytes].join().includes('253,133,2');
        WebAssembly.validate = (bytes) => !usesRelaxedMadd(bytes) && validate(bytes);
      });
    },
  }, async ({ app }) => {
    const name = relaxed ? 'limelight_relaxed' : 'limelight';
    const programs = requested.filter((file) => /\.(mjs|wasm)$/.test(file)).sort();
    assert.deepEqual(programs, ['/limelight.mjs', `/${name}.wasm`]);
    assert.ok((await app.trace('weights')).data.every((weight) => weight >= 0 && weight <= 1));
  });
}

for (const file of ['limelight_relaxed.wasm', 'limelight.mjs', 'mono-regular.ttf']) {
  let broken = true;
  browserTest(`when ${file} does not arrive, a sentence says so and a button tries again`, {
    ready: false,
    expected: /404|limelight|Failed to (load|fetch)|TypeError/,
    async prepare(page) {
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        if (broken && request.url().includes(file)) request.respond({ status: 404, body: '' });
        else request.continue();
      });
    },
  }, async ({ page, app }) => {
    const problem = await page.waitForSelector('.problem');
    assert.match(await problem.evaluate((node) => node.innerText), new RegExp(`could not load .*${file.replaceAll('.', '\\.')}`));
    broken = false;
    await page.click('.problem button');
    await app.ready();
    assert.equal(await page.$('.problem'), null);
    assert.equal(await page.$eval('#loading', (node) => node.hidden), true);
  });
}

browserTest('when the page’s own script does not arrive, a sentence says so and the figure stands still', {
  ready: false,
  expected: /404|Failed to load/,
  async prepare(page) {
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (request.url().endsWith('/page.js')) request.respond({ status: 404, body: '' });
      else request.continue();
    });
  },
}, async ({ page }) => {
  const still = await page.waitForSelector('main.still');
  assert.match(await still.evaluate((node) => node.innerText), /could not be loaded\. Load the page again to try once more; here it stands still\./);
  assert.equal(await page.$eval('#loading', (node) => node.hidden), true);
});

let captive = true;
browserTest('when a login page arrives in place of a font, a sentence says so and a button starts the page once', {
  ready: false,
  hash: 'step=3',
  async prepare(page) {
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (captive && request.url().includes('inter-semibold')) {
        request.respond({ status: 200, contentType: 'text/html', body: '<html>Please log in</html>' });
      } else {
        request.continue();
      }
    });
  },
}, async ({ page, app }) => {
  const problem = await page.waitForSelector('.problem');
  assert.match(await problem.evaluate((node) => node.innerText), /inter-semibold\.ttf is not a font/);
  assert.match(await app.run(() => window.limelight.ready.then(() => 'ready', (error) => error.message)), /is not a font/);
  captive = false;
  await page.click('.problem button');
  await app.ready();
  const twice = await page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
    return ids.filter((id, index) => ids.indexOf(id) !== index);
  });
  assert.deepEqual(twice, []);
  await page.evaluate(() => document.activeElement.blur());
  await app.press('ArrowRight');
  assert.equal((await app.page()).step, 4);
});
