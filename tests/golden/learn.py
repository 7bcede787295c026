"""Writes learn.json beside itself: what src/learn computes for tiny cases, from PyTorch in double precision.

    /usr/bin/python3 tests/golden/learn.py

Weights are laid out as src/learn has them: [in, out], the transpose of PyTorch's; gates are [reset | update | new] in
both. Sequences lie by time: row t·B + b is step t of sequence b. The loss of the first three is Σ result ⊙ upstream.

The file: {"gru_cell", "bidirectional", "additive", "with_attention", "without_attention"}; a tensor is {"shape", "data"}.
  gru_cell       inputs x before, a GRU's weights → after, gradients
  bidirectional  inputs x, two GRUs' weights ("forward.…", "backward.…"); lengths → states, gradients
  additive       inputs query keys v values; present → scores weights context, gradients
  with_attention, without_attention
                 config, sources and targets (tokens, without start and stop), weights by name → loss, gradients by name,
                 and adam: the weights after two steps on that batch with rate 0.01, ε 1e-4 and the gradients clipped to
                 the norm 0.5, and the norms before clipping
"""
import json
import pathlib

import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(7)
START, STOP = 1, 2


def tensor(x):
    x = x.detach()
    x = x.reshape(1, -1) if x.dim() < 2 else x
    return {'shape': list(x.shape), 'data': [float(f'{v:.9g}') for v in x.flatten().tolist()]}


def drawn(*shape, scale=1.0):
    return torch.round(scale * torch.randn(*shape) * 100) / 100


def tensors(named):
    return {name: tensor(x) for name, x in named.items()}


def gru_weights(inputs, hidden, prefix=''):
    return {prefix + 'input_weight': drawn(inputs, 3 * hidden, scale=0.5), prefix + 'hidden_weight': drawn(hidden, 3 * hidden, scale=0.5),
            prefix + 'input_bias': drawn(1, 3 * hidden, scale=0.5), prefix + 'hidden_bias': drawn(1, 3 * hidden, scale=0.5)}


def cell(x, h, w, prefix=''):
    """torch.nn.GRUCell's own function, with our layout."""
    return torch.gru_cell(x, h, w[prefix + 'input_weight'].T, w[prefix + 'hidden_weight'].T, w[prefix + 'input_bias'][0], w[prefix + 'hidden_bias'][0])


def bidirectional(x, lengths, w, hidden):
    """x: [S, B, D]; torch.nn.GRU over packed sequences."""
    gru = torch.nn.GRU(x.shape[2], hidden, bidirectional=True)
    names = {'weight_ih_l0': 'input_weight', 'weight_hh_l0': 'hidden_weight', 'bias_ih_l0': 'input_bias', 'bias_hh_l0': 'hidden_bias'}
    parameters = {ours + ('_reverse' if direction == 'backward.' else ''): w[direction + name].T if 'weight' in name else w[direction + name][0]
                  for direction in ('forward.', 'backward.') for ours, name in names.items()}
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
    flat = [parameters[n] for n in gru._flat_weights_names]
    zero = torch.zeros(2, len(lengths), hidden)
    out, _ = torch._VF.gru(packed.data, packed.batch_sizes, zero, flat, True, 1, 0.0, False, True)
    padded, _ = torch.nn.utils.rnn.pad_packed_sequence(torch.nn.utils.rnn.PackedSequence(out, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices))
    return padded  # 0 where a sequence has ended


def differentiate(named, result):
    upstream = drawn(*result.shape)
    (result * upstream).sum().backward()
    return {'upstream': tensor(upstream.reshape(-1, upstream.shape[-1])), 'gradients': {n: tensor(x.grad) for n, x in named.items()}}


def learned(named):
    return {name: x.requires_grad_() for name, x in named.items()}


def gru_cell_case():
    named = learned({'x': drawn(3, 4), 'before': drawn(3, 5), **gru_weights(4, 5)})
    after = cell(named['x'], named['before'], named)
    return {'inputs': tensors(named), 'after': tensor(after), **differentiate(named, after)}


def bidirectional_case():
    hidden, lengths = 3, [4, 2, 3]
    named = learned({'x': drawn(4 * 3, 2), **gru_weights(2, hidden, 'forward.'), **gru_weights(2, hidden, 'backward.')})
    # Where a sequence has ended nothing is asked: states there are not compared, and their upstream gradient is 0.
    states = bidirectional(named['x'].reshape(4, 3, 2), lengths, named, hidden)
    present = torch.tensor([[t < n for n in lengths] for t in range(4)])
    upstream = drawn(4, 3, 2 * hidden) * present[:, :, None]
    (states * upstream).sum().backward()
    return {'inputs': tensors(named), 'lengths': lengths, 'states': tensor(states.reshape(12, -1)), 'upstream': tensor(upstream.reshape(12, -1)),
            'gradients': {n: tensor(x.grad) for n, x in named.items()}}


