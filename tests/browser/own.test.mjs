// A model or attention weights of one's own: dropped or chosen, read here, sent nowhere.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { isOwn } from '../../web/given/given.js';
import { filesOf } from '../../web/given/own.js';
import { ALL, browserTest, pause } from './harness.mjs';

const HASH = 'scene=sentence';
const GOLDEN = new URL('../golden/pretrained/', import.meta.url);

const file = async (name, path) => ({ name, bytes: [...await readFile(new URL(path, GOLDEN))] });
const text = (name, content) => ({ name, bytes: [...new TextEncoder().encode(content)] });
const GPT2 = [await file('config.json', 'gpt2/config.json'), await file('model.safetensors', 'gpt2/model.safetensors'),
  text('vocab.json', '{"a": 0, "b": 1, "ab": 2, "Ġ": 3, "c": 4}'), text('merges.txt', '#version: 0.2\na b\n')];
const BERT = [await file('config.json', 'bert/config.json'), await file('model.safetensors', 'bert/model.safetensors'),
  text('vocab.txt', '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n')];
const JSON_WEIGHTS = text('w.json', '{"tokens": ["The", "cat"], "attention": [[[1, 0], [0.25, 0.75]]]}');

// A .npy of float32, [1, 2, 2], or a .safetensors of it.
function array(name, numbers) {
  const data = [...new Uint8Array(new Float32Array(numbers).buffer)];
  const ascii = (string) => [...string].map((letter) => letter.charCodeAt(0));
  if (name.endsWith('.npy')) {
    const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 2), }".padEnd(117) + '\n';
    return { name, bytes: [0x93, ...ascii('NUMPY'), 1, 0, header.length, 0, ...ascii(header), ...data] };
  }
  const header = JSON.stringify({ attention: { dtype: 'F32', shape: [1, 2, 2], data_offsets: [0, 16] } });
  return { name, bytes: [header.length, 0, 0, 0, 0, 0, 0, 0, ...ascii(header), ...data] };
}

// In the page. files: [{name, bytes | size}]
const DROP = (files) => {
  const data = new DataTransfer();
  for (const { name, bytes, size } of files) {
    data.items.add(new File([bytes ? new Uint8Array(bytes) : new Uint8Array(size)], name));
  }
  document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
};

const NOTICE = () => document.querySelector('#mirror .notice').textContent;
const own = async (app) => (await app.state()).own;

const serial = (app) => app.run(() => window.limelight.page().notice?.serial ?? 0);

// → what is said after the notice of this number, but for how far something is
async function saidAfter(app, before) {
  const said = await app.until((old) => {
    const { notice } = window.limelight.page();
    return notice && notice.serial > old && !/on (?:its|their) way[:.]/.test(notice.text) && notice.text;
  }, before);
  await app.settled();
  return said.jsonValue();
}
async function drop(app, files) {
  const before = await serial(app);
  await app.run(DROP, files);
  return saidAfter(app, before);
}

test('what belongs to a model is told from pictures by its name', () => {
  const none = { pictures: false, own: false };
  const names = ['a.npy', 'MODEL.SAFETENSORS', 'vocab.json', 'pytorch_model.bin', 'x.gguf'];
  for (const name of names) assert.ok(isOwn({ name, type: '' }, none));
  assert.ok(!isOwn({ name: 'a.png', type: 'image/png' }, { pictures: false, own: true }));
  assert.ok(!isOwn({ name: 'notes.txt', type: 'text/plain' }, { pictures: true, own: false }));
  assert.ok(isOwn({ name: 'vocab.txt', type: 'text/plain' }, { pictures: false, own: true }));
});

browserTest('models of both families are dropped, replace one another, and can be undone', { hash: HASH }, async ({ app }) => {
  assert.match(await drop(app, GPT2), /is here: 2 layers of 4 heads.*stays on this machine/);
  const first = await own(app);
  assert.match(first, /^[0-9a-f]{16}$/);
  assert.match(await drop(app, BERT), /is here: 2 layers of 4 heads/);
  const second = await own(app);
  assert.notEqual(second, first);
  await app.pressMirror('button', 'Undo');
  assert.equal(await own(app), first);
  await app.pressMirror('button', 'Redo');
  await app.pressMirror('button', 'Let go of your own model and weights');
  assert.match(await app.run(NOTICE), /not here any more/);
});

browserTest('weights are seen at once, and a line that is pasted names their tokens', { hash: HASH }, async ({ app, page }) => {
  await drop(app, [array('w.npy', [1, 0, 0.25, 0.75])]);
  const { step, steps } = await app.page();
  assert.equal(steps[step - 1].id, 'head');
  assert.equal(await page.$('#inputs [data-field="text"]'), null);
  assert.equal(await page.$eval('#inputs [data-field="tokens"]', (input) => input.value), '');
  const paste = async (text) => {
    await app.run((line) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', line);
      document.querySelector('#canvas').dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
    }, text);
    await app.settled();
  };
  const tokens = () => app.run(() => window.limelight.page().tables.find(({ name }) => name === 'A_1.1').rowLabels);
  await paste('She\tran\n');
  assert.deepEqual(await tokens(), ['She', 'ran']);
  await paste('["New York", "\ud800猫猫"]');
  assert.deepEqual(await tokens(), ['New York', '\ufffd猫猫']);
  await paste('She ran home');
  assert.deepEqual(await tokens(), ['1', '2']);
  assert.equal((await app.state()).tokens, 'She ran home');
  await app.pressMirror('button', 'Undo');
  assert.deepEqual(await tokens(), ['New York', '\ufffd猫猫']);
});

