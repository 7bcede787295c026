// What the built core for JavaScript has to do, in Node and in browsers alike: nothing here knows where it runs.
//
//   cases({ load, files, golden, relaxed }) → [[name, function that throws when the law is broken], …]
//
// load: of limelight-core.js. files: the address of the folder it is in. golden: tests/golden/attention.json.
// relaxed: whether this engine has relaxed SIMD.

function demand(holds, what) {
  if (!holds) throw new Error(what);
}

function same(actual, expected, what) {
  const [a, b] = [actual, expected].map((value) => JSON.stringify(value));
  demand(a === b, `${what} is ${a}, not ${b}`);
}

// Within `tolerance` of max(1, |expected|).
function close(actual, expected, tolerance, what) {
  same(actual.shape, expected.shape, `${what}.shape`);
  same(actual.data.length, expected.data.length, `${what}.data.length`);
  actual.data.forEach((value, index) => {
    const wanted = expected.data[index];
    const difference = Math.abs(value - wanted);
    demand(difference <= tolerance * Math.max(1, Math.abs(wanted)), `${what}[${index}] is ${value}, not ${wanted}`);
  });
}

function refusal(call, type, patterns, what) {
  let error = null;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  demand(error !== null, `${what}: was not refused`);
  same(error.constructor.name, type.name, `${what}: the error (${error.message})`);
  demand(/^.{15,}\.$/.test(error.message), `${what}: "${error.message}" is no sentence`);
  for (const pattern of patterns) demand(pattern.test(error.message), `${what}: "${error.message}" lacks ${pattern}`);
}

// Numbers from −1 to 1 (mulberry32), the same in every run.
function random(rows, columns, seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
  return { data: Float32Array.from({ length: rows * columns }, next), shape: [rows, columns] };
}

function columns({ data, shape: [rows, width] }, begin, end) {
  const taken = new Float32Array(rows * (end - begin));
  for (let i = 0; i < rows; ++i) taken.set(data.subarray(i * width + begin, i * width + end), i * (end - begin));
  return { data: taken, shape: [rows, end - begin] };
}

function rows({ data, shape: [, width] }, order) {
  return { data: Float32Array.from(order.flatMap((i) => [...data.subarray(i * width, (i + 1) * width)])), shape: [order.length, width] };
}

// --- The golden file -------------------------------------------------------------------------------------------------

const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

function goldenOptions({ inputs, options }) {
  const converted = Object.fromEntries(Object.entries(options).map(([name, value]) => [camelCase(name), value]));
  for (const [name, { data, shape }] of Object.entries(inputs)) {
    if (name !== 'mask') converted[camelCase(name)] = { data: Float32Array.from(data), shape };
  }
  if (options.mask) {
    const allowed = inputs.mask && { data: Uint8Array.from(inputs.mask.data), shape: inputs.mask.shape };
    converted.mask = options.mask.map((term) => (term === 'matrix' ? { allowed } : term));
  }
  return converted;
}

// float32 inputs and sums against double precision; the cases are small and their numbers about 1.
const GOLDEN_TOLERANCE = 1e-5;

function goldenCases(core, golden) {
  const operations = { attend: 'attend', multi_head: 'multiHead' };
  return golden.cases.filter(({ kind }) => kind in operations).map((entry) => [
    `golden, ${entry.kind}: ${entry.name}`,
    async () => {
      const { [operations[entry.kind]]: forward, gradients } = await core();
      const { gradOutput, ...options } = goldenOptions(entry);
      const { weights, output, ...grads } = entry.expected;
      close(forward(options).output, output, GOLDEN_TOLERANCE, 'output');
      const traced = forward({ ...options, trace: true });
      close(traced.output, output, GOLDEN_TOLERANCE, 'traced output');
      close(traced.weights, weights, GOLDEN_TOLERANCE, 'weights');
      const found = gradients({ ...options, gradOutput });
      for (const [name, tensor] of Object.entries(grads)) {
        close(found[camelCase(name.slice('grad_'.length))], tensor, GOLDEN_TOLERANCE, name);
      }
      same(Object.keys(found).length, Object.keys(grads).length, 'number of gradients');
    },
  ]);
}

