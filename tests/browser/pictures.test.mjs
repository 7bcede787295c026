// A picture of one's own: dropped, pasted or chosen, made small in the page, sent nowhere, kept for the tab.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { dimensions } from '../../web/given/dimensions.js';
import { shownName } from '../../web/given/pictures.js';
import { browserTest, pause } from './harness.mjs';

const SIDE = 128;
const HASH = 'scene=patches&step=4';

// In the page: gives it a file by a drop or a paste. file: {width, height, fill, cut, name, type} is drawn, {bytes} or {text} are
// what is in it.
const GIVE = async (how, file) => {
  let parts;
  if (file.fill) {
    const canvas = Object.assign(document.createElement('canvas'), { width: file.width, height: file.height });
    const context = canvas.getContext('2d');
    for (const [colour, x, y, w, h] of file.fill) {
      context.fillStyle = colour;
      context.fillRect(x, y, w, h);
    }
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, file.type ?? 'image/png'));
    parts = [file.cut ? blob.slice(0, blob.size * file.cut) : blob];
  } else {
    parts = [file.bytes ? new Uint8Array(file.bytes) : file.text];
  }
  const data = new DataTransfer();
  data.items.add(new File(parts, file.name, { type: file.type ?? (file.text ? 'text/plain' : 'image/png') }));
  const options = { bubbles: true, cancelable: true };
  document.body.dispatchEvent(how === 'drop'
    ? new DragEvent('drop', { ...options, dataTransfer: data })
    : new ClipboardEvent('paste', { ...options, clipboardData: data }));
};

const HALVES = { name: 'halves.png', width: 300, height: 200, fill: [['#f00', 0, 0, 150, 200], ['#00f', 150, 0, 150, 200]] };

// → what is said of it; it is said for some seconds only
async function give(app, how, file) {
  const before = await app.run(() => document.querySelector('#mirror .notice').textContent);
  await app.run(GIVE, how, file);
  const said = await app.until((old) => {
    const { textContent: text } = document.querySelector('#mirror .notice');
    return text !== old && text;
  }, before);
  await app.settled();
  return said.jsonValue();
}
// [red, green, blue] of a pixel
async function pixel(app, x, y) {
  const { data } = await app.trace('picture');
  return data.slice(3 * (y * SIDE + x), 3 * (y * SIDE + x) + 3).map((share) => Math.round(255 * share));
}
const shown = async (app) => (await app.state()).own;

const u16 = (value) => [value >> 8, value & 255];
const u32 = (value) => [...u16(value >>> 16), ...u16(value & 65535)];
const letters = (text) => [...text].map((letter) => letter.charCodeAt(0));
const sizeOf = (...bytes) => dimensions(new Blob([new Uint8Array(bytes.flat())]));
const FRAME = [0xff, 0xc2, ...u16(17), 8, ...u16(300), ...u16(20_000), 3];  // of a JPEG: 20,000 × 300

test('the size of a JPEG is found after megabytes of what a camera wrote', async () => {
  const segment = [0xff, 0xe1, ...u16(65_535), ...Array(65_533).fill(0xff)];
  const long = Array(20).fill(segment).flat();
  assert.deepEqual(await sizeOf([0xff, 0xd8], long, FRAME), { width: 20_000, height: 300 });
  for (const between of [[0xff], Array(200_000).fill(0xff), [1, 2, 3], [0xff, 0x01, 0xff, 0xd0]]) {
    assert.deepEqual(await sizeOf([0xff, 0xd8], between, FRAME), { width: 20_000, height: 300 });
  }
  assert.deepEqual(await sizeOf([0xff, 0xd8], long), { width: 0, height: 0 });
});

