// What every browser test stands on: one server and one browser for each file, and a page that may not complain.
//
//   browserTest('a law', { hash: 'preset=fox' }, async ({ page, app }) => { … });
//
// A test fails on its own when the page throws, writes an error to the console, breaks its Content-Security-Policy or asks
// another origin for anything. Places come from the page's own description (`targets`), never from a test.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, launchFirefox } from '../../tools/browser.mjs';
import { serve } from '../../tools/server.mjs';

const TIMEOUT_MS = 30_000;
// tools/test all: every test in both browsers, and every place of a long sweep. Else Firefox runs what is known to differ there, or
// rests on what engines do each in their own way; and of sweeps that unit tests make as well, a sample is left.
export const ALL = process.env.LIMELIGHT_TESTS === 'all';
const list = await readFile(new URL('../../web/posters/list.js', import.meta.url), 'utf8');
const { POSTERS } = await import(`data:text/javascript,${encodeURIComponent(list)}`);
export const SCENES = [...new Set(POSTERS.map(({ scene }) => scene))];  // in teaching order
export const WIDE = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const server = await serve(fileURLToPath(new URL('../../build/web', import.meta.url)));
const browsers = { chromium: await launch() };  // and Firefox once a test asks for it
after(async () => {
  for (const browser of Object.values(browsers)) await browser.close();
  await server.close();
});

// A new context and a new page cost three times what loading the page costs. So a test hands its page on, emptied, to the next one
// that asks for nothing of its own; of each browser at most one page waits.
const waiting = new Map();

async function enter(browser, fresh, opening) {
  const given = fresh ? undefined : waiting.get(browser);
  if (given) {
    waiting.delete(browser);
    await given.page.bringToFront();
    return given;
  }
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  if (!opening) await page.evaluateOnNewDocument(skipOpening);
  return { context, page };
}

// A test begins as a later visit does.
function skipOpening() {
  try {
    localStorage.setItem('limelight.opening', 'seen');
  } catch {
    // a document without an address of its own
  }
}

async function leave(browser, given, fresh) {
  if (fresh || waiting.has(browser)) return given.context.close();
  try {
    for (const frame of given.page.frames()) await frame.evaluate(() => sessionStorage.clear()).catch(() => {});
    await given.page.goto('about:blank');
    if (browser === browsers.chromium) await (await given.page.createCDPSession()).send('Page.resetNavigationHistory');
    waiting.set(browser, given);
  } catch {
    await given.context.close();
  }
}

// options.hash, .viewport, .media {feature: value}, .prepare(page) before it loads, .fresh: true where the test changes its browser
// itself, .opening: true where it begins with the opening, as a first visit, .url instead of the page's own, .asks: addresses of other origins that it may ask as well,
// .expected: a pattern of console errors that the test provokes, .ready: false when the page is not to become ready, .timeout,
// .firefox: true for Firefox, which lets a test set no media features.
export function browserTest(name, options, body) {
  test(options.firefox ? `${name} (in Firefox)` : name, { timeout: options.timeout ?? TIMEOUT_MS }, async () => {
    if (options.firefox) browsers.firefox ??= await launchFirefox();
    const browser = browsers[options.firefox ? 'firefox' : 'chromium'];
    const fresh = options.fresh || options.opening || options.prepare;
    const given = await enter(browser, fresh, options.opening);
    const { page } = given;
    const listener = listen(page, options);
    let passed = false;
    try {
      await page.setViewport(options.viewport ?? WIDE);
      if (!options.firefox) {
        await page.emulateMediaFeatures(
          Object.entries({ 'prefers-color-scheme': 'light', ...options.media }).map(([name, value]) => ({ name, value })));
      }
      await options.prepare?.(page);
      await page.goto(options.url ?? `${server.url}#${options.hash ?? ''}`);
      const app = driver(page, page.mainFrame(), options.timeout);
      if (options.ready !== false) await app.ready();
      await body({ ...given, app });
      assert.deepEqual(listener.complaints, []);
      passed = true;
    } finally {
      listener.stop();
      await leave(browser, given, fresh || !passed);
    }
  });
}

// → the page's complaints so far, and how to hear no more of them
function listen(page, { expected, url = server.url, asks = [] }) {
  const own = [server.url, url, ...asks].map((address) => new URL(address).origin);
  const complaints = [];
  const complain = (text) => expected?.test(text) || complaints.push(text);
  const heard = {
    pageerror: (error) => complain(`thrown: ${error.message}`),
    console: (message) => {
      if (['error', 'warn'].includes(message.type())) complain(`${message.type()}: ${message.text()}`);
    },
    request: (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) return;
      const url = new URL(request.url());
      if (['http:', 'https:'].includes(url.protocol) && !own.includes(url.origin)) {
        complain(`request to another origin: ${url}`);
      }
    },
    dialog: (dialog) => {
      complain(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    },
  };
  for (const [event, hear] of Object.entries(heard)) page.on(event, hear);
  return { complaints, stop: () => Object.entries(heard).forEach(([event, hear]) => page.off(event, hear)) };
}

