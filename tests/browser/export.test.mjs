// What is taken along and what is brought along: every format checked against the trace, state files, pasted matrices, in the
// page, in a frame and in a sandbox.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { ALL, browserTest, countColours, driver, pause, server, WIDE } from './harness.mjs';

const HASH = 'step=7&preset=coffee&temperature=0.7';
const NOISE = /CORS|Cross-Origin|blocked|Failed to load|sandbox|origin|WebGL|clipboard/i;

// Before the page loads: keeps what is downloaded and copied.
const record = (options = {}) => ({
  ...options,
  prepare: (page) => page.evaluateOnNewDocument(() => {
    window.saved = [];
    window.copied = [];
    const make = URL.createObjectURL;
    const blobs = new Map();
    URL.createObjectURL = (blob) => {
      const url = make.call(URL, blob);
      blobs.set(url, blob);
      return url;
    };
    HTMLAnchorElement.prototype.click = function click() {
      window.saved.push({ name: this.download, blob: blobs.get(this.href) });
    };
    if (navigator.clipboard) {
      navigator.clipboard.writeText = async (text) => window.copied.push(text);
      navigator.clipboard.write = async ([item]) => window.copied.push(await item.getType('image/png'));
    }
  }),
});

async function openExport(app) {
  await app.pressMirror('button', 'Export …');
  await app.until(() => document.querySelector('dialog.panel[open] section'));
}

// In the dialog's section of this heading.
const choose = (app, heading, label) => app.run((wanted, text) => {
  const section = [...document.querySelectorAll('dialog section')].find((one) => one.querySelector('h2').textContent === wanted);
  [...section.querySelectorAll('label')].find((one) => one.textContent === text).click();
}, heading, label);
const press = (app, heading, label) => app.run((wanted, text) => {
  const section = [...document.querySelectorAll('dialog section')].find((one) => one.querySelector('h2').textContent === wanted);
  [...section.querySelectorAll('button')].find((one) => one.textContent === text).click();
}, heading, label);

// → {name, bytes: Buffer}
async function take(app, heading, label) {
  await choose(app, heading, label);
  await app.run(() => { window.saved.length = 0; });
  await press(app, heading, 'Download');
  await app.until(() => window.saved.length > 0);
  const { name, data } = await app.run(async () => {
    const [{ name, blob }] = window.saved;
    const address = await new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.readAsDataURL(blob);
    });
    return { name, data: address.slice(address.indexOf(',') + 1) };
  });
  return { name, bytes: Buffer.from(data, 'base64') };
}

// Of an animation of whole frames that take so many milliseconds. → how many pictures come in it
function pictures(bytes, delays) {
  const chunks = chunksOf(bytes);
  const control = chunks.filter(({ type }) => type === 'fcTL').map(({ data }) => data);
  assert.equal(chunks.find(({ type }) => type === 'acTL').data.readUInt32BE(0), delays.length);
  assert.deepEqual(control.map((data) => data.readUInt16BE(20) / data.readUInt16BE(22) * 1000), delays);
  const numbered = chunks.filter(({ type }) => type === 'fcTL' || type === 'fdAT').map(({ data }) => data.readUInt32BE(0));
  assert.deepEqual(numbered, numbered.map((_, index) => index));
  const frames = [];
  for (const { type, data } of chunks) {
    if (type === 'fcTL') frames.push([]);
    else if (type === 'IDAT') frames.at(-1).push(data);
    else if (type === 'fdAT') frames.at(-1).push(data.subarray(4));
  }
  const [w, h] = sizeOf(bytes);
  const pixels = frames.map((parts) => inflateSync(Buffer.concat(parts)));
  const channels = chunks[0].data[9] === 6 ? 4 : 3;
  for (const one of pixels) assert.equal(one.length, (channels * w + 1) * h);
  return 1 + pixels.slice(1).filter((one, index) => !one.equals(pixels[index])).length;
}

// → [{type, data}], after their CRCs were checked
function chunksOf(png) {
  assert.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const chunks = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(png.subarray(at + 4, at + 8 + length)), `CRC of ${type}`);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}
