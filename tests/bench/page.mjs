// Measures in the page that tools/bench opens: all contenders in one load of it. `run` is called from outside.
import * as ort from './ort.wasm.min.mjs';
import { graph, small, weightsOf } from './gpt2.mjs';
import { attentions, product } from './onnx.mjs';
import { measure } from './measure.mjs';
import { random } from './random.mjs';

const tf = globalThis.tf;
const log = (line) => console.log(line);

// One of our modules. Arrays go in and out by copying, as with every other contender.
class Kernels {
  static async load(name) {
    const { default: create } = await import(`./${name}.mjs`);
    const kernels = new Kernels();
    kernels.module = await create();
    return kernels;
  }
  array(count) {
    const pointer = this.module._bench_allocate(count);
    return { pointer, count, view: () => this.module.HEAPF32.subarray(pointer / 4, pointer / 4 + count) };
  }
  filled(values) {
    const array = this.array(values.length);
    array.view().set(values);
    return array;
  }
  free(...arrays) {
    for (const { pointer } of arrays) this.module._bench_free(pointer);
  }
}

// Throws unless all contenders give the same numbers up to 1e-4 of the largest. The largest difference.
async function agree(what, contenders) {
  let expected;
  let largest;
  let most = 0;
  for (const [name, run] of Object.entries(contenders)) {
    const result = await run();
    expected ??= result;
    largest ??= expected.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    if (result.length !== expected.length) throw new Error(`${what}: ${name} has another size.`);
    const off = result.reduce((most, x, i) => Math.max(most, Math.abs(x - expected[i])), 0);
    most = Math.max(most, off);
    if (!(off <= 1e-4 * largest)) throw new Error(`${what}: ${name} is off by ${off}, the largest entry being ${largest}.`);
  }
  return most;
}

async function ortRun(bytes, inputs, shapes) {
  const session = await ort.InferenceSession.create(bytes, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
  const feeds = Object.fromEntries(
    Object.entries(inputs).map(([name, data]) => [name, new ort.Tensor('float32', data, shapes[name])]),
  );
  const run = async () => (await session.run(feeds)).out.data;
  return { run, release: () => session.release() };
}

async function attention(modules, n, d, rounds) {
  const [q, k, v] = [random(n * d, 1), random(n * d, 2), random(n * d, 3)];
  const contenders = {};
  const releases = [];
  for (const [kind, kernels] of Object.entries(modules)) {
    const arrays = [kernels.array(n * d), kernels.array(n * d), kernels.array(n * d)];
    const [output, weights] = [kernels.array(n * d), kernels.array(n * n)];
    const pointers = [...arrays, output].map((array) => array.pointer);
    const fill = () => [q, k, v].forEach((values, i) => arrays[i].view().set(values));
    contenders[`fused, ${kind}`] = () => {
      fill();
      kernels.module._bench_fused(...pointers, n, d);
      return output.view().slice();
    };
    contenders[`traced, ${kind}`] = () => {
      fill();
      kernels.module._bench_traced(...pointers, weights.pointer, n, d);
      return output.view().slice();
    };
    releases.push(() => kernels.free(...arrays, output, weights));
  }
  for (const [graph, { bytes, shape }] of Object.entries(attentions(n, d))) {
    const { run, release } = await ortRun(bytes, { q, k, v }, { q: shape, k: shape, v: shape });
    contenders[`onnxruntime-web, ${graph}`] = run;
    releases.push(release);
  }
  const tensors = [q, k, v].map((values) => tf.tensor2d(values, [n, d]));
  contenders['tfjs-backend-wasm'] = () =>
    tf.tidy(() => {
      const scores = tf.mul(tf.matMul(tensors[0], tensors[1], false, true), 1 / Math.sqrt(d));
      return tf.matMul(tf.softmax(scores), tensors[2]).dataSync();
    });
  releases.push(() => tensors.forEach((tensor) => tensor.dispose()));
  await agree(`attention of ${n}`, contenders);
  const times = await measure(contenders, rounds);
  for (const release of releases) await release();
  return times;
}

// A whole transformer, the attention weights of all heads being part of what comes out.
async function gpt2(modules, shape, rounds) {
  const { layers, heads, size, inner, tokens } = shape;
  const weights = weightsOf(shape);
  const contenders = {};
  const releases = [];
  for (const [kind, kernels] of Object.entries(modules)) {
    const given = kernels.filled(weights);
    const [hidden, attention] = [kernels.array(tokens * size), kernels.array(layers * heads * tokens * tokens)];
    contenders[kind] = () => {
      kernels.module._bench_gpt2(given.pointer, layers, heads, size, inner, tokens, hidden.pointer, attention.pointer);
      return { hidden: hidden.view().slice(), attention: [attention.view().slice()] };
    };
    releases.push(() => kernels.free(given, hidden, attention));
  }
  const session = await ort.InferenceSession.create(graph(shape), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
    externalData: [{ path: 'weights', data: new Uint8Array(weights.buffer) }],
  });
  releases.push(() => session.release());
  const embedded = Float32Array.from({ length: tokens * size }, (_, i) => weights[i] + weights[tokens * size + i]);
  const mask = Float32Array.from({ length: tokens ** 2 }, (_, i) => (i % tokens > Math.floor(i / tokens) ? -Infinity : 0));
  const feeds = {
    x: new ort.Tensor('float32', embedded, [tokens, size]),
    mask: new ort.Tensor('float32', mask, [tokens, tokens]),
  };
  contenders['onnxruntime-web'] = async () => {
    const out = await session.run(feeds);
    return { hidden: out.hidden.data, attention: Array.from({ length: layers }, (_, i) => out[`${i}.weights`].data) };
  };
  const each = (f) => Object.fromEntries(Object.entries(contenders).map(([name, run]) => [name, async () => f(await run())]));
  const off = {
    hidden: await agree('what GPT-2 gives', each((result) => result.hidden)),
    weights: await agree("GPT-2's attention weights", each(({ attention }) => attention.flatMap((one) => [...one]))),
  };
  const times = await measure(contenders, rounds);
  for (const release of releases) await release();
  return { shape, parameters: weights.length, off, times };
}

