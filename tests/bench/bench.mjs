// node tests/bench/bench.mjs --rounds N: runs what tools/bench has built, prints the table, writes build/bench.json.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { browse } from './browse.mjs';
import { frameWork, jobWork, lampWork, scrubWork } from './frames.mjs';
import { load } from './load.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');
const rounds = Number(process.argv[3]);
const size = 64; // of a query

const say = (line) => console.error(`bench: ${line}`);
const milliseconds = (ms) => (ms >= 0.1 ? `${ms.toPrecision(3)} ms` : `${(ms * 1000).toPrecision(3)} µs`);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
const times = (ratio) => `${ratio.toFixed(2)}×`;
const rate = (operations, ms) => operations / ms / 1e6; // GFLOP/s
const ofAttention = (n) => 4 * n * n * size;

// The fastest of the contenders whose name starts like this: [name, milliseconds].
const best = (group, prefix) =>
  Object.entries(group)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, { median }]) => [name, median])
    .reduce((a, b) => (b[1] < a[1] ? b : a));

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function runtimesTable(web) {
  const rows = [];
  const compare = (what, group, label, operations) => {
    const [, ort] = best(group, 'onnxruntime-web');
    const ours = ['relaxed', 'plain'].map((kind) => group[`${label}, ${kind}`].median);
    rows.push([
      what,
      ...ours.map((ms) => `${milliseconds(ms)} (${rate(operations, ms).toFixed(0)} GFLOP/s)`),
      milliseconds(ort),
      milliseconds(group['tfjs-backend-wasm'].median),
      ours.map((ms) => times(ort / ms)).join(', '),
    ]);
  };
  for (const [n, group] of Object.entries(web.attention)) {
    compare(`attention, fused, n = ${n}, d = ${size}`, group, 'fused', ofAttention(n));
    compare(`attention, weights kept, n = ${n}, d = ${size}`, group, 'traced', ofAttention(n));
  }
  for (const [n, group] of Object.entries(web.product)) compare(`product ${n}³`, group, 'product', 2 * n ** 3);
  return table(
    ['one thread, Chromium', 'relaxed SIMD', 'SIMD', 'onnxruntime-web', 'tfjs-backend-wasm', 'faster than onnxruntime-web'],
    rows,
  );
}

function transformerTable({ shape, times: { relaxed, plain, 'onnxruntime-web': ort } }) {
  const ours = [relaxed.median, plain.median];
  return table(
    ['a transformer, one thread, Chromium', 'relaxed SIMD', 'SIMD', 'onnxruntime-web', 'faster than onnxruntime-web'],
    [
      [
        `GPT-2 small's shape, ${shape.tokens} tokens, attention weights kept`,
        ...[...ours, ort.median].map(milliseconds),
        ours.map((ms) => times(ort.median / ms)).join(', '),
      ],
    ],
  );
}

const eigenTable = (web) =>
  table(
    ['product, WebAssembly', 'relaxed SIMD', 'SIMD', 'faster than Eigen'],
    Object.entries(web.ownProduct).map(([shape, group]) => [
      shape,
      ...['relaxed', 'plain'].map((kind) => milliseconds(group[`product, ${kind}`].median)),
      ['relaxed', 'plain'].map((kind) => times(group[`Eigen, ${kind}`].median / group[`product, ${kind}`].median)).join(', '),
    ]),
  );

function nativeTable(native, torch) {
  const rows = Object.entries(native).flatMap(([what, group]) =>
    Object.keys(group)
      .filter((name) => name !== 'Eigen')
      .map((name) => [
        name === 'product' ? what : `${what}, ${name}`,
        milliseconds(group[name]),
        milliseconds(group.Eigen),
        times(group.Eigen / group[name]),
        ...(torch ? [torch.times[what] ? milliseconds(torch.times[what]) : ''] : []),
      ]),
  );
  return table(['native, AVX2', 'Limelight', 'Eigen', 'faster than Eigen', ...(torch ? [`PyTorch ${torch.version}`] : [])], rows);
}

const wordsOfStep = 320; // training.h: 32 pairs of 10 words
const wordsInSecond = (ms) => Math.round((wordsOfStep / ms) * 1000).toLocaleString('en');

const trainingTable = (web, native, torch) =>
  table(
    ['training, target words in a second', 'relaxed SIMD', 'SIMD', 'native, AVX2', ...(torch ? [`PyTorch ${torch.version}`] : [])],
    [
      [
        'bidirectional GRU 64, additive attention 64',
        ...[web.training.relaxed.median, web.training.plain.median, native.step].map(wordsInSecond),
        ...(torch ? [wordsInSecond(torch.training)] : []),
      ],
    ],
  );

const frameTable = (scenes) =>
  table(
    ['a frame while a slider is dragged', 'median', '19 of 20 are below', 'median with any sizes', '19 of 20 are below', 'the slowest'],
    scenes.map(({ scene, given, any, slowest: { step, field, compute, draw } }) => [
      scene,
      ...[given.median, given.most, any.median, any.most].map(milliseconds),
      `${milliseconds(compute)} + ${milliseconds(draw)} (step ${step}, ${field})`,
    ]),
  );