const sizeOf = (png) => [png.readUInt32BE(16), png.readUInt32BE(20)];

for (const firefox of [false, true]) {
  // What is in a file is made by the program, and is the same in every browser.
  const alike = firefox && !ALL ? () => {} : browserTest;
  alike('numbers are saved as CSV, NPY, JSON and LaTeX, and read back to the trace', record({ hash: HASH, firefox }), async ({ app }) => {
    const { shape: [rows, columns], data } = await app.trace('weights');
    await openExport(app);
    const csv = await take(app, 'Numbers', 'CSV');
    assert.equal(csv.name, 'spotlight-weights.csv');
    const lines = csv.bytes.toString().trim().split('\r\n').map((line) => line.split(','));
    assert.deepEqual(lines[0], ['weights', 'she', 'likes', 'coffee']);
    assert.deepEqual(lines.slice(1).flatMap((line) => line.slice(1).map((text) => Math.fround(Number(text)))), data);

    const npy = (await take(app, 'Numbers', 'NPY')).bytes;
    const start = 10 + npy.readUInt16LE(8);
    assert.match(npy.toString('latin1', 10, start), new RegExp(`'descr': '<f4', 'fortran_order': False, 'shape': \\(${rows}, ${columns}\\)`));
    assert.deepEqual(data.map((_, index) => npy.readFloatLE(start + 4 * index)), data);
    assert.equal(npy.length, start + 4 * data.length);

    const json = JSON.parse((await take(app, 'Numbers', 'JSON')).bytes);
    assert.deepEqual([json.name, json.shape, json.rows, json.data.map(Math.fround)], ['weights', [rows, columns], ['she', 'likes', 'coffee'], data]);

    const tex = (await take(app, 'Numbers', 'LaTeX')).bytes.toString();
    const numbers = [...tex.matchAll(/\$(-?[\d.]+)\$/g)].map(([, text]) => Number(text));
    assert.equal(numbers.length, data.length);
    numbers.forEach((value, index) => assert.ok(Math.abs(value - data[index]) <= 1e-3 * Math.abs(data[index]), `${value} is ${data[index]}`));
    assert.match(tex, /\\toprule[^]*\\midrule[^]*\\bottomrule/);
  });

  browserTest('the figure is saved as SVG, as PNG of three sizes and as an animation of all steps', record({ hash: 'step=9', firefox, timeout: 120_000 }), async ({ page, app }) => {
    await openExport(app);
    const svg = await take(app, 'Picture', 'SVG');
    assert.equal(svg.name, 'spotlight-9.svg');
    const [, width, height] = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg.bytes.toString()).map(Number);
    for (const [label, scale] of [['PNG 1×', 1], ['2×', 2], ['4×', 4]]) {
      const { bytes } = await take(app, 'Picture', label);
      chunksOf(bytes);
      assert.deepEqual(sizeOf(bytes), [Math.ceil(width * scale), Math.ceil(height * scale)]);
      assert.ok(await countColours(page, bytes) > 50);
    }
    const moving = await take(app, 'Picture', 'All steps');
    assert.equal(moving.name, 'spotlight-steps.png');
    const steps = (await app.page()).steps;
    const delays = steps.flatMap((step) => (step.given ? [] : step.parts.length ? step.parts.map(() => 1200) : [3000]));
    assert.equal(pictures(moving.bytes, delays), delays.length);
    assert.ok(await countColours(page, moving.bytes) > 50);
    assert.equal((await app.state()).step, 'glance');
  });

  browserTest('what moves within a step is saved as an animation', record({ hash: 'step=9&t=0.4', firefox, timeout: 120_000 }), async ({ app }) => {
    await openExport(app);
    assert.equal((await take(app, 'Picture', 'SVG')).name, 'spotlight-9-0.4.svg');
    const motion = await take(app, 'Picture', 'This step’s motion');
    assert.equal(motion.name, 'spotlight-glance-motion.png');
    const frames = pictures(motion.bytes, [...Array(32).fill(94), 3000]);
    assert.ok(frames > 24, `${frames} of 33 frames show anything new`);
    assert.equal((await app.state()).t, '0.4');
  });

  alike('code in two languages is saved as two files', record({ hash: 'step=9', firefox }), async ({ app }) => {
    await openExport(app);
    for (const [label, name, imported] of [['NumPy', 'spotlight-9-numpy.py', 'numpy'], ['PyTorch', 'spotlight-9-pytorch.py', 'torch']]) {
      const code = await take(app, 'Code that computes them', label);
      assert.equal(code.name, name);
      assert.match(code.bytes.toString(), new RegExp(`^import ${imported}\\b`, 'm'));
    }
  });

  alike('a picture is of the panels and on the ground that one chooses, and has nothing to press', record({ hash: 'step=9&theme=dark', firefox }), async ({ app }) => {
    await openExport(app);
    const tick = (label) => app.run((text) => {
      [...document.querySelectorAll('dialog .parts label')].find((one) => one.textContent === text).click();
    }, label);
    const titles = await app.run(() => [...document.querySelectorAll('dialog .parts label')].map((one) => one.textContent));
    assert.equal(titles.length, 3, titles.join());
    const [stage, output, map] = titles;
    const whole = await take(app, 'Picture', 'SVG');
    const text = (file) => file.bytes.toString();
    const measures = (file) => / width="([\d.]+)" height="([\d.]+)"/.exec(text(file)).slice(1).map(Number);
    const ground = (file) => {
      const [width, height] = measures(file);
      return new RegExp(`<rect[^>]* width="${width}" height="${height}" fill="([^"]+)"`).exec(text(file))?.[1];
    };
    const hasLight = (file) => text(file).includes('<image');  // which the stage alone has
    assert.ok(hasLight(whole) && text(whole).includes(map));
    await tick(stage);
    await tick(output);
    const part = await take(app, 'Picture', 'SVG');
    assert.equal(whole.name, 'spotlight-9.svg');
    assert.equal(part.name, 'spotlight-9-weights.svg');  // beside the other one in a folder
    assert.ok(!hasLight(part) && text(part).includes(map));
    assert.ok(measures(part)[0] < measures(whole)[0]);
    assert.ok(await app.run(() => document.querySelector('dialog .parts :checked').disabled));  // of nothing there is no picture
    await tick(map);
    assert.equal(text(await take(app, 'Picture', 'SVG')), text(part));
    await choose(app, 'Picture', 'White');
    const white = await take(app, 'Picture', 'SVG');
    assert.equal(ground(white), '#ffffff');
    await choose(app, 'Picture', 'Transparent');
    const clear = await take(app, 'Picture', 'SVG');
    assert.equal(ground(clear), undefined);
    assert.notEqual(ground(part), undefined);
    const corner = async (label) => app.run(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      canvas.getContext('2d').drawImage(image, 0, 0);
      return [...canvas.getContext('2d').getImageData(0, 0, 1, 1).data];
    }, (await take(app, 'Picture', label)).bytes.toString('base64'));
    assert.equal((await corner('PNG 1×'))[3], 0);
    await choose(app, 'Picture', 'White');
    assert.deepEqual(await corner('PNG 1×'), [255, 255, 255, 255]);
    assert.equal((await app.state()).theme, 'dark');
  });

  browserTest('texts and pictures are copied', record({ hash: HASH, firefox }), async ({ app }) => {
    await openExport(app);
    await press(app, 'State', 'Copy');
    await press(app, 'Numbers', 'Copy');
    await choose(app, 'Numbers', 'NPY');
    await press(app, 'Numbers', 'Copy');
    await app.until(() => window.copied.length === 3);
    const [state, csv, npy] = await app.run(() => window.copied);
    assert.match(state, /^limelight-state 1\nv=2&scene=spotlight&step=softmax&preset=coffee&.*\nend\n$/);
    assert.match(csv, /^weights,she,likes,coffee\r\n/);
    assert.match(npy, /^import base64, io\nimport numpy as np\n\narray = np\.load\(io\.BytesIO\(base64\.b64decode\("k05VTVBZ/);
    await choose(app, 'Picture', 'PNG 1×');
    await press(app, 'Picture', 'Copy');
    await app.until(() => window.copied.length === 4);
    assert.ok(await app.run(() => window.copied[3].size > 1000 && window.copied[3].type === 'image/png'));
  });

  browserTest('a state beyond 32 kB comes back from its file, dropped or loaded', record({ firefox }), async ({ app, page }) => {
    const text = Array.from({ length: 64 }, (_, index) => `w${index}`).join(' ');
    const cells = Array.from({ length: 4096 }, (_, index) => `${Math.floor(index / 64)}.${index % 64}:${(index / 997).toFixed(5)}`).join(',');
    await app.set({ text, d: 64 });
    await app.set({ X: cells, step: '8' });
    const before = await app.trace('weights');
    await app.pressMirror('button', 'Copy a link');
    await app.until(() => document.activeElement?.textContent === 'Download' && document.querySelector('dialog[open]'));
    await app.run(() => { window.saved.length = 0; });
    await page.keyboard.press('Enter');
    await app.until(() => window.saved.length === 1);
    await app.run(async () => { window.file = new File([window.saved[0].blob], window.saved[0].name); });
    assert.ok(await app.run(() => window.file.size > 32768 && window.file.name === 'spotlight.limelight'));
    await page.keyboard.press('Escape');

    await app.set({ scene: 'score' });
    await app.run(DROP_FILE);
    await app.until(() => window.limelight.getState().scene === 'spotlight');
    await app.settled();
    assert.deepEqual(await app.trace('weights'), before);
    assert.match((await app.page()).notice.text, /state file is open/);
    await app.pressMirror('button', 'Undo');
    assert.equal((await app.state()).scene, 'score');
  });
}

const DROP_FILE = (file = window.file) => {
  const data = new DataTransfer();
  data.items.add(file);
  document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
};

browserTest('a bad state file is refused in a sentence, one of 50 MB before it is read, and nothing is lost', { hash: HASH }, async ({ app }) => {
  const before = await app.state();
  const said = async (content, name = 'a.limelight') => {
    const serial = (await app.page()).notice?.serial ?? 0;
    await app.run((text, as) => {
      const file = new File([text], as);
      if (text.length === 0) {
        Object.defineProperty(file, 'size', { value: 50e6 });
        file.text = () => { throw new Error('It was read.'); };
      }
      const data = new DataTransfer();
      data.items.add(new File([text], as));
      const event = new Event('drop', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items: [], files: [file] } });
      document.body.dispatchEvent(event);
    }, content, name);
    // What is said of a slow network may come in between.
    await app.until((old) => {
      const { notice } = window.limelight.page();
      return notice?.serial > old && !notice.text.endsWith('on their way.');
    }, serial);
    return (await app.page()).notice.text;
  };
  assert.match(await said(''), /^a\.limelight has 50\.0 MB; a state file has up to 1 MB\. What was shown stays\.$/);
  assert.match(await said('', '\u202e**a** of the years from 2019 to 2026.limelight'), /^a of the years from…26\.limelight has 50\.0 MB/);
  assert.match(await said('<script>alert(1)</script>'), /begins with "<script>.*What was shown stays\.$/);
  assert.match(await said('limelight-state 7\nv=1\nend\n'), /version "7"/);
  assert.match(await said('limelight-state 1\nv=1&scene=nowhere\nend\n'), /nowhere/);
  assert.match(await said('limelight-state 1\nv=1&scene=score'), /cut off/);
  assert.deepEqual(await app.state(), before);
});

// What tells the two halves of the program apart is a section of this name.
const OTHER_HALF = Buffer.concat([Buffer.from('\0asm\x01\0\0\0\0\x0b\x05build', 'latin1'), Buffer.from('other')]);
browserTest('when the page was renewed on its server, a dialog and a state file say that, and nothing of the network', {
  hash: HASH,
  expected: /renewed/,
  async prepare(page) {
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (request.url().endsWith('.scenes.wasm')) request.respond({ status: 200, contentType: 'application/wasm', body: OTHER_HALF });
      else request.continue();
    });
  },
}, async ({ page, app }) => {
  const renewed = 'Limelight was renewed on its server since this page was loaded. Load the page again for the other scenes.';
  await app.pressMirror('button', 'Export …');
  const problem = await page.waitForSelector('.problem');
  assert.equal(await problem.$eval('p', (node) => node.textContent), renewed);
  assert.deepEqual(await problem.$$eval('button', (nodes) => nodes.map((node) => node.textContent)), ['Close']);
  await app.run(() => { window.file = new File(['limelight-state 1\nv=1&scene=score\nend\n'], 'a.limelight'); });
  await app.run(DROP_FILE);
  await app.until((text) => window.limelight.page().notice?.text === text, `${renewed} What was shown stays.`);
});

