// The parts of Layer's figure that are no matrices: what is chosen in it, and what an order changes.
#pragma once

#include <string>
#include <string_view>

#include "figure/figure.h"
#include "scenes/common/text.h"
#include "scenes/layer/layer.h"

namespace limelight::scenes::layer {

using namespace figure;

struct Drawing : Frame {
  const State& state;

  [[nodiscard]] bool video() const { return state.preset == Preset::video; }
};

// What is chosen in a step: the similarity, an order, its words to be dragged, an encoding and an order. Each returns
// its bottom.
float add_similarities(Drawing& d, Point at);
float add_orders(Drawing& d, float y);
float add_encodings(Drawing& d, float y);

// A largest difference as it is written: "0" only where it is exactly that, "≈ 0" where it is rounding.
std::string error_text(double error, double most_rounding);
// A number for each claim: two of a shuffle, one of an order with positions. Each returns its bottom.
float errors_height(const Drawing& d);
float add_checks(Drawing& d, float y);
float add_position_check(Drawing& d, float y);

// The five layers, a button each. Returns the bottom.
float add_forms(Drawing& d, Rect area);

}  // namespace limelight::scenes::layer
