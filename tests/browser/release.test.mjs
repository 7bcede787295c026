// The released page (tools/release) on a host that does nothing but give files: it is whole, it opens without a network after
// the first visit, and a new release replaces it wholly.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { filesIn, hashed, readSite } from '../../tools/hashed.mjs';
import { assemble, sizeTable } from '../../tools/release.mjs';
import { serve } from '../../tools/server.mjs';
import { assertClose, browserTest, driver, pause } from './harness.mjs';

const folder = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const dist = folder('build/dist');
const site = readSite(folder('build/web'), folder('web'));
const golden = JSON.parse(readFileSync(new URL('../golden/spotlight.json', import.meta.url)));
const names = filesIn(dist);
const plain = names.filter((name) => !/\.(?:gz|br)$/.test(name) && name !== 'sizes.txt');
const MOST_REQUESTS = 15;
const DAMAGED = 'models/caption-hard.safetensors';

const read = (name, from = dist) => readFileSync(path.join(from, name));
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const releaseOf = (from) => JSON.parse(/const release = (\{.*\});/.exec(read('worker.js', from))[1]);

// ---- what the tests stand on; all of it before the first test, since the runner takes a wait between two for the end ----

const one = releaseOf(dist);

// Another release: another page, style, module, program and model, which is damaged on its host.
const next = mkdtempSync(path.join(tmpdir(), 'limelight-release-'));
after(() => rmSync(next, { recursive: true }));
const EMPTY_SECTION = Buffer.from([0, 2, 1, 0x78]);  // of a WebAssembly module, named x
const changed = new Map([...site].map(([name, bytes]) => {
  if (name === 'index.html') return [name, Buffer.from(bytes.toString().replace('<title>', '<meta name="test" content="next">\n  <title>'))];
  if (name === 'style.css') return [name, Buffer.concat([bytes, Buffer.from(':root { --next: 1; }\n')])];
  if (name === 'mirror/mirror.js') return [name, Buffer.concat([bytes, Buffer.from('document.documentElement.lang = "en";\n')])];
  if (name.endsWith('.wasm')) return [name, Buffer.concat([bytes, EMPTY_SECTION])];
  if (name === DAMAGED) return [name, Buffer.concat([bytes, Buffer.from(' ')])];
  return [name, bytes];
}));
const { names: nextNames } = await assemble(changed, next);
const two = releaseOf(next);
const damaged = nextNames.get(DAMAGED);
writeFileSync(path.join(next, damaged), '<html>Please log in</html>');

// A host whose files can be exchanged, at the same address, and which can go away.
async function createHost(from) {
  let running = await serve(from);
  const { url } = running;
  const host = {
    url,
    stop: async () => {
      await running?.close();
      running = null;
    },
    give: async (other) => {
      await host.stop();
      running = await serve(other, Number(new URL(url).port));
    },
  };
  after(host.stop);
  return host;
}

const hosts = { chromium: await createHost(dist), firefox: await createHost(dist) };

// An article of another origin, with the address after /? in a frame.
const article = createServer((request, response) => response.setHeader('Content-Type', 'text/html').end(`<!doctype html>
  <title>An article</title><link rel="icon" href="data:,">
  <iframe src="${decodeURIComponent(request.url.slice(2))}" title="Limelight" ${request.url.includes('sandbox') ? 'sandbox="allow-scripts"' : ''}
    style="width: 700px; height: 500px"></iframe>`));
await new Promise((resolve) => article.listen(0, '127.0.0.1', resolve));
const released = await serve(dist);
after(() => Promise.all([article.close(), released.close()]));

// ---- the files ----

test('a name with a hash promises what is in the file, and all but what others link to has one', () => {
  const linked = plain.filter((name) => !/\.[0-9a-f]{12}\.[a-z]+$/.test(name));
  assert.ok(linked.includes('index.html') && linked.includes('worker.js'));
  for (const name of linked) assert.match(name, /\.html$|^embed\.js$|^worker\.js$|\.md$|\.schema\.json$|^(?:examples|posters)\/|LICENSE$/);
  for (const name of plain.filter((other) => !linked.includes(other))) {
    assert.equal(/\.([0-9a-f]{12})\.[a-z]+$/.exec(name)[1], sha256(read(name)).slice(0, 12), name);
  }
});