for (const [file, act, sentence] of [
  ['export.js', (app) => app.pressMirror('button', 'Export …'), /^Limelight could not load export\.js: the network gave no answer\./],
  ['statefile.js', (app) => app.run(DROP_FILE), /^The state file cannot be opened: the network gave no answer .* What was shown stays\.$/],
]) {
  browserTest(`when ${file} does not arrive, a sentence says so`, {
    hash: HASH,
    expected: /404|export|fetch/,
    async prepare(page) {
      await page.setRequestInterception(true);
      page.on('request', (request) => (request.url().endsWith(file) ? request.respond({ status: 404 }) : request.continue()));
    },
  }, async ({ app }) => {
    await app.run(() => { window.file = new File(['limelight-state 1\nv=1\nend\n'], 'a.limelight'); });
    await act(app);
    const said = await app.until(() => document.querySelector('.problem p')?.textContent || window.limelight.page().notice?.text);
    assert.match(await said.jsonValue(), sentence);
  });
}

// As a reader pastes: what the focus is on gets it.
const PASTE = (text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData });
  (document.activeElement ?? document.body).dispatchEvent(event);
  return event.defaultPrevented;
};
// → what is said of it
async function paste(app, text) {
  const before = (await app.page()).notice?.serial ?? 0;
  assert.ok(await app.run(PASTE, text), `the page let "${text}" go`);
  return said(app, before);
}
async function said(app, before) {
  const notice = await app.until((old) => {
    const { notice } = window.limelight.page();
    return notice && notice.serial > old && !/on their way/.test(notice.text) && notice.text;
  }, before);
  await app.settled();
  return notice.jsonValue();
}
const row = async (app, name, index) => {
  const { shape: [, columns], data } = await app.trace(name);
  return data.slice(index * columns, (index + 1) * columns);
};

