// A row for each step of Patches: all that the step is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/explain.h"
#include "scenes/patches/parts.h"

namespace limelight::scenes::patches {

// What the narration reads.
struct Told : Facts<State> {
  [[nodiscard]] int grid() const { return state.patches(); }
  [[nodiscard]] int query() const { return query_of(state); }
  [[nodiscard]] const Matrix& of(const char* tensor) const { return trace.at(tensor).values; }
  [[nodiscard]] std::string place(int patch) const;
  // The columns of a row of [P, P], the largest first, of equal ones the first.
  [[nodiscard]] std::vector<int> ordered(const char* tensor) const;
};

using Draw = float(Drawing& d, float y, float bottom);  // between these two; returns where it ends
using Tell = std::string(const Told& t);
using Formulate = Inspection(const State& state, const figure::Palette& colours);

// While there is a picture; without one all steps ask for it.
struct Row {
  Step step;
  Draw* draw;
  Tell* tell;
  Formulate* formula;       // while no number is looked at
  std::string_view result;  // the tensor that the CSV holds
  bool weighs = true;       // whether its numbers are made of weights, so that how a patch looks changes them
};
const Row& row_at(Place place);

Draw draw_cut, draw_features, draw_scores, draw_weights, draw_looks, draw_output, draw_own;
Tell tell_cut, tell_features, tell_scores, tell_weights, tell_looks, tell_output, tell_own;
Formulate formula_cut, formula_features, formula_scores, formula_weights, formula_output;

}  // namespace limelight::scenes::patches
