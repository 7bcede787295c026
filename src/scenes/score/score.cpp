#include "scenes/score/score.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/feature_wise.h"
#include "core/normalize.h"
#include "core/random.h"
#include "core/score.h"

namespace limelight::scenes::score {
namespace {

using Doubles = MatrixOf<double>;

struct Arrows {
  std::string_view query;
  std::array<std::string_view, kKeys> keys;
  std::array<float, 2> q;
  std::array<float, 2 * kKeys> K;
};

// By preset. In the first two "fox" points exactly along "jumped" and "lazy" stands at a right angle to it; in the
// second every arrow is exactly 2.5 long.
constexpr Arrows kArrows[] = {
    {"jumped", {"fox", "over", "lazy"}, {2, 1}, {1.4F, 0.7F, 1, 2.2F, 1, -2}},
    {"jumped", {"fox", "over", "lazy"}, {2, 1.5F}, {2, 1.5F, 0.7F, 2.4F, 1.5F, -2}},
    {"query", {"along", "across", "against"}, {2, 1}, {2, 1, -1, 2, -2, -1}},
};
const Arrows& arrows(const State& state) { return kArrows[static_cast<int>(state.preset)]; }

struct Vectors {
  Doubles q, K;
  ScoreParameters<double> parameters;
};

Trace vectors(const State& state) {
  Matrix q(1, 2), K(kKeys, 2);
  std::ranges::copy(arrows(state).q, q.data());
  std::ranges::copy(arrows(state).K, K.data());
  Trace trace;
  const auto add = [&](const char* name, Matrix values, const io::CellEdits& edits, std::vector<std::string> rows,
                       std::vector<std::string> columns) {
    edits.apply(values);
    trace.add(name, std::move(values), std::move(rows), std::move(columns));
  };
  add("q", std::move(q), state.q, {std::string(query_name(state))}, {"x", "y"});
  add("K", std::move(K), state.K, key_names(state), {"x", "y"});
  // W turns a query by a right angle; the additive score adds as it stands.
  add("W", Matrix{{0, 1}, {-1, 0}}, state.W, {}, {});
  add("W_q", Matrix::Identity(2, 2), state.W_q, {}, {});
  add("W_k", Matrix::Identity(2, 2), state.W_k, {}, {});
  add("v_a", Matrix::Ones(2, 1), state.v, {}, {});
  return trace;
}

Doubles exact(const Trace& trace, std::string_view name) { return trace.at(name).values.cast<double>(); }

// Every score of every key, a row for each. [5, 3]
Doubles all_scores(const Trace& trace) {
  const Doubles q = exact(trace, "q"), K = exact(trace, "K");
  const ScoreParameters<double> general{.w_general = exact(trace, "W")};
  const ScoreParameters<double> additive{
      .w_query = exact(trace, "W_q"), .w_key = exact(trace, "W_k"), .v = exact(trace, "v_a")};
  Doubles scores(5, kKeys);
  scores.row(0) = limelight::score<double>(Score::dot, q, K);
  scores.row(1) = scores.row(0) / std::numbers::sqrt2;
  scores.row(2) = limelight::score<double>(Score::cosine, q, K);
  scores.row(3) = limelight::score<double>(Score::general, q, K, general);
  scores.row(4) = limelight::score<double>(Score::additive, q, K, additive);
  return scores;
}

void add_arrows(Trace& trace, const State& state) {
  const Doubles q = exact(trace, "q"), K = exact(trace, "K");
  const std::vector<std::string> keys = key_names(state), query{std::string(query_name(state))};
  const Doubles scores = all_scores(trace);
  const double length = q.row(0).norm();
  const Doubles turned = q * exact(trace, "W");
  Doubles lengths(1, kKeys), angles(1, kKeys), shadows(1, kKeys);
  for (int j = 0; j < kKeys; ++j) {
    lengths(0, j) = K.row(j).norm();
    // Better than acos of the cosine, which has few digits left near 0 and 180 degrees.
    const double cross = q(0, 0) * K(j, 1) - q(0, 1) * K(j, 0);
    const bool both = length > 0 && lengths(0, j) > 0;
    angles(0, j) = both ? std::atan2(std::abs(cross), scores(0, j)) * 180 / std::numbers::pi
                        : std::numeric_limits<double>::quiet_NaN();
    shadows(0, j) = length > 0 ? scores(0, j) / length : 0;
  }
  trace.add("qW", turned.cast<float>(), query, {"x", "y"});
  trace.add("length", Matrix::Constant(1, 1, static_cast<float>(length)), query, {"length"});
  trace.add("lengths", lengths.cast<float>(), query, keys);
  trace.add("angles", angles.cast<float>(), query, keys);
  trace.add("shadows", shadows.cast<float>(), query, keys);
  trace.add("scores", scores.cast<float>(), {"dot", "scaled dot", "cosine", "general", "additive"}, keys);
  const Doubles z = scores.row(static_cast<int>(state.scorer)) / state.temperature;
  Doubles weights(4, kKeys);
  constexpr Normalizer normalizers[] = {Normalizer::softmax, Normalizer::entmax15, Normalizer::sparsemax,
                                        Normalizer::hard};
  for (int i = 0; i < 4; ++i) weights.row(i) = normalize<double>(normalizers[i], z);
  trace.add("z", z.cast<float>(), query, keys);
  trace.add("weights", weights.cast<float>(), {"softmax", "1.5-entmax", "sparsemax", "hard"}, keys);
}

std::vector<std::string> numbered(std::string_view name, int count) {
  std::vector<std::string> labels;
  for (int i = 0; i < count; ++i) labels.push_back(std::string(name) + " " + std::to_string(i));
  return labels;
}

// The published example draws without a seed: torch.randn for the inputs, and torch.nn.Linear's own uniform(−1/√128,
// 1/√128).
void add_module(Trace& trace, const State& state) {
  Random random(static_cast<std::uint64_t>(state.seed));
  const double bound = 1 / std::sqrt(static_cast<double>(kUnits));
  const auto draw = [&](int rows, int columns, auto next) {
    Matrix matrix(rows, columns);
    for (float& entry : matrix.reshaped<Eigen::RowMajor>()) entry = static_cast<float>(next());
    return matrix;
  };
  const auto normal = [&] { return random.normal(); };
  const auto uniform = [&] { return bound * (2 * random.uniform() - 1); };
  const Matrix hidden = draw(1, kUnits, normal), encoder = draw(kPositions, kUnits, normal);
  const Matrix linear = draw(kUnits, kUnits, uniform), bias = draw(1, kUnits, uniform);
  const Doubles outputs = encoder.cast<double>();
  const Doubles projected = hidden.cast<double>() * linear.cast<double>() + bias.cast<double>();
  const FeatureWise<double> steps =
      feature_wise<double>(hidden.cast<double>(), outputs, linear.cast<double>(), bias.cast<double>());
  const Doubles sums = steps.weights.rowwise().sum().transpose();
  const Doubles context = steps.weights.cwiseProduct(outputs).colwise().sum();
  const Doubles average = outputs.colwise().mean();
  const std::vector<std::string> positions = numbered("position", kPositions), units = numbered("unit", kUnits);
  trace.add("hidden", hidden, {"hidden"}, units);
  trace.add("encoder", encoder, positions, units);
  trace.add("linear", linear, units, units);
  trace.add("bias", bias, {"bias"}, units);
  trace.add("projected", projected.cast<float>(), {"projected"}, units);
  trace.add("tanh", steps.scores.cast<float>(), positions, units);
  trace.add("unit_weights", steps.weights.cast<float>(), positions, units);
  trace.add("unit", steps.weights.col(state.unit).transpose().cast<float>(), {"unit " + std::to_string(state.unit)},
            positions);
  trace.add("sums", sums.cast<float>(), {"sum"}, positions);
  trace.add("total", Matrix::Constant(1, 1, static_cast<float>(sums.sum())), {"total"}, {"sum"});
  trace.add("context", context.cast<float>(), {"context"}, units);
  trace.add("average", average.cast<float>(), {"average"}, units);
}

}  // namespace

State State::example() const {
  State state;
  state.preset = preset;
  if (preset == Preset::opposite) state.key = 0;
  return state;
}

void State::changed(std::string_view field) {
  if (field == "preset") {
    key = example().key;
    q = K = W = W_q = W_k = v = {};
  }
  // The answer belongs to the question as it stood.
  if (field == "preset" || field == "q" || field == "K") doubled = false;
}

Result<void> State::check() const {
  struct Cells {
    const char* name;
    const io::CellEdits& edits;
    int rows, columns;
  };
  const Cells cells[] = {{"q", q, 1, 2},     {"K", K, kKeys, 2}, {"W", W, 2, 2},
                         {"W_q", W_q, 2, 2}, {"W_k", W_k, 2, 2}, {"v_a", v, 2, 1}};
  for (const Cells& c : cells)
    if (Result<void> inside = c.edits.check(c.name, c.rows, c.columns); !inside) return inside;
  return {};
}

bool State::edited() const {
  for (const io::CellEdits* edits : {&q, &K, &W, &W_q, &W_k, &v})
    if (!edits->cells.empty()) return true;
  return doubled;
}

std::string_view query_name(const State& state) { return arrows(state).query; }
std::vector<std::string> key_names(const State& state) {
  return {arrows(state).keys.begin(), arrows(state).keys.end()};
}

int winner(const Matrix& values, int row) {
  Eigen::Index best = 0;
  values.row(row).maxCoeff(&best);
  return static_cast<int>(best);
}

int asked_key(const Trace& trace) {
  const Matrix& scores = trace.at("scores").values;
  const Matrix sizes = scores.row(static_cast<int>(Scorer::cosine)).cwiseAbs();
  // A hair: 0.1 + 0.2 − 0.3 is no dot product.
  return sizes.maxCoeff() > 1e-6F ? winner(sizes, 0) : -1;
}

bool has_angle(const Trace& trace, int key) {
  return trace.at("length").values(0, 0) > 0 && trace.at("lengths").values(0, key) > 0;
}

Trace compute(const State& state, const Inputs& /*inputs*/) {
  Trace trace = vectors(state);
  if (state.doubled) {
    Trace before = vectors(state);
    add_arrows(before, state);
    const int key = asked_key(before);
    if (key >= 0) trace.tensors[1].values.row(key) *= 2;
  }
  add_arrows(trace, state);
  add_module(trace, state);
  return trace;
}

io::Patch follow(const State& state, const figure::Source& pinned) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, pinned.tensor) != names.end();
  };
  if (is_one_of({"lengths", "angles", "shadows", "scores", "z", "weights"}) && pinned.column != state.key)
    return {{"key", std::to_string(pinned.column)}};
  if (pinned.tensor == "K" && pinned.row != state.key) return {{"key", std::to_string(pinned.row)}};
  return {};
}

std::string provenance(const State& state) {
  const std::string text =
      "Arrows and matrices are set by hand. The module is one published example’s, its numbers drawn at random "
      "from the seed. Nothing is trained. Scores: Luong, Bahdanau, Vaswani et al.; sparsemax: Martins & Astudillo "
      "2016; entmax: Peters et al. 2019.";
  return state.edited() ? text + " **Edited by you.**" : text;
}

}  // namespace limelight::scenes::score
