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

struct Row {
  Step step;
  float (*draw)(Drawing& d, float y);  // from there on; returns where it ends
  std::string (*tell)(const Told& told);
  Inspection (*formula)(const State& state, const Palette& colours);  // while no number is looked at
  std::string_view result;                                            // the tensor that the CSV holds
  std::span<const std::string_view> part_results{};                   // those of its parts
  std::string_view remark{};                                          // of the code
  Models models = Models::attention;                                  // that it shows
  bool drawn_early = false;                                           // also while they are missing
  std::string_view meanwhile{};                                       // told then, after what is missing
  bool of_word = false;                                               // about one output word, chosen above it
};
const Row& row_at(Place place);
// Whether what the step shows is still to come.
bool waits(const Row& step, const Trace& trace, const View& view);

float draw_bottleneck(Drawing& d, float y);
float draw_encode(Drawing& d, float y);
float draw_scores(Drawing& d, float y);
float draw_weights(Drawing& d, float y);
float draw_context(Drawing& d, float y);
float draw_next(Drawing& d, float y);
float draw_alignment(Drawing& d, float y);
float draw_long(Drawing& d, float y);

std::string tell_bottleneck(const Told& told);
std::string tell_encode(const Told& told);
std::string tell_scores(const Told& told);
std::string tell_weights(const Told& told);
std::string tell_context(const Told& told);
std::string tell_next(const Told& told);
std::string tell_alignment(const Told& told);
std::string tell_long(const Told& told);

Inspection formula_bottleneck(const State& state, const Palette& colours);
Inspection formula_encode(const State& state, const Palette& colours);
Inspection formula_scores(const State& state, const Palette& colours);
Inspection formula_weights(const State& state, const Palette& colours);
Inspection formula_context(const State& state, const Palette& colours);
Inspection formula_next(const State& state, const Palette& colours);

}  // namespace limelight::scenes::translate
