"""Writes attention.json beside itself: small cases of everything that src/core computes, from another implementation.

    /usr/bin/python3 tests/golden/attention.py

NumPy only, double precision. It shares nothing with the C++ code: gradients are complex-step derivatives of the forward
formulas here (Squire & Trapp 1998; exact to rounding), never formulas of their own; sparsemax and 1.5-entmax find their
support by bisection. tests/command/command_test.py imports attend() and friends as its reference.

The file: {"cases": [case …]}, one case in a line. A case has
  name      a sentence
  kind      what it is a case of, below
  inputs    tensors by name; a tensor is {"shape": [rows, columns], "data": [row by row]}; 3-D: [heads, rows, columns].
            Entries of inputs have two decimals, or nine significant digits where they are weights.
  options   only what differs from the default, which is given first:
              score        "scaled-dot" | "dot" | "cosine" | "general" | "additive"
              scale        a number that multiplies the scores; default 1/√(key size of a head) for scaled-dot, else 1
              temperature  1; divides after scaling and linear bias
              normalizer   "softmax" | "hard" | "gumbel" | "sparsemax" | "entmax15"
              seed         0; of gumbel; head h (from 0) has the seed plus h
              mask         [], a list that is intersected: "none" "causal" "window:W" "block:B" "lengths:N" "matrix" (inputs.mask)
              positions    "none" | "sinusoidal" | "learned" (inputs.position_table) | "rope" | "alibi"
              heads        1
              key_heads    the same as heads
              causal       false (kind linear only)
  expected  tensors by name, nine significant digits. "grad_X" is the gradient with respect to the input X of the loss
            Σ output ⊙ grad_output, as large as X.
Kinds:
  attend        query key value [mask w_general w_query w_key v bias position_table] grad_output → weights output grad_*.
                With heads, the columns of query, key and value are split; weights are [heads, queries, keys] and output
                is the heads' side by side. Otherwise weights are [queries, keys]. v is [hidden, 1], bias [1, hidden].
  multi_head    the same with any of w_q w_k w_v w_o: query w_q, key w_k, value w_v are split into heads (key and value
                into key_heads), the concatenation is multiplied by w_o. weights are [heads, queries, keys].
  feature_wise  hidden encoder_outputs w bias grad_weights → scores weights grad_* of Σ weights ⊙ grad_weights
  linear        query key value grad_output → output grad_*: elu + 1 features
  analysis      weights key; options scale and temperature → entropy effective_keys largest_weight, each [queries, 1],
                fully_masked (1 or 0, [queries, 1]), softmax_jacobian_norm and query_jacobian_norm [queries, 1]
  rollout       layers [layers, n, n] → rollout [n, n]
"""
import json
import pathlib

import numpy as np

STEP = 1e-30  # of the complex step: no difference is taken, so it can be this small


# --- the forward formulas; complex-safe: comparisons look at real parts, and no absolute value is taken ---

def softmax(scores):
    """Rows; −∞ is masked, and a row of −∞ becomes 0."""
    real = np.real(scores)
    largest = real.max(axis=-1, keepdims=True)
    exponentials = np.where(np.isneginf(real), 0, np.exp(scores - np.where(np.isneginf(largest), 0, largest)))
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(np.real(total) == 0, 1, total)


def one_hot(scores):
    weights = np.zeros(scores.shape)
    for row, score in zip(weights, np.real(scores)):
        if not np.isneginf(score).all():
            row[score.argmax()] = 1  # argmax takes the lowest index of equals
    return weights


def threshold(values, power):
    """τ with Σ max(values − τ, 0)^power = 1."""
    low, high = values.max() - 1, values.max()
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if (np.maximum(values - middle, 0) ** power).sum() >= 1 else (low, middle)
    return (low + high) / 2


def sparsemax(scores):
    """argmin over the simplex of ‖a − s‖²."""
    weights = np.zeros(scores.shape, scores.dtype)
    for row, score in zip(weights, scores):
        visible = ~np.isneginf(np.real(score))
        if visible.any():
            support = visible & (np.real(score) > threshold(np.real(score[visible]), 1))
            row[support] = score[support] - (score[support].sum() - 1) / support.sum()
    return weights


