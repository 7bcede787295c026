// What an order means to a layer: each output twice, before its input changes places and after, as two dots on one
// scale. Where they lie on each other the order went unnoticed.
#pragma once

#include <string>
#include <vector>

#include "scenes/layer/parts.h"

namespace limelight::scenes::layer {

// One output; its numbers are of the trace.
struct Pair {
  std::string name{};
  figure::Source last{}, first{};  // layer, then shuffle; shuffle, then layer
};
// The scale that all pairs of a picture share: from one x to another.
struct Span {
  double low = 0, high = 1;
  float from = 0, to = 0;
  float left = 0, right = 0;  // as far as numbers may stand
  float landed = 1;           // how far the dots have come apart
  std::vector<std::pair<double, std::string>> ticks{};
  [[nodiscard]] float at(double value) const;
};
Span span_of(const Drawing& d, const std::vector<Pair>& pairs, float from, float to);
// Its lines from one y to another, its numbers below.
void add_span(Drawing& d, const Span& span, float top, float bottom, const std::string& name = "span.");
void add_pair(Drawing& d, const Span& span, const Pair& pair, float y, float radius);
// What the kinds of dots are, in as few lines as fit. Returns the bottom.
float add_legend_of_pairs(Drawing& d, Point at);

// A row of a picture, by its number.
struct Lane {
  float middle, height;
};
Lane lane_of(Rect area, int i, int count);

// Whether two outputs are the same: "=" to rounding, "≈" where two decimals do not tell, "≠".
std::string sign_of(float apart, const Trace& trace);
// Such a sign on a disc.
void add_verdict(Drawing& d, const std::string& id, Point at, float radius, const std::string& sign);

}  // namespace limelight::scenes::layer