const jobTable = (jobs) =>
  table(
    ['a frame while a job runs', 'frames', 'median', '19 of 20 are below', 'the longest'],
    jobs.map(({ scene, frames, median, most, longest }) => [scene, frames, ...[median, most, longest].map(milliseconds)]),
  );

const scrubTable = (steps) =>
  table(
    ['a frame while a step is scrubbed', 'frames', 'median', '19 of 20 are below', 'the longest'],
    steps.map(({ of, step, frames, median, most, longest }) => [`${of}: ${step}`, frames, ...[median, most, longest].map(milliseconds)]),
  );

const lampTable = (steps) =>
  table(
    ['a frame while the lamp follows the pointer', 'frames', 'median', '19 of 20 are below', 'the longest', 'memory after a minute more', 'JavaScript’s part'],
    steps.map(({ step, frames, median, most, longest, memory, grown }) => [
      step,
      frames,
      ...[median, most, longest].map(milliseconds),
      ...['program', 'script'].map((of) => `${megabytes(memory[of])} (${grown[of] < 0 ? '' : '+'}${megabytes(grown[of])})`),
    ]),
  );

function notes(web, loaded, torch) {
  const shares = Object.entries(web.attention).flatMap(([n, group]) =>
    ['relaxed', 'plain'].map((kind) => {
      const share = rate(ofAttention(n), group[`fused, ${kind}`].median) / web.ceiling[kind];
      return `${(100 * share).toFixed(0)} % of it with ${kind} SIMD at n = ${n}`;
    }),
  );
  const graphs = Object.entries(web.attention).map(([n, group]) => `“${best(group, 'onnxruntime-web')[0].slice(17)}” at n = ${n}`);
  return [
    `Ceiling, multiply-adds in registers: ${web.ceiling.relaxed.toFixed(0)} GFLOP/s with relaxed, ${web.ceiling.plain.toFixed(0)} with plain SIMD. Fused attention reaches ${shares.join(', ')}.`,
    `Memory: fused attention with n = 16,384 and d = ${size} needs ${times(web.memory)} its inputs and output, these included.`,
    `onnxruntime-web ran four graphs of the same attention; the table has the fastest: ${graphs.join(', ')}.`,
    `The transformer: ${(web.gpt2.parameters / 1e6).toFixed(0)} million random weights, from the embedded tokens to the last norm, without logits; all ${web.gpt2.shape.layers} × ${web.gpt2.shape.heads} heads' weights are part of what comes out. The others are off from relaxed SIMD by at most ${web.gpt2.off.hidden.toExponential(0)}, in attention weights by ${web.gpt2.off.weights.toExponential(0)}.`,
    `limelight infer on a file of that shape, mapped (${(loaded.bytes / 1e6).toFixed(0)} MB, a vocabulary of 50,257): ${milliseconds(loaded.milliseconds.one)} from its start to its end with one token, ${milliseconds(loaded.milliseconds.all)} with ${web.gpt2.shape.tokens}.`,
    'Frames: computing, and drawing with WebGL in software; every slider of every step, at 1280×800. While a job runs, what the page’s thread computes.',
    torch ? `PyTorch ran softmax(q kᵀ / √d) v.` : 'PyTorch: not measured, since python3 cannot import torch here.',
  ];
}

function runTorch() {
  if (spawnSync('python3', ['-c', 'import torch']).status !== 0) return null;
  const run = (file) => JSON.parse(execFileSync('python3', [path.join(here, file), String(rounds)], { encoding: 'utf8' }));
  return { ...run('torch_attention.py'), training: run('torch_training.py').milliseconds };
}

say('natively');
const { training, ...native } = JSON.parse(execFileSync(path.join(root, 'build/native/bench_native'), [String(rounds)], { encoding: 'utf8' }));
const torch = runTorch();
const loaded = load(rounds);
say('in Chromium');
const web = await browse({ rounds });
say('frames of the page');
const scenes = await frameWork();
const jobs = await jobWork();
const scrubbed = await scrubWork();
say('the lamp');
const lamp = await lampWork();

const { devDependencies: versions } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));
const machine = `${cpus().length} × ${cpus()[0].model}, ${web.browser}`;
const pinned = Object.entries(versions).map((entry) => entry.join(' '));
writeFileSync(
  path.join(root, 'build/bench.json'),
  `${JSON.stringify({ machine, versions, rounds, web, native: { ...native, training }, loaded, torch, scenes, jobs, scrubbed, lamp }, null, 2)}\n`,
);
console.log(`${machine}. Medians of ${rounds} interleaved rounds. ${pinned.join(', ')}.\n`);
console.log([runtimesTable(web), transformerTable(web.gpt2), eigenTable(web), nativeTable(native, torch), trainingTable(web, training, torch), frameTable(scenes), jobTable(jobs), scrubTable(scrubbed), lampTable(lamp), ...notes(web, loaded, torch)].join('\n\n'));