test('the size of an AVIF is that of its largest image, and of a BMP what its header says, from the top or from the bottom', async () => {
  const box = (name, ...bytes) => [...u32(8 + bytes.flat().length), ...letters(name), ...bytes.flat()];
  const type = box('ftyp', letters('avif'), u32(0));
  const sizes = [[512, 512], [16_384, 8_192]].map((size) => box('ispe', u32(0), size.flatMap(u32)));
  assert.deepEqual(await sizeOf(type, box('free', u32(7)), box('meta', u32(0), ...sizes)), { width: 16_384, height: 8_192 });
  const toTheEnd = [...u32(0), ...letters('meta'), ...u32(0), ...sizes.flat()];
  const wide = [...u32(1), ...letters('free'), ...u32(0), ...u32(20), ...u32(7)];  // its size in 64 bits
  assert.deepEqual(await sizeOf(type, wide, toTheEnd), { width: 16_384, height: 8_192 });
  assert.deepEqual(await sizeOf(type, box('free', u32(7))), {}, 'the browser may know more');
  assert.equal(await sizeOf(box('ftyp', letters('isom'), u32(0))), null, 'a film');
  const little = (value) => u32(value).reverse();
  const bitmap = (...header) => [...letters('BM'), ...Array(12).fill(0), ...header.flat()];
  assert.deepEqual(await sizeOf(bitmap(little(40), little(30_000), little(-20_000))), { width: 30_000, height: 20_000 });
  assert.deepEqual(await sizeOf(bitmap(little(12), 44, 1, 200, 0, 1, 0, 24, 0)), { width: 300, height: 200 });
  for (const words of ['BMI table of patients, 2024: a 20, b 30', 'GIF is a format of pictures.']) {
    assert.equal(await sizeOf(letters(words)), null);
  }
});

test('a file is called by a name that fits into a sentence and shows what it is', () => {
  assert.equal(shownName({ name: 'halves.png' }), 'halves.png');
  assert.equal(shownName({ name: '' }), 'What was pasted');
  assert.equal(shownName({ name: 'cat\u202Egnp.exe\n**x**.png' }), 'catgnp.exe x.png');
  assert.equal(shownName({ name: 'a*\u200B*b 👨‍👩‍👧.png' }), 'ab 👨‍👩‍👧.png');
  assert.equal(shownName({ name: `${'long '.repeat(50)}name.jpeg` }), 'long long long long…ng name.jpeg');
});

browserTest('a picture that is dropped is cut to its middle square, made small, shown, and can be undone', { hash: HASH }, async ({ app }) => {
  const said = await give(app, 'drop', HALVES);
  assert.match(said, /halves\.png.*middle.*300 × 200.*128 × 128.*stays on this machine/);
  assert.deepEqual((await app.trace('picture')).shape, [SIDE * SIDE, 3]);
  assert.deepEqual(await pixel(app, 20, 64), [255, 0, 0]);
  assert.deepEqual(await pixel(app, 100, 64), [0, 0, 255]);
  assert.equal((await app.state()).preset, 'photo');
  await app.pressMirror('button', 'Undo');
  assert.equal(await shown(app), '');
  await app.pressMirror('button', 'Redo');
  assert.match(await shown(app), /^[0-9a-f]{16}$/);
});

browserTest('a picture can be pasted, and what is transparent in it is white, which is said', { hash: HASH }, async ({ app }) => {
  const said = await give(app, 'paste', { name: 'logo.png', width: 200, height: 200, fill: [['#080', 0, 0, 100, 200]] });
  assert.match(said, /transparent.*white/);
  assert.deepEqual(await pixel(app, 20, 64), [0, 136, 0]);
  assert.deepEqual(await pixel(app, 110, 64), [255, 255, 255]);
});

browserTest('a picture of 1×1, and one 20,000 pixels wide, are taken as they are', { hash: HASH }, async ({ app }) => {
  assert.match(await give(app, 'drop', { name: 'dot.png', width: 1, height: 1, fill: [['#123456', 0, 0, 1, 1]] }), /1 × 1.*enlarged/);
  assert.deepEqual(await pixel(app, 0, 0), [0x12, 0x34, 0x56]);
  const weights = (await app.trace('weights')).data;
  assert.ok(weights.every((weight) => Math.abs(weight - 1 / 64) < 1e-6), 'all patches are alike');
  const wide = { name: 'wide.png', width: 20_000, height: 200, fill: [['#f00', 0, 0, 9_990, 200], ['#0f0', 9_990, 0, 10_010, 200]] };
  assert.match(await give(app, 'drop', wide), /20,000 × 200/);
  assert.deepEqual(await pixel(app, 100, 64), [0, 255, 0]);
});

