// Layer: how did attention become self-attention? From one query over inputs to a layer, and what order means to it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "core/position.h"
#include "scenes/scene.h"

namespace limelight::scenes::layer {

enum class Preset { video, translate, own };
enum class Similarity { dot, scaled, cosine, general, additive };
enum class Rule { identity, random };
enum class Encoding { none, sinusoidal, rotary, linear_bias };

inline constexpr int kMostWords = 24;            // of either sequence
inline constexpr std::size_t kMostBytes = 2048;  // of either sequence
inline constexpr int kPositions = 32;            // in the pictures of the encodings

inline constexpr io::Choice kPresets[] = {{"video", "video search"}, {"translate", "translation"}, {"own", "your own"}};
inline constexpr io::Choice kSimilarities[] = {{"dot", "dot product"},
                                               {"scaled", "scaled dot"},
                                               {"cosine", "cosine"},
                                               {"general", "general"},
                                               {"additive", "additive"}};
inline constexpr io::Choice kRules[] = {{"identity", "identity-like"}, {"random", "random"}};
inline constexpr io::Choice kNormalise[] = {{"zero-one", "0–1"}, {"row", "row"}};
inline constexpr io::Choice kEncodings[] = {
    {"none", "none"}, {"sinusoidal", "sinusoidal"}, {"rotary", "rotary"}, {"linear_bias", "linear bias"}};

struct State {
  Preset preset = Preset::video;
  std::string text;   // the inputs
  std::string other;  // the second sequence, whose words are the queries
  Similarity similarity = Similarity::scaled;
  bool wrong_axis = false;
  int d_x = 6;
  int d_q = 4;
  int d_v = 3;
  Rule rule = Rule::identity;
  int seed = 1;
  io::Order order{{1, 0, 2, 3}};  // of the inputs, once they are shuffled
  Encoding positions = Encoding::sinusoidal;
  double slope = 0.5;
  bool causal = false;
  int features = 32;
  figure::Normalise normalise = figure::Normalise::zero_one;
  int query = 0;
  io::CellEdits X, Z, W_Q, W_K, W_V;

  void fields(io::FieldVisitor& field) {
    using enum io::Place;
    constexpr io::Range numbers{-1000, 1000};
    field(io::Field{.name = "preset", .label = "Example", .choices = kPresets, .place = top}, preset);
    field(io::Field{.name = "text",
                    .label = "Your own inputs",
                    .hint = "Any words, up to 24; each becomes an embedding by its spelling.",
                    .placeholder = "your own inputs …",
                    .implied = sentence(),
                    .place = top},
          text);
    field(io::Field{.name = "other",
                    .label = "The second sequence",
                    .hint = "Its words ask the questions, up to 24.",
                    .placeholder = "the second sequence …",
                    .implied = other_sentence(),
                    .place = figure},
          other);
    field(io::Field{.name = "similarity",
                    .label = "Similarity f_att",
                    .choices = kSimilarities,
                    .place = figure,
                    .steps = io::only("query", "queries")},
          similarity);
    field(io::Field{.name = "wrong_axis",
                    .label = "wrong axis",
                    .hint = "Softmax over the queries, not over the inputs: see which sums become 1.",
                    .steps = io::only("queries")},
          wrong_axis);
    field(io::Field{.name = "d_x",
                    .label = "size D_X",
                    .range = {2, 16},
                    .hint = "Numbers in each input.",
                    .steps = io::all_but("all"),
                    .shown = by_rule()},
          d_x);
    field(io::Field{.name = "d_q",
                    .label = "size D_Q",
                    .range = {2, 16},
                    .hint = "Numbers in each query and each key; general and additive allow it to differ from D_X.",
                    .steps = io::all_but("all"),
                    .shown = by_rule()},
          d_q);
    field(io::Field{.name = "d_v",
                    .label = "size D_V",
                    .range = {1, 16},
                    .hint = "Numbers in each value, and so in each output.",
                    .steps = io::only("keys", "self", "cross", "shuffle", "order"),
                    .shown = by_rule()},
          d_v);
    field(io::Field{.name = "matrices",
                    .label = "matrices",
                    .choices = kRules,
                    .hint = "W_Q, W_K, W_V, not trained: nearly the identity, or drawn at random.",
                    .steps = io::only("keys", "self", "cross", "shuffle", "order"),
                    .shown = by_rule()},
          rule);
    field(io::Field{.name = "seed",
                    .label = "seed",
                    .range = {1, 9999},
                    .hint = "Another seed draws other random matrices, also those of additive and general.",
                    .steps = io::all_but("all"),
                    .shown = draws()},
          seed);
    field(io::Field{.name = "order",
                    .label = "New order of the inputs",
                    .range = {0, last_input()},
                    .place = figure,
                    .steps = io::only("shuffle", "order", "all")},
          order);
    field(io::Field{.name = "positions",
                    .label = "Positional encoding",
                    .choices = kEncodings,
                    .place = figure,
                    .steps = io::only("order")},
          positions);
    field(io::Field{.name = "causal",
                    .label = "causal mask",
                    .hint = "Each input sees itself and those before it.",
                    .place = figure,
                    .steps = io::only("order")},
          causal);
    field(io::Field{.name = "slope",
                    .label = "slope",
                    .range = {0.01, 4},
                    .hint = "How much each step of distance takes off a score.",
                    .steps = positions == Encoding::linear_bias ? io::only("order", "all")
                                                                : io::only("all"),  // which has all encodings
                    .logarithmic = true},
          slope);
    field(io::Field{.name = "features",
                    .label = "in picture",
                    .range = {2, 64},
                    .hint = "Features in the picture of the encoding; in the layer there are D_Q.",
                    .steps = io::only("order"),
                    .shown = positions == Encoding::sinusoidal || positions == Encoding::rotary},
          features);
    field(io::Field{.name = "colours",
                    .label = "colours",
                    .choices = kNormalise,
                    .hint = "Which weight is the brightest: 1, or each row's largest.",
                    .steps = io::all_but("shuffle", "all"),  // the shuffle shows no weights
                    .look = true},
          normalise);
    field(io::Field{.name = "query", .label = "Query", .range = {0, last_query()}, .place = figure, .look = true},
          query);
    field(io::Field{.name = "X", .label = "Cells of X", .range = numbers, .place = figure}, X);
    field(io::Field{.name = "Z", .label = "Cells of the second sequence", .range = numbers, .place = figure}, Z);
    field(io::Field{.name = "W_Q", .label = "Cells of W_Q", .range = numbers, .place = figure}, W_Q);
    field(io::Field{.name = "W_K", .label = "Cells of W_K", .range = numbers, .place = figure}, W_K);
    field(io::Field{.name = "W_V", .label = "Cells of W_V", .range = numbers, .place = figure}, W_V);
  }

