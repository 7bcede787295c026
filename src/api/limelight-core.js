// Limelight's attention core for JavaScript: checks what it is given, hands it to the WebAssembly module, copies the result
// out. limelight-core.d.ts says what everything is.

const SCORES = { dot: 0, 'scaled-dot': 0, cosine: 1, general: 2, additive: 3 };  // enum Score; scaled-dot is dot with a scale
const NORMALIZERS = { softmax: 0, hard: 1, gumbel: 2, sparsemax: 3, entmax15: 4 };  // enum Normalizer
const POSITIONS = { none: 0, sinusoidal: 1, learned: 2, rope: 3, alibi: 4 };  // enum Positions

// The tensors of a call, numbered as in exports.cpp.
const SLOTS = ['query', 'key', 'value', 'wQ', 'wK', 'wV', 'wO', 'wGeneral', 'wQuery', 'wKey', 'v', 'bias', 'positionTable',
  'allowed', 'gradOutput', 'output', 'weights', 'fullyMasked'];
const INPUTS = ['query', 'key', 'value'];
const PROJECTIONS = ['wQ', 'wK', 'wV', 'wO'];
const PARAMETERS = { general: ['wGeneral'], additive: ['wQuery', 'wKey', 'v', 'bias'], learned: ['positionTable'] };
const OPTIONAL = ['bias', ...PROJECTIONS];
const CHOICES = ['heads', 'keyHeads', 'score', 'mask', 'scale', 'temperature', 'normalizer', 'seed', 'positions'];
const MOST_FLOAT = 3.4028234663852886e38;
// By number what did not fit into float32: enum TooLarge.
const TOO_LARGE = [null, 'The scores of query and key are', 'The output is', 'The gradients are'];
const ATTEND = [...INPUTS, ...CHOICES, ...Object.values(PARAMETERS).flat()];

// --- What is wrong with the arguments ------------------------------------------------------------------------------

const list = (names) => names.map((name) => `'${name}'`).join(', ');

function show(value) {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : `a ${value.constructor?.name ?? 'object'}`;
  return String(value);
}

// Levenshtein's, over letters of one case.
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; ++i) {
    const next = [i];
    for (let j = 1; j <= b.length; ++j) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1].toLowerCase() !== b[j - 1].toLowerCase()));
    }
    row = next;
  }
  return row[b.length];
}

function suggestion(name, names) {
  const near = names.filter((known) => distance(name, known) <= 2).sort((a, b) => distance(name, a) - distance(name, b));
  return near.length > 0 ? ` Did you mean '${near[0]}'?` : '';
}

function checkNames(options, names, operation) {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${operation} takes one object, {query, key, value, …}; it was given ${show(options)}.`);
  }
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) {
      throw new TypeError(`${operation} has no option '${name}'.${suggestion(name, names)} It has ${list(names)}.`);
    }
  }
}

function oneOf(table, value, what) {
  if (typeof value === 'string' && Object.hasOwn(table, value)) return value;
  const names = Object.keys(table);
  const form = `It must be one of ${list(names)}.`;
  if (typeof value !== 'string') throw new TypeError(`${what} is ${show(value)}. ${form}`);
  throw new RangeError(`${what} is '${value}'.${suggestion(value, names)} ${form}`);
}

function whole(value, least, what) {
  if (typeof value !== 'number') throw new TypeError(`${what} is ${show(value)}; it must be a number.`);
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${what} is ${value}; it must be a whole number from ${least} on.`);
  }
  return value;
}

function finite(value, what) {
  if (typeof value !== 'number') throw new TypeError(`${what} is ${show(value)}; it must be a number.`);
  if (!Number.isFinite(value)) throw new RangeError(`${what} is ${value}; it must be finite.`);
  return value;
}

const isVector = (name) => name === 'v' || name === 'bias';

const showShape = (shape) => (Array.isArray(shape) ? `[${Array.from(shape, show)}]` : show(shape));

// Each property is read once, here: it may have a getter.
function readTensor(tensor, name) {
  const form = isVector(name) ? '[hidden]' : '[rows, columns]';
  const data = tensor?.data;
  if (typeof tensor !== 'object' || tensor === null || !(data instanceof Float32Array)) {
    const held = data === undefined ? show(tensor) : `one with data that is ${show(data)}`;
    throw new TypeError(`${name} must be a tensor, {data: Float32Array, shape: ${form}}; it is ${held}.`);
  }
  const { shape } = tensor;
  const dimensions = Array.isArray(shape) ? [...shape] : [];
  if (!(dimensions.length === 2 || (dimensions.length === 1 && isVector(name)))) {
    throw new TypeError(`${name}.shape must be ${form}; it is ${showShape(shape)}.`);
  }
  return { data, shape: dimensions };
}

