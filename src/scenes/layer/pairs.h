// What an order means to a layer: each output twice, when the layer comes first and when the shuffle does, as two dots
// on one scale. Where they lie on each other the order went unnoticed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/layer/parts.h"

namespace limelight::scenes::layer {

// One output; all numbers are of the trace.
struct Pair {
  std::string name{};
  figure::Source last{}, first{};       // layer, then shuffle; shuffle, then layer
  std::optional<figure::Source> was{};  // where both dots come from; else from the scale's beginning
};
// The scale that all pairs of a picture share: from one x to another.
struct Span {
  double low = 0, high = 1;
  float from = 0, to = 0;
  float left = 0, right = 0;  // as far as numbers may stand
  float numbers = 0;          // where they begin, in a column of their own; 0: they stand beside the dots
  float landed = 1;           // how far the dots have come
  std::vector<std::pair<double, std::string>> ticks{};
  [[nodiscard]] float at(double value) const;
};
Span span_of(const Drawing& d, const std::vector<Pair>& pairs, float from, float to);
// Its lines from one y to another, its numbers below.
void add_span(Drawing& d, const Span& span, float top, float bottom);
void add_pair(Drawing& d, const Span& span, const Pair& pair, float y, float radius);

// A row of a picture, by its number.
struct Lane {
  float middle, height;
};
Lane lane_of(Rect area, int i, int count);
// A pair for each row of two tensors.
std::vector<Pair> pairs_of(const Drawing& d, std::string_view last, std::string_view first, std::string_view was = {});
// The ground of a row.
void add_band(Drawing& d, const std::string& id, figure::Rect area, Lane lane);
// "=" or "≠" on a disc: whether two orders give the same.
void add_verdict(Drawing& d, const std::string& id, figure::Point at, float radius, bool same);
// The pairs on one scale, a lane for each; below a picture each lane has its name and its numbers at its sides.
void add_lanes(Drawing& d, Rect area, const std::vector<Pair>& pairs, float landed, bool below);
// A dot of the one kind or the other: of what the shuffle comes first in, or last.
void add_mark(Drawing& d, const std::string& id, figure::Point at, bool first);
// What the numbers of the dots are, and what the dots: beside it, or below. Returns the bottom.
float add_key(Drawing& d, Point at, bool below);
// What the kinds of dots are, in as few lines as fit. Returns the bottom.
float add_legend_of_pairs(Drawing& d, figure::Point at, float right);

}  // namespace limelight::scenes::layer
