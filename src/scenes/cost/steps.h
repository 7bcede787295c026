// A row for each step of Cost: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/cost/parts.h"

namespace limelight::scenes::cost {

using Draw = float(Drawing& d, float y, float bottom);  // between these two; returns where it ends
using Tell = std::string(const Told& t);
using Formulate = Inspection(const figure::Palette& colours);

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

Draw draw_count, draw_time, draw_memory, draw_others, draw_simd, draw_glance;
Tell tell_count, tell_time, tell_memory, tell_others, tell_simd, tell_glance;
Formulate formula_count, formula_time, formula_memory, formula_others, formula_simd, formula_glance;

}  // namespace limelight::scenes::cost
