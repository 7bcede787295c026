"""Writes the folder pretrained/ and pretrained.json beside itself: tiny checkpoints with random weights of the GPT-2 and
BERT families, as others publish them, and what they compute.

    /usr/bin/python3 tests/golden/pretrained.py

NumPy only; the reference is in double precision from the weights as they were rounded for the file. It shares nothing
with the C++ code, and follows the papers: Radford et al. 2019, Devlin et al. 2019, Vaswani et al. 2017, Ba et al. 2016,
Hendrycks & Gimpel 2016. The names and shapes of the tensors are those of the published checkpoints.

  pretrained/gpt2       F32, names without a prefix, the buffers attn.bias and attn.masked_bias; seed 1
  pretrained/bert       F16, names with "bert.", norms called gamma and beta, position_ids, pooler, seq_relationship; seed 2
  pretrained/bert_bf16  BF16, the same weights, norms called weight and bias, a decoder of its own

The file pretrained.json: by folder {tokens, attentions: {shape [layers, heads, T, T], data}, logits: {shape [T,
vocabulary], data}}, nine significant digits.
"""
import json
import math
import pathlib
import struct

import numpy as np

LAYERS, HEADS, SIZE, INNER, POSITIONS, VOCABULARY = 2, 4, 16, 64, 12, 40
TOKENS = [3, 17, 5, 5, 39, 0, 21, 8, 30]


# --- the formulas ---

def layer_norm(x, gain, bias, epsilon):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred ** 2).mean(axis=-1, keepdims=True) + epsilon) * gain + bias


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def attention(q, k, v, causal):
    """The heads' outputs side by side, and the weights of each."""
    split = lambda x: x.reshape(len(x), HEADS, -1).transpose(1, 0, 2)
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
    if causal:
        scores = np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return (weights @ v).transpose(1, 0, 2).reshape(scores.shape[-1], -1), weights


def run_gpt2(w, tokens):
    norm = lambda x, name: layer_norm(x, w[name + '.weight'], w[name + '.bias'], 1e-5)
    conv = lambda x, name: x @ w[name + '.weight'] + w[name + '.bias']
    x = w['wte.weight'][tokens] + w['wpe.weight'][:len(tokens)]
    all_weights = []
    for layer in range(LAYERS):
        name = f'h.{layer}.'
        q, k, v = np.split(conv(norm(x, name + 'ln_1'), name + 'attn.c_attn'), 3, axis=1)
        heads, weights = attention(q, k, v, causal=True)
        all_weights.append(weights)
        x = x + conv(heads, name + 'attn.c_proj')
        x = x + conv(gelu_tanh(conv(norm(x, name + 'ln_2'), name + 'mlp.c_fc')), name + 'mlp.c_proj')
    return np.stack(all_weights), norm(x, 'ln_f') @ w['wte.weight'].T


def run_bert(w, tokens):
    norm = lambda x, name: layer_norm(x, w[name + '.LayerNorm.weight'], w[name + '.LayerNorm.bias'], 1e-12)
    linear = lambda x, name: x @ w[name + '.weight'].T + w[name + '.bias']
    table = lambda name: w[f'bert.embeddings.{name}_embeddings.weight']
    x = norm(table('word')[tokens] + table('position')[:len(tokens)] + table('token_type')[0], 'bert.embeddings')
    all_weights = []
    for layer in range(LAYERS):
        name = f'bert.encoder.layer.{layer}.'
        q, k, v = (linear(x, name + 'attention.self.' + part) for part in ('query', 'key', 'value'))
        heads, weights = attention(q, k, v, causal=False)
        all_weights.append(weights)
        x = norm(x + linear(heads, name + 'attention.output.dense'), name + 'attention.output')
        x = norm(x + linear(gelu(linear(x, name + 'intermediate.dense')), name + 'output.dense'), name + 'output')
    x = norm(gelu(linear(x, 'cls.predictions.transform.dense')), 'cls.predictions.transform')
    decoder = w.get('cls.predictions.decoder.weight', table('word'))
    return np.stack(all_weights), x @ decoder.T + w['cls.predictions.bias']


# --- random weights, large enough that attention is far from even ---

def draw(random, shapes):
    weights = {}
    for name, shape in shapes.items():
        x = random.standard_normal(shape)
        if 'embeddings' in name or name.startswith('wte') or name.startswith('wpe'):
            weights[name] = x
        elif len(shape) == 2:
            weights[name] = x * 1.3 / math.sqrt(SIZE)
        elif ('ln_' in name or 'LayerNorm' in name) and name.endswith('.weight'):
            weights[name] = 1 + 0.3 * x
        else:
            weights[name] = 0.3 * x
    return weights


def gpt2_shapes():
    shapes = {'wte.weight': (VOCABULARY, SIZE), 'wpe.weight': (POSITIONS, SIZE)}
    for layer in range(LAYERS):
        name = f'h.{layer}.'
        shapes |= {name + 'ln_1.weight': (SIZE,), name + 'ln_1.bias': (SIZE,),
                   name + 'attn.c_attn.weight': (SIZE, 3 * SIZE), name + 'attn.c_attn.bias': (3 * SIZE,),
                   name + 'attn.c_proj.weight': (SIZE, SIZE), name + 'attn.c_proj.bias': (SIZE,),
                   name + 'ln_2.weight': (SIZE,), name + 'ln_2.bias': (SIZE,),
                   name + 'mlp.c_fc.weight': (SIZE, INNER), name + 'mlp.c_fc.bias': (INNER,),
                   name + 'mlp.c_proj.weight': (INNER, SIZE), name + 'mlp.c_proj.bias': (SIZE,)}
    return shapes | {'ln_f.weight': (SIZE,), 'ln_f.bias': (SIZE,)}


