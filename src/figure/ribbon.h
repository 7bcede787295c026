// Bands whose colour changes along them: where something flows from one place to another.
#pragma once

#include <span>

#include "figure/figure.h"

namespace limelight::figure {

// The colour at a share of the way; before the first stop and after the last one theirs.
Colour colour_at(std::span<const Ribbon::Stop> stops, float share);

// The way along which a ribbon's colour changes: from the middle of its first two points to that of its last two;
// straight down or across between two level or two upright edges, so that the colour is the same on both sides.
struct Course {
  Point from{}, to{};
  [[nodiscard]] float share(Point p) const;  // 0 at `from` and before it, 1 at `to` and beyond
};
Course course_of(const Ribbon& ribbon);

// Whether a pointer there means it: on it, or within its slip.
bool is_on(const Ribbon& ribbon, Point point);

// From one edge to another; its sides are cubics whose handles reach half the way.
struct Edge {
  Point one{}, other{};
};
// The `index`-th of `count` equal parts of an upright edge, without `pad` at its ends.
Edge part_of(float x, float top, float bottom, float index, float count, float pad = 0);
enum class Flow { level, upright };  // from left to right, or from top to bottom
Ribbon flowing(const Edge& from, const Edge& to, Flow flow, std::vector<Ribbon::Stop> stops);
// From the lower edge of one rect down to the upper edge of another.
Element falling(std::string id, const Rect& from, const Rect& to, std::vector<Ribbon::Stop> stops);

// Of a ribbon what has run so far, this share of it, with a soft head.
void run(Ribbon& ribbon, float share);

// A curve as wide as it says, in colours that change from its beginning to its end; its own colour is not seen.
Ribbon along(const Curve& curve, std::vector<Ribbon::Stop> stops);

}  // namespace limelight::figure
