#include "scenes/spotlight/spotlight.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/sort.h"
#include "figure/order.h"
#include "io/distance.h"
#include "io/utf8.h"
#include "scenes/common/explain.h"
#include "scenes/common/row_words.h"
#include "scenes/common/sentence.h"
#include "scenes/common/words.h"
#include "scenes/spotlight/examples.h"
#include "scenes/spotlight/parts.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

// None where the encoder refuses the text; check() says why. A frame asks for them often: those of the last text stay.
const std::vector<std::string>& words(const State& state) {
  struct Split {
    std::string text;
    bool trained = false;
    std::vector<std::string> words{};
  };
  thread_local Split last;
  const std::string_view text = state.preset == Preset::own ? std::string_view(state.text) : state.sentence();
  if (last.text != text || last.trained != state.trained)
    last = {std::string(text), state.trained,
            state.trained ? trained::kReader.words(text).value_or(std::vector<std::string>{}) : io::split_words(text)};
  return last.words;
}

std::vector<std::string> numbered(std::string_view name, Eigen::Index count) {
  std::vector<std::string> labels;
  for (Eigen::Index i = 1; i <= count; ++i) labels.push_back(std::string(name) + std::to_string(i));
  return labels;
}

std::vector<std::string> feature_labels(const State& state, Eigen::Index size) {
  if (!state.named()) return {};
  std::vector<std::string> labels;
  for (const Feature& feature : fox_features()) labels.emplace_back(feature.name);
  labels.resize(static_cast<std::size_t>(size));
  return labels;
}

// Nothing while the trained encoder has not come.
std::optional<Start> start(const State& state, const Inputs& inputs) {
  if (state.trained) {
    std::optional<trained::Attention> layer = trained::kReader.attention(inputs, words(state), state.layer);
    if (!layer) return std::nullopt;
    const auto of_head = [&](const Matrix& all) {
      return Matrix(all.middleCols((state.head - 1) * trained::kHeadSize, trained::kHeadSize));
    };
    return Start{std::move(layer->X), of_head(layer->W_Q), of_head(layer->W_K), of_head(layer->W_V)};
  }
  if (state.preset == Preset::coffee) return coffee();
  if (state.preset == Preset::fox) return fox();
  Matrix X = embed_words(words(state), state.d);
  if (state.rule == Rule::identity) {
    const Matrix W = identity_like(state.d);
    return Start{std::move(X), W, W, W};
  }
  return Start{std::move(X), random_weights(state.d, state.seed, kW_q), random_weights(state.d, state.seed, kW_k),
               random_weights(state.d, state.seed, kW_v)};
}

// Rows of Q and of K, columns of X (or of a given K) and of V, before anything is computed.
struct Sizes {
  int queries, keys, features, values;
};

Sizes sizes(const State& state) {
  if (state.given()) return {2, 3, 3, 2};
  const int n = static_cast<int>(words(state).size());
  if (state.trained) return {n, n, trained::kSize + 1, trained::kHeadSize};
  const int d = state.preset == Preset::coffee ? 4 : state.preset == Preset::fox ? 6 : state.d;
  return {n, n, d, d};
}

std::map<int, std::map<int, float>> weights_by_row(const State& state) {
  std::map<int, std::map<int, float>> rows;
  for (const auto& [cell, weight] : state.weights.cells) rows[cell.first][cell.second] = weight;
  return rows;
}

// "weights[she, likes]", as the inspector calls it.
std::string cell_name(const State& state, int row, int column) {
  return "weights[" + label_of(query_words(state), row) + ", " + label_of(key_words(state), column) + "]";
}

Result<void> check_weights(const State& state, int keys) {
  for (const auto& [row, values] : weights_by_row(state)) {
    float sum = 0;
    if (state.mask == Masking::causal && values.rbegin()->first > row)
      return fail("The causal mask keeps " + cell_name(state, row, values.rbegin()->first) +
                  " at 0, since that word comes later, but it was set by hand. Reset to the example, or double-click "
                  "that weight, delete its number and press Enter; then set the mask.");
    if (state.mask == Masking::causal) keys = row + 1;  // only these can share what is left
    for (const auto& [column, weight] : values) sum += weight;
    const bool whole = static_cast<int>(values.size()) == keys;
    if (sum > 1.00001F || (whole && sum < 0.99999F))
      return fail("The weights set by hand in row " + std::to_string(row) + " sum to " + io::format_short(sum) +
                  (whole ? "; a whole row sums to 1." : "; a row sums to 1, so that leaves no room for the others.") +
                  " Empty another cell of the row, and it takes what is left.");
  }
  return {};
}

}  // namespace

State State::example() const {
  State state = linked();
  if (trained && preset == Preset::own) {
    state.trained = true;
    state.layer = kOwnLayer;
    state.head = kOwnHead;
  }
  return state;
}