def bert_shapes():
    norm = lambda name: {name + '.LayerNorm.weight': (SIZE,), name + '.LayerNorm.bias': (SIZE,)}
    linear = lambda name, inside, outside: {name + '.weight': (outside, inside), name + '.bias': (outside,)}
    shapes = {f'bert.embeddings.{name}_embeddings.weight': (rows, SIZE)
              for name, rows in (('word', VOCABULARY), ('position', POSITIONS), ('token_type', 2))}
    shapes |= norm('bert.embeddings')
    for layer in range(LAYERS):
        name = f'bert.encoder.layer.{layer}.'
        for part in ('query', 'key', 'value'):
            shapes |= linear(name + 'attention.self.' + part, SIZE, SIZE)
        shapes |= linear(name + 'attention.output.dense', SIZE, SIZE) | norm(name + 'attention.output')
        shapes |= linear(name + 'intermediate.dense', SIZE, INNER) | linear(name + 'output.dense', INNER, SIZE) | norm(name + 'output')
    shapes |= linear('cls.predictions.transform.dense', SIZE, SIZE) | norm('cls.predictions.transform')
    return shapes | {'cls.predictions.bias': (VOCABULARY,)} | linear('bert.pooler.dense', SIZE, SIZE) | linear('cls.seq_relationship', SIZE, 2)


# --- files ---

def to_bfloat16(x):
    """The upper halves of floats, rounded to the nearest, ties to even."""
    bits = x.astype('<f4').view('<u4').astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype('<u2')


def from_bfloat16(bits):
    return (bits.astype('<u4') << 16).view('<f4').astype(float)


ENCODE = {'F32': lambda x: x.astype('<f4'), 'F16': lambda x: x.astype('<f2'), 'BF16': to_bfloat16, 'I64': lambda x: x.astype('<i8')}
DECODE = {'F32': lambda x: x.astype(float), 'F16': lambda x: x.astype(float), 'BF16': from_bfloat16}


def write_safetensors(path, tensors):
    """tensors: name → (dtype, array as it is encoded)."""
    header, data = {'__metadata__': {'format': 'pt'}}, b''
    for name, (dtype, array) in tensors.items():
        header[name] = {'dtype': dtype, 'shape': list(array.shape), 'data_offsets': [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 8)
    path.write_bytes(struct.pack('<Q', len(text)) + text + data)


def write(folder, dtype, weights, more, run, config, rename=lambda name: name):
    """The files of a checkpoint; returns its part of pretrained.json."""
    folder.mkdir(parents=True, exist_ok=True)
    encoded = {name: ENCODE[dtype](array) for name, array in weights.items()}
    tensors = {rename(name): (dtype, array) for name, array in encoded.items()}
    tensors |= {name: (kind, ENCODE[kind](array)) for name, (kind, array) in more.items()}
    write_safetensors(folder / 'model.safetensors', tensors)
    (folder / 'config.json').write_text(json.dumps(config, indent=2) + '\n')
    attentions, logits = run({name: DECODE[dtype](array) for name, array in encoded.items()}, TOKENS)
    tensor = lambda x: {'shape': list(x.shape), 'data': [float(f'{number:.9g}') for number in x.ravel()]}
    return {'tokens': TOKENS, 'attentions': tensor(attentions), 'logits': tensor(logits)}


def main():
    here = pathlib.Path(__file__).parent
    folder = here / 'pretrained'
    gpt2 = draw(np.random.default_rng(1), gpt2_shapes())
    buffers = {}
    for layer in range(LAYERS):
        buffers[f'h.{layer}.attn.bias'] = ('F32', np.tri(POSITIONS)[None, None])
        buffers[f'h.{layer}.attn.masked_bias'] = ('F32', np.array(-1e4))
    gpt2_config = {'activation_function': 'gelu_new', 'architectures': ['GPT2LMHeadModel'], 'layer_norm_epsilon': 1e-5,
                   'model_type': 'gpt2', 'n_ctx': POSITIONS, 'n_embd': SIZE, 'n_head': HEADS, 'n_inner': None,
                   'n_layer': LAYERS, 'n_positions': POSITIONS, 'vocab_size': VOCABULARY}
    bert = draw(np.random.default_rng(2), bert_shapes())
    bert_config = {'architectures': ['BertForMaskedLM'], 'hidden_act': 'gelu', 'hidden_size': SIZE, 'intermediate_size': INNER,
                   'layer_norm_eps': 1e-12, 'max_position_embeddings': POSITIONS, 'model_type': 'bert',
                   'num_attention_heads': HEADS, 'num_hidden_layers': LAYERS, 'type_vocab_size': 2, 'vocab_size': VOCABULARY}
    old = lambda name: name.replace('LayerNorm.weight', 'LayerNorm.gamma').replace('LayerNorm.bias', 'LayerNorm.beta')
    ids = {'bert.embeddings.position_ids': ('I64', np.arange(POSITIONS)[None])}
    decoder = np.random.default_rng(3).standard_normal((VOCABULARY, SIZE))
    results = {
        'gpt2': write(folder / 'gpt2', 'F32', gpt2, buffers, run_gpt2, gpt2_config),
        'bert': write(folder / 'bert', 'F16', bert, ids, run_bert, bert_config, old),
        'bert_bf16': write(folder / 'bert_bf16', 'BF16', bert | {'cls.predictions.decoder.weight': decoder}, {}, run_bert, bert_config),
    }
    (here / 'pretrained.json').write_text(json.dumps(results, separators=(',', ':')) + '\n')


if __name__ == '__main__':
    main()
