// A row for each step of Score: all that the step is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/explain.h"
#include "scenes/score/parts.h"

namespace limelight::scenes::score {

// What the narration is told from.
struct Told : Facts<State> {
  std::vector<std::string> keys;
  std::string query;

  [[nodiscard]] std::string key(int j) const { return bold(keys[static_cast<std::size_t>(j)]); }
  [[nodiscard]] int winner_of(std::string_view tensor, int row) const { return winner(trace.at(tensor).values, row); }
};

using Draw = float(Drawing& d);  // returns where it ends
using Tell = std::string(const Told& t);
using Formulate = Inspection(const Palette& colours);

struct Row {
  Step step;
  Draw* draw;
  Tell* tell;
  Formulate* formula;       // while no number is looked at
  std::string_view result;  // the tensor that the CSV holds
};
const Row& row_at(Place place);

Draw draw_arrows, draw_scores, draw_weights, draw_triangle, draw_module, draw_sums, draw_context, draw_glance;
Tell tell_arrows, tell_scores, tell_weights, tell_triangle, tell_module, tell_sums, tell_context, tell_glance;
Formulate formula_arrows, formula_scores, formula_weights, formula_module, formula_sums, formula_context;

}  // namespace limelight::scenes::score