test('the same site makes the same release, byte for byte', async () => {
  const { files } = await hashed(site);
  assert.deepEqual([...files.keys()].sort(), plain.filter((name) => name !== 'sizes.txt'));
  for (const [name, bytes] of files) if (name !== 'worker.js') assert.ok(bytes.equals(read(name)), name);
});

test('no comments and no indentation travel with the page', () => {
  assert.doesNotMatch(read('embed.js').toString(), /^ *\/\/|\bimport /m);  // the style that it brings along is indented
  const scripts = plain.filter((name) => /\.[0-9a-f]{12}\.m?js$/.test(name));
  assert.ok(scripts.length > 5);
  for (const name of scripts) assert.doesNotMatch(read(name).toString(), /^ *\/\/|^ +\S/m, name);
});

const siteOf = (files) => new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));

test('a script has all that it imports in its file; what it imports later is a file of its own, under its name there', async () => {
  const { files, names } = await hashed(siteOf({
    'index.html': '<script type="module" src="page/a.js"></script>',
    'page/a.js': "import { one } from './b.js'; one(() => import('../panels/c.js'));",
    'page/b.js': 'export const one = (f) => addEventListener("load", f);',
    'panels/c.js': "import { one } from '../page/b.js'; one(console.log);",
  }));
  assert.deepEqual([...names.keys()].sort(), ['index.html', 'page/a.js', 'panels/c.js']);
  const text = (name) => files.get(names.get(name)).toString();
  assert.match(text('index.html'), new RegExp(`src="${names.get('page/a.js')}"`));
  assert.match(text('page/a.js'), new RegExp(`^(?!.*from).*addEventListener.*import\\("\\.\\./${names.get('panels/c.js')}"\\)`));
  assert.match(text('panels/c.js'), /^(?!.*from).*addEventListener/);
});

test('files that name each other in a circle are refused', async () => {
  const circle = siteOf({ 'index.html': '"a.js"', 'a.js': "import('./b.js')", 'b.js': "import('./c.js')", 'c.js': "import('./b.js')" });
  await assert.rejects(hashed(circle), /c\.js names b\.js names c\.js/);
});

test('a file that is not there is named', async () => {
  await assert.rejects(hashed(siteOf({ 'index.html': '"a.js"', 'a.js': "import './b.js'" })), /a\.js names b\.js, which the site does not have/);
  await assert.rejects(hashed(siteOf({ 'index.html': '"a.css"', 'a.css': 'a { background: url(b.png); }' })), /a\.css names b\.png, which/);
});

test('what lies packed beside a file is that file, and smaller', () => {
  for (const [ending, unpack] of [['gz', gunzipSync], ['br', brotliDecompressSync]]) {
    const packed = names.filter((name) => name.endsWith(`.${ending}`));
    assert.ok(packed.some((name) => name.startsWith('limelight_relaxed')));
    for (const name of packed) {
      const original = read(name.slice(0, -3));
      assert.ok(read(name).length < original.length, name);
      assert.ok(unpack(read(name)).equals(original), name);
    }
  }
});

test('the sums of the size table are those of the files on the disk', () => {
  const lines = read('sizes.txt').toString().split('\n').filter(Boolean).map((line) => /^(.*?) +([\d ]+)$/.exec(line)).filter(Boolean);
  const row = (wanted) => lines.find(([, name]) => name === wanted)[2].split(/ +/).map(Number);
  const onDisk = (name) => ['', '.gz', '.br'].map((ending) => read(names.includes(name + ending) ? name + ending : name).length);
  const sum = (some) => some.map(onDisk).reduce((a, b) => a.map((number, index) => number + b[index]), [0, 0, 0]);
  for (const name of plain) assert.deepEqual(row(name), onDisk(name), name);
  assert.deepEqual(row('everything'), sum(plain));
  const end = lines.findIndex(([, name]) => name === 'first load');
  const first = lines.slice(0, end).map(([, name]) => name);
  assert.deepEqual(row('first load'), sum(first));
  assert.ok(first.includes('index.html') && !first.some((name) => name.startsWith('models/')));
});