// --- Laws ------------------------------------------------------------------------------------------------------------

const sizes = { queries: 37, keys: 53, size: 24, values: 12 };  // odd on purpose: no kernel's tile fits
const tokens = () => ({
  query: random(sizes.queries, sizes.size, 1),
  key: random(sizes.keys, sizes.size, 2),
  value: random(sizes.keys, sizes.values, 3),
});
const TOLERANCE = 1e-5;  // 53 float32 products of numbers up to 1, summed in another order

// One of every kind of work, by name: for the memory's laws.
function work() {
  const base = tokens();
  const gradOutput = random(sizes.queries, sizes.values, 4);
  const square = (seed) => random(sizes.size, sizes.size, seed);
  const additive = { score: 'additive', wQuery: random(sizes.size, 8, 5), wKey: random(sizes.size, 8, 6), v: random(8, 1, 7) };
  return [
    ['attend', { ...base }],
    ['attend', { ...base, heads: 4, positions: 'rope', mask: ['causal', 'window:7'] }],
    ['attend', { ...base, heads: 2, positions: 'sinusoidal', mask: { allowed: new Uint8Array(sizes.queries * sizes.keys).fill(1) } }],
    ['attend', { ...base, trace: true, positions: 'alibi' }],
    ['attend', { ...base, ...additive, normalizer: 'entmax15', trace: true }],
    ['multiHead', { ...base, heads: 3, wQ: square(8), wK: square(9), wO: random(sizes.values, 5, 10) }],
    ['gradients', { ...base, gradOutput, heads: 2 }],
    ['gradients', { ...base, ...additive, gradOutput, normalizer: 'sparsemax' }],
  ];
}