  [[nodiscard]] State example() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;

  // True when embeddings and matrices come from a rule, not from hand-made tables.
  [[nodiscard]] bool by_rule() const { return preset != Preset::video; }
  // True when something is drawn from the seed.
  [[nodiscard]] bool draws() const { return similarity == Similarity::additive || (by_rule() && rule == Rule::random); }
  [[nodiscard]] bool edited() const;
  [[nodiscard]] std::string_view sentence() const;  // the example's own; empty when it has none
  [[nodiscard]] std::string_view other_sentence() const;
  [[nodiscard]] double last_input() const;
  [[nodiscard]] double last_query() const;  // the largest number of a row of either sequence
};

// Of the video search: what a title says, then what the video is.
inline constexpr std::array<std::string_view, 6> kVideoFeatures = {"cat",   "music",   "baking",
                                                                   "sport", "minutes", "laughs"};
inline constexpr int kVideoTopics = 4;

struct Sizes {
  int inputs, queries;    // N_X, N_Q
  int input, key, value;  // D_X, D_Q, D_V
  int first;              // of a query in the first two steps: D_X where f_att needs equal sizes, else D_Q
};
Sizes sizes(const State& state);

// What the rows of X, and of the queries, are called.
std::vector<std::string> input_words(const State& state);
std::vector<std::string> query_words(const State& state);
// The row that is looked at, of the queries and of the inputs.
int query_row(const State& state);
int input_row(const State& state);

// Orders to choose from: the first two change places, all are reversed, or shuffled from what is there now.
io::Order swapped(int count);
io::Order reversed(int count);
io::Order shuffled(const io::Order& order, int count);

// One attention of the trace: its scores, weights and output, and from which queries, keys and values they come.
struct Attention {
  std::string_view scores, weights, output;
  std::string_view query, key, value;
};
std::span<const Attention> attentions();

// One product of the trace.
struct Product {
  std::string_view result, left, right;
};
std::span<const Product> products();

// The columns of the tensor "errors".
inline constexpr std::string_view kBreakers[] = {"none", "sinusoidal", "rotary", "linear bias", "causal mask"};
// Below this a difference is rounding.
inline constexpr double kRounding = 1e-5;

// A difference in words, and whether it is rounding.
std::string difference(double error);

Trace compute(const State& state, const Inputs& inputs);
figure::Figure draw(const State& state, const Trace& trace, const View& view);
std::span<const Step> steps();
std::string narrate(const State& state, const Trace& trace, const View& view);
io::Patch follow(const State& state, const figure::Source& pinned);
std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id);
std::optional<Question> ask(const State& state, const Trace& trace);
std::string provenance(const State& state);
std::string_view principal(const State& state, Place place);
code::Equations equations(const State& state, const Trace& trace, Place place);

}  // namespace limelight::scenes::layer
