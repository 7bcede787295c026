// The built core for JavaScript under Node (plain SIMD: Node 20 has relaxed SIMD behind a flag), and the package as it is
// shipped: its size, its types, the example in docs/core.md. tests/browser/core.test.mjs runs the same cases in a browser.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { cases } from './cases.mjs';

const BUDGET = 60_000;  // bytes, gzipped: the JavaScript and one module; nobody loads both
const files = new URL('../../build/core/', import.meta.url);
const read = (name) => readFile(new URL(name, files), 'utf8');
const core = await import(new URL('limelight-core.js', files));
const golden = JSON.parse(await readFile(new URL('../golden/attention.json', import.meta.url)));

for (const [name, run] of cases({ load: core.load, files, golden, relaxed: (await core.load()).relaxed })) test(name, run);

test('what is downloaded, the JavaScript and one module, stays within its budget', async (context) => {
  const size = async (name) => {
    const bytes = gzipSync(await readFile(new URL(name, files)), { level: 9 }).length;
    context.diagnostic(`${name}: ${bytes} bytes gzipped`);
    return bytes;
  };
  const script = await size('limelight-core.js');
  const total = script + Math.max(await size('limelight-core.wasm'), await size('limelight-core-relaxed.wasm'));
  context.diagnostic(`with the larger module: ${total} of ${BUDGET}`);
  assert.ok(total <= BUDGET, `${total} bytes are ${total - BUDGET} over the budget of ${BUDGET}`);
});

test('the modules ask for nothing but memory and a way to give up', async () => {
  for (const name of ['limelight-core.wasm', 'limelight-core-relaxed.wasm']) {
    const bytes = await readFile(new URL(name, files));
    if (!WebAssembly.validate(bytes)) continue;  // relaxed SIMD
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).map((entry) => entry.name);
    assert.deepEqual(imports.sort(), ['_abort_js', 'emscripten_resize_heap']);
  }
});

test('everything that is exported has a type, and every option is accepted', async () => {
  const types = await read('limelight-core.d.ts');
  for (const name of Object.keys(core)) assert.match(types, new RegExp(`export (declare )?(function|const|class) ${name}\\b`));
  const loaded = await core.load();
  const members = [...Object.keys(loaded), ...Object.getOwnPropertyNames(Object.getPrototypeOf(loaded))];
  const declared = /export interface Core \{([\s\S]*?)\n\}/.exec(types)[1].replace(/\/\*\*[\s\S]*?\*\//g, '');
  for (const name of members.filter((member) => member !== 'constructor')) assert.match(declared, new RegExp(`\\b${name}\\b`), name);
  // The options by name, as the interfaces declare them and as the sentence of a refusal lists them.
  const optionsOf = (name) => {
    const [, base, body] = new RegExp(`export interface ${name}(?: extends (\\w+))? \\{([\\s\\S]*?)\\n\\}`).exec(types);
    return [...(base ? optionsOf(base) : []), ...[...body.matchAll(/^  (\w+)\??:/gm)].map((match) => match[1])];
  };
  for (const [operation, interfaces] of [
    ['attend', ['AttendOptions', 'Traced']], ['multiHead', ['MultiHeadOptions', 'Traced']], ['gradients', ['GradientOptions']],
  ]) {
    let message = '';
    try {
      loaded[operation]({ nonsense: 1 });
    } catch (error) {
      message = error.message;
    }
    const listed = [.../It has (.*)\.$/.exec(message)[1].matchAll(/'(\w+)'/g)].map((match) => match[1]);
    assert.deepEqual(listed.sort(), interfaces.flatMap(optionsOf).sort(), operation);
  }
});

test('the example in docs/core.md prints what it says', async () => {
  const page = await readFile(new URL('../../docs/core.md', import.meta.url), 'utf8');
  const [, example] = /```js\n([\s\S]*?limelight-core[\s\S]*?)```/.exec(page);
  const folder = await mkdtemp(path.join(tmpdir(), 'limelight-'));
  const file = path.join(folder, 'example.mjs');
  const printed = [];
  const { log } = console;
  try {
    await writeFile(file, example.replace("'./limelight-core.js'", `'${new URL('limelight-core.js', files)}'`));
    console.log = (...values) => printed.push(values.join(' '));
    await import(pathToFileURL(file));
  } finally {
    console.log = log;
    await rm(folder, { recursive: true });
  }
  const promised = [...example.matchAll(/console\.log\(.*\);\s*\/\/ (.*)/g)].map((match) => match[1]);
  assert.ok(promised.length > 0);
  assert.deepEqual(printed, promised);
});
