// A row for each step of Train: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/train/parts.h"

namespace limelight::scenes::train {

struct Row {
  Step step;
  float (*draw)(Drawing& d, float y, float bottom);  // between these two; returns where it ends
  std::string (*tell)(const Told& t);
  Inspection (*formula)(const State& state, const figure::Palette& colours);  // while no number is looked at
  std::string_view result;                                                    // the tensor that the CSV holds
  std::string_view remark{};                                                  // of the code
};
const Row& row_at(Place place);

float draw_task(Drawing& d, float y, float bottom);
float draw_train(Drawing& d, float y, float bottom);
float draw_inside(Drawing& d, float y, float bottom);
float draw_without(Drawing& d, float y, float bottom);

std::string tell_task(const Told& t);
std::string tell_train(const Told& t);
std::string tell_inside(const Told& t);
std::string tell_without(const Told& t);

Inspection formula_task(const State& state, const figure::Palette& colours);
Inspection formula_train(const State& state, const figure::Palette& colours);
Inspection formula_inside(const State& state, const figure::Palette& colours);
Inspection formula_without(const State& state, const figure::Palette& colours);

}  // namespace limelight::scenes::train
