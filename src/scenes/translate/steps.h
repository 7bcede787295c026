// A row for each step of Translate: all that the step is.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenes/translate/parts.h"
#include "scenes/translate/words.h"

namespace limelight::scenes::translate {

// The trained ones that a step shows: with attention, through one fixed vector, or both.
enum class Models { attention, fixed, both };

using Draw = float(Drawing& d, float y);  // from there on; returns where it ends
using Tell = std::string(const Told& told);
using Formulate = Inspection(const State& state, const Palette& colours);

struct Row {
  Step step;
  Draw* draw;
  Tell* tell;
  Formulate* formula;                                // while no number is looked at
  std::string_view result;                           // the tensor that the CSV holds
  std::span<const std::string_view> part_results{};  // those of its parts
  std::string_view remark{};                         // of the code
  Models models = Models::attention;                 // that it shows
  bool drawn_early = false;                          // also while they are missing
  std::string_view meanwhile{};                      // told then, after what is missing
  bool of_word = false;                              // about one output word, chosen above it
};
const Row& row_at(Place place);
// Whether what the step shows is still to come.
bool waits(const Row& step, const Trace& trace, const View& view);

Draw draw_bottleneck, draw_encode, draw_scores, draw_weights, draw_context, draw_next, draw_alignment, draw_long;
Tell tell_bottleneck, tell_encode, tell_scores, tell_weights, tell_context, tell_next, tell_alignment, tell_long;
Formulate formula_bottleneck, formula_encode, formula_scores, formula_weights, formula_context, formula_next;

}  // namespace limelight::scenes::translate