// → [rows, columns]
function checkTensor({ data, shape: dimensions }, name) {
  const shown = showShape(dimensions);
  for (const size of dimensions) {
    if (!Number.isSafeInteger(size) || size < 1) {
      throw new RangeError(`${name}.shape is ${shown}; its sizes must be whole numbers from 1 on.`);
    }
  }
  const needed = dimensions.reduce((product, size) => product * size);
  if (data.length !== needed) {
    throw new RangeError(`${name}.data holds ${data.length} numbers, but its shape ${shown} needs ${needed}.`);
  }
  for (let index = 0; index < needed; ++index) {  // findIndex takes five times as long
    if (Number.isFinite(data[index])) continue;
    const columns = dimensions.at(-1);
    throw new RangeError(
      `${name} holds ${data[index]} in row ${Math.floor(index / columns)}, column ${index % columns}; all numbers must be finite.`);
  }
  return dimensions.length === 1 ? [1, dimensions[0]] : dimensions;
}

function demand(holds, sentence) {
  if (!holds) throw new RangeError(sentence);
}

// The sizes of everything must agree. shapes: of the tensors that are there, by name.
function checkShapes(shapes, { heads, keyHeads, score, positions }, operation) {
  const of = (name) => `${name} is [${shapes[name].join(', ')}]`;
  const project = (input, weight) => {
    if (!shapes[weight]) return shapes[input][1];
    demand(shapes[weight][0] === shapes[input][1],
      `${of(input)} and ${of(weight)}: ${weight} must have as many rows as ${input} has columns.`);
    return shapes[weight][1];
  };
  const split = (size, input, weight, parts, what) => {
    demand(size % parts === 0,
      `${what} is ${parts} and ${of(shapes[weight] ? weight : input)}: the heads must divide its ${size} columns evenly.`);
    return size / parts;
  };
  demand(shapes.key[0] === shapes.value[0],
    `${of('key')} and ${of('value')}: they must have the same number of rows, a value for each key.`);
  demand(heads % keyHeads === 0, `keyHeads is ${keyHeads} and heads is ${heads}: keyHeads must divide heads evenly.`);
  const query = split(project('query', 'wQ'), 'query', 'wQ', heads, 'heads');
  const key = split(project('key', 'wK'), 'key', 'wK', keyHeads, 'keyHeads');
  const value = split(project('value', 'wV'), 'value', 'wV', keyHeads, 'keyHeads');
  const sizes = `each query has ${query} numbers and each key ${key} in a head`;

  if (score === 'general') {
    const [rows, columns] = shapes.wGeneral;
    demand(rows === query && columns === key, `${of('wGeneral')} and ${sizes}: wGeneral must be [${query}, ${key}].`);
  } else if (score === 'additive') {
    const hidden = shapes.wQuery[1];
    demand(shapes.wQuery[0] === query, `${of('wQuery')} and ${sizes}: wQuery must be [${query}, hidden].`);
    demand(shapes.wKey[0] === key && shapes.wKey[1] === hidden,
      `${of('wKey')}, ${of('wQuery')} and ${sizes}: wKey must be [${key}, ${hidden}].`);
    for (const name of ['v', 'bias']) {
      if (!shapes[name]) continue;
      demand(shapes[name].includes(1) && shapes[name][0] * shapes[name][1] === hidden,
        `${of(name)} and ${of('wQuery')}: ${name} must hold ${hidden} numbers, one for each column of wQuery.`);
    }
  } else {
    demand(query === key,
      `${of('query')} and ${of('key')}, and ${sizes}: score '${score}' needs the same number; 'general' and 'additive' do not.`);
  }
  if (positions === 'rope') demand(query % 2 === 0 && key % 2 === 0, `${sizes}: positions 'rope' needs an even number.`);
  if (positions === 'learned') {
    const rows = Math.max(shapes.query[0], shapes.key[0]);
    demand(shapes.positionTable[0] >= rows && shapes.positionTable[1] === query && query === key,
      `${of('positionTable')} and ${sizes}: it must have at least ${rows} rows, and as many columns as both have numbers.`);
  }
  const joined = heads * value;
  if (shapes.wO) {
    demand(shapes.wO[0] === joined,
      `${of('wO')} and the heads' outputs side by side have ${joined} columns: wO must have as many rows.`);
  }
  if (shapes.gradOutput) {
    const expected = [shapes.query[0], shapes.wO ? shapes.wO[1] : joined];
    demand(shapes.gradOutput.join() === expected.join(),
      `${of('gradOutput')} and the output of ${operation} is [${expected.join(', ')}]: they must have the same shape.`);
  }
  return query;
}

