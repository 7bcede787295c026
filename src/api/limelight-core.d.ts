// Limelight's attention core for JavaScript. T queries, S keys, H heads.

/** A matrix, row by row: `data.length` is `rows * columns`, all numbers finite, all sizes at least 1. */
export interface Tensor {
  data: Float32Array;
  shape: [rows: number, columns: number];
}

/** `data.length` is `hidden`; its shape may also be that of a matrix with one row or one column. */
export interface Vector {
  data: Float32Array;
  shape: [hidden: number] | [rows: number, columns: number];
}

/** The weights of one head, [T, S], or of several, [H, T, S]. Every row sums to 1, or to 0 when it is fully masked. */
export interface Weights {
  data: Float32Array;
  shape: [queries: number, keys: number] | [heads: number, queries: number, keys: number];
}

/**
 * Which query i may attend to which key j.
 * - `'none'`: to every one
 * - `'causal'`: j ≤ i
 * - `'window:W'`: |i − j| ≤ W
 * - `'block:B'`: ⌊i / B⌋ = ⌊j / B⌋
 * - `'lengths:N'`: j < N; the keys after the first N are padding
 * - `{allowed}`: T · S entries row by row, true or other than 0 where attending is allowed; [T, S] when it has a shape
 */
export type MaskTerm =
  | 'none'
  | 'causal'
  | `window:${number}`
  | `block:${number}`
  | `lengths:${number}`
  | { allowed: Uint8Array | boolean[] | { data: Uint8Array | boolean[]; shape: [queries: number, keys: number] } };

export interface Options {
  /** Splits the columns of query, key and value (or of their projections), and scales each head by its own size. Default 1. */
  heads?: number;
  /** Heads of keys and values, shared by `heads / keyHeads` query heads each: 1 is MQA, between is GQA. Default `heads`. */
  keyHeads?: number;
  /**
   * How well a query and a key fit. Default `'scaled-dot'`.
   * - `'dot'`: q·k
   * - `'scaled-dot'`: q·k / √(key size of a head)
   * - `'cosine'`: q·k / (|q| |k|), 0 for a zero vector
   * - `'general'`: q W kᵀ with `wGeneral`
   * - `'additive'`: v · tanh(q W_query + k W_key + bias) with `wQuery`, `wKey`, `v` and perhaps `bias`
   */
  score?: 'dot' | 'scaled-dot' | 'cosine' | 'general' | 'additive';
  /** Multiplies the scores, any finite number; divided by the temperature it must be a float32. Default: 1/√(key size of a head) with `'scaled-dot'`, otherwise 1. */
  scale?: number;
  /** Divides the scaled scores, above 0. Default 1. */
  temperature?: number;
  /** What an array holds has to hold together (their intersection). Default `'none'`. */
  mask?: MaskTerm | MaskTerm[];
  /** From scores to weights. `'gumbel'` samples one key, `'hard'` takes the first of the best. Default `'softmax'`. */
  normalizer?: 'softmax' | 'hard' | 'gumbel' | 'sparsemax' | 'entmax15';
  /** Of `'gumbel'`, from 0 to 2^64 − 1; a number up to 2^53 − 1. Default 0. */
  seed?: number | bigint;
  /**
   * How attention learns where a token stands; in every head by itself, at the size of a head. Default `'none'`.
   * - `'sinusoidal'`: interleaved sine and cosine, base 10000, added to queries and keys: with `heads`, and after `wQ` and
   *   `wK`, the same positions to each head's own columns
   * - `'learned'`: rows of `positionTable`, added to queries and keys
   * - `'rope'`: interleaved pairs are rotated; even size
   * - `'alibi'`: −2^(−8h/H) · |i − j| is added to the scaled scores, h = 1…H
   */
  positions?: 'none' | 'sinusoidal' | 'learned' | 'rope' | 'alibi';
  /** [query size of a head, key size of a head], for score `'general'` and for no other. */
  wGeneral?: Tensor;
  /** [query size of a head, hidden], for score `'additive'` and for no other. */
  wQuery?: Tensor;
  /** [key size of a head, hidden], for score `'additive'` and for no other. */
  wKey?: Tensor;
  /** [hidden], for score `'additive'` and for no other. */
  v?: Vector;
  /** [hidden], for score `'additive'` and for no other. Default: zeros. */
  bias?: Vector;
  /** [at least max(T, S), size of a head], for positions `'learned'` and for no other. */
  positionTable?: Tensor;
}