browserTest('a matrix is pasted from the pinned cell, the typed one, or a cell of the text view on', { hash: 'step=3' }, async ({ app, page }) => {
  const before = await app.trace('W_q');
  await app.click('W_q[1,1]');
  assert.equal(await paste(app, 'array([[0.5, 0.25],\n       [-1.0, 2.0]], dtype=float32)'), '2 rows and 2 columns pasted into W_Q.');
  assert.deepEqual((await row(app, 'W_q', 1)).slice(1, 3), [0.5, 0.25]);
  assert.deepEqual((await row(app, 'W_q', 2)).slice(1, 3), [-1, 2]);
  await app.pressMirror('button', 'Undo');
  assert.deepEqual(await app.trace('W_q'), before);

  await app.run(() => document.querySelector('#canvas').focus());
  await app.press('Enter');
  await page.waitForSelector('#inputs [data-kind="cell"]');
  assert.ok(!await app.run(PASTE, '0,5'));  // one number is the input's own
  await paste(app, '7\t8,5\n9\t10\n');
  assert.deepEqual((await row(app, 'W_q', 1)).slice(1, 3), [7, 8.5]);
  assert.equal(await page.$('#inputs [data-kind="cell"]'), null);

  await app.run(() => document.querySelector('#mirror table[data-tensor="W_k"] td[data-row="0"][data-column="0"]').focus());
  await paste(app, '3, 4');
  assert.deepEqual((await row(app, 'W_k', 0)).slice(0, 2), [3, 4]);
});

