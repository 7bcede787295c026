"""Writes score.json beside itself: the numbers of the Score scene, from another implementation.

    /usr/bin/python3 tests/golden/score.py

NumPy, double precision; it shares nothing with the C++ code. The module's inputs are drawn from seed 1 by the same
published generator (xoshiro256** filled by splitmix64, Blackman & Vigna 2018), written again here, and rounded to single
precision as the scene keeps them: hidden [1, 128] and encoder [10, 128] normal (Box & Muller 1958, the cosine half),
linear [128, 128] and bias [1, 128] uniform between −1/√128 and 1/√128.

The file: {"module": {...}, "fox": {...}, "equal": {...}, "opposite": {...}}; a tensor is {"shape", "data"}.
"""
import json
import math
import pathlib

import numpy as np

MASK = (1 << 64) - 1
POSITIONS, UNITS, SEED = 10, 128, 1


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


def draw(rows, columns, entry):
    return np.array([[entry() for _ in range(columns)] for _ in range(rows)]).astype(np.float32).astype(float)


def module():
    random = Random(SEED)
    bound = 1 / math.sqrt(UNITS)
    uniform = lambda: bound * (2 * random.uniform() - 1)
    hidden = draw(1, UNITS, random.normal)
    encoder = draw(POSITIONS, UNITS, random.normal)
    linear = draw(UNITS, UNITS, uniform)
    bias = draw(1, UNITS, uniform)
    projected = hidden @ linear + bias
    scores = np.tanh(projected + encoder)
    exponentials = np.exp(scores)
    weights = exponentials / exponentials.sum(axis=0, keepdims=True)
    return {"hidden": hidden, "encoder": encoder, "projected": projected, "tanh": scores, "unit_weights": weights,
            "sums": weights.sum(axis=1)[None, :], "context": (weights * encoder).sum(axis=0)[None, :],
            "average": encoder.mean(axis=0)[None, :]}


def simplex_threshold(power, z):
    """The weights max(z − τ, 0)^power that sum to 1, τ by bisection."""
    low, high = z.max() - 1, z.max()
    for _ in range(200):
        middle = (low + high) / 2
        if (np.maximum(z - middle, 0) ** power).sum() < 1:
            high = middle
        else:
            low = middle
    return np.maximum(z - low, 0) ** power


def arrows(q, K):
    q, K = np.array(q).astype(np.float32).astype(float), np.array(K).astype(np.float32).astype(float)
    W = np.array([[0, 1], [-1, 0]])
    dot = K @ q
    lengths = np.linalg.norm(K, axis=1)
    cosine = dot / (np.linalg.norm(q) * lengths)
    scores = np.array([dot, dot / math.sqrt(2), cosine, K @ (q @ W), np.tanh(q + K).sum(axis=1)])
    z = scores[1]
    softmax = np.exp(z - z.max())
    hard = (np.arange(3) == z.argmax()).astype(float)
    weights = np.array([softmax / softmax.sum(), simplex_threshold(2, z / 2), simplex_threshold(1, z), hard])
    # Between unit vectors, with all digits also near 0 and 180 degrees (Kahan 2006).
    u, v = q / np.linalg.norm(q), K / lengths[:, None]
    angles = np.degrees(2 * np.arctan2(np.linalg.norm(u - v, axis=1), np.linalg.norm(u + v, axis=1)))
    return {"lengths": lengths[None, :], "angles": angles[None, :],
            "shadows": (dot / np.linalg.norm(q))[None, :], "scores": scores, "weights": weights}


def tensor(values):
    return {"shape": list(values.shape), "data": [float(f"{x:.9g}") for x in values.ravel()]}


def main():
    results = {"module": module(),
               "fox": arrows([2, 1], [[1.4, 0.7], [1, 2.2], [1, -2]]),
               "equal": arrows([2, 1.5], [[2, 1.5], [0.7, 2.4], [1.5, -2]]),
               "opposite": arrows([2, 1], [[2, 1], [-1, 2], [-2, -1]])}
    lines = [f'"{name}": ' + json.dumps({key: tensor(value) for key, value in values.items()})
             for name, values in results.items()]
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text("{" + ",\n".join(lines) + "}\n")


main()
