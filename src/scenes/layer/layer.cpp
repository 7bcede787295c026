#include "scenes/layer/layer.h"

#include <algorithm>
#include <cmath>

#include "core/layer.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/words.h"

namespace limelight::scenes::layer {
namespace {

using Labels = std::vector<std::string>;

// The video search of the article "Introduction to Attention Mechanism"; the numbers of kVideoFeatures are made up.
Matrix video_X() {
  return (Matrix(4, 6) << 2, 2, 0, 0, 2, 9,  // piano cat
          0, 3, 0, 0, 12, 0,                 // piano class
          1, 0, 3, 0, 6, 3,                  // cat cake
          0, 0, 0, 3, 9, 2)                  // cup final
      .finished();
}
// What is typed into the search says nothing of minutes and laughs.
Matrix video_queries() {
  return (Matrix(3, 6) << 3, 0, 0, 0, 0, 0,  // funny cat
          0, 3, 0, 0, 0, 0,                  // learn piano
          2, 0, 2, 0, 0, 0)                  // bake for cat
      .finished();
}

// What each word means, made up: of Europe, a place, of the economy, an article; other numbers are its spelling's.
void give_meanings(Matrix& words, const std::vector<int>& meanings) {
  constexpr float kMeans = 3;
  const int features = std::min<int>(4, static_cast<int>(words.cols()));
  words.leftCols(features).setZero();
  for (std::size_t i = 0; i < meanings.size(); ++i)
    if (meanings[i] < features) words(static_cast<Eigen::Index>(i), meanings[i]) = kMeans;
}

struct Start {
  Matrix X;        // [N_X, D_X]
  Matrix queries;  // [N_Q, the larger of D_X and D_Q]: a query of fewer numbers has the first of these
  Matrix W_Q, W_K, W_V;
};

Start start(const State& state) {
  const Sizes size = sizes(state);
  Start made;
  if (state.preset == Preset::video) {
    made = {video_X(), video_queries(), Matrix::Identity(size.input, size.key), Matrix::Identity(size.input, size.key),
            Matrix::Zero(size.input, size.value)};
    made.W_V.bottomRows(size.value).setIdentity();
  } else {
    made = {embed_words(input_words(state), size.input),
            embed_words(query_words(state), std::max(size.input, size.key)),
            {},
            {},
            {}};
    if (state.preset == Preset::phrase) {
      give_meanings(made.X, {3, 0, 2, 1});        // the European Economic Area
      give_meanings(made.queries, {3, 1, 2, 0});  // la zone économique européenne
    }
    const auto weights = [&](int columns, std::string_view name) {
      return state.rule == Rule::identity ? identity_like(size.input, columns)
                                          : random_weights(size.input, columns, state.seed, name);
    };
    made.W_Q = weights(size.key, kWQ);
    made.W_K = weights(size.key, kWK);
    made.W_V = weights(size.value, kWV);
  }
  state.X.apply(made.X);
  state.Z.apply(made.queries);
  state.W_Q.apply(made.W_Q);
  state.W_K.apply(made.W_K);
  state.W_V.apply(made.W_V);
  return made;
}

AttentionOptions similarity_options(Similarity similarity, int size) {
  static constexpr Score kScores[] = {Score::dot, Score::dot, Score::cosine, Score::general, Score::additive};
  AttentionOptions options{.score = kScores[static_cast<int>(similarity)]};
  if (similarity == Similarity::scaled) options.scale = 1 / std::sqrt(static_cast<double>(size));
  return options;
}

// What f_att itself would learn. Additive: 4 hidden units.
ScoreParameters<float> similarity_parameters(const State& state, const Sizes& size) {
  constexpr int hidden = 4;
  if (state.similarity == Similarity::general)
    return {.w_general = state.by_rule() ? identity_like(size.first, size.input)
                                         : Matrix(Matrix::Identity(size.first, size.input))};
  if (state.similarity == Similarity::additive)
    return {.w_query = random_weights(size.first, hidden, state.seed, kW1),
            .w_key = random_weights(size.input, hidden, state.seed, kW2),
            .v = random_weights(hidden, 1, state.seed, "v") * 4};
  return {};
}

AttentionOptions position_options(const State& state, Encoding encoding, bool causal) {
  static constexpr Positions kinds[] = {Positions::none, Positions::sinusoidal, Positions::rotary,
                                        Positions::linear_bias};
  return {.scale = 1 / std::sqrt(static_cast<double>(sizes(state).key)),
          .mask = causal ? Mask::causal() : Mask::none(),
          .positions = kinds[static_cast<int>(encoding)],
          .slope = state.slope};
}

// Rotary turns pairs: beside an odd last feature stands a 0, which changes no score of its own.
Matrix even(const Matrix& values) {
  Matrix wider = Matrix::Zero(values.rows(), values.cols() + values.cols() % 2);
  wider.leftCols(values.cols()) = values;
  return wider;
}

AttentionSteps<float> attend_with_positions(const Matrix& X, const Start& from, const AttentionOptions& options) {
  Matrix Q = X * from.W_Q, K = X * from.W_K;
  if (options.positions == Positions::rotary) {
    Q = even(Q);
    K = even(K);
  }
  return attend_traced<float>(Q, K, X * from.W_V, options);
}

Matrix moved(const Matrix& rows, const std::vector<int>& order) { return rows(order, Eigen::all); }

Labels moved(const Labels& words, const std::vector<int>& order) {
  Labels result;
  for (const int i : order) result.push_back(words[static_cast<std::size_t>(i)]);
  return result;
}

Labels numbered(int count, int first = 0) {
  Labels labels;
  for (int i = first; i < first + count; ++i) labels.push_back(std::to_string(i));
  return labels;
}

Matrix pattern(const State& state, int places, int features) {
  if (state.positions == Encoding::linear_bias) return linear_bias<float>(places, places, state.slope);
  if (state.positions == Encoding::sinusoidal) return sinusoidal<float>(places, features);
  // Rotary has no vectors of its own: what it makes of (1, 0, 1, 0, …).
  Matrix ones = Matrix::Zero(places, features + features % 2);
  for (int column = 0; column < features; column += 2) ones.col(column).setOnes();
  return rotate<float>(ones);
}

void add_picture(Trace& trace, const State& state) {
  const int d = state.features + state.features % 2;
  if (state.positions == Encoding::none) return;
  const bool features = state.positions != Encoding::linear_bias;
  const Sizes size = sizes(state);
  Matrix added = pattern(state, size.inputs, size.key);
  const auto columns = static_cast<int>(added.cols());
  trace.add(kPAdded, std::move(added), numbered(size.inputs), numbered(columns, features ? 1 : 0));
  Matrix picture = pattern(state, kPositions, d), dots = picture.row(0);
  if (features) dots = picture.row(0) * picture.transpose();
  trace.add(kPDot, std::move(dots), {"by distance"}, numbered(kPositions));
  trace.add(kP, std::move(picture), numbered(kPositions), numbered(features ? d : kPositions, features ? 1 : 0));
}

struct Names {
  Labels inputs, queries, features, topics, contents;
};

void add_attention(Trace& trace, const Attention& names, AttentionSteps<float> steps, const Labels& rows,
                   const Labels& columns, const Labels& features) {
  trace.add(names.scores, std::move(steps.scaled), rows, columns);
  trace.add(names.weights, std::move(steps.weights), rows, columns);
  trace.add(names.output, std::move(steps.output), rows, features);
}

void add_first_steps(Trace& trace, const State& state, const Start& from, const Names& names) {
  const Sizes size = sizes(state);
  const AttentionOptions options = similarity_options(state.similarity, size.first);
  LayerWeights<float> weights;
  weights.attention.score = similarity_parameters(state, size);
  const ScoreParameters<float>& learned = weights.attention.score;
  if (learned.w_general.size() > 0) trace.add(kWf, learned.w_general);
  if (learned.v.size() > 0) {
    trace.add(kW1, learned.w_query);
    trace.add(kW2, learned.w_key);
    trace.add(kVf, learned.v);
  }
  const Matrix Q = from.queries.leftCols(size.first);
  const int row = query_row(state);
  const Labels query_features(names.features.begin(),
                              names.features.begin() + (names.features.empty() ? 0 : size.first));
  const Labels one{names.queries[static_cast<std::size_t>(row)]};
  trace.add(kOneQuery, Q.row(row), one, query_features);
  // Of a score that is a sum of products these, an input a row.
  if (state.similarity == Similarity::dot || state.similarity == Similarity::scaled)
    trace.add(kProducts, from.X * Q.row(row).asDiagonal(), names.inputs, query_features);
  add_attention(trace, kOne, key_value_attention<float>(Q.row(row), from.X, weights, options).heads[0], one,
                names.inputs, names.features);
  trace.add(kQ, Q, names.queries, query_features);
  AttentionSteps<float> all = key_value_attention<float>(Q, from.X, weights, options).heads[0];
  if (state.wrong_axis) {
    const Matrix turned = all.scaled.transpose();
    all.weights = normalize<float>(Normalizer::softmax, turned).transpose();
    all.output = all.weights * from.X;
  }
  const Matrix row_sum = all.weights.rowwise().sum(), column_sum = all.weights.colwise().sum();
  add_attention(trace, kMany, std::move(all), names.queries, names.inputs, names.features);
  trace.add(kRowSum, row_sum, names.queries, {"sum"});
  trace.add(kColumnSum, column_sum, {"sum"}, names.inputs);
}

void add_layers(Trace& trace, const Start& from, const Names& names, const Sizes& size) {
  const AttentionOptions options = similarity_options(Similarity::scaled, size.key);
  const LayerWeights<float> keyed{.w_k = from.W_K, .w_v = from.W_V};
  const LayerWeights<float> full{.w_q = from.W_Q, .w_k = from.W_K, .w_v = from.W_V};
  const Matrix Q = from.queries.leftCols(size.key), Z = from.queries.leftCols(size.input);
  LayerSteps<float> steps = key_value_attention<float>(Q, from.X, keyed, options);
  trace.add(kQGiven, Q, names.queries, names.topics);
  trace.add(kWK, from.W_K, names.features, names.topics);
  trace.add(kWV, from.W_V, names.features, names.contents);
  trace.add(kK, std::move(steps.K), names.inputs, names.topics);
  trace.add(kV, std::move(steps.V), names.inputs, names.contents);
  add_attention(trace, kKeyed, std::move(steps.heads[0]), names.queries, names.inputs, names.contents);
  steps = self_attention<float>(from.X, full, options);
  trace.add(kWQ, from.W_Q, names.features, names.topics);
  trace.add(kQSelf, std::move(steps.Q), names.inputs, names.topics);
  add_attention(trace, kSelf, std::move(steps.heads[0]), names.inputs, names.inputs, names.contents);
  steps = cross_attention<float>(Z, from.X, full, options);
  trace.add(kZ, Z, names.queries, names.features);
  trace.add(kQCross, std::move(steps.Q), names.queries, names.topics);
  add_attention(trace, kCross, std::move(steps.heads[0]), names.queries, names.inputs, names.contents);
}

void add_orders(Trace& trace, const State& state, const Start& from, const Names& names) {
  const std::vector<int> to = state.order.of(sizes(state).inputs);
  const Labels words = moved(names.inputs, to);
  const Matrix X = moved(from.X, to);
  const AttentionOptions options = position_options(state, Encoding::none, false);
  trace.add(kXNew, X, words, names.features);
  trace.add(kQNew, X * from.W_Q, words, names.topics);
  trace.add(kKNew, X * from.W_K, words, names.topics);
  trace.add(kVNew, X * from.W_V, words, names.contents);
  trace.add(kYMoved, moved(trace.at(kSelf.output).values, to), words, names.contents);
  add_attention(trace, kShuffled, attend_with_positions(X, from, options), words, words, names.contents);
  const auto add_error = [&](std::string_view name, const Attention& one, std::string_view other, const char* of) {
    const Matrix apart = trace.at(one.output).values - trace.at(other).values;
    trace.add(name, single(static_cast<double>(apart.cwiseAbs().maxCoeff())), {"all outputs"}, {of});
  };
  add_error(kError, kShuffled, kYMoved, "this order");
  const AttentionOptions broken = position_options(state, state.positions, state.causal);
  const auto add_placed = [&](const Attention& placed, const Matrix& rows, std::string_view queries,
                              std::string_view without, const Labels& labels) {
    AttentionSteps<float> with = attend_with_positions(rows, from, broken);
    trace.add(placed.query, with.query.size() > 0 ? with.query : trace.at(queries).values, labels);
    trace.add(placed.key, with.key.size() > 0 ? with.key : trace.at(without).values, labels);
    add_attention(trace, placed, std::move(with), labels, labels, names.contents);
  };
  add_placed(kPlaced, X, kQNew, kKNew, words);
  trace.add(kMarks, trace.at(kPlaced.scores).values - trace.at(kShuffled.scores).values, words, words);
  add_placed(kFirst, from.X, kQSelf, kK, names.inputs);
  trace.add(kYMovedPos, moved(trace.at(kFirst.output).values, to), words, names.contents);
  add_error(kErrorPos, kPlaced, kYMovedPos, "this order");
  // Of all numbers of an output the one that changes most is shown; where none does, which is rounding, the first one.
  constexpr int kWays = static_cast<int>(std::size(kBreakers));
  const Eigen::Index n = X.rows();
  Matrix then(kWays * n, sizes(state).value), now = then;  // of each way n rows
  for (int i = 0; i < kWays; ++i) {
    const bool causal = i == 4;
    const AttentionOptions with = position_options(state, causal ? Encoding::none : static_cast<Encoding>(i), causal);
    then.middleRows(i * n, n) = moved(attend_with_positions(from.X, from, with).output, to);
    now.middleRows(i * n, n) = attend_with_positions(X, from, with).output;
  }
  int shown = 0;
  const Eigen::RowVectorXf most = (then - now).cwiseAbs().colwise().maxCoeff();
  if (static_cast<double>(most.maxCoeff()) >= rounding(trace)) most.maxCoeff(&shown);
  const Matrix last = then.col(shown).reshaped<Eigen::RowMajor>(kWays, n),
               first = now.col(shown).reshaped<Eigen::RowMajor>(kWays, n),
               gap = (last - first).cwiseAbs().rowwise().maxCoeff();
  const std::string number =
      names.contents.empty() ? "number " + std::to_string(shown + 1) : names.contents[static_cast<std::size_t>(shown)];
  const Labels breakers(std::begin(kBreakers), std::end(kBreakers));
  trace.add(kErrors, gap.transpose(), {number}, breakers);
  trace.add(kOrderLast, last, breakers, words);
  trace.add(kOrderFirst, first, breakers, words);
}

}  // namespace

Trace compute(const State& state, const Inputs& /*inputs*/) {
  Trace trace;
  const Sizes size = sizes(state);
  const Start from = start(state);
  Names names{
      .inputs = input_words(state), .queries = query_words(state), .features = {}, .topics = {}, .contents = {}};
  if (state.preset == Preset::video) {
    names.features.assign(kVideoFeatures.begin(), kVideoFeatures.end());
    names.topics.assign(names.features.begin(), names.features.begin() + kVideoTopics);
    names.contents.assign(names.features.begin() + kVideoTopics, names.features.end());
  }
  trace.add(kX, from.X, names.inputs, names.features);
  add_first_steps(trace, state, from, names);
  add_layers(trace, from, names, size);
  add_orders(trace, state, from, names);
  add_picture(trace, state);
  return trace;
}

io::Patch follow(const State& state, const figure::Source& pinned) {
  bool by_row = pinned.tensor == kRowSum || pinned.tensor == kZ;
  for (const Attention* one : {&kMany, &kKeyed, &kSelf, &kCross})
    for (const std::string_view tensor : {one->query, one->scores, one->weights, one->output})
      by_row = by_row || pinned.tensor == tensor;
  if (!by_row || pinned.row == state.query) return {};
  return {{"query", std::to_string(pinned.row)}};
}

}  // namespace limelight::scenes::layer
