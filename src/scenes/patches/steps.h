// A row for each step of Patches: all that the step is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/patches/parts.h"

namespace limelight::scenes::patches {

// What the narration reads.
struct Told {
  const State& state;
  const Trace& trace;

  [[nodiscard]] int grid() const { return state.patches(); }
  [[nodiscard]] int query() const { return query_of(state); }
  [[nodiscard]] const Matrix& of(const char* tensor) const { return trace.at(tensor).values; }
  [[nodiscard]] double at(const char* tensor, int row, int column) const {
    return static_cast<double>(of(tensor)(row, column));
  }
  [[nodiscard]] std::string place(int patch) const;
  // The columns of a row of [P, P], the largest first, of equal ones the first.
  [[nodiscard]] std::vector<int> ordered(const char* tensor) const;
};

// While there is a picture; without one all steps ask for it.
struct Row {
  Step step;
  float (*draw)(Drawing& d, float y, float bottom);  // between these two; returns where it ends
  std::string (*tell)(const Told& t);
  Inspection (*formula)(const State& state, const figure::Palette& colours);  // while no number is looked at
  std::string_view result;                                                    // the tensor that the CSV holds
  bool weighs = true;  // whether its numbers are made of weights, so that how a patch looks changes them
};
const Row& row_at(Place place);

float draw_cut(Drawing& d, float y, float bottom);
float draw_features(Drawing& d, float y, float bottom);
float draw_scores(Drawing& d, float y, float bottom);
float draw_weights(Drawing& d, float y, float bottom);
float draw_looks(Drawing& d, float y, float bottom);
float draw_output(Drawing& d, float y, float bottom);
float draw_own(Drawing& d, float y, float bottom);

std::string tell_cut(const Told& t);
std::string tell_features(const Told& t);
std::string tell_scores(const Told& t);
std::string tell_weights(const Told& t);
std::string tell_looks(const Told& t);
std::string tell_output(const Told& t);
std::string tell_own(const Told& t);

Inspection formula_cut(const State& state, const figure::Palette& colours);
Inspection formula_features(const State& state, const figure::Palette& colours);
Inspection formula_scores(const State& state, const figure::Palette& colours);
Inspection formula_weights(const State& state, const figure::Palette& colours);
Inspection formula_output(const State& state, const figure::Palette& colours);

}  // namespace limelight::scenes::patches