async function bigProduct(modules, n, rounds) {
  const [a, b] = [random(n * n, 4), random(n * n, 5)];
  const contenders = {};
  const releases = [];
  for (const [kind, kernels] of Object.entries(modules)) {
    const [left, right, out] = [kernels.array(n * n), kernels.array(n * n), kernels.array(n * n)];
    const by = (name) => () => {
      left.view().set(a);
      right.view().set(b);
      kernels.module[name](left.pointer, right.pointer, out.pointer, n, n, n, false, false);
      return out.view().slice();
    };
    contenders[`product, ${kind}`] = by('_bench_product');
    contenders[`Eigen, ${kind}`] = by('_bench_eigen_product');
    releases.push(() => kernels.free(left, right, out));
  }
  const { run, release } = await ortRun(product(n, n, n), { a, b }, { a: [n, n], b: [n, n] });
  contenders['onnxruntime-web, MatMul'] = run;
  const tensors = [a, b].map((values) => tf.tensor2d(values, [n, n]));
  contenders['tfjs-backend-wasm'] = () => tf.tidy(() => tf.matMul(...tensors).dataSync());
  await agree(`product of ${n}`, contenders);
  const times = await measure(contenders, rounds);
  await release();
  for (const free of releases) free();
  tensors.forEach((tensor) => tensor.dispose());
  return times;
}

// Of ours against Eigen inside one module, without copies: [m, k] × [k, n].
async function ownProduct(modules, { m, k, n, transposeA = false, transposeB = false }, rounds) {
  const contenders = {};
  const releases = [];
  const results = {};
  for (const [kind, kernels] of Object.entries(modules)) {
    const [a, b] = [kernels.filled(random(m * k, 6)), kernels.filled(random(k * n, 7))];
    const out = kernels.array(m * n);
    for (const [label, name] of Object.entries({ product: '_bench_product', Eigen: '_bench_eigen_product' })) {
      const call = kernels.module[name];
      const once = () => call(a.pointer, b.pointer, out.pointer, m, k, n, transposeA, transposeB);
      contenders[`${label}, ${kind}`] = once;
      results[`${label}, ${kind}`] = () => (once(), out.view().slice());
    }
    releases.push(() => kernels.free(a, b, out));
  }
  await agree(`product of ${m}×${k}×${n}`, results);
  const times = await measure(contenders, rounds);
  for (const release of releases) release();
  return times;
}

