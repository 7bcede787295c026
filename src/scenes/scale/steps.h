// A row for each step of Scale: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/scale/parts.h"
#include "scenes/scale/words.h"

namespace limelight::scenes::scale {

struct Row {
  Step step;
  float (*draw)(Drawing& d, float y, float bottom);  // between these two; returns where it ends
  std::string (*tell)(const Told& t);
  Inspection (*formula)(const State& state, const figure::Palette& colours);  // while no number is looked at
  std::string_view result;                                                    // the tensor that the CSV holds
  std::string_view computes = result;                                         // the one that the code ends with
  std::string_view remark{};                                                  // of the code
};
const Row& row_at(Place place);

float draw_product(Drawing& d, float y, float bottom);
float draw_spread(Drawing& d, float y, float bottom);
float draw_softmax(Drawing& d, float y, float bottom);
float draw_gradient(Drawing& d, float y, float bottom);
float draw_class(Drawing& d, float y, float bottom);
float draw_glance(Drawing& d, float y, float bottom);

std::string tell_product(const Told& t);
std::string tell_spread(const Told& t);
std::string tell_softmax(const Told& t);
std::string tell_gradient(const Told& t);
std::string tell_class(const Told& t);
std::string tell_glance(const Told& t);

Inspection formula_product(const State& state, const figure::Palette& colours);
Inspection formula_spread(const State& state, const figure::Palette& colours);
Inspection formula_softmax(const State& state, const figure::Palette& colours);
Inspection formula_gradient(const State& state, const figure::Palette& colours);
Inspection formula_class(const State& state, const figure::Palette& colours);
Inspection formula_glance(const State& state, const figure::Palette& colours);

}  // namespace limelight::scenes::scale