function laws(core) {
  return [
    ['without trace the output is the same as with it, for every mask and position', async () => {
      const { attend } = await core();
      const allowed = Uint8Array.from(random(sizes.queries, sizes.keys, 5).data, (x) => Number(x > -0.5));
      for (const mask of ['none', 'causal', 'window:4', 'block:5', 'lengths:31', { allowed }, ['causal', { allowed }, 'window:9']]) {
        for (const positions of ['none', 'sinusoidal', 'rope', 'alibi']) {
          const options = { ...tokens(), mask, positions, heads: 2, temperature: 0.5 };
          const { output, weights } = attend({ ...options, trace: true });
          close(attend(options).output, output, TOLERANCE, `${JSON.stringify(mask).slice(0, 40)}, ${positions}: output`);
          same(weights.shape, [2, sizes.queries, sizes.keys], 'weights.shape');
        }
      }
    }],
    ['several heads are each its own attention over its columns, side by side', async () => {
      const { attend } = await core();
      const all = tokens();
      for (const score of ['scaled-dot', 'cosine']) {
        const together = attend({ ...all, heads: 3, score, trace: true });
        for (let h = 0; h < 3; ++h) {
          const head = (tensor) => columns(tensor, h * tensor.shape[1] / 3, (h + 1) * tensor.shape[1] / 3);
          const alone = attend({ query: head(all.query), key: head(all.key), value: head(all.value), score, trace: true });
          close(head(together.output), alone.output, TOLERANCE, `head ${h}`);
          const count = sizes.queries * sizes.keys;
          const weights = { data: together.weights.data.subarray(h * count, (h + 1) * count), shape: alone.weights.shape };
          close(weights, alone.weights, TOLERANCE, `weights of head ${h}`);
        }
      }
    }],
    ['keys and values in another order give the same output', async () => {
      const { attend } = await core();
      const { query, key, value } = tokens();
      const order = Array.from({ length: sizes.keys }, (_, i) => (i * 20 + 7) % sizes.keys);
      const moved = attend({ query, key: rows(key, order), value: rows(value, order) });
      close(moved.output, attend({ query, key, value }).output, TOLERANCE, 'output');
    }],
    ['multiHead is attend between products with the weights', async () => {
      const { attend, multiHead } = await core();
      const { query, key, value } = tokens();
      // Weights that permute columns: the products are exact.
      const permutation = (n) => {
        const data = new Float32Array(n * n);
        for (let i = 0; i < n; ++i) data[i * n + (i * 5 + 1) % n] = 1;
        return { data, shape: [n, n] };
      };
      const apply = ({ data, shape: [count, n] }) => {
        const moved = new Float32Array(data.length);
        for (let r = 0; r < count; ++r) for (let i = 0; i < n; ++i) moved[r * n + (i * 5 + 1) % n] = data[r * n + i];
        return { data: moved, shape: [count, n] };
      };
      const [size, values] = [sizes.size, sizes.values].map(permutation);
      for (const score of ['dot', 'cosine']) {  // the kernels' path and the traced one
        const layered = multiHead({ query, key, value, heads: 2, keyHeads: 2, score, wQ: size, wK: size, wV: values, wO: values });
        const { output } = attend({ query: apply(query), key: apply(key), value: apply(value), heads: 2, score });
        close(layered.output, apply(output), TOLERANCE, score);
      }
    }],
    ['the output moves as its gradients say', async () => {
      const { attend, gradients } = await core();
      const options = { ...tokens(), heads: 2, positions: 'rope', mask: 'causal' };
      const gradOutput = random(sizes.queries, sizes.values, 6);
      const found = gradients({ ...options, gradOutput });
      const loss = (changed) => attend({ ...options, ...changed }).output.data.reduce((sum, x, i) => sum + x * gradOutput.data[i], 0);
      for (const name of ['query', 'key', 'value']) {
        const direction = random(...options[name].shape, 7).data;
        const moved = (step) => ({ [name]: { ...options[name], data: options[name].data.map((x, i) => x + step * direction[i]) } });
        const step = 0.01;  // float32: a smaller one drowns in rounding
        const slope = (loss(moved(step)) - loss(moved(-step))) / (2 * step);
        const expected = found[name].data.reduce((sum, x, i) => sum + x * direction[i], 0);
        demand(Math.abs(slope - expected) <= 0.01 * Math.max(1, Math.abs(expected)), `${name}: ${slope}, not ${expected}`);
      }
    }],
    ['queries that see nothing are reported and their output is 0, on both paths', async () => {
      const { attend } = await core();
      const { query, key, value } = tokens();
      const few = rows(key, [0, 1, 2]);
      const options = { query, key: few, value: rows(value, [0, 1, 2]), mask: 'window:30' };
      for (const extra of [{}, { trace: true }, { normalizer: 'sparsemax' }, { score: 'cosine' }]) {
        const { output, fullyMasked } = attend({ ...options, ...extra });
        same(fullyMasked, [33, 34, 35, 36], 'fullyMasked');
        for (let i = 0; i < sizes.queries; ++i) {
          const row = [...output.data.subarray(i * sizes.values, (i + 1) * sizes.values)];
          demand(fullyMasked.includes(i) === row.every((x) => x === 0), `row ${i} is ${row}`);
        }
      }
      same(attend({ query, key, value, mask: 'causal' }).fullyMasked, [], 'fullyMasked with causal');
    }],
    ['what goes in stays as it is, and what came out before too', async () => {
      const { attend } = await core();
      const options = tokens();
      const first = attend({ ...options, trace: true });
      const copies = [first.output, first.weights].map(({ data }) => [...data]);
      attend({ query: options.value, key: options.value, value: options.value, trace: true });
      same([first.output, first.weights].map(({ data }) => [...data]), copies, 'the first result');
      for (const [name, { data }] of Object.entries(tokens())) same([...options[name].data], [...data], name);
    }],
    ['a sample is the same for the same seed and another for another', async () => {
      const { attend } = await core();
      const options = { ...tokens(), normalizer: 'gumbel', trace: true };
      const sample = (seed) => [...attend({ ...options, seed }).weights.data];
      same(sample(5), sample(5n), 'the sample of seed 5');
      demand(JSON.stringify(sample(5)) !== JSON.stringify(sample(6)), 'the samples of seeds 5 and 6 are the same');
      demand(JSON.stringify(sample(2n ** 64n - 1n)) !== JSON.stringify(sample(2 ** 32 - 1)), 'the upper half of a seed is not read');
    }],
    ['10,000 calls leave the memory as they found it', async () => {
      const here = await core();
      const all = work();
      for (const [operation, options] of all) here[operation](options);
      const before = here.memory;
      for (let i = 0; i < 10_000; ++i) {
        const [operation, options] = all[i % all.length];
        here[operation](options);
        if (i % 100 === 0) {
          try {
            here.attend({ ...options, gradOutput: undefined, mask: 'lengths:999' });
          } catch {}  // is refused
        }
      }
      same(here.memory, before, 'memory');
      demand(before.used < 4096 && before.reserved < 2 ** 25, `memory is ${JSON.stringify(before)}`);
    }],
    ['what does not fit into float32 is refused on every path, and the next call is as good as any', async () => {
      const here = await core();
      const expected = here.attend(tokens());
      const before = here.memory;
      const column = (...data) => ({ data: Float32Array.from(data), shape: [data.length, 1] });
      const wGeneral = column(1);
      const large = { query: column(2e19), key: column(2e19, 1), value: column(1, -1) };
      const scores = /^The scores of query and key are too large for float32/;
      const paths = [{}, { trace: true }, { normalizer: 'hard' }, { normalizer: 'entmax15' }, { score: 'general', wGeneral }];
      for (const path of paths) refusal(() => here.attend({ ...large, ...path }), RangeError, [scores], JSON.stringify(path));
      refusal(() => here.multiHead({ ...large, query: column(2), wQ: column(1e19) }), RangeError, [scores], 'wQ');
      refusal(() => here.gradients({ ...large, gradOutput: column(1) }), RangeError, [scores], 'gradients');
      const small = { query: column(1), key: column(1, 1), value: column(1, -1) };
      for (const factor of [{ scale: 1e300 }, { scale: -3.5e38 }, { temperature: 1e-300 }, { scale: 1e30, temperature: 1e-30 }]) {
        for (const query of [column(0), column(1)]) {
          refusal(() => here.attend({ ...small, query, ...factor }), RangeError, [/scale is/, /temperature is/, /float32/], JSON.stringify(factor));
        }
      }
      const values = { ...small, value: column(3e38, 3e38) };
      refusal(() => here.attend(values), RangeError, [/^The output is too large/], 'values');
      refusal(() => here.multiHead({ ...small, value: column(1, 1), wV: column(1e38), wO: column(3e38) }), RangeError, [/^The output is too large/], 'wO');
      refusal(() => here.gradients({ ...small, value: column(1e30, -1e30), gradOutput: column(1e30) }), RangeError,
        [/^The gradients are too large/], 'gradOutput');
      same(here.memory, before, 'memory');
      same(here.attend(tokens()), expected, 'the next result');
    }],
    ['what is given is read once, and a call that fails on the way is freed', async () => {
      const here = await core();
      const expected = here.attend(tokens());
      const before = here.memory;
      const { query, key, value } = tokens();
      let reads = 0;
      const once = (tensor) => ({
        get data() { return ++reads === 1 ? tensor.data : new Float32Array(tensor.data.length + 999); },
        shape: tensor.shape,
      });
      same(here.attend({ query: once(query), key, value }), expected, 'the result');
      same(reads, 1, 'reads of query.data');
      const thrown = new Error('thrown by a getter');
      const throwing = { get data() { throw thrown; }, shape: key.shape };
      for (let i = 0; i < 100; ++i) {
        try {
          here.attend({ query, key: throwing, value });
          demand(false, 'a getter threw, and nothing happened');
        } catch (error) {
          demand(error === thrown, `${error}`);
        }
      }
      const moved = query.data.slice();  // its buffer goes elsewhere after it was checked
      const moving = { get allowed() { structuredClone(moved.buffer, { transfer: [moved.buffer] }); return new Uint8Array(sizes.queries * sizes.keys); } };
      refusal(() => here.attend({ query: { data: moved, shape: query.shape }, key, value, mask: moving }), TypeError, [/query\.data/], 'a buffer that moves');
      same(here.memory, before, 'memory');
      same(here.attend(tokens()), expected, 'the next result');
    }],
    ['too much work is refused, and the next call is as good as any', async () => {
      const here = await core();
      const expected = here.attend(tokens());
      const { used } = here.memory;
      const long = { query: random(60_000, 1, 1), key: random(60_000, 1, 2), value: random(60_000, 1, 3) };
      refusal(() => here.attend({ ...long, trace: true }), RangeError, [/memory/, /60000 queries/, /60000 keys/], 'trace');
      demand(here.memory.used <= used, `${here.memory.used} bytes are used, ${used} were before`);
      same(here.attend(tokens()), expected, 'the next result');
    }],
    ['two cores know nothing of each other', async () => {
      const [one, other] = [await core({}), await core({})];
      const before = other.memory;
      one.attend({ ...tokens(), trace: true, normalizer: 'sparsemax' });
      same(other.memory, before, 'memory');
    }],
  ];
}