test('a limit that is exceeded is said to be, in a sentence', () => {
  const row = (name, gzip, brotli) => ({ name, size: gzip, gzip, brotli });
  assert.deepEqual(sizeTable([row('a', 600_000, 1), row('b', 1e7, 5_449_999)], ['a']).problems, []);
  assert.match(sizeTable([row('a', 600_001, 1)], ['a']).problems[0], /^The first load is 1 bytes over its limit.*\.$/);
  assert.match(sizeTable([row('a', 1, 5_750_010)], []).problems[0], /^All files are 10 bytes over.*\.$/);
});

test('a host sends what lies packed to who can unpack it', async () => {
  const host = await serve(dist);
  const name = releaseOf(dist).first.find((file) => file.endsWith('.js'));
  try {
    for (const [accepted, encoding] of [['gzip, deflate, br', 'br'], ['gzip', 'gzip'], ['identity', null]]) {
      const response = await fetch(host.url + name, { headers: { 'Accept-Encoding': accepted } });
      assert.equal(response.headers.get('Content-Encoding'), encoding);
      assert.equal(await response.text(), read(name).toString());
    }
  } finally {
    await host.close();
  }
});

// ---- in the browsers ----

const cached = (page) => page.evaluate(async () => Object.fromEntries(await Promise.all((await caches.keys()).map(async (name) =>
  [name, (await (await caches.open(name)).keys()).map(({ url }) => url.slice(location.href.split(/[?#]/)[0].length))]))));

// The names of the caches and their files, once the only one is that of a release, with at least `least` files.
async function keptOnly(page, release, least) {
  for (let tries = 0; tries < 150; ++tries) {
    const [[name, files] = [], ...others] = Object.entries(await cached(page));
    if (!others.length && name?.endsWith(` ${release}`) && files.length >= least) return files.sort();
    await pause(100);
  }
  return assert.fail(`There is ${JSON.stringify(await cached(page))}, not the release ${release} alone.`);
}

const forRelaxed = ({ first, later }) => [...first, ...later].filter((name) => !/^limelight\..*wasm$/.test(name));
const translated = () => window.limelight.page().tables.some(({ name, rows, columns }) => name === 'weights' && rows * columns % 14 === 0);
const loaded = (page) => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.split(/[?#]/)[0])
  .filter((name) => name.startsWith(location.origin)).map((name) => name.slice(location.origin.length + 1)));

for (const firefox of [false, true]) {
  const host = firefox ? hosts.firefox : hosts.chromium;
  const visit = { firefox, url: host.url, prepare: () => host.give(dist) };

  browserTest('the released page opens and computes', { ...visit, url: `${host.url}#preset=coffee` }, async ({ app }) => {
    assertClose((await app.trace('weights')).data, golden.coffee.weights.flat(), 1e-6, 'weights');
  });

  const requests = [];
  browserTest(`a first visit makes at most ${MOST_REQUESTS} requests`, {
    ...visit,
    async prepare(page) {
      await visit.prepare();
      page.on('request', (request) => requests.push(request.url()));
    },
  }, async () => {
    const own = [...new Set(requests)].filter((url) => url.startsWith(host.url));
    assert.ok(own.length > 5 && own.length <= MOST_REQUESTS, `${own.length} requests:\n${own.join('\n')}`);
  });

  // Chromium and Firefox say in their consoles what did not come.
  const gone = /Failed to load resource|ERR_CONNECTION_REFUSED|ServiceWorker/;
  browserTest('after the first visit the page opens without a network, with a scene and a model that were not opened then',
    { ...visit, expected: gone, timeout: 60_000 }, async ({ page, app }) => {
      assert.deepEqual(await keptOnly(page, one.name, forRelaxed(one).length + 1), ['', ...forRelaxed(one)].sort());
      assert.ok(!(await loaded(page)).some((name) => /scenes\..*wasm|models\//.test(name)));
      await host.stop();
      await assert.rejects(fetch(host.url));
      await page.goto('about:blank');
      await page.goto(`${host.url}#scene=translate&preset=agreement&step=4`);
      await app.ready();
      await app.until(translated);
      const { shape, data } = await app.trace('weights');
      for (let row = 0; row < shape[0]; ++row) {
        assert.ok(Math.abs(data.slice(row * shape[1], (row + 1) * shape[1]).reduce((a, b) => a + b) - 1) < 1e-5);
      }
    });

  browserTest('a new release is used at the next load, all of it, and an open page goes on with its own until then',
    { ...visit, expected: gone, timeout: 60_000 }, async ({ page, app }) => {
      await keptOnly(page, one.name, forRelaxed(one).length + 1);
      await host.give(next);
      await page.reload();
      await app.ready();
      const isNext = () => page.evaluate(() => document.querySelector('meta[name=test]') !== null);
      assert.equal(await isNext(), false);
      const nextIsThere = async () => Object.entries(await cached(page)).some(([name, files]) =>
        name.endsWith(` ${two.name}`) && files.length >= forRelaxed(two).length);
      for (let tries = 0; tries < 150 && !await nextIsThere(); ++tries) await pause(100);
      await pause(500);  // it takes over

      await app.set({ scene: 'translate', preset: 'agreement', step: 4 });  // which the host no longer has
      await app.until(translated);
      const before = await loaded(page);
      assert.ok(before.some((name) => name.startsWith('models/')));
      for (const name of before) assert.ok(plain.includes(name), `${name} is not of the first release`);

      await page.reload();
      await app.ready();
      await app.until(translated);
      assert.equal(await isNext(), true);
      const nextFiles = [...nextNames.values()];
      for (const name of await loaded(page)) assert.ok(nextFiles.includes(name), `${name} is not of the second release`);
      const files = await keptOnly(page, two.name, forRelaxed(two).length);
      assert.deepEqual(files, ['', ...forRelaxed(two)].filter((name) => name !== damaged).sort());
    });

  browserTest('a worker that is still at work does not bring back the cache that its successor deleted', visit, async ({ page, app }) => {
    await keptOnly(page, one.name, forRelaxed(one).length + 1);
    await app.until(() => navigator.serviceWorker.controller !== null);  // which it becomes a moment after it has kept all
    await page.evaluate(async (release) => {
      for (const name of await caches.keys()) await caches.delete(name);
      navigator.serviceWorker.controller.postMessage(release);
      await fetch('sizes.txt');  // not of the release: the worker answers it, too
    }, one.name);
    await pause(1500);
    assert.deepEqual(await cached(page), {});
  });

  browserTest('a server of development takes away the worker of a release that was there before',
    { ...visit, expected: gone, timeout: 60_000 }, async ({ page, app }) => {
      await keptOnly(page, one.name, forRelaxed(one).length + 1);
      await host.give(folder('build/web'));
      await page.reload();
      for (let tries = 0; tries < 150 && Object.keys(await cached(page)).length; ++tries) await pause(100);
      await page.reload();
      await app.ready();
      assert.ok((await loaded(page)).includes('page/loader.js'));
      assert.equal(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length)), 0);
    });

  browserTest('a page of development has no worker', { firefox }, async ({ page }) => {
    await pause(2500);  // longer than a released page rests before it starts one
    assert.equal(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length)), 0);
  });
}

for (const hash of ['embed=1', 'embed=1&theme=dark&step=7&sandbox']) {
  const sandboxed = hash.includes('sandbox');
  const address = `${released.url}#${hash.replace('&sandbox', '')}`;
  browserTest(`in a ${sandboxed ? 'sandboxed ' : ''}frame the released page starts and no worker is left behind`, {
    url: `http://127.0.0.1:${article.address().port}/?${encodeURIComponent(address)}${sandboxed ? '&sandbox' : ''}`,
    ready: false,
    expected: new RegExp(`^request to another origin: ${released.url}`),  // that of the frame
  }, async ({ page }) => {
    const frame = await page.waitForFrame((candidate) => candidate.url().startsWith(released.url));
    const inner = driver(page, frame);
    await inner.ready();
    await pause(2500);
    const workers = sandboxed ? [] : await inner.run(() => navigator.serviceWorker.getRegistrations().then((all) => all.map(String)));
    assert.deepEqual(workers, []);
  });
}
