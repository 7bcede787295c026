// A row for each step of Heads: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {

struct Row {
  Step step;
  float (*draw)(Drawing& d, float y, float bottom);  // between these two; returns where it ends
  std::string (*tell)(const State& state, const Trace& trace);
  // While no number is looked at: the formula, and the rows of the chosen query.
  Inspection (*formula)(const State& state, const Trace& trace, const Palette& colours);
  void (*outline)(Drawing& d);  // null: none of them
  std::string_view result;      // the tensor that the CSV holds; "A": that of the head that is looked at
};
const Row& row_at(Place place);

float draw_one(Drawing& d, float y, float bottom);
float draw_split(Drawing& d, float y, float bottom);
float draw_weights(Drawing& d, float y, float bottom);
float draw_outputs(Drawing& d, float y, float bottom);
float draw_join(Drawing& d, float y, float bottom);
float draw_mask(Drawing& d, float y, float bottom);
float draw_without(Drawing& d, float y, float bottom);

std::string tell_one(const State& state, const Trace& trace);
std::string tell_split(const State& state, const Trace& trace);
std::string tell_weights(const State& state, const Trace& trace);
std::string tell_outputs(const State& state, const Trace& trace);
std::string tell_join(const State& state, const Trace& trace);
std::string tell_mask(const State& state, const Trace& trace);
std::string tell_without(const State& state, const Trace& trace);

Inspection formula_one(const State& state, const Trace& trace, const Palette& colours);
Inspection formula_split(const State& state, const Trace& trace, const Palette& colours);
Inspection formula_weights(const State& state, const Trace& trace, const Palette& colours);
Inspection formula_outputs(const State& state, const Trace& trace, const Palette& colours);
Inspection formula_join(const State& state, const Trace& trace, const Palette& colours);
Inspection formula_without(const State& state, const Trace& trace, const Palette& colours);

void outline_one(Drawing& d);
void outline_split(Drawing& d);
void outline_weights(Drawing& d);
void outline_outputs(Drawing& d);
void outline_join(Drawing& d);

}  // namespace limelight::scenes::heads
