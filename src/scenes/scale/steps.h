// A row for each step of Scale: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/scale/parts.h"
#include "scenes/scale/words.h"

namespace limelight::scenes::scale {

using Draw = float(Drawing& d, float y, float bottom);  // between these two; returns where it ends
using Tell = std::string(const Told& t);
using Formulate = Inspection(const State& state, const figure::Palette& colours);

struct Row {
  Step step;
  Draw* draw;
  Tell* tell;
  Formulate* formula;                  // while no number is looked at
  std::string_view result;             // the tensor that the CSV holds
  std::string_view computes = result;  // the one that the code ends with
  std::string_view remark{};           // of the code
};
const Row& row_at(Place place);

Draw draw_product, draw_spread, draw_softmax, draw_gradient, draw_class, draw_glance;
Tell tell_product, tell_spread, tell_softmax, tell_gradient, tell_class, tell_glance;
Formulate formula_product, formula_spread, formula_softmax, formula_gradient, formula_class, formula_glance;

}  // namespace limelight::scenes::scale