State State::linked() const {
  State state;
  state.preset = preset;
  if (preset == Preset::day1) state.scale = Scale::off;
  if (preset != Preset::fox) state.query = 0;  // of fox it is “jumped”
  if (preset == Preset::own) state.text = "words that you type look at each other";
  if (trained) ++state.query;  // [START] is before it
  return state;
}

std::vector<std::string> as_read(std::vector<std::string> words) {
  for (std::string& word : words) word = io::lower_case(word);
  return words;
}

namespace {

void move_rows(io::CellEdits& edits, const std::vector<int>& places) {
  io::CellEdits moved;
  for (const auto& [cell, value] : edits.cells)
    if (const int row = places[static_cast<std::size_t>(cell.first)]; row >= 0) moved.cells[{row, cell.second}] = value;
  edits = std::move(moved);
}

// Where the word that asked before the numbers were switched stands now: the encoder reads [START] before the first
// word, and some words as two.
int same_query(const State& state) {
  State before = state;
  before.trained = !state.trained;
  const std::vector<std::string> words = told_apart(as_read(query_words(before))),
                                 now = told_apart(as_read(query_words(state)));
  const auto found =
      words.empty() ? now.end() : std::ranges::find(now, words[static_cast<std::size_t>(query_row(before))]);
  return found == now.end() ? state.example().query : static_cast<int>(found - now.begin());
}

}  // namespace

void State::changed(std::string_view field) {
  if (field != "asked") asked = 0;  // an answer belongs to the question as it stood
  const auto clear = [this] { X = W_q = W_k = W_v = Q = K = V = weights = {}; };
  if (field == "preset") {
    trained = trained && !given();
    // An example shows its own numbers after a sentence that began with trained ones.
    if (preset != Preset::own && !edited_text.empty()) {
      trained = false;
      layer = State{}.layer;
      head = State{}.head;
    }
    const State fresh = example();
    text = fresh.text;
    scale = fresh.scale;
    query = fresh.query;
    if (!by_rule()) {
      d = fresh.d;
      rule = fresh.rule;
      seed = fresh.seed;
    }
    clear();
  } else if (field == "text") {
    // Typing makes the sentence one's own. What was set by hand stays with the words that stay; weights belong to all.
    const bool mine = std::exchange(preset, Preset::own) == Preset::own;
    if (mine && text == edited_text) return;
    if (trained) {
      // What a word is to a layer depends on all of the sentence.
      clear();
      query = std::min(std::max(query, 1), static_cast<int>(last_query()));
    } else if (mine) {
      const std::vector<int> places = io::kept_words(edited_text, text);
      move_rows(X, places);
      query =
          static_cast<std::size_t>(query) < places.size() ? std::max(places[static_cast<std::size_t>(query)], 0) : 0;
      weights = {};
    } else {
      clear();
      query = 0;
    }
  } else if (field == "d" || field == "matrices" || field == "seed" || field == "layer" || field == "head") {
    clear();
  } else if (field == kBorrows) {
    clear();
    // Where nothing changes, the encoder's functions may not be there.
    if (trained != read_trained) query = same_query(*this);
    if (trained) {
      d = State{}.d;
      rule = State{}.rule;
      seed = State{}.seed;
    }
  }
  edited_text = text;
  read_trained = trained;
}

Result<void> State::check() const {
  if (trained) {
    if (given())
      return fail(
          "This example has no words, so there is nothing for the trained encoder to read; choose another, or "
          "leave the trained matrices off.");
    const Result<std::vector<std::string>> read =
        trained::kReader.words(preset == Preset::own ? std::string_view(text) : sentence());
    if (!read) return std::unexpected(read.error());
  }
  if (preset == Preset::own) {
    const std::size_t count = words(*this).size();
    if (count == 0) return fail("There are no words to look at; type at least one.");
    if (count > kMostWords)
      return fail("That makes " + std::to_string(count) + " tokens (words and punctuation marks); up to " +
                  std::to_string(kMostWords) + " fit, so shorten it.");
    if (text.size() > kMostBytes)
      return fail("That is a text of " + std::to_string(text.size()) + " bytes; up to " + std::to_string(kMostBytes) +
                  " are read, so shorten it.");
  }
  const Sizes size = sizes(*this);
  if (!by_rule() && (d != State{}.d || rule != State{}.rule || seed != State{}.seed))
    return fail(
        std::string("Size d, matrices and seed are for sentences whose numbers come from a rule (cat, apple and your "
                    "own); ") +
        (trained ? "the trained encoder brings its own numbers." : "this example brings its own numbers."));
  if (asked > 0 && temperature != half_temperature(asked))
    return fail("The question was asked at the temperature " + io::format_short(asked) + ", so its answer is seen at " +
                io::format_short(half_temperature(asked)) + "; the temperature is " + io::format_short(temperature) +
                ".");
  struct Cells {
    const char* name;
    const io::CellEdits& edits;
    int rows, columns;
    bool computed;  // from what can be edited instead
  };
  const Cells cells[] = {
      {"X", X, size.keys, size.features, given()},       {"W_q", W_q, size.features, size.values, given()},
      {"W_k", W_k, size.features, size.values, given()}, {"W_v", W_v, size.features, size.values, given()},
      {"Q", Q, size.queries, size.features, !given()},   {"K", K, size.keys, size.features, !given()},
      {"V", V, size.keys, size.values, !given()},        {"weights", weights, size.queries, size.keys, false},
  };
  for (const Cells& c : cells) {
    if (c.edits.cells.empty()) continue;
    if (c.computed)
      return fail(given()
                      ? std::string(c.name) + " is not part of this example, where Q, K and V are given; edit those."
                      : std::string(c.name) + " is computed from X and W here; edit X, W_Q, W_K or W_V.");
    if (Result<void> inside = c.edits.check(c.name, c.rows, c.columns); !inside) return inside;
  }
  return check_weights(*this, size.keys);
}

