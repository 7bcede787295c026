// A row for each step of Limits: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/limits/inspect.h"
#include "scenes/limits/parts.h"

namespace limelight::scenes::limits {

// What the narration reads.
struct Told : Facts<State> {
  [[nodiscard]] std::string key(int j) const { return said_key(state, j); }
  [[nodiscard]] int keys() const { return trace.at("a").columns(); }
};

using Draw = float(Drawing& d, float y, float bottom);  // between these two; returns where it ends
using Tell = std::string(const Told& t);
using Formulate = Inspection(const Asked& a);

struct Row {
  Step step;
  Draw* draw;
  Tell* tell;
  Formulate* formula;       // while no number is looked at
  std::string_view result;  // the tensor that the CSV holds; empty: the one of the claim
};
const Row& row_at(Place place);

Draw draw_spread, draw_sum, draw_weights, draw_values, draw_axis, draw_claims;
Tell tell_spread, tell_sum, tell_weights, tell_values, tell_axis, tell_claims;
Formulate formula_spread, formula_sum, formula_weights, formula_values, formula_axis, formula_claims;

}  // namespace limelight::scenes::limits
