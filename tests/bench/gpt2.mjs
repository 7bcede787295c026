// A transformer of GPT-2's shape with random weights: the weights in one array, and the graph that onnxruntime-web runs.
import { model } from './onnx.mjs';
import { random } from './random.mjs';

export const small = { layers: 12, heads: 12, size: 768, inner: 3072, tokens: 64 };

// { name: [shape] } in the order in which they lie; tests/bench/gpt2.h has the same.
export function shapes({ layers, size, inner, tokens, vocabulary = tokens }) {
  const norm = (name) => ({ [`${name}.gain`]: [size], [`${name}.bias`]: [size] });
  const linear = (name, from, to) => ({ [`${name}.weight`]: [from, to], [`${name}.bias`]: [to] });
  const all = { tokens: [vocabulary, size], positions: [tokens, size] };
  for (let layer = 0; layer < layers; ++layer)
    Object.assign(
      all,
      norm(`${layer}.attention_norm`),
      linear(`${layer}.query_key_value`, size, 3 * size),
      linear(`${layer}.output`, size, size),
      norm(`${layer}.inner_norm`),
      linear(`${layer}.inner`, size, inner),
      linear(`${layer}.outer`, inner, size),
    );
  return Object.assign(all, norm('final_norm'));
}

export const count = (shape) => shape.reduce((product, size) => product * size, 1);

// As at the beginning of GPT-2's training: gains of 1, all else of deviation 0.02.
export function weightsOf(shape) {
  const all = Object.entries(shapes(shape));
  const weights = new Float32Array(all.reduce((sum, [, one]) => sum + count(one), 0));
  let offset = 0;
  for (const [i, [name, one]] of all.entries()) {
    const part = weights.subarray(offset, (offset += count(one)));
    part.set(name.endsWith('.gain') ? new Float32Array(part.length).fill(1) : random(part.length, 100 + i).map((x) => x * 0.02 * Math.sqrt(3)));
  }
  return weights;
}

// x: [T, D], the embedded tokens; mask: [T, T], 0 or −∞ → hidden: [T, D] and every layer's weights: [H, T, T]. The
// initialisers are in an external file `weights`, which is that array.
export function graph(shape) {
  const { layers, heads, size, inner, tokens } = shape;
  const nodes = [];
  const add = (op, inputs, output, attributes = {}, domain = '') => {
    nodes.push({ op, inputs, outputs: [output].flat(), attributes, domain });
    return output;
  };
  const norm = (x, name) => add('LayerNormalization', [x, `${name}.gain`, `${name}.bias`], `${name}.y`, { epsilon: 1e-5 });
  const linear = (x, name) => add('Gemm', [x, `${name}.weight`, `${name}.bias`], `${name}.y`);
  add('Constant', [], 'scale', { value_float: 1 / Math.sqrt(size / heads) });
  add('Constant', [], 'apart', { value_ints: [tokens, heads, size / heads] });
  add('Constant', [], 'together', { value_ints: [tokens, size] });
  let x = 'x';
  const weights = {};
  for (let layer = 0; layer < layers; ++layer) {
    const name = (part) => `${layer}.${part}`;
    const head = (all, to, perm) => add('Transpose', [add('Reshape', [all, 'apart'], `${all}.apart`)], to, { perm });
    const parts = ['query', 'key', 'value'].map(name);
    add('Split', [linear(norm(x, name('attention_norm')), name('query_key_value'))], parts, { axis: 1 });
    const query = head(parts[0], name('q'), [1, 0, 2]);
    const key = head(parts[1], name('kT'), [1, 2, 0]);
    const value = head(parts[2], name('v'), [1, 0, 2]);
    const scores = add('Mul', [add('MatMul', [query, key], name('products')), 'scale'], name('scores'));
    const weighted = add('Softmax', [add('Add', [scores, 'mask'], name('masked'))], name('weights'), { axis: 2 });
    weights[weighted] = [heads, tokens, tokens];
    const beside = add('Transpose', [add('MatMul', [weighted, value], name('attended'))], name('beside'), { perm: [1, 0, 2] });
    const heard = linear(add('Reshape', [beside, 'together'], name('heads')), name('output'));
    x = add('Add', [x, heard], name('between'));
    const active = add('FastGelu', [linear(norm(x, name('inner_norm')), name('inner'))], name('active'), {}, 'com.microsoft');
    x = add('Add', [x, linear(active, name('outer'))], name('after'));
  }
  nodes.push({
    op: 'LayerNormalization',
    inputs: [x, 'final_norm.gain', 'final_norm.bias'],
    outputs: ['hidden'],
    attributes: { epsilon: 1e-5 },
  });
  const { tokens: _, positions: __, ...initialisers } = shapes(shape);
  const first = 2 * tokens * size; // the embeddings are not the graph's
  return model({
    nodes,
    inputs: { x: [tokens, size], mask: [tokens, tokens] },
    outputs: { hidden: [tokens, size], ...weights },
    external: { path: 'weights', offset: 4 * first, tensors: initialisers },
  });
}
