// The curve of e to the power of x, and on it a point for each number.
#pragma once

#include <span>
#include <string>

#include "figure/figure.h"

namespace limelight::figure {

struct PowerCurve {
  Rect box{};                        // from the least number, or −1, to 0, and from 0 to 1
  std::span<const float> numbers{};  // 0 or less; −∞ has no point
  float come = 1;                    // how far the points have come from below up to the curve
  float letters = 1;                 // their scale
  Theme theme = Theme::light;
};
void add_power_curve(Figure& figure, const std::string& id, const PowerCurve& curve);

}  // namespace limelight::figure