browserTest('of a folder the model is taken, whatever else lies there', { hash: HASH }, async ({ app }) => {
  const before = await serial(app);
  await app.run((files) => {
    const entry = ({ name, bytes }) => ({ name, isFile: true, file: (take) => take(new File([new Uint8Array(bytes)], name)) });
    const folder = (name, entries) => ({
      name,
      isDirectory: true,
      createReader() {
        const parts = [entries.slice(0, 2), entries.slice(2), []];
        return { readEntries: (take) => take(parts.shift()) };
      },
    });
    const inner = folder('onnx', [entry({ name: 'config.json', bytes: [123] }), entry({ name: 'model.onnx', bytes: [1] })]);
    const whole = folder('tiny-gpt2', [inner, entry({ name: 'README.md', bytes: [35] }), ...files.map(entry)]);
    const event = new Event('drop', { bubbles: true, cancelable: true });
    const data = { types: ['Files'], items: [{ webkitGetAsEntry: () => whole }], files: [] };
    Object.defineProperty(event, 'dataTransfer', { value: data });
    document.body.dispatchEvent(event);
  }, GPT2);
  assert.match(await saidAfter(app, before), /^tiny-gpt2 is here: 2 layers of 4 heads/);
});

browserTest('weights are dropped as .npy, .safetensors and JSON', { hash: HASH }, async ({ app }) => {
  for (const weights of [array('w.npy', [1, 0, 0.5, 0.5]), array('w.safetensors', [1, 0, 0.25, 0.75]), JSON_WEIGHTS]) {
    const before = await own(app);
    const said = await drop(app, [weights]);
    assert.ok(said.startsWith(`${weights.name} is here: 1 layer of 1 head, 2 tokens.`), said);
    assert.notEqual(await own(app), before);
  }
});

browserTest('what is dropped on a scene that takes none opens Sentence, once its functions have come', {}, async ({ app }) => {
  await drop(app, [JSON_WEIGHTS]);
  assert.equal((await app.state()).scene, 'sentence');
});

browserTest('bad files are refused in a sentence that names them, and what was shown stays', { hash: HASH }, async ({ app }) => {
  await drop(app, [JSON_WEIGHTS]);
  const before = await own(app);
  const [config, model, vocabulary, merges] = GPT2;
  const cut = { ...model, bytes: model.bytes.slice(0, -4) };
  assert.match(await drop(app, [config, cut, vocabulary, merges]), /model\.safetensors is truncated.*What was shown stays/);
  assert.match(await drop(app, [model, vocabulary]), /config\.json is missing/);
  assert.match(await drop(app, [config, { name: 'pytorch_model.bin', bytes: [1] }]), /pytorch_model\.bin is of a format.*save_pretrained/);
  assert.match(await drop(app, [config, model, BERT[2]]), /tokenizer.*BERT family.*GPT-2/);
  assert.match(await drop(app, [array('w.npy', [1, 0, 0.5, 0.6])]), /w\.npy has 1 row whose weights do not sum to 1.*row 2 sums to 1\.1/);
  assert.match(await drop(app, [array('n.npy', [1, 0, NaN, 1])]), /n\.npy holds nan at \[0, 1, 0\]/);
  assert.equal(await own(app), before);
});

browserTest('a file of 3 GB is refused before anything of it is read', { hash: HASH }, async ({ app }) => {
  const said = await app.run(async () => {
    const large = new File([], 'model.safetensors');
    Object.defineProperty(large, 'size', { value: 3e9 });
    large.slice = () => {
      throw new Error('It was read.');
    };
    const data = { types: ['Files'], items: [], files: [new File(['{}'], 'config.json'), large] };
    const event = new Event('drop', { bubbles: true, cancelable: true });
    Object.defineProperty(event, 'dataTransfer', { value: data });
    document.body.dispatchEvent(event);
    for (;;) {
      await new Promise(requestAnimationFrame);
      const { textContent: notice } = document.querySelector('#mirror .notice');
      if (notice) return notice;
    }
  });
  assert.match(said, /model\.safetensors has 3 GB; at most 2\.1 GB can be held here/);
});

