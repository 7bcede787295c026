// A row for each step of Heads: all that the step is.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {

using Draw = float(Drawing& d, float y, float bottom);  // between these two; returns where it ends
using Tell = std::string(const State& state, const Trace& trace);

struct Row {
  Step step;
  Draw* draw;
  Tell* tell;
  std::string_view result;   // the tensor that the CSV holds; "A": that of the head that is looked at
  std::string_view title;    // of its formulas, which are there while no number is looked at
  bool has_weights = false;  // where the weights come from is the first of them
  bool words_ask = false;    // while they are pointed at
  std::array<std::string_view, 3> equations{};  // tensors
};
const Row& row_at(Place place);

Draw draw_weights, draw_outputs, draw_join, draw_without, draw_mask, draw_split, draw_one;
Tell tell_weights, tell_outputs, tell_join, tell_without, tell_mask, tell_split, tell_one;

}  // namespace limelight::scenes::heads