export interface AttendOptions extends Options {
  /** [T, query size] */
  query: Tensor;
  /** [S, key size]; `'dot'`, `'scaled-dot'` and `'cosine'` need the query size in every head. */
  key: Tensor;
  /** [S, value size] */
  value: Tensor;
}

export interface MultiHeadOptions extends AttendOptions {
  /** [query size, heads · head size]. Default: the query as it is. */
  wQ?: Tensor;
  /** [key size, keyHeads · head size]. Default: the key as it is. */
  wK?: Tensor;
  /** [value size, keyHeads · value size of a head]. Default: the value as it is. */
  wV?: Tensor;
  /** [heads · value size of a head, output size]. Default: the heads' outputs side by side. */
  wO?: Tensor;
}

export interface Traced {
  /**
   * Whether the weights are kept and returned. Default false: softmax over dot products then never holds a T × S matrix.
   */
  trace?: boolean;
}

export interface Result {
  /** [T, value size]; with heads, their outputs side by side, or these times `wO`. */
  output: Tensor;
  /** With `trace`: [T, S]; [heads, T, S] from `multiHead`, and from `attend` with `heads`. */
  weights?: Weights;
  /** The queries that see no key at all, in ascending order: their weights are 0, and so is what they take from the values. */
  fullyMasked: number[];
}

export interface GradientOptions extends MultiHeadOptions {
  /** The gradient of a loss with respect to the output, as large as that. */
  gradOutput: Tensor;
}

/** Of each tensor that was given, under its name and in its shape. */
export type Gradients<Given> = {
  [Name in Exclude<keyof Given, 'gradOutput'> as Given[Name] extends Tensor | Vector | undefined ? Name : never]: Given[Name];
};

/**
 * All operations throw, before anything is computed, a `TypeError` for an unknown option or a value of the wrong type, and a
 * `RangeError` for values, lengths and shapes that do not fit: its message names both sides and the accepted form. They
 * throw a `RangeError`, too, when the engine has not enough memory, and when scores or results are too large for float32
 * (those that never hold their weights go by |q| |k| of the longest query and key). What they are given is copied and never changed.
 */
export interface Core {
  /** Attention of queries over keys and values. */
  attend(options: AttendOptions & Traced): Result;
  /** The same with projections around it. */
  multiHead(options: MultiHeadOptions & Traced): Result;
  /**
   * The gradients of a loss with respect to all tensors that `attend` or `multiHead` is given. With the normalizers `'hard'`
   * and `'gumbel'` only the value and what follows it get one other than 0: their choice does not change almost everywhere.
   */
  gradients<Given extends GradientOptions>(options: Given): Gradients<Given>;
  /** Whether this is the relaxed-SIMD build. */
  readonly relaxed: boolean;
  /** Bytes of WebAssembly memory: reserved from the engine, which never shrinks; and in use, hardly any between calls. */
  readonly memory: { reserved: number; used: number };
}

export interface LoadOptions {
  /** The module, its bytes or its address, for bundlers. Default: the file beside this one that `relaxed` chooses. */
  wasm?: BufferSource | WebAssembly.Module | URL | string;
  /** Whether to take `limelight-core-relaxed.wasm` or `limelight-core.wasm`. Default: what the engine can. Not with `wasm`. */
  relaxed?: boolean;
}

/**
 * Loads the module; every call makes an instance with a memory of its own. A page with a Content-Security-Policy needs
 * `script-src 'wasm-unsafe-eval'` in it.
 */
export function load(options?: LoadOptions): Promise<Core>;