browserTest('keys paste into the pinned cell', { hash: 'step=3', fresh: true }, async ({ app, page, context }) => {
  await context.overridePermissions(server.url, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
  await page.bringToFront();
  await app.run(() => navigator.clipboard.writeText('1.5 2.5'));
  await app.click('W_v[0,0]');
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyV');
  await page.keyboard.up('Control');
  await said(app, 0);
  assert.deepEqual((await row(app, 'W_v', 0)).slice(0, 2), [1.5, 2.5]);
});

browserTest('what is pasted wrongly is a sentence; nothing changes and nothing is run', { hash: 'step=3' }, async ({ app }) => {
  const before = await app.state();
  assert.match(await paste(app, '[[1, 2], [3, 4]]'), /^Click a number first/);
  await app.click('W_q[0,0]');
  assert.match(await paste(app, '[[1, 2], [3, x]]'), /^Row 2, column 2: "x" is not a number/);
  assert.match(await paste(app, '[[1, 2], [3, 4'), /bracket is not closed after row 2/);
  assert.match(await paste(app, '1\t2\n3\n'), /^Row 2 has 1 number and row 1 has 2/);
  assert.match(await paste(app, '[[1, 2, 3, 4, 5, 6, 7, 8, 9]]'), /room for/);
  assert.match(await paste(app, '[[1, window.executed = 1]]'), /^Row 1, column 2: "window\.executed"/);
  assert.equal(await app.run(() => window.executed), undefined);
  assert.deepEqual({ ...await app.state(), pin: '' }, before);
});

browserTest('half a surrogate pair in what is pasted costs nothing that stands beside it', { hash: 'step=3' }, async ({ app }) => {
  await app.click('W_q[0,0]');
  const before = await app.state();
  for (const half of ['\ud800', '\udc00']) {
    assert.match(await paste(app, `[[1, ${half}猫猫猫]]`), /^Row 1, column 2: "\ufffd猫猫猫" is not a number/);
  }
  assert.deepEqual(await app.state(), before);
});

const article = createServer((request, response) => {
  const sandbox = request.url === '/sandbox' ? 'sandbox="allow-scripts"' : '';
  response.setHeader('Content-Type', 'text/html');
  response.end(`<!doctype html><title>Article</title><iframe src="${server.url}#step=7" title="Limelight" ${sandbox}
    style="width: 900px; height: 700px; border: 0"></iframe>`);
});
await new Promise((resolve) => article.listen(0, resolve));
after(() => article.close());

async function framed(page) {
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  const app = driver(page, frame);
  await app.ready();
  return app;
}

for (const place of ['frame', 'sandbox']) {
  for (const firefox of [false, true]) {
    browserTest(`in a ${place} what may not be copied or saved is shown`, {
      url: `http://127.0.0.1:${article.address().port}/${place}`, ready: false, expected: NOISE, firefox, viewport: WIDE,
    }, async ({ page }) => {
      const app = await framed(page);
      await app.run(() => {
        navigator.clipboard && (navigator.clipboard.writeText = async () => { throw new Error('refused'); });
      });
      await app.run(() => {
        [...document.querySelectorAll('#mirror button')].find((one) => one.textContent === 'Export …').click();
      });
      await app.until(() => document.querySelector('dialog.panel[open] section'));
      await press(app, 'Numbers', 'Copy');
      await app.until(() => document.querySelector('dialog .problem textarea'));
      assert.match(await app.run(() => document.querySelector('dialog .problem textarea').value), /^weights,she,likes,coffee\n/);
      await app.run(() => document.querySelector('dialog .problem button').click());
      await press(app, 'State', 'Download');
      await pause(200);
      const shown = await app.run(() => document.querySelector('dialog .problem textarea')?.value ?? '');
      assert.match(shown, place === 'sandbox' ? /^limelight-state 1\n/ : /^$/);
      await choose(app, 'Picture', 'PNG 1×');
      await press(app, 'Picture', 'Download');
      if (place === 'sandbox') await app.until(() => document.querySelector('dialog img.preview').src.startsWith('data:image/png'));
    });
  }
}