// --- Bad input -------------------------------------------------------------------------------------------------------

function refusals(core) {
  const t = (...shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b)).fill(0.5), shape });
  const base = { query: t(3, 4), key: t(5, 4), value: t(5, 2) };
  const additive = { score: 'additive', wQuery: t(4, 6), wKey: t(4, 6), v: t(6) };
  const table = [
    ['attend', undefined, TypeError, /undefined/, /\{query, key, value/],
    ['attend', null, TypeError, /null/],
    ['attend', {}, TypeError, /query/, /Float32Array/],
    ['attend', { maks: 'causal' }, TypeError, /'maks'/, /Did you mean 'mask'/],
    ['attend', { Heads: 2 }, TypeError, /Did you mean 'heads'/],
    ['attend', { wQ: t(4, 4) }, TypeError, /attend has no option 'wQ'/],
    ['gradients', { trace: true }, TypeError, /gradients has no option 'trace'/],
    ['attend', { query: [[1, 2]] }, TypeError, /query/, /an array/],
    ['attend', { query: { data: [1, 2], shape: [1, 2] } }, TypeError, /Float32Array/, /an array/],
    ['attend', { query: { data: new Float64Array(12), shape: [3, 4] } }, TypeError, /a Float64Array/],
    ['attend', { query: { data: new Float32Array(12) } }, TypeError, /query\.shape/, /undefined/],
    ['attend', { query: t(1, 3, 4) }, TypeError, /\[1,3,4\]/, /\[rows, columns\]/],
    ['attend', { query: { data: new Float32Array(11), shape: [3, 4] } }, RangeError, /11/, /\[3,4\]/, /12/],
    ['attend', { query: { data: new Float32Array(0), shape: [0, 4] } }, RangeError, /\[0,4\]/, /from 1/],
    ['attend', { query: { data: new Float32Array(12), shape: [2.5, 4] } }, RangeError, /2\.5/],
    ['attend', { key: { data: new Float32Array(20).fill(NaN, 7, 8), shape: [5, 4] } }, RangeError, /key/, /NaN/, /row 1, column 3/],
    ['attend', { value: { data: new Float32Array(10).fill(-Infinity, 9), shape: [5, 2] } }, RangeError, /-Infinity/, /row 4, column 1/],
    ['attend', { key: t(5, 3) }, RangeError, /\[3, 4\]/, /\[5, 3\]/, /same number/],
    ['attend', { value: t(6, 2) }, RangeError, /\[5, 4\]/, /\[6, 2\]/, /rows/],
    ['attend', { heads: 3 }, RangeError, /heads is 3/, /\[3, 4\]/, /evenly/],
    ['attend', { heads: 4 }, RangeError, /is 4/, /\[5, 2\]/, /evenly/],
    ['attend', { heads: 0 }, RangeError, /heads is 0/],
    ['attend', { heads: 1.5 }, RangeError, /1\.5/],
    ['attend', { heads: '2' }, TypeError, /'2'/, /number/],
    ['attend', { heads: 2, keyHeads: 4 }, RangeError, /keyHeads is 4/, /heads is 2/],
    ['attend', { score: 'dott' }, RangeError, /'dott'/, /'scaled-dot'/, /Did you mean 'dot'/],
    ['attend', { score: 1 }, TypeError, /score is 1/],
    ['attend', { score: 'toString' }, RangeError, /'toString'/],
    ['attend', { normalizer: 'entmax' }, RangeError, /'entmax'/, /entmax15/],
    ['attend', { positions: 'rotary' }, RangeError, /'rotary'/, /'rope'/],
    ['attend', { temperature: 0 }, RangeError, /temperature is 0/, /above 0/],
    ['attend', { temperature: -1 }, RangeError, /-1/],
    ['attend', { temperature: NaN }, RangeError, /NaN/],
    ['attend', { scale: Infinity }, RangeError, /Infinity/, /finite/],
    ['attend', { scale: '1' }, TypeError, /scale/, /number/],
    ['attend', { seed: -1 }, RangeError, /seed is -1/],
    ['attend', { seed: 2n ** 64n }, RangeError, /18446744073709551616/],
    ['attend', { seed: 2 ** 60 }, RangeError, /whole number/],
    ['attend', { trace: 1 }, TypeError, /trace is 1/],
    ['attend', { mask: 'casual' }, RangeError, /'casual'/, /'causal'/],
    ['attend', { mask: 'window' }, RangeError, /'window'/, /window:W/],
    ['attend', { mask: 'window:-1' }, RangeError, /window:-1/],
    ['attend', { mask: 'causal:1' }, RangeError, /causal:1/],
    ['attend', { mask: 'block:0' }, RangeError, /block:0/, /at least 1/],
    ['attend', { mask: 'lengths:6' }, RangeError, /lengths:6/, /5/],
    ['attend', { mask: 3 }, TypeError, /mask is 3/],
    ['attend', { mask: ['causal', true] }, TypeError, /mask is true/],
    ['attend', { mask: { allowed: new Uint8Array(14) } }, RangeError, /14/, /15/],
    ['attend', { mask: { allowed: { data: new Uint8Array(15), shape: [5, 3] } } }, RangeError, /\[5,3\]/, /\[3, 5\]/],
    ['attend', { mask: { allowed: new Float32Array(15) } }, TypeError, /Float32Array/, /Uint8Array/],
    ['attend', { mask: { allowed: new Array(15).fill(1) } }, TypeError, /booleans/],
    ['attend', { mask: { allowed: new Array(15) } }, TypeError, /booleans/],
    ['attend', { mask: { allowed: null } }, TypeError, /null/, /Uint8Array/],
    ['attend', { query: { data: new Float32Array(12), shape: [Symbol('three'), 4] } }, RangeError, /Symbol\(three\)/, /whole/],
    ['attend', { score: 'general' }, TypeError, /'general' needs wGeneral/],
    ['attend', { wGeneral: t(4, 4) }, TypeError, /wGeneral belongs to score 'general'/, /'scaled-dot'/],
    ['attend', { score: 'general', wGeneral: t(4, 3) }, RangeError, /\[4, 3\]/, /\[4, 4\]/],
    ['attend', { ...additive, v: undefined }, TypeError, /'additive' needs v/],
    ['attend', { ...additive, wQuery: t(3, 6) }, RangeError, /wQuery is \[3, 6\]/, /\[4, hidden\]/],
    ['attend', { ...additive, wKey: t(4, 5) }, RangeError, /wKey is \[4, 5\]/, /\[4, 6\]/],
    ['attend', { ...additive, v: t(5) }, RangeError, /v is \[1, 5\]/, /6 numbers/],
    ['attend', { ...additive, bias: t(2, 3) }, RangeError, /bias is \[2, 3\]/, /6 numbers/],
    ['attend', { positions: 'learned' }, TypeError, /needs positionTable/],
    ['attend', { positions: 'learned', positionTable: t(4, 4) }, RangeError, /\[4, 4\]/, /at least 5/],
    ['attend', { positions: 'rope', query: t(3, 3), key: t(5, 3) }, RangeError, /3 numbers/, /even/],
    ['attend', { positions: 'rope', heads: 2, query: t(3, 6), key: t(5, 6) }, RangeError, /3 numbers/, /even/],
    ['multiHead', { wQ: t(3, 4) }, RangeError, /query is \[3, 4\]/, /wQ is \[3, 4\]/, /rows/],
    ['multiHead', { wK: t(4, 6) }, RangeError, /each query has 4 numbers and each key 6/],
    ['multiHead', { heads: 2, wO: t(3, 4) }, RangeError, /wO is \[3, 4\]/, /2 columns/],
    ['gradients', {}, TypeError, /gradOutput/],
    ['gradients', { gradOutput: t(3, 4) }, RangeError, /gradOutput is \[3, 4\]/, /\[3, 2\]/],
    ['gradients', { gradOutput: t(3, 2), wO: t(2, 7) }, RangeError, /\[3, 2\]/, /\[3, 7\]/],
  ];
  return [['bad input is refused in a sentence, before anything is computed', async () => {
    const here = await core();
    const expected = here.attend(base);
    const before = here.memory;
    for (const [operation, changes, type, ...patterns] of table) {
      const empty = !changes || (operation === 'attend' && Object.keys(changes).length === 0);
      const options = empty ? changes : { ...base, ...changes };
      const shown = changes && Object.entries(changes).map(([name, value]) => `${name}: ${JSON.stringify(value?.shape ?? String(value))}`);
      refusal(() => here[operation](options), type, patterns, `${operation}({${shown}})`);
    }
    same(here.memory, before, 'memory');
    same(here.attend(base), expected, 'the next result');
  }]];
}

