// A row for each step of Layer: all that the step is.
#pragma once

#include <string>
#include <string_view>

#include "scenes/layer/parts.h"

namespace limelight::scenes::layer {

struct Row {
  Step step;
  float (*draw)(Drawing& d, float y, float bottom);  // between these two; returns where it ends
  std::string (*tell)(const State& state, const Trace& trace);
  Inspection (*formula)(const State& state, const Palette& colours);  // while no number is looked at
  std::string_view result;                                            // the tensor that the CSV holds
  void (*outline)(Drawing& d) = nullptr;                              // while no number is looked at
  bool tokens = false;                                                // names of rows choose the row that is looked at
  int (*chosen_row)(const State& state) = query_row;                  // which that is
};
const Row& row_at(Place place);

float draw_query(Drawing& d, float y, float bottom);
float draw_queries(Drawing& d, float y, float bottom);
float draw_keys(Drawing& d, float y, float bottom);
float draw_self(Drawing& d, float y, float bottom);
float draw_cross(Drawing& d, float y, float bottom);
float draw_shuffle(Drawing& d, float y, float bottom);
float draw_order(Drawing& d, float y, float bottom);
float draw_all(Drawing& d, float y, float bottom);

std::string tell_query(const State& state, const Trace& trace);
std::string tell_queries(const State& state, const Trace& trace);
std::string tell_keys(const State& state, const Trace& trace);
std::string tell_self(const State& state, const Trace& trace);
std::string tell_cross(const State& state, const Trace& trace);
std::string tell_shuffle(const State& state, const Trace& trace);
std::string tell_order(const State& state, const Trace& trace);
std::string tell_all(const State& state, const Trace& trace);

Inspection formula_query(const State& state, const Palette& colours);
Inspection formula_queries(const State& state, const Palette& colours);
Inspection formula_keys(const State& state, const Palette& colours);
Inspection formula_self(const State& state, const Palette& colours);
Inspection formula_cross(const State& state, const Palette& colours);
Inspection formula_shuffle(const State& state, const Palette& colours);
Inspection formula_order(const State& state, const Palette& colours);
Inspection formula_all(const State& state, const Palette& colours);

// What the narration tells of: the key that wins; the sums, too; the row of the chosen query, or of the chosen input.
void outline_query(Drawing& d);
void outline_queries(Drawing& d);
void outline_rows(Drawing& d);
void outline_self(Drawing& d);

}  // namespace limelight::scenes::layer