// → {terms: [[name, number]], allowed: Float32Array of 0 and 1, or null}
function readMask(mask, queries, keys) {
  const forms = "'none', 'causal', 'window:W', 'block:B', 'lengths:N', {allowed: Uint8Array}, or an array of these";
  const terms = [];
  let allowed = null;
  for (const part of Array.isArray(mask) ? mask : [mask]) {
    const given = typeof part === 'object' && part !== null ? part.allowed : undefined;
    if (given !== undefined) {
      const data = given?.data ?? given;
      const shape = given?.shape ?? part.shape ?? [queries, keys];
      // every() passes over holes, includes() does not.
      const isBooleans = Array.isArray(data) && !data.includes(undefined) && data.every((x) => typeof x === 'boolean');
      if (!(data instanceof Uint8Array || isBooleans)) {
        throw new TypeError(`mask.allowed is ${show(data)}; it must be a Uint8Array or an array of booleans.`);
      }
      demand(shape.length === 2 && shape[0] === queries && shape[1] === keys && data.length === queries * keys,
        `mask.allowed holds ${data.length} entries of shape ${showShape(shape)}; there are ${queries} queries and ${keys} keys, so it `
        + `must hold ${queries * keys}, [${queries}, ${keys}].`);
      const before = allowed;
      allowed = Float32Array.from(data, (x, index) => Number(Boolean(x) && (before === null || before[index] === 1)));
      continue;
    }
    if (typeof part !== 'string') throw new TypeError(`mask is ${show(part)}; it must be ${forms}.`);
    const [, name, digits] = /^(none|causal|window|block|lengths)(?::(\d+))?$/.exec(part) ?? [];
    const takesNumber = ['window', 'block', 'lengths'].includes(name);
    demand(name !== undefined && takesNumber === (digits !== undefined), `mask is '${part}'; it must be ${forms}.`);
    const number = Number(digits);
    if (name === 'block') demand(number >= 1, `mask is '${part}'; a block holds at least 1 token.`);
    if (name === 'lengths') demand(number <= keys, `mask is '${part}' and key has ${keys} rows: no more than these can be allowed.`);
    // Past the last token a wider window or block allows nothing more.
    if (name !== 'none') terms.push([name, Math.min(number, Math.max(queries, keys))]);
  }
  return { terms, allowed };
}

