// A row for each step of Spotlight: all that the step is.
#pragma once

#include <any>
#include <string>
#include <string_view>
#include <vector>

#include "figure/formula.h"
#include "scenes/common/explain.h"
#include "scenes/spotlight/parts.h"

namespace limelight::scenes::spotlight {

// What the narration reads.
struct Told : Facts<State> {
  const View& view;
  std::vector<std::string> queries, keys;  // told apart
  int row;                                 // the query

  [[nodiscard]] const std::string& query() const { return queries[static_cast<std::size_t>(row)]; }
  // Whether the figure shows what comes out by now: before that no sentence tells it.
  [[nodiscard]] bool shows_result() const { return view.t >= 0.8F; }
};

// What the steps' formulas are made of.
struct Formulas {
  const State& state;
  const Trace& trace;
  const Palette& colours;
  const recipes::Recipes& recipes;

  [[nodiscard]] Formula equation(std::string_view tensor) const;  // Z = Q Kᵀ over the root of d
  [[nodiscard]] Formula extent(std::string_view tensor) const;    // Z ∈ ℝ to the power 3×4
};

std::string extent(const Tensor& tensor);  // "3×4"

// The score that is computed before the reader's eyes: the one that is looked at, else the highest of the query's row.
Source told_score(const Trace& trace, const View& view, int row);

// The weights that a query would have of its scores as they are; on a phone they are shown of so many words at most.
inline constexpr std::size_t kCompared = 9;
std::vector<float> undivided_weights(const Trace& trace, int row);

// Draws all that the step shows; returns its bottom.
using Draw = float(Drawing& d);
using Mark = void(Drawing& d);
using Tell = std::string(const Told& told);
using Formulate = Inspection(const Formulas& f);

struct Row {
  Step step;
  Draw* draw;
  Draw* draw_part = nullptr;  // of its details
  Mark* mark = nullptr;       // what it does for the query, while nothing else is looked at
  Tell* tell;
  Formulate* formula;           // while no number is looked at
  std::string_view result;      // the tensor that the CSV holds
  std::string_view editable{};  // the numbers that can be changed
  std::string_view signs{};     // what signs of the formula mean
  bool has_mask = false;        // in the formula
  bool names_features = false;  // of an example that has names for them
  bool given = false;           // by an example that has no embeddings: then it shows Q, K and V
};
const Row& row_at(Place place);
inline constexpr std::string_view kWeight = "A weight";

Draw draw_given, draw_words, draw_x, draw_w, draw_qkv, draw_scores, draw_scale, draw_softmax_part, draw_softmax,
    draw_output, draw_glance;
std::remove_pointer_t<Timing> timing_x, timing_w, timing_qkv, timing_scores, timing_scale, timing_softmax,
    timing_output, timing_glance;
std::string becomes_x(const std::any& state, const std::string& id);
std::string becomes_exp(const std::any& state, const std::string& id);
std::string becomes_glance(const std::any& state, const std::string& id);
Mark mark_x, mark_w, mark_qkv, mark_scores, mark_output;
Tell tell_words, tell_x, tell_w, tell_qkv, tell_scores, tell_scale, tell_softmax, tell_output, tell_glance;
Formulate formula_x, formula_qkv, formula_scores, formula_scale, formula_softmax, formula_output;

}  // namespace limelight::scenes::spotlight