std::string_view State::sentence() const {
  static constexpr std::string_view list[] = {"the quick brown fox jumped over the lazy dog",
                                              "she likes coffee",
                                              "",
                                              "The cat sat on the mat.",
                                              "I ate an apple.",
                                              ""};
  return list[static_cast<int>(preset)];
}

double State::last_query() const {
  const int queries = sizes(*this).queries;
  return (queries > 0 ? queries : kMostWords) - 1;  // 0: the sentence is refused, for a reason of its own
}

bool State::edited() const {
  for (const io::CellEdits* edits : {&X, &W_q, &W_k, &W_v, &Q, &K, &V, &weights})
    if (!edits->cells.empty()) return true;
  return false;
}

std::vector<std::string> query_words(const State& state) {
  return state.given() ? numbered("query ", 2) : words(state);
}
std::vector<std::string> key_words(const State& state) { return state.given() ? numbered("key ", 3) : words(state); }

int query_row(const State& state) { return std::min(state.query, sizes(state).queries - 1); }

int looked_at(const State& state, const View& view) {
  if (state.given()) return query_row(state);
  const int words = sizes(state).queries;
  if (const std::optional<int> row = row_in(row_at(view.place).step.rows_ask, view.hovered); row && *row < words)
    return *row;
  return asking_word(view, state.query, words);
}

std::optional<io::Range> room(const State& state, std::string_view field, int row, int column) {
  if (field != "weights") return std::nullopt;
  const int keys = state.mask == Masking::causal ? row + 1 : sizes(state).keys;
  if (column >= keys) return io::Range{0, 0};
  double rest = 1;
  int free = keys;
  for (const auto& [cell, weight] : state.weights.cells) {
    if (cell.first != row || cell.second == column) continue;
    rest -= weight;
    --free;
  }
  rest = std::max(io::round_to(rest, 1e-6), 0.0);
  return io::Range{free == 1 ? rest : 0, rest};
}

std::vector<int> largest_first(const Matrix& values, int row) {
  return figure::largest_first(std::span(values.row(row).data(), static_cast<std::size_t>(values.cols())));
}

double half_temperature(double temperature) { return std::max(0.05, temperature / 2); }

double scale_factor(const State& state, int key_size) {
  if (state.scale == Scale::root) return 1 / std::sqrt(static_cast<double>(key_size));
  return state.scale == Scale::own ? state.factor : 1;
}

AttentionOptions options_of(const State& state, int key_size) {
  return {.scale = scale_factor(state, key_size),
          .temperature = state.temperature,
          .mask = state.mask == Masking::causal ? Mask::causal() : Mask::none()};
}

std::span<const Resource* const> needs(const State& state, Place /*place*/) {
  return state.trained ? std::span(&trained::kReader.file, 1) : std::span<const Resource* const>();
}

