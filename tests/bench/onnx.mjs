// The graphs that onnxruntime-web runs, written in ONNX's own format (Protocol Buffers; field numbers from onnx.proto).

const utf8 = new TextEncoder();

function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}
const whole = (field, value) => [...varint(field << 3), ...varint(value)];
const float = (field, value) => [...varint((field << 3) | 5), ...new Uint8Array(new Float32Array([value]).buffer)];
const bytes = (field, content) => [...varint((field << 3) | 2), ...varint(content.length), ...content];
const text = (field, value) => bytes(field, utf8.encode(value));

const attribute = ([name, value]) =>
  Array.isArray(value)
    ? [...text(1, name), ...value.flatMap((one) => whole(8, one)), ...whole(20, 7)]
    : Number.isInteger(value)
    ? [...text(1, name), ...whole(3, value), ...whole(20, 2)]
    : [...text(1, name), ...float(2, value), ...whole(20, 1)];
const node = ({ op, inputs, outputs, attributes = {}, domain = '' }) => [
  ...inputs.flatMap((name) => text(1, name)),
  ...outputs.flatMap((name) => text(2, name)),
  ...text(4, op),
  ...Object.entries(attributes).flatMap((entry) => bytes(5, attribute(entry))),
  ...text(7, domain),
];
// A float32 tensor.
const declared = ([name, shape]) => [
  ...text(1, name),
  ...bytes(2, bytes(1, [...whole(1, 1), ...bytes(2, shape.flatMap((size) => bytes(1, whole(1, size))))])),
];
// Float32 tensors that lie one after the other in a file from `offset` on, bytes.
function initialisers({ path, offset, tensors }) {
  const fact = (key, value) => bytes(13, [...text(1, key), ...text(2, String(value))]);
  return Object.entries(tensors).flatMap(([name, shape]) => {
    const length = 4 * shape.reduce((product, size) => product * size, 1);
    const place = [...fact('location', path), ...fact('offset', offset), ...fact('length', length)];
    offset += length;
    return bytes(5, [...shape.flatMap((size) => whole(1, size)), ...whole(2, 1), ...text(8, name), ...place, ...whole(14, 1)]);
  });
}
const operators = (domain, version) => [...text(1, domain), ...whole(2, version)];

export function model({ nodes, inputs, outputs, external, version = 17 }) {
  const graph = [
    ...nodes.flatMap((one) => bytes(1, node(one))),
    ...text(2, 'bench'),
    ...(external ? initialisers(external) : []),
    ...Object.entries(inputs).flatMap((entry) => bytes(11, declared(entry))),
    ...Object.entries(outputs).flatMap((entry) => bytes(12, declared(entry))),
  ];
  return new Uint8Array([
    ...whole(1, version >= 23 ? 11 : 8), // the format's own version
    ...bytes(7, graph),
    ...bytes(8, operators('', version)),
    ...bytes(8, operators('com.microsoft', 1)),
  ]);
}

export const product = (m, k, n) =>
  model({
    nodes: [{ op: 'MatMul', inputs: ['a', 'b'], outputs: ['out'] }],
    inputs: { a: [m, k], b: [k, n] },
    outputs: { out: [m, n] },
  });

// softmax(scale · q kᵀ) v with q, k, v: [n, d], in every form that the runtime may have a kernel for.
export function attentions(n, d) {
  const scale = 1 / Math.sqrt(d);
  const flat = (nodes) => model({ nodes, inputs: { q: [n, d], k: [n, d], v: [n, d] }, outputs: { out: [n, d] } });
  const deep = (nodes, shape, version) =>
    model({ nodes, inputs: { q: shape, k: shape, v: shape }, outputs: { out: shape }, version });
  const last = [
    { op: 'Softmax', inputs: ['scaled'], outputs: ['weights'], attributes: { axis: 1 } },
    { op: 'MatMul', inputs: ['weights', 'v'], outputs: ['out'] },
  ];
  return {
    'Gemm(α, Bᵀ) → Softmax → MatMul': {
      bytes: flat([
        { op: 'Gemm', inputs: ['q', 'k'], outputs: ['scaled'], attributes: { alpha: scale, transB: 1 } },
        ...last,
      ]),
      shape: [n, d],
    },
    'Transpose → MatMul → Mul → Softmax → MatMul': {
      bytes: flat([
        { op: 'Constant', inputs: [], outputs: ['scale'], attributes: { value_float: scale } },
        { op: 'Transpose', inputs: ['k'], outputs: ['kT'] },
        { op: 'MatMul', inputs: ['q', 'kT'], outputs: ['scores'] },
        { op: 'Mul', inputs: ['scores', 'scale'], outputs: ['scaled'] },
        ...last,
      ]),
      shape: [n, d],
    },
    MultiHeadAttention: {
      bytes: deep(
        [
          {
            op: 'MultiHeadAttention',
            inputs: ['q', 'k', 'v'],
            outputs: ['out'],
            attributes: { num_heads: 1, scale },
            domain: 'com.microsoft',
          },
        ],
        [1, n, d],
      ),
      shape: [1, n, d],
    },
    Attention: {
      bytes: deep([{ op: 'Attention', inputs: ['q', 'k', 'v'], outputs: ['out'], attributes: { scale } }], [1, 1, n, d], 23),
      shape: [1, 1, n, d],
    },
  };
}
