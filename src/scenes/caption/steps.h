// A row for each step of Caption: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/caption/parts.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::caption {

// What the narration reads.
struct Told {
  const State& state;
  const Trace& trace;
  int t;
  [[nodiscard]] double of(std::string_view tensor, int row, int column) const {
    return static_cast<double>(trace.at(tensor).values(row, column));
  }
  [[nodiscard]] std::string word() const { return bold(quoted(label_of(words_in(trace, "chosen"), t))); }
  [[nodiscard]] std::string place(int cell) const { return place_of(cell, state.side()); }
  [[nodiscard]] int cells() const { return state.side() * state.side(); }
  [[nodiscard]] bool hard() const { return state.attention == Gaze::hard; }
};

struct Row {
  Step step;
  float (*draw)(Drawing& d, float y);  // from this top; returns where it ends
  std::string (*tell)(const Told& told);
  Inspection (*formula)(const State& state, const Palette& colours);  // while no number is looked at
  std::string_view result;      // the tensor that the CSV holds, once there is one
  std::string_view computes{};  // the tensor that the code ends with, where that is another one
  std::string_view remark{};    // of the code
  bool of_one_word = false;     // whether it shows how one word is found
  bool without_model = false;   // whether there is something to see before the trained models have come
};
const Row& row_at(Place place);

float draw_picture(Drawing& d, float y);
float draw_grid(Drawing& d, float y);
float draw_scores(Drawing& d, float y);
float draw_weights(Drawing& d, float y);
float draw_context(Drawing& d, float y);
float draw_word(Drawing& d, float y);
float draw_words(Drawing& d, float y);
float draw_compare(Drawing& d, float y);
float draw_draws(Drawing& d, float y);
float draw_force(Drawing& d, float y);

std::string tell_picture(const Told& told);
std::string tell_grid(const Told& told);
std::string tell_scores(const Told& told);
std::string tell_weights(const Told& told);
std::string tell_context(const Told& told);
std::string tell_word(const Told& told);
std::string tell_words(const Told& told);
std::string tell_compare(const Told& told);
std::string tell_draws(const Told& told);
std::string tell_force(const Told& told);

Inspection formula_picture(const State& state, const Palette& colours);
Inspection formula_grid(const State& state, const Palette& colours);
Inspection formula_scores(const State& state, const Palette& colours);
Inspection formula_weights(const State& state, const Palette& colours);
Inspection formula_context(const State& state, const Palette& colours);
Inspection formula_word(const State& state, const Palette& colours);
Inspection formula_draws(const State& state, const Palette& colours);
Inspection formula_force(const State& state, const Palette& colours);

}  // namespace limelight::scenes::caption