def entmax15(scores):
    """argmax over the simplex of a·s + Tsallis' 1.5-entropy: a = max(s/2 − τ, 0)²."""
    weights = np.zeros(scores.shape, scores.dtype)
    for row, score in zip(weights, scores):
        visible = ~np.isneginf(np.real(score))
        if visible.any():
            support = visible & (np.real(score) / 2 > threshold(np.real(score[visible]) / 2, 2))
            half = score[support] / 2
            tau = half.mean() - np.sqrt((1 - ((half - half.mean()) ** 2).sum()) / len(half))
            row[support] = (half - tau) ** 2
    return weights


def uniforms(seed):
    """xoshiro256** in [0, 1), its state from splitmix64."""
    word = (1 << 64) - 1
    rotated = lambda x, k: (x << k | x >> (64 - k)) & word
    state = []
    for _ in range(4):
        seed = (seed + 0x9e3779b97f4a7c15) & word
        z = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9 & word
        z = (z ^ z >> 27) * 0x94d049bb133111eb & word
        state.append(z ^ z >> 31)
    while True:
        yield (rotated(state[1] * 5 & word, 7) * 9 & word) / 2 ** 64 // 2 ** -53 * 2 ** -53
        shifted = state[1] << 17 & word
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = rotated(state[3], 45)


def gumbel(scores, seed):
    random = uniforms(seed)
    noise = np.array([-np.log(-np.log(next(random))) for _ in range(scores.size)])
    return one_hot(scores + noise.reshape(scores.shape))


def normalize(name, scores, seed=0):
    if name == 'gumbel':
        return gumbel(scores, seed)
    return {'softmax': softmax, 'hard': one_hot, 'sparsemax': sparsemax, 'entmax15': entmax15}[name](scores)


def score(name, q, k, p):
    if name in ('dot', 'scaled-dot'):
        return q @ k.T
    if name == 'general':
        return q @ p['w_general'] @ k.T
    if name == 'additive':
        hidden = (q @ p['w_query'])[:, None, :] + (k @ p['w_key'])[None, :, :] + p.get('bias', 0)
        return (np.tanh(hidden) * p['v'].reshape(-1)).sum(axis=2)
    assert name == 'cosine'
    norms = np.sqrt((q * q).sum(axis=1))[:, None] * np.sqrt((k * k).sum(axis=1))[None, :]
    some = (np.real(q) != 0).any(axis=1)[:, None] & (np.real(k) != 0).any(axis=1)[None, :]
    return np.where(some, q @ k.T / np.where(some, norms, 1), 0)


def allowed(terms, queries, keys, matrix=None):
    i, j = np.arange(queries)[:, None], np.arange(keys)[None, :]
    mask = np.ones((queries, keys), bool)
    for term in terms:
        name, _, number = term.partition(':')
        number = int(number or 0)
        mask &= {'none': lambda: True, 'causal': lambda: j <= i, 'window': lambda: abs(i - j) <= number,
                 'block': lambda: i // number == j // number, 'lengths': lambda: (j < number) & (i == i),
                 'matrix': lambda: np.asarray(matrix, bool)}[name]()
    return mask


def angles(n, pairs, d):
    return np.arange(n)[:, None] / 10000 ** (2 * np.arange(pairs) / d)[None, :]


