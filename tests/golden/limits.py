"""Writes limits.json beside itself: the numbers of the Limits scene, from another implementation.

    /usr/bin/python3 tests/golden/limits.py

NumPy, double precision; it shares nothing with the C++ code. The sequence and the class's M are drawn from seed 1 by the
same published generator (xoshiro256** filled by splitmix64, Blackman & Vigna 2018), written again here, and rounded to
single precision as the scene keeps them: one hidden state [1, 128], the encoder outputs [10, 128] and three more states
[3, 128] normal (Box & Muller 1958, the cosine half), M [6, 512] uniform in [0, 1). The direction in which weights are
free is the projection on the null space of [V, 1] by a singular value decomposition, where the scene uses Gram and
Schmidt.

The file: {"review": {...}, "sequence": {...}, "day1": {...}, "coffee": {...}}; a tensor is {"shape", "data"}.
"""
import json
import math
import pathlib

import numpy as np

MASK = (1 << 64) - 1


def rotl(x, k):
    return ((x << k) | (x >> (64 - k))) & MASK


class Random:
    def __init__(self, seed):
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            z = seed
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            self.state.append(z ^ (z >> 31))

    def bits(self):
        s = self.state
        result = (rotl((s[1] * 5) & MASK, 7) * 9) & MASK
        shifted = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotl(s[3], 45)
        return result

    def uniform(self):
        return (self.bits() >> 11) * 2.0 ** -53

    def normal(self):
        radius = math.sqrt(-2 * math.log(1 - self.uniform()))
        return radius * math.cos(2 * math.pi * self.uniform())


def single(values):
    return np.array(values).astype(np.float32).astype(float)


def softmax(scores, axis=-1):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def sequence():
    random = Random(1)
    draw = lambda rows: single([[random.normal() for _ in range(128)] for _ in range(rows)])
    first = draw(1)
    encoder = draw(10)
    return np.vstack([first, draw(3)]), encoder, encoder[:, :4], math.sqrt(128), 0


def coffee():
    X = single([[0.2, 0.9, 0.1, 0.5], [0.8, 0.3, 0.7, 0.2], [0.4, 0.6, 0.3, 0.9]])
    W = single(np.full((4, 4), 0.1) + 0.8 * np.eye(4))
    W_v = single([[0.8, 0.2, 0.1, 0.1], [0.2, 0.8, 0.2, 0.1], [0.1, 0.2, 0.8, 0.1], [0.1, 0.1, 0.1, 0.9]])
    return X @ W, X @ W, X @ W_v, 2, 0


def given():
    return {
        "review": (single([[2, 0, 1], [0, 2, 1], [0.5, 0.5, 2]]),
                   single([[1, 0, 2], [1.6, 0, 0.2], [0, 0, 0.2], [0, 0.5, 1], [0, 1, 2.5], [0, 2, 0.3]]),
                   single([[0, 2], [0, 3], [0, 1], [1, 0], [2, 0], [3, 0]]), math.sqrt(3), 2),
        "sequence": sequence(),
        "day1": (single([[1, 0, 1], [0, 1, 1]]), single([[1, 0, 1], [1, 1, 0], [0, 1, 1]]),
                 single([[10, 0], [0, 10], [5, 5]]), 1, 1),
        "coffee": coffee(),
    }


def null_direction(V, key):
    """The projection of the key's unit vector on the null space of [V, 1] transposed, scaled to lose 1 there."""
    _, values, rows = np.linalg.svd(np.hstack([V, np.ones((len(V), 1))]).T)
    null = rows[(values > 1e-6).sum():]
    direction = null.T @ null[:, key]
    return -direction / direction[key] if np.linalg.norm(direction) > 1e-5 else np.zeros(len(V))


def kendall(x, y):
    signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i in range(len(x)) for j in range(i)]
    return sum(a * b for a, b in signs) / math.sqrt(sum(a * a for a, _ in signs) * sum(b * b for _, b in signs))


def numbers(Q, K, V, divisor, query):
    E = Q @ K.T / divisor
    a = softmax(E[query])
    key = int(a.argmax())
    direction = null_direction(V, key)
    falling = direction < -1e-12
    away = (a[falling] / -direction[falling]).min() if falling.any() else 0
    other = a + away * direction
    entropy = -(a * np.log(a)).sum()
    raised = E[query] + 4
    sigmoid = 1 / (1 + np.exp(-raised))
    changed = V.copy()
    changed[key] = 0
    y = a @ V
    removal = [np.linalg.norm((y - a[j] * V[j]) / (1 - a[j]) - y) for j in range(len(a))]
    wrong = softmax(E, axis=0)
    A = softmax(E)
    return {
        "E": E, "a": a[None], "spread": np.array([[entropy, math.exp(entropy), a.max()]]),
        "sigmoid": sigmoid[None], "raised_sums": np.array([[1, 1 / len(a)], [sigmoid.sum(), sigmoid.mean()]]),
        "direction": direction[None], "a_other": other[None], "y": y[None],
        "moved": np.array([[np.abs(other - a).sum() / 2]]), "outputs": np.array([y, y]), "outputs_changed": np.array([y, a @ changed]),
        "contribution": np.array([a * np.linalg.norm(V, axis=1), a * np.linalg.norm(changed, axis=1)]),
        "A": A, "Y": A @ V, "A_wrong": wrong, "Y_wrong": wrong @ V, "row_sum_wrong": wrong.sum(axis=1)[:, None],
        "removal": np.array([removal]), "agreement": np.array([[kendall(a, np.array(removal))]]),
        "one_output": V.sum(axis=0)[None],
    }


def square():
    random = Random(1)
    d = 512
    M = single([[random.uniform() for _ in range(d)] for _ in range(6)])
    scores = M[0] @ M.T
    weights = np.array([softmax(scores / math.sqrt(d)), softmax(scores / math.sqrt(d) / d ** 2)])
    return {"square_scores": scores[None], "square_weights": weights}


def main():
    parts = {name: numbers(*inputs) for name, inputs in given().items()}
    parts["sequence"].update(square())
    text = json.dumps({part: {name: {"shape": list(values.shape), "data": [float(x) for x in values.flatten()]}
                              for name, values in tensors.items()} for part, tensors in parts.items()})
    pathlib.Path(__file__).with_suffix(".json").write_text(text + "\n")


if __name__ == "__main__":
    main()
