// The functions that code may call, as it brings them along.
#pragma once

#include <string_view>

namespace limelight::scenes::code {

struct Function {
  std::string_view name;
  std::string_view numpy;
};

// A function stands behind those that it calls.
inline constexpr Function kFunctions[] = {
    {"softmax", R"(def softmax(x):
    """Of each row, whose maximum is subtracted first; a row that is -inf throughout becomes all 0."""
    maximum = np.amax(x, axis=1, keepdims=True)
    exponentials = np.exp(x - np.where(np.isfinite(maximum), maximum, 0.0))
    total = np.sum(exponentials, axis=1, keepdims=True)
    return exponentials / np.where(total > 0, total, 1.0)
)"},
    {"hard", R"(def hard(x):
    """1 for the first of the largest numbers of each row, 0 for the others."""
    return 1.0 * (np.arange(x.shape[1]) == np.argmax(x, axis=1)[:, None])
)"},
    {"sparsemax", R"(def sparsemax(x):
    """The projection of each row onto the simplex (Martins & Astudillo 2016, algorithm 1)."""
    ordered = -np.sort(-x, axis=1)
    thresholds = (np.cumsum(ordered, axis=1) - 1) / np.arange(1, x.shape[1] + 1)
    count = np.sum(ordered > thresholds, axis=1, keepdims=True)
    return np.clip(x - np.take_along_axis(thresholds, count - 1, axis=1), 0, None)
)"},
    {"entmax15", R"(def entmax15(x):
    """1.5-entmax of each row (Peters et al. 2019, algorithm 2)."""
    x = (x - np.amax(x, axis=1, keepdims=True)) / 2
    ordered = -np.sort(-x, axis=1)
    places = np.arange(1, x.shape[1] + 1)
    mean = np.cumsum(ordered, axis=1) / places
    spread = np.cumsum(ordered**2, axis=1) - places * mean**2
    thresholds = mean - np.sqrt(np.clip((1 - spread) / places, 0, None))
    count = np.sum(thresholds <= ordered, axis=1, keepdims=True)
    return np.clip(x - np.take_along_axis(thresholds, count - 1, axis=1), 0, None) ** 2
)"},
    {"top", R"(def top(x, k):
    """All but the k largest numbers of each row become -inf; of equal ones the first stay."""
    order = np.argsort(-x, axis=1, kind="stable")
    return np.where(np.argsort(order, axis=1) < k, x, -np.inf)
)"},
    {"set_by_hand", R"(def set_by_hand(weights, row, given, seen):
    """Sets some weights of a row; the others of those seen share what is left of 1 in their proportions."""
    weights = weights.copy()
    others = [column for column in seen if column not in given]
    rest = max(1 - sum(given.values()), 0)
    total = weights[row, others].sum() if others else 0
    for column in others:
        weights[row, column] = weights[row, column] * rest / total if total > 0 else rest / len(others)
    for column, weight in given.items():
        weights[row, column] = weight
    return weights
)"},
    {"cosine", R"(def cosine(query, key):
    """Of the angle between each query and each key; 0 where either has no length."""
    def unit(x):
        length = np.linalg.norm(x, axis=1, keepdims=True)
        return x / np.where(length > 0, length, 1.0)
    return unit(query) @ unit(key).T
)"},
    {"additive", R"(def additive(query, key, v):
    """v . tanh(query + key) of each pair: query [T, A], key [S, A], v [A, 1] (Bahdanau et al. 2015)."""
    return (np.tanh(query[:, None, :] + key[None, :, :]) @ v)[:, :, 0]
)"},
    {"entropy", R"(def entropy(weights):
    """Of each row, in nats."""
    return -np.sum(weights * np.log(np.where(weights > 0, weights, 1.0)), axis=1, keepdims=True)
)"},
    {"angles", R"(def angles(n, d):
    """Position p turns pair c by p / 10000^(2c/d)."""
    return np.arange(n)[:, None] / 10000.0 ** (np.arange(0, d, 2) / d)
)"},
    {"sinusoidal", R"(def sinusoidal(n, d):
    """Positions (Vaswani et al. 2017, section 3.5)."""
    return np.stack([np.sin(angles(n, d)), np.cos(angles(n, d))], axis=2).reshape(n, -1)[:, :d]
)"},
    {"rotate", R"(def rotate(x):
    """Rotary positions (Su et al. 2021): pairs of columns turn. Beside an odd last column stands a 0."""
    if x.shape[1] % 2 == 1:
        x = np.concatenate([x, 0 * x[:, :1]], axis=1)
    sine, cosine = np.sin(angles(*x.shape)), np.cos(angles(*x.shape))
    left, right = x[:, 0::2], x[:, 1::2]
    return np.stack([left * cosine - right * sine, left * sine + right * cosine], axis=2).reshape(*x.shape)
)"},
    {"attend", R"(def attend(X, W_Q, W_K, W_V, encoding, slope, causal):
    """Self-attention with positions."""
    Q, K = X @ W_Q, X @ W_K
    if encoding == "sinusoidal":
        Q, K = Q + sinusoidal(*Q.shape), K + sinusoidal(*K.shape)
    if encoding == "rotary":
        Q, K = rotate(Q), rotate(K)
    scores = Q @ K.T / W_Q.shape[1] ** 0.5
    places = np.arange(X.shape[0])
    if encoding == "linear bias":
        scores = scores - slope * np.abs(places[:, None] - places)
    if causal:
        scores = np.where(places <= places[:, None], scores, -np.inf)
    return softmax(scores) @ (X @ W_V)
)"},
    {"dot_density", R"(def dot_density(x, d):
    """Of the dot product of d pairs of standard normal numbers: |x|^v K_v(|x|) / (sqrt(pi) 2^v Gamma(d/2)), v = (d - 1)/2.

    The Bessel function is the integral of exp(-x cosh t) cosh(v t) over t from 0 on (DLMF 10.32.9).
    """
    order = (d - 1) / 2
    x = abs(x)
    top = math.asinh((order + 50) / x) + 1
    t = np.linspace(0, top, 4001)
    exponent = order * t - x * np.cosh(t) + np.log1p(np.exp(-2 * order * t)) - math.log(2)
    peak = exponent.max()
    terms = np.exp(exponent - peak)
    log_k = float(peak) + math.log(float(terms.sum() - terms[0] / 2) * top / 4000)
    return math.exp(order * math.log(x / 2) + log_k - math.lgamma(d / 2)) / math.sqrt(math.pi)
)"},
    {"cut", R"(def cut(picture, grid):
    """The pixels of each of grid x grid patches: [grid * grid, numbers of a patch]."""
    side = round(picture.shape[0] ** 0.5)
    patch = side // grid
    return picture.reshape(grid, patch, grid, patch, 3).swapaxes(1, 2).reshape(grid * grid, -1)
)"},
    {"join", R"(def join(patches, grid):
    """The picture that such patches are pieces of: [pixels, 3]."""
    patch = round((patches.shape[1] / 3) ** 0.5)
    return patches.reshape(grid, grid, patch, patch, 3).swapaxes(1, 2).reshape(-1, 3)
)"},
    {"oklab", R"(def oklab(rgb):
    """sRGB from 0 to 1 as lightness and two opponent colours (Ottosson 2020)."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    cones = np.array([[0.4122214708, 0.2119034982, 0.0883024619],
                      [0.5363325363, 0.6806995451, 0.2817188376],
                      [0.0514459929, 0.1073969566, 0.6299787005]])
    mix = np.array([[0.2104542553, 1.9779984951, 0.0259040371],
                    [0.7936177850, -2.4285922050, 0.7827717662],
                    [-0.0040720468, 0.4505937099, -0.8086757660]])
    return (linear @ cones) ** (1 / 3) @ mix
)"},
    {"edge_votes", R"(def edge_votes(lightness):
    """The gradient of each pixel [side, side], shared between the two nearest of 8 orientations of the edge there."""
    side = lightness.shape[0]
    rows = np.clip(np.arange(-1, side + 1), 0, side - 1)
    padded = lightness[rows][:, rows]
    smooth = padded[:-2] + 2 * padded[1:-1] + padded[2:]
    across = padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]
    x = (smooth[:, 2:] - smooth[:, :-2]).reshape(-1) / 8
    y = (across[2:] - across[:-2]).reshape(-1) / 8
    size = np.sqrt(x**2 + y**2)
    angle = np.arctan2(x, y)
    place = np.where(angle < 0, angle + math.pi, angle) / math.pi * 8
    lower = np.floor(place)
    votes = [size * ((lower % 8 == o) * (1 - (place - lower)) + ((lower + 1) % 8 == o) * (place - lower)) for o in range(8)]
    return np.where(size[:, None] < 1e-5, 0.0, np.stack(votes, axis=1))
)"},
    {"describe", R"(def describe(picture, grid):
    """What a patch is described by: its mean colour and how far it varies, its edges, its place."""
    side = round(picture.shape[0] ** 0.5)
    lab = oklab(picture)
    colours = cut(lab, grid).reshape(grid * grid, -1, 3)
    mean = np.mean(colours, axis=1)
    spread = np.sqrt(np.mean(np.sum((colours - mean[:, None]) ** 2, axis=2), axis=1))
    votes = edge_votes(lab[:, 0].reshape(side, side))
    patch = side // grid
    votes = votes.reshape(grid, patch, grid, patch, 8).swapaxes(1, 2).reshape(grid * grid, -1, 8)
    edges = np.sqrt(np.mean(votes, axis=1))
    place = np.arange(grid * grid)[:, None]
    return np.concatenate([mean, spread[:, None], edges, place // grid + 1, place % grid + 1], axis=1)
)"},
};

}  // namespace limelight::scenes::code
