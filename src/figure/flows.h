// Attention as light that flows: from each of what looks to what it looks at, as wide and as bright as its weights.
#pragma once

#include <vector>

#include "figure/figure.h"

namespace limelight::figure {

// Where what looks or is looked at stands, as light begins or ends there.
struct Feet {
  std::vector<Point> at;  // one for each row of the weights, or for each column
  int first = 0;          // the row or column of the first
};
struct Flows {
  float share = 0.9F;   // of each row its largest weights that together reach it
  int query = -1;       // whose light is bright; the others' is faint
  bool alone = false;   // and is not there at all
  float scale = 1;      // of widths
  float faint = 0.15F;  // of the others
  int most = 400;       // beams
};
// Light from each row above to the columns below that it looks at. Level: from left to right.
Light flows_of(const Tensor& weights, const Feet& from, const Feet& to, const Flows& how, Theme theme,
               bool level = false);

}  // namespace limelight::figure
