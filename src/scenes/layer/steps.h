// A row for each step of Layer: all that the step is.
#pragma once

#include <any>
#include <string>
#include <string_view>

#include "scenes/layer/parts.h"

namespace limelight::scenes::layer {

using Draw = float(Drawing& d, float y, float bottom);  // between these two; returns where it ends
// What is done, and what comes of it, which is told when it is seen.
struct Told {
  std::string done, result;
};
inline constexpr float kResultTold = 0.8F;  // of a step
using Tell = Told(const State& state, const Trace& trace);
using Formulate = Inspection(const State& state, const recipes::Recipes& made_of, const Palette& colours);
using Outline = void(Drawing& d);

float timing_outputs(const figure::Element& element, float t);
float timing_tap(const figure::Element& element, float t);
std::string becomes_queries(const std::any& state, const std::string& id);
std::string becomes_keys(const std::any& state, const std::string& id);
std::string becomes_shuffle(const std::any& state, const std::string& id);

struct Row {
  Step step;
  Draw* draw;
  Draw* matrices;  // the same in numbers; null: there is nothing more to show
  Tell* tell;
  Formulate* formula;                                 // while no number is looked at
  std::string_view result;                            // the tensor that the CSV holds
  Outline* outline = nullptr;                         // while no number is looked at
  bool tokens = false;                                // names of rows choose the row that is looked at
  int (*chosen_row)(const State& state) = query_row;  // which that is
};
const Row& row_at(Place place);

Draw draw_machine, draw_shuffle, draw_order, draw_all;
Draw matrices_query, matrices_queries, matrices_keys, matrices_self, matrices_cross, matrices_shuffle, matrices_order;
Tell tell_query, tell_queries, tell_keys, tell_self, tell_cross, tell_shuffle, tell_order, tell_all;
Formulate formula_query, formula_queries, formula_keys, formula_self, formula_cross, formula_shuffle, formula_order,
    formula_all;

// What the narration tells of: the key that wins; the sums, too; the row of the chosen query, or of the chosen input.
Outline outline_query, outline_queries, outline_rows, outline_self;

}  // namespace limelight::scenes::layer