// GFLOP/s of multiply-adds that touch nothing but registers.
async function ceiling(modules, rounds) {
  const contenders = {};
  let operations;
  for (const [kind, kernels] of Object.entries(modules))
    contenders[kind] = () => {
      operations = kernels.module._bench_ceiling(20000, 0.5, 0.25);
    };
  const times = await measure(contenders, rounds);
  return Object.fromEntries(Object.entries(times).map(([kind, { median }]) => [kind, operations / median / 1e6]));
}

// A step of training, in one module after the other.
const training = (modules, rounds) =>
  measure(
    Object.fromEntries(Object.entries(modules).map(([kind, { module }]) => [kind, () => void module._bench_training()])),
    rounds,
  );

// What fused attention of n needs in all, inputs and output included, as a multiple of those; in a fresh module.
async function memory(n, d) {
  const { module } = await Kernels.load('kernels_plain');
  const before = module._bench_heap_end();
  const pointers = Array.from({ length: 4 }, () => module._bench_allocate(n * d));
  for (const pointer of pointers) module.HEAPF32.fill(0.5, pointer / 4, pointer / 4 + n * d);
  module._bench_fused(...pointers, n, d);
  return (module._bench_heap_end() - before) / (4 * n * d * 4);
}

export async function run({ only, rounds }) {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  tf.wasm.setWasmPaths(new URL('./', import.meta.url).href);
  tf.wasm.setThreadsCount(1);
  if (!(await tf.setBackend('wasm'))) throw new Error('TensorFlow.js has no wasm backend here.');
  const modules = { relaxed: await Kernels.load('kernels_relaxed'), plain: await Kernels.load('kernels_plain') };

  const results = { attention: {}, product: {}, ownProduct: {}, memory: await memory(16384, 64) };
  const wanted = (name) => !only || new RegExp(only).test(name);
  if (wanted('ceiling')) results.ceiling = await ceiling(modules, rounds);
  if (wanted('training')) {
    log('training');
    results.training = await training(modules, rounds);
  }
  for (const n of [1024, 2048])
    if (wanted(`attention ${n}`)) {
      log(`attention, n = ${n}`);
      results.attention[n] = await attention(modules, n, 64, rounds);
    }
  if (wanted('product 512')) {
    log('product, 512');
    results.product[512] = await bigProduct(modules, 512, rounds);
  }
  if (wanted('GPT-2')) {
    log('GPT-2');
    results.gpt2 = await gpt2(modules, small, rounds);
  }
  const sizes = [8, 12, 16, 24, 32, 48, 64, 128, 256, 1024].map((n) => ({ m: n, k: n, n }));
  const shapes = [
    { m: 1024, k: 64, n: 64 }, // tall: a projection
    { m: 64, k: 64, n: 1024 }, // wide
    { m: 64, k: 1024, n: 64, transposeA: true }, // a gradient of parameters
    { m: 1024, k: 64, n: 64, transposeB: true }, // a gradient of inputs
    { m: 8, k: 8, n: 8, transposeB: true },
    { m: 32, k: 32, n: 32, transposeA: true },
    { m: 32, k: 32, n: 32, transposeB: true },
    { m: 33, k: 31, n: 35 },
  ];
  for (const shape of [...sizes, ...shapes]) {
    const name = `${shape.m}×${shape.k}×${shape.n}${shape.transposeA ? ' Aᵀ' : ''}${shape.transposeB ? ' Bᵀ' : ''}`;
    if (!wanted(`own ${name}`)) continue;
    log(`product, ${name}`);
    results.ownProduct[name] = await ownProduct(modules, shape, rounds);
  }
  return { ...results, versions: { 'onnxruntime-web': ort.env.versions.web, '@tensorflow/tfjs-core': tf.version_core } };
}
