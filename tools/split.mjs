// node tools/split.mjs BINARYEN PROGRAM.wasm FIRST: splits a linked program in two: PROGRAM.wasm keeps what the scene FIRST
// needs, PROGRAM.scenes.wasm takes the functions and the data that only other scenes need, and is instantiated with the exports
// of the first as `first`. PROGRAM.wasm has the names of its functions (--profiling-funcs); they are left out of both.
// PROGRAM.map, the linker's, says where its data lies.
//
// Both get a section "build" with the same mark, so that halves of different programs are told apart.
//
// The table stays in the first. A function belongs to the second when nothing in the first calls it. Through the
// table anything may be called: there the name tells whose a function is, unless several were merged into one.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { addressesIn, piecesOf, segmentsOf, shared, withSegments } from './split_data.mjs';

const [binaryen, program, firstScene] = process.argv.slice(2);
const base = program.replace(/\.wasm$/, '');
const run = (tool, ...options) => execFileSync(`${binaryen}/bin/${tool}`, ['--all-features', ...options], { stdio: 'inherit' });

const linked = readFileSync(program);
const mark = createHash('sha256').update(linked).digest('hex').slice(0, 16);
const text = `${base}.wat`;
run('wasm-dis', program, '-o', text);
const calls = new Map();  // function → those that it names
const addresses = new Map();  // function → what may be addresses in it
const roots = [];
const table = [];
const NAME = /\$([^\s()]+)/g;
const names = (line) => [...line.matchAll(NAME)].map((match) => match[1]);
let body = null;
let constants = null;
for (const line of readFileSync(text, 'utf8').split('\n')) {
  if (line.startsWith(' (func ')) {
    calls.set(names(line)[0], body = new Set());
    addresses.set(names(line)[0], constants = new Set());
  } else if (line.startsWith(' (export ') && line.includes('(func ')) roots.push(names(line)[0]);
  else if (line.startsWith(' (start ')) roots.push(names(line)[0]);
  else if (line.startsWith(' (elem ')) table.push(...names(line).slice(1));  // after its own name
  else if (body) {
    for (const [, name] of line.matchAll(/\((?:return_call|call|ref\.func) \$([^\s()]+)/g)) body.add(name);
    for (const address of addressesIn(line)) constants.add(address);
  }
}

// What is trained is shown by other scenes only, and so are equations of matrices; what is taken along or brought along is not
// needed at the start, nor are the tokenizers that go with it.
const others = new RegExp(`limelight::(?:(?:learn|io::table|io::Tokenizer|figure::written|figure::films|app::exchange|app::beside|scenes::(?!${firstScene}::)[a-z_]+)::|figure::(?:Panel|Joint))`);
const isOthers = (name) => others.test(name);
const isMerged = (name) => table.indexOf(name) !== table.lastIndexOf(name);
roots.push(...table.filter((name) => !isOthers(name) || isMerged(name)));
const kept = new Set();
while (roots.length > 0) {
  const name = roots.pop();
  if (kept.has(name)) continue;
  kept.add(name);
  roots.push(...(calls.get(name) ?? []));
}
const moved = [...calls.keys()].filter((name) => !kept.has(name));
if (!moved.some(isOthers)) throw new Error(`${program} has no function of a scene other than ${firstScene}: was it linked with names?`);

// A custom section: 0, its size, its name with a length, its bytes; all of it short enough for lengths of one byte.
function section(name, text) {
  const bytes = Buffer.from(`${String.fromCharCode(name.length)}${name}${text}`);
  return Buffer.concat([Buffer.from([0, bytes.length]), bytes]);
}

const list = `${base}.moved`;
writeFileSync(list, moved.join('\n'));
const [first, second] = [`${base}.first.wasm`, `${base}.second.wasm`];
run('wasm-split', program, '--no-placeholders', `--split-funcs=@${list}`, '--import-namespace=first', '--export-prefix=%', '-o1', first, '-o2', second);

const data = shared(segmentsOf(linked), piecesOf(readFileSync(`${base}.map`, 'utf8')),
  [...kept].flatMap((name) => [...addresses.get(name) ?? []]), ({ object }) => object.includes('liblimelight_'));
if (data.second.length === 0) throw new Error(`All data of ${program} stays in its first half: does its map tell of other scenes?`);
writeFileSync(first, withSegments(readFileSync(first), data.first));
writeFileSync(second, withSegments(readFileSync(second), data.second));

// As the split leaves them, they are 1 % and 1.5 % larger. The first keeps the level that it was linked with, and its speed.
const small = ['--generate-global-effects', '--traps-never-happen', '--low-memory-unused'];
run('wasm-opt', '-Os', ...small, first, '-o', program);
run('wasm-opt', '-Oz', ...small, second, '-o', `${base}.scenes.wasm`);
for (const half of [program, `${base}.scenes.wasm`]) appendFileSync(half, section('build', mark));
for (const file of [text, list, first, second, `${base}.map`]) rmSync(file);
