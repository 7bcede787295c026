// A row for each step of Heads: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {

using Draw = float(Drawing& d, float y, float bottom);  // between these two; returns where it ends
using Tell = std::string(const State& state, const Trace& trace);
using Formulate = Inspection(const State& state, const Trace& trace, const Palette& colours);
using Outline = void(Drawing& d);

struct Row {
  Step step;
  Draw* draw;
  Tell* tell;
  Formulate* formula;       // while no number is looked at: the formula, and the rows of the chosen query
  Outline* outline;         // null: none of them
  std::string_view result;  // the tensor that the CSV holds; "A": that of the head that is looked at
};
const Row& row_at(Place place);

Draw draw_one, draw_split, draw_weights, draw_outputs, draw_join, draw_mask, draw_without;
Tell tell_one, tell_split, tell_weights, tell_outputs, tell_join, tell_mask, tell_without;
Formulate formula_one, formula_split, formula_weights, formula_outputs, formula_join, formula_without;
Outline outline_one, outline_split, outline_weights, outline_outputs, outline_join;

}  // namespace limelight::scenes::heads