browserTest('what is no picture, what is cut off and what is too large is refused in a sentence, and what was shown stays', { hash: HASH },
  async ({ app }) => {
    await give(app, 'drop', HALVES);
    const before = await shown(app);
    assert.match(await give(app, 'drop', { name: 'notes.txt', text: 'Buy milk.' }), /notes\.txt is not a picture; PNG, JPEG/);
    assert.equal(await shown(app), before);
    assert.match(await give(app, 'drop', { ...HALVES, name: 'half.png', cut: 0.5 }), /half\.png is damaged or cut off/);
    assert.match(await give(app, 'paste', { name: 'fake.png', type: 'image/png', text: 'Buy milk.' }), /fake\.png.*cannot read/);
    const head = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 78, 32, 0, 0, 78, 32, 8, 6, 0, 0, 0];
    const huge = await give(app, 'drop', { name: 'huge.png', bytes: head });
    assert.match(huge, /huge\.png has 20,000 × 20,000 pixels.*smaller/);
    assert.equal(await shown(app), before);
    assert.deepEqual(await pixel(app, 20, 64), [255, 0, 0]);
  });

browserTest('a scene that takes none says where it can be given', {}, async ({ app }) => {
  assert.match(await give(app, 'drop', HALVES), /Spotlight takes no pictures.*Patches/);
});

browserTest('a file can be chosen, by the figure’s button and by the text view’s', { hash: 'scene=patches&preset=photo' }, async ({ page, app }) => {
  const path = join(tmpdir(), `limelight-${process.pid}.png`);
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  await writeFile(path, Buffer.from(dot, 'base64'));
  const [chooser] = await Promise.all([page.waitForFileChooser(), app.click('own.choose')]);
  await chooser.accept([path]);
  await app.until(() => window.limelight.getState().own !== '');
  const [again] = await Promise.all([page.waitForFileChooser(), app.pressMirror('button', 'Choose a picture of your own')]);
  await again.accept([path]);
});

browserTest('a link holds no picture: another tab says that it is not here; the same one has it after a reload', { hash: HASH },
  async ({ page, app }) => {
    await give(app, 'drop', HALVES);
    const own = await shown(app);
    await pause(500);  // the address follows
    const address = await app.run(() => location.href);
    assert.match(address, new RegExp(`own=${own}`));
    assert.ok(address.length < 300);
    await page.reload();
    await app.ready();
    assert.deepEqual(await pixel(app, 20, 64), [255, 0, 0]);
    await app.run(() => sessionStorage.clear());
    await page.reload();
    await app.ready();
    assert.match((await app.page()).narration, /is not here/);
    assert.equal(await shown(app), own);
  });

browserTest('Caption takes a picture as well, puts things over it, and says that it is of another world', { hash: 'scene=caption' }, async ({ app }) => {
  assert.match(await give(app, 'drop', HALVES), /300 × 200.*64 × 64.*stays on this machine/);
  const { preset, own } = await app.state();
  assert.equal(preset, 'own');
  assert.match(own, /^[0-9a-f]{16}$/);
  const { shape, data } = await app.trace('picture');
  assert.deepEqual(shape, [64 * 64, 3]);
  assert.deepEqual([data.slice(0, 3), data.slice(3 * 63, 3 * 64)], [[1, 0, 0], [0, 0, 1]]);
  await app.until(() => /only their own world/.test(window.limelight.page().narration));  // once the models are there
  await app.set({ objects: 'big green square 32 32' });
  const over = (await app.trace('picture')).data;
  assert.ok(over[3 * (32 * 64 + 32) + 1] > 0.5, 'the square is green');
  assert.deepEqual(over.slice(0, 3), [1, 0, 0], 'the picture lies below it');
  assert.match(await give(app, 'paste', { name: 'notes.txt', text: 'Buy milk.' }), /notes\.txt is not a picture/);
  assert.equal(await shown(app), own);
});

browserTest('a picture that is ready after another scene was opened is not put there, which is said', { hash: HASH }, async ({ app }) => {
  await app.run(() => {
    const unpack = window.createImageBitmap;
    window.createImageBitmap = async (file) => {
      await window.limelight.setState({ scene: 'caption' });
      return unpack(file);
    };
  });
  assert.match(await give(app, 'drop', HALVES), /scene that is not open any more.*What was shown stays/);
  const { own, preset } = await app.state();
  assert.deepEqual([own, preset], ['', 'pair']);
});

browserTest('a click on a patch makes it the query, and the arrow keys move it', { hash: HASH }, async ({ app }) => {
  await app.click('a[3,5]');
  assert.equal((await app.state()).query, '29');
  await app.press('ArrowLeft', 'ArrowUp');
  assert.equal((await app.state()).query, '20');
});