// What tests do with a page, or with a page in a frame.
export function driver(page, frame, timeout = TIMEOUT_MS) {
  const app = {};
  return Object.assign(app, scripting(app, frame, timeout), pointing(app, page, frame), typing(app, page, frame));
}

// What the page's own scripting offers.
const scripting = (app, frame, timeout) => ({
  // Arguments and results travel as JSON.
  run: (f, ...args) => frame.evaluate(f, ...args),
  ready: async () => {
    await app.until(() => window.limelight !== undefined);
    await app.run(() => window.limelight.ready);
    await app.settled();
  },
  page: () => app.run(() => window.limelight.page()),
  state: () => app.run(() => window.limelight.getState()),
  trace: (name) => app.run((n) => {
    const { shape, data } = window.limelight.trace(n);
    return { shape, data: [...data] };
  }, name),
  until: (f, ...args) => frame.waitForFunction(f, { polling: 20, timeout: timeout / 2 }, ...args),

  async set(partial) {
    const state = await app.run((p) => window.limelight.setState(p), partial);
    await app.settled();
    return state;
  },
  // → the sentence with which a change is refused; '' when it is not
  refused: (partial) => app.run((p) => window.limelight.setState(p).then(() => '', (error) => error.message), partial),

  // Nothing moves and nothing waits to be drawn.
  settled: () => app.run(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let quiet = 0, frames = -1; quiet < 3; ) {
      await frame();
      const { frames: now } = window.limelight.stats();
      quiet = now === frames && !window.limelight.page().animating ? quiet + 1 : 0;
      frames = now;
    }
  }),
});

// By mouse and finger, at places that the page describes.
const pointing = (app, page, frame) => ({
  // The target that a description fits: an id, or {role, label} with a pattern for the label.
  async target(wanted) {
    const { targets } = await app.page();
    const found = targets.find((target) => (typeof wanted === 'string'
      ? target.id === wanted
      : target.role === wanted.role && wanted.label.test(target.label)));
    assert.ok(found, `there is no target ${JSON.stringify(wanted, (_, v) => (v instanceof RegExp ? String(v) : v))} among `
      + targets.map(({ id, role, label }) => `${id} (${role}: ${label})`).join(', '));
    return found;
  },
  // In px of the window: the middle of a target, or another share of its width; of a matrix, "W_q[0,1]", that cell's.
  async point(wanted, share = 0.5) {
    const cell = typeof wanted === 'string' && /^(.+)\[(\d+),(\d+)\]$/.exec(wanted);
    const { targets, tables } = await app.page();
    // A row of it may be a target of its own.
    const row = cell && !targets.some(({ id }) => id === cell[1]);
    let { x, y, w, h } = await app.target(!cell ? wanted : row ? `${cell[1]}.${cell[2]}` : cell[1]);
    if (cell) {
      const table = tables.find(({ name }) => name === cell[1]);
      w /= table.columns;
      x += w * Number(cell[3]);
      if (!row) {
        h /= table.rows;
        y += h * Number(cell[2]);
      }
    }
    const canvas = await (await frame.$('#canvas')).boundingBox();
    return [canvas.x + x + w * share, canvas.y + y + h / 2];
  },
  async click(wanted) {
    await page.mouse.click(...await app.point(wanted));
    await app.settled();
  },
  async tap(wanted) {
    await page.touchscreen.tap(...await app.point(wanted));
    await app.settled();
  },
});

// By keys, and in the text view.
const typing = (app, page, frame) => ({
  async press(...keys) {
    for (const key of keys) await page.keyboard.press(key);
    await app.settled();
  },

  // The text view's element with this role and name; it must be the only one.
  mirror: (role, name) => frame.waitForSelector(`#mirror ::-p-aria([role="${role}"][name="${name}"])`, { timeout: 5000 }),
  async pressMirror(role, name) {
    const button = await app.mirror(role, name);
    await button.focus();
    await app.press('Enter');
  },
});

// Within `share` of max(1, |expected|): float32 against the double that the golden files hold.
export function assertClose(actual, expected, share, what) {
  assert.equal(actual.length, expected.length, `${what}: number of values`);
  actual.forEach((value, index) => {
    const tolerance = share * Math.max(1, Math.abs(expected[index]));
    assert.ok(Math.abs(value - expected[index]) <= tolerance, `${what}[${index}] is ${value}, not ${expected[index]}`);
  });
}

const pixelsOf = async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height).data;
};

// What a function makes in the page of the pixels of pictures, as bytes RGBA. It knows nothing but these. PNGs: bytes.
export function ofPixels(page, make, ...pngs) {
  const pictures = JSON.stringify(pngs.map((png) => Buffer.from(png).toString('base64')));
  return page.evaluate(`Promise.all(${pictures}.map(${pixelsOf})).then((all) => (${make})(...all))`);
}

// How many different colours a picture has; without one, the window.
export const countColours = async (page, png) => ofPixels(page, (pixels) => new Set(new Uint32Array(pixels.buffer)).size,
  png ?? await page.screenshot());