// Everything about a call, or a TypeError or RangeError that says what is wrong and what would be right. What a call is
// given is read here, once, and never again: a second look might find something else.
function check(given, names, operation) {
  checkNames(given, names, operation);
  const options = Object.fromEntries(names.map((name) => [name, given[name]]));
  const score = oneOf(SCORES, options.score ?? 'scaled-dot', 'score');
  const normalizer = oneOf(NORMALIZERS, options.normalizer ?? 'softmax', 'normalizer');
  const positions = oneOf(POSITIONS, options.positions ?? 'none', 'positions');
  const heads = whole(options.heads ?? 1, 1, 'heads');
  const keyHeads = whole(options.keyHeads ?? heads, 1, 'keyHeads');
  const seed = options.seed ?? 0;
  if (typeof seed !== 'bigint') whole(seed, 0, 'seed');
  demand(seed >= 0 && BigInt(seed) < 2n ** 64n, `seed is ${seed}; it must be from 0 to 2^64 − 1.`);
  const temperature = finite(options.temperature ?? 1, 'temperature');
  demand(temperature > 0, `temperature is ${temperature}; it must be above 0.`);
  if (options.trace !== undefined && typeof options.trace !== 'boolean') {
    throw new TypeError(`trace is ${show(options.trace)}; it must be true or false.`);
  }

  const used = [...PARAMETERS[score] ?? [], ...PARAMETERS[positions] ?? []];
  for (const [choice, parameters] of Object.entries(PARAMETERS)) {
    const where = choice === 'learned' ? 'positions' : 'score';
    for (const name of parameters) {
      if (options[name] !== undefined && !used.includes(name)) {
        throw new TypeError(`${name} belongs to ${where} '${choice}', and ${where} is '${where === 'score' ? score : positions}'.`);
      }
      if (options[name] === undefined && used.includes(name) && !OPTIONAL.includes(name)) {
        throw new TypeError(`${where} '${choice}' needs ${name}, a tensor.`);
      }
    }
  }
  const tensors = [...INPUTS, ...used, ...names.filter((name) => PROJECTIONS.includes(name) || name === 'gradOutput')]
    .filter((name) => options[name] !== undefined || !OPTIONAL.includes(name));
  const held = Object.fromEntries(tensors.map((name) => [name, readTensor(options[name], name)]));
  const shapes = Object.fromEntries(tensors.map((name) => [name, checkTensor(held[name], name)]));
  const size = checkShapes(shapes, { heads, keyHeads, score, positions }, operation);
  if (shapes.v) shapes.v = [shapes.wQuery[1], 1];
  if (shapes.bias) shapes.bias = [1, shapes.wQuery[1]];
  const scale = finite(options.scale ?? (score === 'scaled-dot' ? 1 / Math.sqrt(size) : 1), 'scale');
  demand(Math.abs(scale / temperature) <= MOST_FLOAT,
    `scale is ${scale} and temperature is ${temperature}: their quotient is too large for float32, which ends at 3.4e38.`);
  const mask = readMask(options.mask ?? 'none', shapes.query[0], shapes.key[0]);
  return { held, shapes, mask, trace: options.trace === true, heads, inHeads: options.heads !== undefined,
    numbers: [SCORES[score], NORMALIZERS[normalizer], POSITIONS[positions], heads, keyHeads, scale, temperature,
      BigInt.asIntN(64, BigInt(seed))] };
}

// --- The module ------------------------------------------------------------------------------------------------------

// A module with one function that uses f32x4.relaxed_madd.
const RELAXED_PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0,
  65, 0, 253, 15, 65, 0, 253, 15, 65, 0, 253, 15, 253, 133, 2, 11]);
const PAGE = 65536;  // bytes
const MOST_PAGES = 32768;  // 2 GiB: what the module is linked for