// Two gigabytes are copied, which takes a busy machine a while.
if (ALL) browserTest('addresses above 2 GiB are written to and read as those below', { hash: HASH, timeout: 120_000 }, async ({ app }) => {
  const before = await serial(app);
  const pieces = JSON.parse(await readFile(new URL('../tokenizers/word_piece.json', GOLDEN), 'utf8'));
  await app.run((config, tokenizer) => {
    const zeros = new ArrayBuffer(8 * 1024 * 1024);
    const large = new File([], 'model.safetensors');
    Object.defineProperty(large, 'size', { value: 2_147_000_000 });
    large.slice = (begin, end) => ({ arrayBuffer: async () => zeros.slice(0, Math.min(end, large.size) - begin) });
    const files = [new File([new Uint8Array(config)], 'config.json'), large, new File([JSON.stringify(tokenizer)], 'tokenizer.json')];
    const event = new Event('drop', { bubbles: true, cancelable: true });
    Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items: [], files } });
    document.body.dispatchEvent(event);
  }, GPT2[0].bytes, pieces);
  assert.match(await saidAfter(app, before), /The tokenizer of your model is of the BERT family, its config\.json of a GPT-2/);
});

browserTest('a large file shows how far it is, and can be stopped', { hash: HASH }, async ({ app }) => {
  await app.run(() => {
    const read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = async function later() {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return read.call(this);
    };
  });
  await app.run(DROP, [{ name: 'w.npy', size: 100_000_000 }]);
  await app.until(() => /w\.npy is on its way: [1-9]\d* of 100 MB/.test(window.limelight.page().ownComing));
  assert.match(await app.run(NOTICE), /on its way/);
  await app.pressMirror('button', 'Stop it');
  await app.until(() => /was stopped on its way/.test(document.querySelector('#mirror .notice').textContent));
  assert.equal((await app.page()).ownComing, '');
});

for (const [what, change, reason] of [
  ['cannot be read any more', 'gone', /^w\.npy cannot be read any more; it may have been moved or changed\. What was shown stays\.$/],
  ['grows meanwhile', 'longer', /^w\.npy has changed while it was read: it has more than its 20000000 bytes\. What was shown stays\.$/],
]) {
  browserTest(`a file that ${what} is no longer on its way, and a sentence says why`, { hash: HASH }, async ({ app }) => {
    await app.run((how) => {
      const read = Blob.prototype.arrayBuffer;
      let pieces = 0;
      Blob.prototype.arrayBuffer = async function late() {
        pieces += 1;
        if (pieces < 3) return read.call(this);
        if (how === 'gone') throw new DOMException('Gone.', 'NotReadableError');
        return new ArrayBuffer(this.size + 1);
      };
    }, change);
    assert.match(await drop(app, [{ name: 'w.npy', size: 20_000_000 }]), reason);
    assert.equal((await app.page()).ownComing, '');
  });
}

const ODD = '\u202emy **models** of the years from 2019 to 2026';  // it turns what follows round
const SHOWN = 'my models of the ye…2019 to 2026';

test('a folder with too many files is refused in a sentence that its name does not spoil', async () => {
  const entries = Array.from({ length: 2001 }, (_, index) => ({ name: `${index}`, isFile: true, file: (take) => take({}) }));
  const parts = [entries, []];
  const folder = { name: ODD, isDirectory: true, createReader: () => ({ readEntries: (take) => take(parts.shift()) }) };
  await assert.rejects(filesOf(folder), { message: `${SHOWN} has more than 2000 files; drop the model’s own folder.` });
});

browserTest('a folder that cannot be read is refused in a sentence that its name does not spoil', { hash: HASH }, async ({ app }) => {
  const before = await serial(app);
  await app.run((name) => {
    const readEntries = (take, refuse) => refuse(new DOMException('Gone.', 'NotFoundError'));
    const folder = { name, isDirectory: true, createReader: () => ({ readEntries }) };
    const event = new Event('drop', { bubbles: true, cancelable: true });
    const data = { types: ['Files'], items: [{ webkitGetAsEntry: () => folder }], files: [] };
    Object.defineProperty(event, 'dataTransfer', { value: data });
    document.body.dispatchEvent(event);
  }, ODD);
  assert.equal(await saidAfter(app, before), `${SHOWN} cannot be read.`);
});

browserTest('files can be chosen', { hash: HASH }, async ({ page, app }) => {
  const path = join(await mkdtemp(join(tmpdir(), 'limelight-')), 'w.json');
  await writeFile(path, Buffer.from(JSON_WEIGHTS.bytes));
  const [chooser] = await Promise.all([page.waitForFileChooser(), app.pressMirror('button', 'Choose a model or weights of your own')]);
  await chooser.accept([path]);
  await app.until(() => window.limelight.getState().own !== '');
});

browserTest('a link holds its name only, and another tab shows the scene without it', { hash: HASH }, async ({ page, app }) => {
  await drop(app, [JSON_WEIGHTS]);
  const name = await own(app);
  await pause(500);  // the address follows
  const address = await app.run(() => location.href);
  assert.match(address, new RegExp(`own=${name}`));
  assert.ok(address.length < 300);
  await page.reload();
  await app.ready();
  assert.equal(await own(app), name);
  assert.equal((await app.page()).ownHere, false);
  await drop(app, [JSON_WEIGHTS]);
  assert.equal((await app.page()).ownHere, true);
});
