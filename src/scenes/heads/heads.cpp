#include "scenes/heads/heads.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "core/layer.h"
#include "core/random.h"
#include "io/distance.h"
#include "io/utf8.h"
#include "learn/encoder_reading.h"
#include "scenes/common/by_hand.h"
#include "scenes/common/explain.h"
#include "scenes/common/words.h"
#include "scenes/sentence/model.h"

namespace limelight::scenes::heads {
namespace {

using Labels = std::vector<std::string>;

struct Start {
  Matrix X;  // [T, d], whose rows ask
  Matrix Z;  // [S, d], whose rows are asked in cross-attention; empty in self-attention
  Matrix W_Q, W_K, W_V, W_O;
  Matrix b_O;  // [1, d]; empty: there is none
};

Start drawn(const State& state) {
  const int d = state.d_model;
  return {.X = embed_words(query_words(state), d),
          .Z = state.crossed() ? embed_words(other_words(state), d) : Matrix(),
          .W_Q = random_weights(d, state.seed, "W_Q"),
          .W_K = random_weights(d, state.seed, "W_K"),
          .W_V = random_weights(d, state.seed, "W_V"),
          .W_O = state.mixing == Mixing::random ? random_weights(d, state.seed, "W_O") : Matrix::Identity(d, d),
          .b_O = {}};
}

// Nothing while the trained encoder has not come.
std::optional<Start> trained_start(const State& state, const Inputs& inputs) {
  std::optional<trained::Attention> layer = trained::kReader.attention(inputs, query_words(state), state.layer);
  if (!layer) return std::nullopt;
  return Start{.X = std::move(layer->X),
               .Z = {},
               .W_Q = std::move(layer->W_Q),
               .W_K = std::move(layer->W_K),
               .W_V = std::move(layer->W_V),
               .W_O = layer->W_O.topRows(trained::kSize),
               .b_O = layer->W_O.bottomRows(1)};
}

std::optional<Start> start(const State& state, const Inputs& inputs) {
  std::optional<Start> made = state.trained ? trained_start(state, inputs) : drawn(state);
  if (!made) return made;
  state.X.apply(made->X);
  if (state.crossed()) state.Z.apply(made->Z);
  state.W_Q.apply(made->W_Q);
  state.W_K.apply(made->W_K);
  state.W_V.apply(made->W_V);
  state.W_O.apply(made->W_O);
  return made;
}

// The scores that a pattern is constructed from: kStrong where it looks, 0 elsewhere. [T, S]
Matrix constructed(const State& state, int head) {
  const Labels queries = query_words(state), keys = key_words(state);
  const int last = static_cast<int>(keys.size()) - 1;
  Matrix scores = Matrix::Zero(static_cast<Eigen::Index>(queries.size()), last + 1);
  const Pattern pattern = pattern_of(state, head);
  Random random(hash_text("head " + std::to_string(head + 1), static_cast<std::uint64_t>(state.seed)));
  for (int i = 0; i < static_cast<int>(queries.size()); ++i)
    for (int j = 0; j <= last; ++j) {
      const std::string &query = queries[static_cast<std::size_t>(i)], &key = keys[static_cast<std::size_t>(j)];
      const bool looks = (pattern == Pattern::previous && j == std::clamp(i - 1, 0, last)) ||
                         (pattern == Pattern::same && io::lower_case(query) == io::lower_case(key)) ||
                         (pattern == Pattern::first && j == 0) ||
                         (pattern == Pattern::window && std::abs(i - j) <= kReach);
      if (pattern == Pattern::random)
        scores(i, j) = static_cast<float>(std::round(100 * random.normal() * std::sqrt(kStrong)) / 100);
      else if (looks)
        scores(i, j) = kStrong;
    }
  return scores;
}

// The heads of the layer, those whose weights come from elsewhere put right.
std::vector<AttentionSteps<float>> heads_of(const State& state, const LayerSteps<float>& layer,
                                            const BoolMatrix& seen) {
  const int size = sizes(state).head;
  std::vector<AttentionSteps<float>> list = layer.heads;
  for (int h = 0; h < state.heads; ++h) {
    AttentionSteps<float>& head = list[static_cast<std::size_t>(h)];
    const std::size_t source = state.alike ? 0 : static_cast<std::size_t>(h);
    if (state.patterns[source] != Pattern::computed) {
      head.scaled = constructed(state, static_cast<int>(source));
      head.scaled = seen.select(head.scaled, -std::numeric_limits<float>::infinity());
      softmax_steps(head);
    } else if (source != static_cast<std::size_t>(h)) {
      head.scaled = layer.heads[source].scaled, head.weights = layer.heads[source].weights;
    }
    by_hand::set(head.weights, state.weights[source], seen);
    head.output.noalias() = head.weights * layer.V.middleCols(h * size, size);
  }
  return list;
}

// "2·1": the first of the second head's numbers.
Labels head_features(const State& state) {
  Labels labels;
  const int size = sizes(state).head;
  for (int c = 0; c < sizes(state).model; ++c)
    labels.push_back(std::to_string(c / size + 1) + "·" + std::to_string(c % size + 1));
  return labels;
}

struct Names {
  Labels queries, keys, features, heads;
};

void add_heads(Trace& trace, const State& state, std::vector<AttentionSteps<float>> heads, const Names& names) {
  const int size = sizes(state).head;
  for (int h = 0; h < state.heads; ++h) {
    AttentionSteps<float>& head = heads[static_cast<std::size_t>(h)];
    trace.add(of_head("Q", h), trace.at("Q").values.middleCols(h * size, size), names.queries);
    trace.add(of_head("K", h), trace.at("K").values.middleCols(h * size, size), names.keys);
    trace.add(of_head("V", h), trace.at("V").values.middleCols(h * size, size), names.keys);
    trace.add(of_head("S", h), std::move(head.scaled), names.queries, names.keys);
    trace.add(of_head("A", h), std::move(head.weights), names.queries, names.keys);
    trace.add(of_head("Y", h), head.output * trace.at("W_O").values.middleRows(h * size, size), names.queries);
    trace.add(of_head("O", h), std::move(head.output), names.queries);
  }
}

// What the heads' outputs side by side become: C W_O, and the bias where there is one.
Matrix mixed_output(const Trace& trace, const Matrix& side_by_side) {
  Matrix output = side_by_side * trace.at("W_O").values;
  if (const Tensor* bias = trace.find("b_O"); bias != nullptr) output.rowwise() += bias->values.row(0);
  return output;
}

// What one head would do that wants all that the heads do: it has one row of weights, their mean.
void add_mean(Trace& trace, const State& state, const Names& names) {
  Matrix mean = trace.at(of_head("A", 0)).values;
  for (int h = 1; h < state.heads; ++h) mean += trace.at(of_head("A", h)).values;
  mean /= static_cast<float>(state.heads);
  Matrix mixed = mean * trace.at("V").values;
  Matrix output = mixed_output(trace, mixed);
  trace.add("A_mean", std::move(mean), names.queries, names.keys);
  trace.add("O_mean", std::move(mixed), names.queries, names.features);
  trace.add("Y_mean", std::move(output), names.queries);
}

// The output of the heads that are on, and how much each contributes: without one the sum lacks that one's term.
void add_switches(Trace& trace, const State& state, const Names& names) {
  const Matrix& Y = trace.at("Y").values;
  Matrix now = Matrix::Zero(Y.rows(), Y.cols()), part(1, state.heads);
  bool cut = false;
  for (int h = 0; h < state.heads; ++h) {
    const Matrix& given = trace.at(of_head("Y", h)).values;
    part(0, h) = given.norm();
    if (state.off[static_cast<std::size_t>(h)])
      cut = true;
    else
      now += given;
  }
  if (const Tensor* bias = trace.find("b_O"); bias != nullptr) now.rowwise() += bias->values.row(0);
  if (!cut) now = Y;
  trace.add("part", std::move(part), {"without"}, names.heads);
  trace.add("size", single(static_cast<double>(Y.norm())));
  trace.add("change", single(static_cast<double>((now - Y).norm())));
  trace.add("apart", single(static_cast<double>((Y - trace.at("Y_mean").values).norm())));
  trace.add("Y_now", std::move(now), names.queries);
}

Trace computed(const State& state, Start from) {
  Trace trace;
  const BoolMatrix seen = allowed(state);
  const LayerInputs<float> inputs{
      .query = from.X, .key = state.crossed() ? from.Z : from.X, .value = state.crossed() ? from.Z : from.X};
  const LayerWeights<float> weights{
      .heads = state.heads, .key_heads = state.heads, .w_q = from.W_Q, .w_k = from.W_K, .w_v = from.W_V};
  LayerSteps<float> layer = multi_head<float>(
      inputs, weights, {.scale = 1 / std::sqrt(static_cast<double>(sizes(state).head)), .mask = Mask::allowed(seen)});
  std::vector<AttentionSteps<float>> heads = heads_of(state, layer, seen);
  Names names{.queries = query_words(state), .keys = key_words(state), .features = head_features(state), .heads = {}};
  for (int h = 0; h < state.heads; ++h) names.heads.push_back("head " + std::to_string(h + 1));
  trace.add("X", std::move(from.X), names.queries);
  if (state.crossed()) trace.add("Z", std::move(from.Z), names.keys);
  trace.add("W_Q", std::move(from.W_Q), {}, names.features);
  trace.add("W_K", std::move(from.W_K), {}, names.features);
  trace.add("W_V", std::move(from.W_V), {}, names.features);
  trace.add("W_O", std::move(from.W_O), names.features);
  if (from.b_O.size() > 0) trace.add("b_O", std::move(from.b_O), {"bias"});
  trace.add("Q", std::move(layer.Q), names.queries, names.features);
  trace.add("K", std::move(layer.K), names.keys, names.features);
  trace.add("V", std::move(layer.V), names.keys, names.features);
  trace.add("M", seen.cast<float>(), names.queries, names.keys);
  Matrix concatenated(seen.rows(), sizes(state).model);
  for (int h = 0; h < state.heads; ++h)
    concatenated.middleCols(h * sizes(state).head, sizes(state).head) = heads[static_cast<std::size_t>(h)].output;
  Matrix output = mixed_output(trace, concatenated);
  add_heads(trace, state, std::move(heads), names);
  trace.add("C", std::move(concatenated), names.queries, names.features);
  trace.add("Y", std::move(output), names.queries);
  add_mean(trace, state, names);
  add_switches(trace, state, names);
  return trace;
}

// What the trained encoder takes the covered word for: with all heads, with those that are on, and without each alone.
void add_guesses(Trace& trace, const State& state, const Inputs& inputs) {
  const auto* const encoder = inputs.resource<trained::Encoder>(trained::kReader.file->name);
  // Of what is masked or set by hand in this layer the others know nothing.
  if (encoder == nullptr || !state.trained || state.edited() || state.alike || state.mask > Masking::none) return;
  const Labels words = query_words(state);
  const int place = covered_word(state), cut = only_off(state);
  const std::string& right = words[static_cast<std::size_t>(place)];
  const std::vector<std::string>& known = learn::english::vocabulary().words;
  Labels covered(words.begin() + 1, words.end()), cuts{"all heads", "the heads that are on"}, best;
  covered[static_cast<std::size_t>(place) - 1] = known[learn::english::kMask];
  for (int h = 0; h < state.heads; ++h) cuts.push_back("all but head " + std::to_string(h + 1));
  Matrix found = Matrix::Zero(1, std::ssize(cuts)), likely = found;
  for (int who = 0; who < found.cols(); ++who) {
    learn::sentences::Training model{};
    model.config = (*encoder)->config, model.weights = (*encoder)->weights;
    Matrix& mixing = model.weights.layers[state.layer - 1].output.weight;
    for (int h = 0; h < state.heads; ++h)
      if (who == h + 2 || (who == 1 && state.off[static_cast<std::size_t>(h)]))
        mixing.middleRows(h * trained::kHeadSize, trained::kHeadSize).setZero();
    const learn::sentences::Reading reading =
        learn::sentences::read(model, covered, static_cast<int>(std::ssize(known)));
    const learn::sentences::Guess& guess = reading.guesses.front();
    best.push_back(guess.words.front()), likely(0, who) = guess.probabilities.front();
    if (const auto at = std::ranges::find(guess.words, right); at != guess.words.end())
      found(0, who) = guess.probabilities[static_cast<std::size_t>(at - guess.words.begin())];
    if (who > 0 || cut < 0) continue;
    const Eigen::Index count = std::ssize(words),
                       from = (((state.layer - 1) * state.heads + cut) * count + place) * count;
    trace.add(kLooked, Eigen::Map<const Matrix>(&reading.weights.data[static_cast<std::size_t>(from)], 1, count),
              {right}, words);
  }
  trace.add(kFound, std::move(found), {right}, std::move(cuts));
  trace.add(kBest, std::move(likely), {"guessed"}, std::move(best));
}

}  // namespace

bool is_loss(const Trace& trace) {
  if (trace.find(kBest) == nullptr) return false;
  const std::string& right = trace.at(kFound).row_labels[0];
  const Labels& best = trace.at(kBest).column_labels;
  return best[0] == right && best[1] != right;
}

Trace compute(const State& state, const Inputs& inputs) {
  if (std::optional<Start> from = start(state, inputs)) {
    Trace trace = computed(state, std::move(*from));
    add_guesses(trace, state, inputs);
    return trace;
  }
  Trace awaiting;
  awaiting.add("M", allowed(state).cast<float>(), query_words(state), key_words(state));
  return awaiting;
}

std::span<const Resource* const> needs(const State& state, Place /*place*/) {
  return state.trained ? std::span(&trained::kReader.file, 1) : std::span<const Resource* const>();
}

io::Patch follow(const State& state, const figure::Source& pinned) {
  io::Patch patch;
  const HeadTensor name = read_name(pinned.tensor);
  if (name.head >= 0 && name.head < state.heads && name.head != chosen_head(state))
    patch.emplace_back("head", std::to_string(name.head + 1));
  static constexpr std::string_view by_query[] = {"X", "Q", "S", "A", "O", "C", "Y", "M", "A_mean", "Y_now"};
  const bool of_query = std::ranges::find(by_query, name.one) != std::end(by_query);
  if (of_query && pinned.row != state.query) patch.emplace_back("query", std::to_string(pinned.row));
  return patch;
}

}  // namespace limelight::scenes::heads