Trace compute(const State& state, const Inputs& inputs) {
  Trace trace;
  const std::vector<std::string> queries = query_words(state), keys = key_words(state);
  Given made;
  auto& [Q, K, V] = made;
  std::vector<std::string> features;
  if (state.given()) {
    made = day1();
    state.Q.apply(Q);
    state.K.apply(K);
    state.V.apply(V);
  } else {
    std::optional<Start> from = start(state, inputs);
    if (!from) return trace;
    state.X.apply(from->X);
    state.W_q.apply(from->W_q);
    state.W_k.apply(from->W_k);
    state.W_v.apply(from->W_v);
    Q = from->X * from->W_q;
    K = from->X * from->W_k;
    V = from->X * from->W_v;
    features = feature_labels(state, from->X.cols());
    trace.add(kX, std::move(from->X), keys, features);
    trace.add(kW_q, std::move(from->W_q), features, features);
    trace.add(kW_k, std::move(from->W_k), features, features);
    trace.add(kW_v, std::move(from->W_v), features, features);
  }
  AttentionSteps<float> steps = attend_traced<float>(Q, K, V, options_of(state, static_cast<int>(K.cols())));
  if (!state.weights.cells.empty()) {
    for (const auto& [row, values] : weights_by_row(state))
      set_weights(steps.weights, row, values, state.mask == Masking::causal ? row + 1 : static_cast<int>(keys.size()));
    steps.output.noalias() = steps.weights * V;
  }
  trace.add(kQ, std::move(Q), queries, features);
  trace.add(kK, std::move(K), keys, features);
  trace.add(kV, std::move(V), keys, features);
  trace.add(kScores, std::move(steps.scores), queries, keys);
  trace.add(kScaled, std::move(steps.scaled), queries, keys);
  trace.add(kMaximum, std::move(steps.maximum), queries, {"max"});
  trace.add(kShifted, std::move(steps.shifted), queries, keys);
  trace.add(kExponentials, std::move(steps.exponentials), queries, keys);
  trace.add(kSum, std::move(steps.sum), queries, {"sum"});
  trace.add(kWeights, std::move(steps.weights), queries, keys);
  trace.add(kOutput, std::move(steps.output), queries, features);
  if (inputs.job != nullptr)
    for (const Tensor& tensor : inputs.job->results.tensors)
      trace.add(tensor.name, tensor.values, tensor.row_labels, tensor.column_labels);
  return trace;
}

io::Patch begins() {
  return {{std::string(kBorrows), "on"}, {"layer", std::to_string(kOwnLayer)}, {"head", std::to_string(kOwnHead)}};
}

io::Patch follow(const State& state, const figure::Source& pinned) {
  static constexpr std::string_view by_query[] = {kX,   kQ,       kScores, kScaled, kMaximum, kShifted, kExponentials,
                                                  kSum, kWeights, kOutput};
  if (std::ranges::find(by_query, pinned.tensor) == std::end(by_query) || pinned.row == state.query) return {};
  return {{"query", std::to_string(pinned.row)}};
}

std::string provenance(const State& state) {
  if (state.trained)
    return "Trained: layer " + std::to_string(state.layer) + ", head " + std::to_string(state.head) +
           " of the encoder of the scene Sentence, which learned generated English. X is what enters that layer’s "
           "attention." +
           (state.edited() ? " **Edited by you.**" : "");
  const std::string text =
      state.preset == Preset::coffee ? "Embeddings and matrices set by hand, not trained: an article’s worked example."
      : state.preset == Preset::day1
          ? "Q, K and V set by hand, not trained: an article’s worked example, which does not scale its scores."
      : state.preset == Preset::fox
          ? "Features and matrices constructed by hand for this sentence, not trained."
          : std::string("Not trained: embeddings made from the spelling, matrices ") +
                (state.rule == Rule::identity ? "close to the identity." : "drawn at random from the seed.");
  return state.edited() ? text + " **Edited by you.**" : text;
}

std::string_view job_label(const State& state) {
  return state.by_rule() && state.rule == Rule::random ? "Draw 200 other matrices" : "";
}

std::unique_ptr<Job> job(const State& state) {
  if (job_label(state).empty()) return nullptr;
  constexpr int draws = 200;
  auto made = std::make_unique<Job>();
  made->snapshot.total = draws;
  made->snapshot.unit = "draws";
  made->snapshot.outcome = "Point at a weight to see how far chance alone moved it.";
  State draw = state;
  draw.weights = {};
  draw.W_q = draw.W_k = draw.W_v = {};
  // For each pair of words, all the weights that were drawn so far.
  made->step = [draw, all = std::vector<std::vector<float>>()](JobSnapshot& snapshot) mutable {
    draw.seed = ++snapshot.done;
    const Trace trace = compute(draw, {});
    const Matrix& weights = trace.at(kWeights).values;
    all.resize(static_cast<std::size_t>(weights.size()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i].push_back(weights.data()[i]);
    if (snapshot.done < snapshot.total) return;
    Matrix low = weights, high = weights;
    for (std::size_t i = 0; i < all.size(); ++i) {
      heap_sort(all[i]);
      low.data()[i] = all[i][draws / 10];
      high.data()[i] = all[i][draws - 1 - draws / 10];
    }
    snapshot.results.add(kLow, std::move(low), query_words(draw), key_words(draw));
    snapshot.results.add(kHigh, std::move(high), query_words(draw), key_words(draw));
  };
  return made;
}

}  // namespace limelight::scenes::spotlight
