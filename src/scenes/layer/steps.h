// A row for each step of Layer: all that the step is.
#pragma once

#include <any>
#include <array>
#include <string>
#include <string_view>

#include "scenes/layer/parts.h"

namespace limelight::scenes::layer {

using Draw = float(Drawing& d, float y, float bottom);  // between these two; returns where it ends
// What is done, and what comes of it, which is told when it is seen.
struct Told {
  std::string done, result{};
};
inline constexpr float kResultTold = 0.8F;  // of a step
using Tell = Told(const State& state, const Trace& trace);

using Becomes = std::string(const std::any& state, const std::string& id);
Becomes becomes_queries, becomes_shuffle;

struct Row {
  Step step;
  Draw* draw;
  // The same in numbers, a line each (draw.cpp); on a low stage + goes on in the one before, and ~ is left out.
  std::array<std::string_view, 3> matrices{};
  Tell* tell;
  // While no number is looked at: what is told, and of which tensors; none: that the layer is equivariant.
  std::string_view title{};
  std::array<std::string_view, 4> defined{};
  std::string_view result;                            // the tensor that the CSV holds
  int (*chosen_row)(const State& state) = query_row;  // which that is
};
const Row& row_at(Place place);
// The lamp goes from query to query, the first one last: between which it is, and how far that turn has come.
struct Turn {
  int turns, number, from, to;
  float now;
};
Turn turn_at(int first, int count, float t);
// Of the step Many the query that the lamp is on: one after the other asks.
int asking_at(const State& state, const View& view);
// Of the first five steps, in which a row is looked at: names of rows choose it.
bool is_machine(Place place);

std::string held(const Tensor& tensor, int row);
Draw draw_machine, draw_shuffle, draw_order, draw_all;
Tell tell_query, tell_queries, tell_keys, tell_self, tell_cross, tell_shuffle, tell_order, tell_all;

}  // namespace limelight::scenes::layer
