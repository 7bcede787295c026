// A card beside what it explains, with a pointer to it.
#pragma once

#include <optional>
#include <string>

#include "figure/figure.h"

namespace limelight::figure {

enum class Side { below, above };

inline constexpr float kCardShadow = 16;  // px that a card's shadow goes beyond it
// Where a card of this size stands below or above `at`, moved sideways so that it stays between `left` and `right`.
Rect callout_rect(Point at, Side side, float width, float height, float left, float right);
// Its shadow, its pointer to a point on any of its sides, if there is one, and itself; what it says is added after it.
void add_callout(Figure& figure, const std::string& id, Rect card, std::optional<Point> tip, Theme theme);

}  // namespace limelight::figure