def sinusoidal(n, d):
    angle = angles(n, (d + 1) // 2, d)
    table = np.empty((n, 2 * angle.shape[1]))
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return table[:, :d]


def rope(x):
    """A rotation matrix for each pair: with complex numbers instead, the complex step could not pass."""
    angle = angles(len(x), x.shape[1] // 2, x.shape[1])
    turned = np.empty_like(x)
    turned[:, 0::2] = x[:, 0::2] * np.cos(angle) - x[:, 1::2] * np.sin(angle)
    turned[:, 1::2] = x[:, 0::2] * np.sin(angle) + x[:, 1::2] * np.cos(angle)
    return turned


def one_head(q, k, v, options, p, head=1, heads=1):
    """weights [T, S] and output [T, V]; head counts from 1."""
    positions = options.get('positions', 'none')
    if positions == 'sinusoidal':
        q, k = q + sinusoidal(*q.shape), k + sinusoidal(*k.shape)
    elif positions == 'learned':
        q, k = q + p['position_table'][:len(q)], k + p['position_table'][:len(k)]
    elif positions == 'rope':
        q, k = rope(q), rope(k)
    kind = options.get('score', 'scaled-dot')
    scale = options.get('scale', 1 / np.sqrt(k.shape[1]) if kind == 'scaled-dot' else 1)
    scaled = score(kind, q, k, p) * scale
    if positions == 'alibi':
        scaled = scaled - 2 ** (-8 * head / heads) * abs(np.arange(len(q))[:, None] - np.arange(len(k))[None, :])
    scaled = scaled / options.get('temperature', 1)
    scaled = np.where(allowed(options.get('mask', []), len(q), len(k), p.get('mask')), scaled, -np.inf)
    weights = normalize(options.get('normalizer', 'softmax'), scaled, options.get('seed', 0) + head - 1)
    return weights, weights @ v


def multi_head(inputs, options):
    """weights [heads, T, S] and output."""
    project = lambda x, w: inputs[x] @ inputs[w] if w in inputs else inputs[x]
    heads = options.get('heads', 1)
    key_heads = options.get('key_heads', heads)
    q = np.split(project('query', 'w_q'), heads, axis=1)
    k = np.split(project('key', 'w_k'), key_heads, axis=1)
    v = np.split(project('value', 'w_v'), key_heads, axis=1)
    weights, outputs = zip(*(one_head(q[h], k[h * key_heads // heads], v[h * key_heads // heads], options, inputs, h + 1, heads)
                             for h in range(heads)))
    output = np.concatenate(outputs, axis=1)
    return {'weights': np.stack(weights), 'output': output @ inputs['w_o'] if 'w_o' in inputs else output}


def attend(inputs, options):
    results = multi_head(inputs, options)
    if options.get('heads', 1) == 1:
        results['weights'] = results['weights'][0]
    return results


def feature_wise(inputs, options):
    scores = np.tanh(inputs['hidden'] @ inputs['w'] + inputs['bias'] + inputs['encoder_outputs'])
    return {'scores': scores, 'weights': softmax(scores.T).T}


def linear(inputs, options):
    features = lambda x: np.where(np.real(x) > 0, x + 1, np.exp(x))  # elu + 1
    similarity = features(inputs['query']) @ features(inputs['key']).T
    if options.get('causal'):
        similarity = similarity * allowed(['causal'], *similarity.shape)
    return {'output': similarity / similarity.sum(axis=1, keepdims=True) @ inputs['value']}


def derivative(f, x):
    """∂f/∂x by complex steps: an array of f's shape for each entry of x, stacked last."""
    columns = []
    for at in np.ndindex(x.shape):
        moved = x.astype(complex)
        moved[at] += STEP * 1j
        columns.append(np.imag(f(moved)) / STEP)
    return np.stack(columns, axis=-1)


def analysis(inputs, options):
    a, key = inputs['weights'], inputs['key']
    scale, temperature = options.get('scale', 1), options.get('temperature', 1)
    entropy = -(a * np.log(np.where(a > 0, a, 1))).sum(axis=1)
    seen = a.sum(axis=1) > 0
    by_score, by_query = [], []
    for row in a:
        # Scores whose softmax is the row, and a query that would have them: only the derivative matters.
        scores = np.log(np.where(row > 0, row, 1)) * temperature
        of = lambda s: softmax(np.where(row > 0, (scores + s) / temperature, -np.inf)[None, :])[0]
        by_score.append(np.linalg.norm(derivative(of, np.zeros(len(row)))))
        by_query.append(np.linalg.norm(derivative(lambda q: of(scale * (key @ q)), np.zeros(key.shape[1]))))
    column = lambda values: np.asarray(values, float).reshape(-1, 1)
    return {'entropy': column(entropy), 'effective_keys': column(np.where(seen, np.exp(entropy), 0)),
            'largest_weight': column(a.max(axis=1)), 'fully_masked': column(~seen),
            'softmax_jacobian_norm': column(by_score), 'query_jacobian_norm': column(by_query)}


def rollout(inputs, options):
    product = np.eye(inputs['layers'].shape[1])
    for layer in inputs['layers']:
        mixed = (layer + np.eye(len(layer))) / 2
        product = mixed / mixed.sum(axis=1, keepdims=True) @ product
    return {'rollout': product}


KINDS = {'attend': attend, 'multi_head': multi_head, 'feature_wise': feature_wise, 'linear': linear, 'analysis': analysis,
         'rollout': rollout}


def gradients(kind, inputs, options):
    """Of Σ output ⊙ grad_output (feature_wise: weights and grad_weights) with respect to every input that has one."""
    seed, result = ('grad_weights', 'weights') if kind == 'feature_wise' else ('grad_output', 'output')
    if seed not in inputs:
        return {}
    found = {}
    for name in inputs:
        if name not in ('mask', seed):
            loss = lambda x: (KINDS[kind]({**inputs, name: x}, options)[result] * inputs[seed]).sum()
            found['grad_' + name] = derivative(loss, inputs[name]).reshape(inputs[name].shape)
    return found


# --- the cases ---

CASES = []


def add(name, kind, inputs, **options):
    inputs = {key: np.asarray(value, float) for key, value in inputs.items()}
    expected = {**KINDS[kind](inputs, options), **gradients(kind, inputs, options)}
    CASES.append({'name': name, 'kind': kind, 'inputs': inputs, 'options': options, 'expected': expected})


class Draw:
    """Normal numbers of two decimals, from a seed that is the case's own place in the list."""

    def __init__(self):
        self.random = np.random.default_rng(len(CASES) + 1)

    def __call__(self, *shape, size=1):
        return np.round(self.random.standard_normal(shape) * size, 2)


def qkv(t=3, s=5, d=4, value_size=2, key_size=None, size=1, **more):
    """Query, key, value and grad_output of T queries, S keys, key size D, value size V; and what `more` draws."""
    draw = Draw()
    inputs = {'query': draw(t, d, size=size), 'key': draw(s, key_size or d, size=size), 'value': draw(s, value_size),
              'grad_output': draw(t, value_size)}
    for name, shape in more.items():
        inputs[name] = draw(*shape)
    return inputs


def attend_cases():
    add('dot products', 'attend', qkv(), score='dot')
    add('dot products times 1/√d, the default', 'attend', qkv())
    add('cosine', 'attend', qkv(), score='cosine')
    zero = qkv()
    zero['query'][1] = zero['key'][2] = 0
    add('cosine: a zero vector has score 0 and gradient 0', 'attend', zero, score='cosine', scale=3)
    add('general: sizes of query and key differ', 'attend', qkv(key_size=3, w_general=(4, 3)), score='general')
    additive = {'key_size': 3, 'w_query': (4, 5), 'w_key': (3, 5), 'v': (5, 1)}
    add('additive with a bias', 'attend', qkv(**additive, bias=(1, 5)), score='additive')
    add('additive without a bias', 'attend', qkv(**additive), score='additive')
    add('a scale of one\'s own', 'attend', qkv(), score='dot', scale=0.3)
    add('a negative scale', 'attend', qkv(), scale=-2)
    add('a low temperature divides after scaling', 'attend', qkv(), temperature=0.25)
    add('scale and temperature with additive scores', 'attend', qkv(**additive), score='additive', scale=2.5, temperature=1.5)

    for normalizer in ('hard', 'sparsemax', 'entmax15'):
        add(normalizer, 'attend', qkv(), normalizer=normalizer)
        add(f'{normalizer} with a causal mask and a temperature', 'attend', qkv(5, 5), normalizer=normalizer, temperature=0.7, mask=['causal'])
        add(f'{normalizer} of additive scores', 'attend', qkv(**additive, bias=(1, 5)), score='additive', normalizer=normalizer, scale=2)
    for seed in (0, 1, 1234567890123):
        add(f'gumbel, seed {seed}', 'attend', qkv(), normalizer='gumbel', seed=seed)
    add('gumbel with a mask: noise is drawn for masked keys too', 'attend', qkv(5, 5), normalizer='gumbel', seed=7, mask=['causal'])
    ties = qkv()
    ties['key'][3] = ties['key'][1] = 4 * ties['query'][0]
    add('hard: of equal scores the lowest index wins', 'attend', ties, normalizer='hard', score='dot')

    add('causal', 'attend', qkv(5, 5), mask=['causal'])
    add('causal, more queries than keys', 'attend', qkv(5, 3), mask=['causal'])
    add('window', 'attend', qkv(5, 5), mask=['window:1'])
    add('window, more queries than keys: the last see nothing', 'attend', qkv(7, 3), mask=['window:1'])
    add('window of width 0: each its own', 'attend', qkv(3, 3), mask=['window:0'])
    add('block', 'attend', qkv(5, 5), mask=['block:2'])
    add('padding', 'attend', qkv(3, 5), mask=['lengths:3'])
    add('padding of everything: weights and output are 0', 'attend', qkv(3, 5), mask=['lengths:0'])
    random = np.random.default_rng(99)
    matrix = (random.random((5, 5)) < 0.6).astype(float)
    matrix[2] = 0
    for normalizer in ('softmax', 'hard', 'sparsemax', 'entmax15'):
        add(f'a matrix with a fully masked row, {normalizer}', 'attend', {**qkv(5, 5), 'mask': matrix}, mask=['matrix'], normalizer=normalizer)
    add('causal and window', 'attend', qkv(5, 5), mask=['causal', 'window:1'])
    add('all of them at once', 'attend', {**qkv(5, 5), 'mask': np.maximum(matrix, np.eye(5))},
        mask=['causal', 'window:3', 'block:3', 'lengths:4', 'matrix'])

    add('sinusoidal positions', 'attend', qkv(), positions='sinusoidal')
    add('sinusoidal positions, odd size', 'attend', qkv(4, 6, 5), positions='sinusoidal', score='dot')
    add('sinusoidal positions with additive scores', 'attend', qkv(**additive), positions='sinusoidal', score='additive')
    add('learned positions', 'attend', qkv(position_table=(6, 4)), positions='learned')
    add('rotary positions', 'attend', qkv(4, 6), positions='rope')
    add('rotary positions with cosine and a causal mask', 'attend', qkv(5, 5, 6), positions='rope', score='cosine', scale=2, mask=['causal'])
    add('linear bias, one head', 'attend', qkv(4, 6), positions='alibi')
    add('linear bias comes after scale and before temperature', 'attend', qkv(5, 5), positions='alibi', scale=0.5, temperature=0.01, mask=['causal'])

    add('two heads, each scaled by its own size', 'attend', qkv(3, 5, 4, 6), heads=2)
    add('three heads of size 1', 'attend', qkv(3, 4, 3, 3), heads=3)
    add('four heads with linear bias', 'attend', qkv(4, 5, 4, 4), heads=4, positions='alibi')
    add('two heads with rotary positions and a causal mask', 'attend', qkv(5, 5, 8, 2), heads=2, positions='rope', mask=['causal'])
    add('two heads with sinusoidal positions, sparsemax', 'attend', qkv(3, 5, 6, 2), heads=2, positions='sinusoidal', normalizer='sparsemax')
    add('two heads share the matrix of general scores', 'attend', qkv(3, 5, 4, 2, key_size=6, w_general=(2, 3)), heads=2, score='general')
    add('two heads share the matrices of additive scores', 'attend', qkv(3, 5, 4, 2, key_size=6, w_query=(2, 3), w_key=(3, 3), v=(3, 1), bias=(1, 3)),
        heads=2, score='additive', normalizer='entmax15')

    add('two heads draw their own gumbel noise', 'attend', qkv(3, 5, 4, 2), heads=2, normalizer='gumbel', seed=5)

    add('one query, one key, size 1', 'attend', qkv(1, 1, 1, 1))
    add('one query over inputs', 'attend', qkv(1, 7, 3, 3))
    add('scores of ±10,000', 'attend', qkv(size=100), score='dot')
    same = qkv()
    same['key'][:] = same['key'][0]
    for normalizer in ('softmax', 'sparsemax', 'entmax15'):
        add(f'identical keys share equally, {normalizer}', 'attend', same, normalizer=normalizer)


def layer_cases():
    def layer(t, s, sizes, heads, key_heads, head, value_head, out):
        draw = Draw()
        d_query, d_key, d_value = sizes
        inputs = {'query': draw(t, d_query), 'key': draw(s, d_key), 'value': draw(s, d_value),
                  'w_q': draw(d_query, heads * head), 'w_k': draw(d_key, key_heads * head),
                  'w_v': draw(d_value, key_heads * value_head)}
        if out:
            inputs['w_o'] = draw(heads * value_head, out)
        inputs['grad_output'] = draw(t, out or heads * value_head)
        return inputs

    add('one head with projections, no w_o', 'multi_head', layer(3, 5, (4, 3, 2), 1, 1, 3, 2, 0))
    add('multi-head: head size independent of the model size', 'multi_head', layer(3, 5, (4, 4, 4), 2, 2, 3, 2, 5), heads=2)
    add('cross-attention: sizes of query, key and value differ', 'multi_head', layer(3, 4, (5, 3, 2), 2, 2, 2, 3, 4), heads=2, score='dot')
    add('multi-query: all heads share keys and values', 'multi_head', layer(3, 4, (3, 3, 3), 3, 1, 2, 2, 3), heads=3, key_heads=1)
    add('grouped-query: pairs of heads share keys and values', 'multi_head', layer(3, 4, (3, 3, 3), 4, 2, 2, 1, 3), heads=4, key_heads=2)
    add('grouped-query with rotary positions and a causal mask', 'multi_head', layer(4, 4, (3, 3, 3), 4, 2, 2, 1, 2), heads=4, key_heads=2,
        positions='rope', mask=['causal'])
    add('multi-query with linear bias and padding', 'multi_head', layer(3, 5, (3, 3, 3), 2, 1, 2, 2, 2), heads=2, key_heads=1, positions='alibi',
        mask=['lengths:4'])
    tied = layer(4, 4, (3, 3, 3), 2, 2, 2, 2, 3)
    tied['key'] = tied['value'] = tied['query']
    add('self-attention: X is the sum of the three inputs\' gradients', 'multi_head', tied, heads=2, normalizer='entmax15', temperature=0.8)
    split = layer(3, 5, (2, 4, 4), 1, 1, 2, 3, 0)
    del split['w_q']
    split['value'] = split['key']
    add('keys and values from one X, queries as they are', 'multi_head', split)


def other_cases():
    draw = Draw()
    add('feature-wise', 'feature_wise', {'hidden': draw(1, 4), 'encoder_outputs': draw(5, 3), 'w': draw(4, 3), 'bias': draw(1, 3),
                                         'grad_weights': draw(5, 3)})
    add('linear', 'linear', qkv())
    add('linear, causal', 'linear', qkv(5, 5), causal=True)
    add('linear, causal, more queries than keys', 'linear', qkv(5, 3), causal=True)

    draw = Draw()
    nine = np.vectorize(lambda x: float(f'{x:.9g}'))
    weights = np.stack([nine(softmax(draw(1, 5))[0]), np.full(5, 0.2), [0, 0, 1, 0, 0], np.zeros(5), [0.5, 0, 0.25, 0.25, 0]])
    key = draw(5, 3)
    add('analysis: spread, equal, all on one, fully masked, some masked', 'analysis', {'weights': weights, 'key': key})
    add('analysis with a scale and a temperature', 'analysis', {'weights': weights, 'key': key}, scale=0.5, temperature=0.4)
    layers = nine(softmax(draw(3, 4, 4)))
    layers[1, 2] = 0
    add('rollout of three layers, one with a fully masked row', 'rollout', {'layers': layers})


def text():
    def number(x):
        x = 0.0 if abs(x) < 1e-14 else float(f'{x:.9g}')  # below it is the rounding of what is 0
        return int(x) if x == int(x) and abs(x) < 1e9 else x

    def tensors(named):
        return {name: {'shape': list(value.shape), 'data': [number(x) for x in value.ravel()]} for name, value in named.items()}

    CASES.clear()
    attend_cases()
    layer_cases()
    other_cases()
    lines = [json.dumps({**case, 'inputs': tensors(case['inputs']), 'expected': tensors(case['expected'])}, ensure_ascii=False,
                        separators=(',', ':')) for case in CASES]
    return '{"cases":[\n' + ',\n'.join(lines) + '\n]}\n'


if __name__ == '__main__':
    path = pathlib.Path(__file__).with_suffix('.json')
    path.write_text(text(), encoding='utf-8')
