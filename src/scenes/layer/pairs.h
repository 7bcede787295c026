// What an order means to a layer: each output twice, when the layer comes first and when the shuffle does, as two dots
// on one scale. Where they lie on each other the order went unnoticed.
#pragma once

#include <string>
#include <vector>

#include "scenes/layer/parts.h"

namespace limelight::scenes::layer {

// One output; both numbers are of the trace.
struct Pair {
  std::string name{};
  figure::Source last{}, first{};  // layer, then shuffle; shuffle, then layer
  float seen = 1;                  // how opaque it is
};
// The scale that all pairs of a picture share: from one x to another.
struct Span {
  double low = 0, high = 1;
  float from = 0, to = 0;
  float right = 0;  // as far as numbers may stand
  float apart = 1;  // how far the second dot has gone from the first one, of its way
  std::vector<std::pair<double, std::string>> ticks{};
  [[nodiscard]] float at(double value) const;
};
Span span_of(const Drawing& d, const std::vector<Pair>& pairs, float from, float to);
// Its lines from one y to another, its numbers below.
void add_span(Drawing& d, const Span& span, float top, float bottom);
void add_pair(Drawing& d, const Span& span, const Pair& pair, float y, float radius);
// What the kinds of dots are, in as few lines as fit. Returns the bottom.
float add_legend_of_pairs(Drawing& d, figure::Point at, float right);

}  // namespace limelight::scenes::layer
