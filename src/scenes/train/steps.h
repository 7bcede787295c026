// A row for each step of Train: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/train/parts.h"

namespace limelight::scenes::train {

using Draw = float(Drawing& d, float y, float bottom);  // between these two; returns where it ends
using Tell = std::string(const Told& t);
using Formulate = Inspection(const State& state, const figure::Palette& colours);

struct Row {
  Step step;
  Draw* draw;
  Tell* tell;
  Formulate* formula;         // while no number is looked at
  std::string_view result;    // the tensor that the CSV holds
  std::string_view remark{};  // of the code
};
const Row& row_at(Place place);

Draw draw_task, draw_train, draw_inside, draw_without;
Tell tell_task, tell_train, tell_inside, tell_without;
Formulate formula_task, formula_train, formula_inside, formula_without;

}  // namespace limelight::scenes::train
