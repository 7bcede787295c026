// A row for each step of Cost: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/cost/parts.h"

namespace limelight::scenes::cost {

struct Row {
  Step step;
  float (*draw)(Drawing& d, float y, float bottom);  // between these two; returns where it ends
  std::string (*tell)(const Told& t);
  Inspection (*formula)(const figure::Palette& colours);  // while no number is looked at
  std::string_view result;                                // the tensor that the CSV holds
  std::string_view computes = result;                     // the one that the code ends with
  std::string_view remark{};                              // of the code
};
const Row& row_at(Place place);

float draw_count(Drawing& d, float y, float bottom);
float draw_time(Drawing& d, float y, float bottom);
float draw_memory(Drawing& d, float y, float bottom);
float draw_others(Drawing& d, float y, float bottom);
float draw_simd(Drawing& d, float y, float bottom);
float draw_glance(Drawing& d, float y, float bottom);

std::string tell_count(const Told& t);
std::string tell_time(const Told& t);
std::string tell_memory(const Told& t);
std::string tell_others(const Told& t);
std::string tell_simd(const Told& t);
std::string tell_glance(const Told& t);

Inspection formula_count(const figure::Palette& colours);
Inspection formula_time(const figure::Palette& colours);
Inspection formula_memory(const figure::Palette& colours);
Inspection formula_others(const figure::Palette& colours);
Inspection formula_simd(const figure::Palette& colours);
Inspection formula_glance(const figure::Palette& colours);

}  // namespace limelight::scenes::cost
