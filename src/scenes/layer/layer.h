// Layer: how did attention become self-attention? From one query over inputs to a layer, and what order means to it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "core/position.h"
#include "scenes/common/recipe.h"
#include "scenes/scene.h"

namespace limelight::scenes::layer {

enum class Preset { video, phrase, translate, own };
enum class Similarity { dot, scaled, cosine, general, additive };
// Whether a query may have more or fewer numbers than an input.
inline bool takes_any_size(Similarity similarity) {
  return similarity == Similarity::general || similarity == Similarity::additive;
}
enum class Rule { identity, random };
enum class Encoding { none, sinusoidal, rotary, linear_bias };

inline constexpr int kMostWords = 24;            // of either sequence
inline constexpr std::size_t kMostBytes = 2048;  // of either sequence
inline constexpr int kPositions = 32;            // in the pictures of the encodings

inline constexpr io::Choice kPresets[] = {{"video", "video search"},
                                          {"phrase", "translation"},
                                          {"translate", "translation, by letters only"},
                                          {"own", "your own"}};
inline constexpr io::Choice kSimilarities[] = {{"dot", "dot product"},
                                               {"scaled", "scaled dot"},
                                               {"cosine", "cosine"},
                                               {"general", "general (a matrix)"},
                                               {"additive", "additive (a network)"}};
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
  bool numbers = false;  // the matrices in place of the picture
  int features = 32;
  figure::Normalise normalise = figure::Normalise::zero_one;
  int query = 0;
  io::CellEdits X, Z, W_Q, W_K, W_V;

  void fields(io::FieldVisitor& field);
  [[nodiscard]] State example() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;

  // True when embeddings and matrices come from a rule, not from hand-made tables.
  [[nodiscard]] bool by_rule() const { return preset != Preset::video; }
  // True when something is drawn from the seed.
  [[nodiscard]] bool draws() const { return similarity == Similarity::additive || (by_rule() && rule == Rule::random); }
  [[nodiscard]] bool edited() const;
  [[nodiscard]] bool translates() const { return preset == Preset::phrase || preset == Preset::translate; }
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
// The state with the query that the pointer is on, in the view only.
State in_view(const State& state, const View& view);

// Orders to choose from: the first two change places, all are reversed, or shuffled from what is there now.
io::Order swapped(int count);
io::Order reversed(int count);
io::Order shuffled(const io::Order& order, int count);

// The tensors of the trace. An index tells the layer: new: of inputs in their new order, first: as written, with marks.
inline constexpr std::string_view kX = "X", kZ = "Z", kXNew = "X_new";
inline constexpr std::string_view kWQ = "W_Q", kWK = "W_K", kWV = "W_V", kWf = "W_f", kW1 = "W_1", kW2 = "W_2",
                                  kVf = "v_f";
inline constexpr std::string_view kOneQuery = "q", kProducts = "q_x", kQ = "Q", kQGiven = "Q_given", kQSelf = "Q_self",
                                  kQCross = "Q_cross", kQNew = "Q_new", kQPos = "Q_pos", kQFirst = "Q_first";
inline constexpr std::string_view kK = "K", kKNew = "K_new", kKPos = "K_pos", kKFirst = "K_first", kV = "V",
                                  kVNew = "V_new";
inline constexpr std::string_view kRowSum = "row_sum", kColumnSum = "column_sum";
inline constexpr std::string_view kYMoved = "Y_moved", kYMovedPos = "Y_moved_pos";
inline constexpr std::string_view kError = "error", kErrorPos = "error_pos", kErrors = "errors",
                                  kOrderLast = "order_last", kOrderFirst = "order_first";
// The encoding's picture; what each place does to its query and key, or scores; what that adds to
// each score.
inline constexpr std::string_view kP = "P", kPDot = "P_dot", kPAdded = "P_q", kMarks = "E_marks";

// One attention of the trace: its scores, weights and output, and from which queries, keys and values they come.
struct Attention {
  std::string_view scores, weights, output;
  std::string_view query, key, value;
};
inline constexpr Attention kOne = {"e", "a", "y", kOneQuery, kX, kX}, kMany = {"E", "A", "Y", kQ, kX, kX},
                           kKeyed = {"E_kv", "A_kv", "Y_kv", kQGiven, kK, kV},
                           kSelf = {"E_self", "A_self", "Y_self", kQSelf, kK, kV},
                           kCross = {"E_cross", "A_cross", "Y_cross", kQCross, kK, kV},
                           kShuffled = {"E_new", "A_new", "Y_new", kQNew, kKNew, kVNew},
                           kPlaced = {"E_pos", "A_pos", "Y_pos", kQPos, kKPos, kVNew},
                           kFirst = {"E_first", "A_first", "Y_first", kQFirst, kKFirst, kV};

// The columns of the tensor "errors".
inline constexpr std::string_view kBreakers[] = {"nothing", "sinusoidal", "rotary", "linear bias", "causal mask"};
// Below this a difference of two outputs is rounding: more where scores or outputs are large.
double rounding(const Trace& trace);

Trace compute(const State& state, const Inputs& inputs);
figure::Figure draw(const State& state, const Trace& trace, const View& view);
std::span<const Step> steps();
std::string narrate(const State& state, const Trace& trace, const View& view);
io::Patch follow(const State& state, const figure::Source& pinned);
std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id);
std::optional<Question> ask(const State& state, const Trace& trace);
std::string provenance(const State& state);
std::string_view principal(const State& state, Place place);
// How it is written: as its name, so that Y_self is Y with the index self.
recipes::Symbol symbol_of(std::string_view tensor);
// What each tensor is.
recipes::Recipes recipes(const State& state, const Trace& trace);
code::Equations equations(const State& state, const Trace& trace, Place place);

}  // namespace limelight::scenes::layer
