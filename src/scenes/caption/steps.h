// A row for each step of Caption: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/caption/parts.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::caption {

// What the narration reads.
struct Told : Facts<State> {
  int t;
  [[nodiscard]] std::string word() const { return bold(quoted(label_of(words_in(trace, "chosen"), t))); }
  [[nodiscard]] std::string place(int cell) const { return place_of(cell, state.side()); }
  [[nodiscard]] int cells() const { return state.side() * state.side(); }
  [[nodiscard]] bool hard() const { return state.attention == Gaze::hard; }
};

using Draw = float(Drawing& d, float y);  // from this top; returns where it ends
using Tell = std::string(const Told& told);
using Formulate = Inspection(const State& state, const Palette& colours);

struct Row {
  Step step;
  Draw* draw;
  Tell* tell;
  Formulate* formula;           // while no number is looked at
  std::string_view result;      // the tensor that the CSV holds, once there is one
  std::string_view computes{};  // the tensor that the code ends with, where that is another one
  std::string_view remark{};    // of the code
  bool of_one_word = false;     // whether it shows how one word is found
  bool without_model = false;   // whether there is something to see before the trained models have come
};
const Row& row_at(Place place);

Draw draw_picture, draw_grid, draw_scores, draw_weights, draw_context, draw_word, draw_words, draw_compare, draw_draws,
    draw_force;
Tell tell_picture, tell_grid, tell_scores, tell_weights, tell_context, tell_word, tell_words, tell_compare, tell_draws,
    tell_force;
Formulate formula_picture, formula_grid, formula_scores, formula_weights, formula_context, formula_word, formula_draws,
    formula_force;

}  // namespace limelight::scenes::caption