def attend(query, keys, v, values, present):
    """query: [B, A]  keys: [S, B, A]  values: [S, B, D]  present: [S, B]"""
    scores = (torch.tanh(query[None] + keys) @ v)[:, :, 0]
    weights = torch.softmax(scores.masked_fill(~present, -torch.inf), dim=0)
    return scores, weights, (weights[:, :, None] * values).sum(0)


def additive_case():
    present = torch.tensor([[1, 1, 1], [1, 1, 1], [1, 0, 1], [1, 0, 0]], dtype=torch.bool)
    named = learned({'query': drawn(3, 5), 'keys': drawn(12, 5), 'v': drawn(5, 1), 'values': drawn(12, 4)})
    scores, weights, context = attend(named['query'], named['keys'].reshape(4, 3, 5), named['v'], named['values'].reshape(4, 3, 4), present)
    return {'inputs': tensors(named), 'present': [int(p) for p in present.flatten()], 'scores': tensor(torch.where(present, scores, 0.0).T),
            'weights': tensor(weights.T), 'context': tensor(context), **differentiate(named, context)}


def model_case(attention):
    config = {'source_words': 7, 'target_words': 6, 'embedding': 3, 'hidden': 4, 'attention_size': 5, 'attention': attention}
    e, h, a = 3, 4, 5
    sources, targets = [[3, 4, 5, 6], [5], [6, 3]], [[3, 5], [4, 4, 5], [5]]
    w = {'source_embedding': drawn(7, e), 'target_embedding': drawn(6, e), **gru_weights(e, h, 'forward.'), **gru_weights(e, h, 'backward.'),
         'first_state.weight': drawn(h, h), 'first_state.bias': drawn(1, h)}
    if attention:
        w |= {'additive.query_weight': drawn(h, a), 'additive.key_weight': drawn(2 * h, a), 'additive.v': drawn(a, 1)}
    w |= {**gru_weights(e + 2 * h, h, 'decoder.'), 'output.weight': drawn(3 * h, 6), 'output.bias': drawn(1, 6)}
    w = learned(w)
    lengths = [len(s) + 1 for s in sources]
    steps = max(lengths)
    source = torch.tensor([[(s + [STOP] + [0] * steps)[t] for s in sources] for t in range(steps)])
    present = torch.tensor([[t < n for n in lengths] for t in range(steps)])
    out_steps = max(len(t) for t in targets) + 1
    previous = torch.tensor([[([START] + t + [0] * out_steps)[i] for t in targets] for i in range(out_steps)])
    target = torch.tensor([[(t + [STOP] + [-100] * out_steps)[i] for t in targets] for i in range(out_steps)])

    def loss_of():
        states = bidirectional(w['source_embedding'][source], lengths, w, h)
        back = states[0, :, h:]
        s = torch.tanh(back @ w['first_state.weight'] + w['first_state.bias'])
        last = torch.stack([states[n - 1, b, :h] for b, n in enumerate(lengths)])
        logits = []
        for t in range(out_steps):
            if attention:
                _, _, context = attend(s @ w['additive.query_weight'], states @ w['additive.key_weight'], w['additive.v'], states, present)
            else:
                context = torch.cat([last, back], dim=1)
            s = cell(torch.cat([w['target_embedding'][previous[t]], context], dim=1), s, w, 'decoder.')
            logits.append(torch.cat([s, context], dim=1) @ w['output.weight'] + w['output.bias'])
        return torch.nn.functional.cross_entropy(torch.cat(logits), target.flatten())

    case = {'config': config, 'sources': sources, 'targets': targets, 'weights': tensors(w)}
    optimiser = torch.optim.Adam(w.values(), lr=0.01, eps=1e-4)
    norms = []
    for step in range(2):
        optimiser.zero_grad()
        loss = loss_of()
        loss.backward()
        if step == 0:
            case |= {'loss': float(loss), 'gradients': {n: tensor(x.grad) for n, x in w.items()}}
        norm = torch.sqrt(sum((x.grad**2).sum() for x in w.values()))
        for x in w.values():
            x.grad *= min(1.0, 0.5 / float(norm))
        norms.append(float(norm))
        optimiser.step()
    return case | {'adam': tensors(w), 'norms': norms}


cases = {'gru_cell': gru_cell_case(), 'bidirectional': bidirectional_case(), 'additive': additive_case(),
         'with_attention': model_case(True), 'without_attention': model_case(False)}
path = pathlib.Path(__file__).with_suffix('.json')
path.write_text('{\n' + ',\n'.join(f'"{name}": {json.dumps(case)}' for name, case in cases.items()) + '\n}\n')
