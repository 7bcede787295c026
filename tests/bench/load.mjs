// How soon the command is through with a checkpoint as large as GPT-2 small's, which it maps: one token, and 64 of them.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './measure.mjs';
import { count, shapes, small, weightsOf } from './gpt2.mjs';

const program = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../build/native/limelight');
const published = { ...small, tokens: 1024, vocabulary: 50257 };

// Hugging Face's names for ours.
const names = {
  tokens: 'wte.weight',
  positions: 'wpe.weight',
  attention_norm: 'ln_1',
  query_key_value: 'attn.c_attn',
  output: 'attn.c_proj',
  inner_norm: 'ln_2',
  inner: 'mlp.c_fc',
  outer: 'mlp.c_proj',
  final_norm: 'ln_f',
};
const publishedName = (name) =>
  name
    .split('.')
    .map((part, i) => (i === 0 && /^\d+$/.test(part) ? `h.${part}` : part === 'gain' ? 'weight' : (names[part] ?? part)))
    .join('.');

// config.json and model.safetensors with random weights; the second file's bytes.
function write(folder) {
  const { layers, heads, size, inner, tokens, vocabulary } = published;
  writeFileSync(
    path.join(folder, 'config.json'),
    JSON.stringify({
      model_type: 'gpt2',
      n_layer: layers,
      n_head: heads,
      n_embd: size,
      n_inner: inner,
      n_positions: tokens,
      vocab_size: vocabulary,
      activation_function: 'gelu_new',
      layer_norm_epsilon: 1e-5,
    }),
  );
  const weights = weightsOf(published);
  const header = {};
  let end = 0;
  for (const [name, shape] of Object.entries(shapes(published)))
    header[publishedName(name)] = { dtype: 'F32', shape, data_offsets: [end, (end += 4 * count(shape))] };
  const text = Buffer.from(JSON.stringify(header));
  const head = Buffer.alloc(8 + Math.ceil(text.length / 8) * 8, ' ');
  head.writeBigUInt64LE(BigInt(head.length - 8));
  text.copy(head, 8);
  const file = openSync(path.join(folder, 'model.safetensors'), 'w');
  for (const bytes of [head, new Uint8Array(weights.buffer)])
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  closeSync(file);
  return head.length + end;
}

// { bytes, milliseconds: { one, all } }, from the command's start to its end; the file is in the system's cache.
export function load(rounds) {
  const folder = mkdtempSync(path.join(tmpdir(), 'limelight-bench-'));
  try {
    const bytes = write(folder);
    const time = (tokens) => {
      const start = performance.now();
      execFileSync(program, ['infer', folder, '--tokens', Array.from({ length: tokens }, (_, i) => i).join(',')]);
      return performance.now() - start;
    };
    const times = { one: [], all: [] };
    for (let round = 0; round < rounds; ++round) {
      times.one.push(time(1));
      times.all.push(time(small.tokens));
    }
    return { bytes, milliseconds: { one: median(times.one), all: median(times.all) } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
