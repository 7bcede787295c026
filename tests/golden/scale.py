"""Writes scale.json beside itself: what the scene Scale computes, from another implementation.

    /usr/bin/python3 tests/golden/scale.py

NumPy only, double precision; the generator of src/core/random.h is written once more, in Python's own integers.

The file:
  densities  rows of d, x, the density of q·k at x for two vectors of d standard normal numbers. q·k is normal with the
             deviation |q| once q is known, so the density is ∫ χ_d(r) N(x; 0, r²) dr: integrated over ln r by the
             trapezoidal rule, with no Bessel function.
  class      an article's class, its lines as printed, except that np.random.rand is the seeded generator of the scene at
             its seed 1: the smallest and the largest weight, the first rows of weights (as far as they are kept), the
             first rows of its output; and the same matrix with its tokens as rows, scaled by 1/√d alone.
"""
import json
import math
import pathlib

import numpy as np

MASK = (1 << 64) - 1
FIRST = 4  # rows of large results


def fnv(text, seed):
    value = 0xCBF29CE484222325 ^ seed
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def uniforms(seed):
    """xoshiro256** (Blackman & Vigna 2018), its state filled by splitmix64; 53 bits in [0, 1)."""
    state = []
    for _ in range(4):
        seed = seed + 0x9E3779B97F4A7C15 & MASK
        z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        state.append(z ^ z >> 31)
    rotated = lambda value, bits: (value << bits | value >> 64 - bits) & MASK
    while True:
        yield ((rotated(state[1] * 5 & MASK, 7) * 9 & MASK) >> 11) * 2.0**-53
        shifted = state[1] << 17 & MASK
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = rotated(state[3], 45)


def density(d, x):
    # ln r from far below where the normal density dies to far above where χ_d does.
    t = np.linspace(math.log(abs(x)) - 4, math.log(math.sqrt(d) + abs(x)) + 4, 400001)
    r = np.exp(t)
    log_chi = (d - 1) * t - r * r / 2 - (d / 2 - 1) * math.log(2) - math.lgamma(d / 2)
    log_normal = -((x / r) ** 2) / 2 - t - math.log(2 * math.pi) / 2
    return float(np.sum(np.exp(log_chi + log_normal + t)) * (t[1] - t[0]))


class SelfAttention:
    def __init__(self, input_matrix, rand, seq_length=6, d_model=512):
        self.seq_length = seq_length
        self.d_model = d_model
        self.input_matrix = input_matrix
        self.rand = rand

    def forward(self):
        matrix = self.rand(self.d_model, self.seq_length)
        query, key, value = matrix, matrix, matrix
        sf = self.d_model**2
        num = np.dot(query, key.T)
        denom = (1 / np.sqrt(self.d_model)) * num
        output = (1 / sf) * denom
        prob_num = np.exp(output - np.max(output, axis=-1, keepdims=True))
        prob_denom = prob_num.sum(axis=-1, keepdims=True)
        final = prob_num / prob_denom
        out = sf * np.dot(final, value)
        return matrix, final, out


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def of_the_class():
    draws = uniforms(fnv("class", 1))
    rand = lambda rows, columns: np.array([next(draws) for _ in range(rows * columns)]).reshape(rows, columns)
    matrix, weights, out = SelfAttention(None, rand).forward()
    tokens = matrix.T
    token_weights = softmax(tokens @ tokens.T / math.sqrt(512))
    return {
        "M": matrix[:FIRST], "smallest": weights.min(), "largest": weights.max(), "weights": weights[:FIRST, :48],
        "output": out[:FIRST], "token_weights": token_weights, "token_output": (token_weights @ tokens)[:, :48],
    }


def rounded(value):
    if isinstance(value, dict):
        return {name: rounded(item) for name, item in value.items()}
    if isinstance(value, (list, np.ndarray)):
        return [rounded(item) for item in value]
    return float(f"{value:.12g}")


def main():
    places = [(d, z * math.sqrt(d)) for d in (1, 2, 3, 4, 7, 16, 64, 255, 1024, 4096) for z in (0.01, 0.3, 1, 2.5, 5)]
    golden = {"densities": [[d, x, density(d, x)] for d, x in places], "class": of_the_class()}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(rounded(value))}" for name, value in golden.items())
    pathlib.Path(__file__).with_suffix(".json").write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
