// Limits: what does attention not tell? Diffuse and collapsed weights, weights that could have been others, weights
// that sum to 1 the wrong way, and claims about attention put to the test.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "scenes/scene.h"

namespace limelight::scenes::limits {

enum class Preset { review, sequence, day1, coffee };
enum class Claim { importance, high, angle, certain, square, identical };

inline constexpr int kPositions = 10;  // of the article's sequence
inline constexpr int kHidden = 128;    // of its hidden state and encoder outputs
inline constexpr int kStates = 4;      // hidden states that ask
inline constexpr int kTokens = 6;      // of the scaling claim
inline constexpr int kCourse = 41;     // temperatures of the curves
inline constexpr io::Range kTemperatures{0.05, 20};
inline constexpr io::Range kRaises{-8, 8};
inline constexpr io::Range kMoves{-1, 1};
inline constexpr io::Range kFactors{-2, 3};
inline constexpr io::Range kLengths{0.2, 5};
inline constexpr io::Range kAheads{0, 8};
inline constexpr io::Range kSizes{2, 512};

inline constexpr io::Choice kPresets[] = {
    {"review", "a review"}, {"sequence", "10 positions"}, {"day1", "day 1"}, {"coffee", "she likes coffee"}};
inline constexpr io::Choice kClaims[] = {{"importance", "weights = importance"},
                                         {"high", "high for all"},
                                         {"angle", "dot product = angle"},
                                         {"certain", "95 % sure"},
                                         {"square", "÷ d² as well"},
                                         {"identical", "Q = K = V"}};

struct State {
  Preset preset = Preset::review;
  int query = 2;
  int key = -1;
  double temperature = 1;
  double raise = 4;
  double move = 1;
  double factor = 0;
  int size = 4;
  int seed = 1;
  Claim claim = Claim::importance;
  double length = 3;
  double ahead = 2;
  int d = 512;
  io::CellEdits E, V;

  void fields(io::FieldVisitor& field);

  [[nodiscard]] State example() const;
  void changed(std::string_view field);
  [[nodiscard]] Result<void> check() const;
  [[nodiscard]] bool edited() const { return !E.cells.empty() || !V.cells.empty(); }
  [[nodiscard]] double last_query() const;
  [[nodiscard]] double last_key() const;
};

std::vector<std::string> query_names(const State& state);
std::vector<std::string> key_names(const State& state);
std::vector<std::string> value_names(const State& state);
// "**lovely**", "position **7**": a key in a sentence.
std::string said_key(const State& state, int key);
// The key that is chosen, else the one with the largest weight.
int chosen_key(const State& state, const Trace& trace);
// Where a slider of this field stands: its value and its range. The field is one of those that have one.
struct Setting {
  std::string_view field;
  double value;
  io::Range range;
  bool logarithmic = false;
};
Setting setting_of(const State& state, std::string_view field);

// What a preset computes from.
struct Given {
  Matrix Q, K, V;  // [T, D]  [S, D]  [S, V]
  double scale;    // multiplies Q Kᵀ
};
Given given(const State& state);
// The numbers of the article "day 1", those of "she likes coffee" and its embeddings.
Given day1();
Given coffee();
Matrix coffee_X();

// Of the pairs of keys: how many more two rows rank alike than apart, and how many each of them ranks at all.
struct RankedPairs {
  int alike = 0, first = 0, second = 0;
  // Kendall's τ-b: 1 where they rank alike, −1 where they rank the other way round; 0 where one ranks nothing.
  [[nodiscard]] double agreement() const;
};
RankedPairs ranked_pairs(const Matrix& first, const Matrix& second);

// Adds the tensors of all claims. The row a, V and y are in the trace.
void add_claims(Trace& trace, const State& state);

// Columns of the tensor "spread".
struct Spread {
  enum : int { entropy, effective, largest, count };
};
// The direction in which the weights of one row can change without changing the output a V: the projection of the
// key's unit vector on the null space of [V, 1]ᵀ, scaled so that the key itself loses 1. All 0 when its weight is
// fixed by the output. V: [S, D_V]  result: [1, S]
MatrixOf<double> free_direction(const MatrixOf<double>& V, int key);
// How many such directions there are: S − rank [V, 1].
int freedom(const MatrixOf<double>& V);
// A difference below this is rounding.
inline constexpr double kRounding = 1e-5;

// Of a row [1, n], the index of the largest.
int best_of(const Matrix& row);

// Tensors: Q K V E a spread course  raised softmax_raised sigmoid raised_sums  direction a_other y outputs moved apart
// freedom  V_other outputs_changed contribution  A row_sum column_sum Y A_wrong row_sum_wrong column_sum_wrong Y_wrong
// outside, and those of the claims.
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

// Of a claim: who says what, in our words, and, with the numbers of the trace, what is right about it and what is
// simplified.
struct Verdict {
  std::string who;
  std::string claim;
  std::string right;
  std::string simplified;
};
Verdict judge(const State& state, const Trace& trace);

// Each row of `scores` to weights that sum to 1.
MatrixOf<double> softmax(const MatrixOf<double>& scores);

}  // namespace limelight::scenes::limits
