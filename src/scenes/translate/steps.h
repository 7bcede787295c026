// A row for each step of Translate: all that the step is.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/explain.h"
#include "scenes/common/recipe.h"
#include "scenes/common/rows.h"
#include "scenes/common/words.h"
#include "scenes/translate/stage.h"

namespace limelight::scenes::translate {

// What the narration is told from.
struct Told : Facts<State> {
  int t;              // the output word that is looked at, from 0
  int part;           // of the step; 0: all of it
  bool shows_result;  // whether the figure shows by now what comes out: before that no sentence tells it

  [[nodiscard]] std::string word() const;         // that is written, as the figure has it
  [[nodiscard]] std::string source(int j) const;  // of the source
};
std::string ordinal(int t);  // "output word 3"
// "most at Area (72 %), then at Economic (20 %)"
std::string gaze(const Told& told);
// "Area (72 %) and Economic (20 %)": what has at least a tenth.
std::string lit_words(const Told& told);
// Where what was set by hand changed the words; empty: nothing was set.
std::string change_of(const Told& told);
// How many of the words that were are gone, or not in their order.
int lost_words(const std::vector<std::string>& was, const std::vector<std::string>& now);
std::string tokens_of(const std::vector<std::string>& labels);  // "13 tokens and [STOP]"
std::string numbers(int count);
// The words that belong there: the corpus's, or what is written when nothing is set; empty: they are not known.
std::vector<std::string> expected(const State& state, const Trace& trace);
// As a text, bold where they differ; [STOP] only there.
std::string marked(const std::vector<std::string>& words, const std::vector<bool>& differs);
bool is_set_by_hand(const Told& told);  // one of its weights

// The trained ones that a step shows: with attention, through one fixed vector, or both.
enum class Models { attention, fixed, both };

using Draw = float(Drawing& d, float y);  // from there on; returns where it ends
using Tell = std::string(const Told& told);
using Formulate = std::vector<Formula>(const State& state, const Palette& colours);

struct Row {
  Step step;
  Shows<Draw, Tell> shows;
  std::array<std::string_view, 3> equations{};       // of these tensors
  Formulate* formula = nullptr;                      // and what no recipe says
  std::span<const std::string_view> part_results{};  // those of its parts
  std::string_view remark{};                         // of the code
  Models models = Models::attention;                 // that it shows
  bool drawn_early = false;                          // also while they are missing
  std::string_view meanwhile{};                      // told then, after what is missing
};
const Row& row_at(Place place);
// Whether what the step shows is still to come.
bool waits(const Row& step, const Trace& trace, const View& view);

Draw draw_context, draw_next, draw_alignment, draw_bottleneck, draw_long, draw_encode, draw_scores, draw_weights;
Tell tell_context, tell_next, tell_alignment, tell_bottleneck, tell_long, tell_encode, tell_scores, tell_weights;
Formulate formula_next, formula_bottleneck, formula_encode;

// What its tensors are that are made of operations.
recipes::Recipes recipes(const State& state, const Trace& trace);

}  // namespace limelight::scenes::translate