// --- Loading ---------------------------------------------------------------------------------------------------------

function loading(load, files, relaxed) {
  const builds = [['limelight-core.wasm', false], ...(relaxed ? [['limelight-core-relaxed.wasm', true]] : [])];
  return [
    ['load takes the build that the engine has, or the one that it is told', async () => {
      same((await load()).relaxed, relaxed, 'relaxed');
      for (const [, build] of builds) same((await load({ relaxed: build })).relaxed, build, 'relaxed');
    }],
    ['load takes a module, its bytes and its address', async () => {
      const expected = (await load({ relaxed: false })).attend(tokens());
      for (const [name, build] of builds) {
        const url = new URL(name, files);
        const bytes = url.protocol === 'file:'
          ? await (await import('node:fs/promises')).readFile(url) : await (await fetch(url)).arrayBuffer();
        for (const wasm of [url, url.href, bytes, await WebAssembly.compile(bytes)]) {
          const core = await load({ wasm });
          same(core.relaxed, build, 'relaxed');
          close(core.attend(tokens()).output, expected.output, TOLERANCE, 'output');
        }
      }
    }],
    ['load refuses what is no module', async () => {
      for (const [options, type, pattern] of [
        [{ wasm: 7 }, TypeError, /wasm is 7/],
        [{ wasm: new Uint8Array(8) }, Error, /compiled/],
        [{ relaxed: 'yes' }, TypeError, /true or false/],
        [{ relaxed: true, wasm: new Uint8Array(8) }, TypeError, /together/],
        [{ wams: 1 }, TypeError, /Did you mean 'wasm'/],
      ]) {
        const error = await load(options).then(() => null, (thrown) => thrown);
        refusal(() => { if (error) throw error; }, type, [pattern], JSON.stringify(options));
      }
    }],
  ];
}

export function cases({ load, files, golden, relaxed }) {
  let shared = null;
  const core = (options) => (options ? load(options) : shared ??= load());
  return [...goldenCases(core, golden), ...laws(core), ...refusals(core), ...loading(load, files, relaxed)];
}