async function fetchBytes(address) {
  const url = new URL(address, import.meta.url);
  if (url.protocol === 'file:') {  // Node, which does not fetch files
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
    return readFile(url).catch((error) => {
      throw new Error(`${url} could not be read (${error.message}).`, { cause: error });
    });
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} could not be loaded: the server answered ${response.status}.`);
  return response.arrayBuffer();
}

async function compile(wasm, relaxed) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm === undefined) {
    // Written out, so that bundlers find both files.
    wasm = relaxed ? new URL('limelight-core-relaxed.wasm', import.meta.url) : new URL('limelight-core.wasm', import.meta.url);
  }
  const isAddress = typeof wasm === 'string' || wasm instanceof URL;
  if (!isAddress && !(wasm instanceof ArrayBuffer) && !ArrayBuffer.isView(wasm)) {
    throw new TypeError(`wasm is ${show(wasm)}; it must be an address, the bytes of a module, or a WebAssembly.Module.`);
  }
  const bytes = isAddress ? await fetchBytes(wasm) : wasm;
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new Error(`The attention core could not be compiled (${error.message}). ${relaxed
      ? 'With relaxed: true it needs relaxed SIMD: Node 21, Chrome and Edge 114 or newer; leave that out.'
      : 'It needs WebAssembly SIMD: Node 16.4, Chrome and Edge 91, Firefox 89, Safari 16.4 or newer.'}`, { cause: error });
  }
}

function instantiate(module) {
  const env = {
    _abort_js: () => { throw new WebAssembly.RuntimeError('aborted'); },  // out of memory: there is no other reason
    emscripten_resize_heap(bytes) {
      const { memory } = exports;
      const pages = memory.buffer.byteLength / PAGE;
      const needed = Math.ceil((bytes >>> 0) / PAGE);
      if (needed > MOST_PAGES) return 0;
      // A fifth more than needed, so that small steps do not add up; or just what is needed, when that is too much.
      for (const wanted of [Math.min(Math.max(needed, Math.ceil(pages * 1.2)), MOST_PAGES), needed]) {
        try {
          memory.grow(wanted - pages);
          return 1;
        } catch {}  // the engine has no more
      }
      return 0;
    },
  };
  if (!WebAssembly.Module.exports(module).some(({ name }) => name === 'limelight_relaxed')) {
    throw new TypeError('The WebAssembly module given as wasm is not limelight-core.wasm or limelight-core-relaxed.wasm.');
  }
  const { exports } = new WebAssembly.Instance(module, { env });
  exports.__wasm_call_ctors();
  return exports;
}

class Core {
  #module;
  #exports;

  constructor(module) {
    this.#module = module;
    this.#exports = instantiate(module);
  }

  get relaxed() {
    return Boolean(this.#exports.limelight_relaxed());
  }

  get memory() {
    return { reserved: this.#exports.memory.buffer.byteLength, used: this.#exports.limelight_used() };
  }

  attend = (options) => this.#forward(options, [...ATTEND, 'trace'], 'attend');
  multiHead = (options) => this.#forward(options, [...ATTEND, ...PROJECTIONS, 'trace'], 'multiHead');

  gradients = (options) => {
    const call = check(options, [...ATTEND, ...PROJECTIONS, 'gradOutput'], 'gradients');
    return this.#run(call, (handle) => this.#exports.limelight_gradients(handle), (read) => {
      const wanted = Object.keys(call.held).filter((name) => name !== 'gradOutput');
      return Object.fromEntries(wanted.map((name) => [name, { data: read(name).data, shape: call.held[name].shape }]));
    });
  };

  #forward(options, names, operation) {
    const call = check(options, names, operation);
    return this.#run(call, (handle) => this.#exports.limelight_attend(handle, call.trace), (read) => {
      const result = { output: read('output'), fullyMasked: [...read('fullyMasked').data] };
      if (call.trace) {
        const { data, shape: [rows, keys] } = read('weights');
        const inHeads = operation === 'multiHead' || call.inHeads;
        result.weights = { data, shape: inHeads ? [call.heads, rows / call.heads, keys] : [rows, keys] };
      }
      return result;
    });
  }

  // Fills a call's tensors and options, lets `compute` run it and `collect` read its results, and frees it.
  #run({ held, shapes, mask, numbers }, compute, collect) {
    const exports = this.#exports;
    const write = (name, data, [rows, columns]) => {
      // A buffer can change its length after it was checked.
      if (data.length !== rows * columns) throw new TypeError(`${name}.data changed its length while it was read.`);
      const place = exports.limelight_fill(handle, SLOTS.indexOf(name), rows, columns) >>> 0;
      new Float32Array(exports.memory.buffer, place, data.length).set(data);
    };
    const read = (name) => {
      const slot = SLOTS.indexOf(name);
      const shape = [exports.limelight_rows(handle, slot), exports.limelight_columns(handle, slot)];
      const place = exports.limelight_data(handle, slot) >>> 0;
      return { data: new Float32Array(exports.memory.buffer, place, shape[0] * shape[1]).slice(), shape };
    };
    let handle = 0;
    let tooLarge = null;
    try {
      handle = exports.limelight_begin();
      for (const [name, shape] of Object.entries(shapes)) write(name, held[name].data, shape);
      for (const [name, number] of mask.terms) exports[`limelight_mask_${name}`](handle, number);
      if (mask.allowed) write('allowed', mask.allowed, [shapes.query[0], shapes.key[0]]);
      exports.limelight_options(handle, ...numbers);
      tooLarge = TOO_LARGE[compute(handle)];
      if (tooLarge === null) return collect(read);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      handle = 0;
      this.#exports = instantiate(this.#module);  // what trapped is not used again; its memory goes with it
      throw new RangeError(`There is not enough memory for ${shapes.query[0]} queries and ${shapes.key[0]} keys with these `
        + "options. Softmax over dot scores without trace never holds the weights.", { cause: error });
    } finally {
      if (handle !== 0) exports.limelight_end(handle);
    }
    throw new RangeError(`${tooLarge} too large for float32, which ends at 3.4e38; smaller numbers are needed.`);
  }
}

export async function load(options = {}) {
  checkNames(options, ['wasm', 'relaxed'], 'load');
  const { wasm, relaxed } = options;
  if (relaxed !== undefined && (typeof relaxed !== 'boolean' || wasm !== undefined)) {
    throw new TypeError('relaxed chooses between the two builds: it must be true or false, and not come together with wasm.');
  }
  return new Core(await compile(wasm, relaxed ?? WebAssembly.validate(RELAXED_PROBE)));
}
