// A rectangle cut into several.
#pragma once

#include <span>
#include <vector>

#include "figure/geometry.h"

namespace limelight::figure {

// Below each other, `gap` apart, from the top; as wide as the rect and as high as each height says.
std::vector<Rect> rows(Rect rect, float gap, std::span<const float> heights);

// Between what stands side by side, and what stands below each other.
struct Gap {
  float across = 0, down = 0;
};
// In rows, each from the left; equally large, together as large as the rect.
std::vector<Rect> grid(Rect rect, int columns, int rows, Gap gap);
// Side by side, equally wide, together as wide as the rect. Compact: below each other instead, each as large as it.
std::vector<Rect> beside(Rect rect, int count, Gap gap, bool compact);

}  // namespace limelight::figure
