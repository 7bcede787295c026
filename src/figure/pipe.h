// Pipes from a sequence to what is made of it: a tap on the sequence, and the matrix that it all goes through.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"

namespace limelight::figure {

struct Pipe {
  std::vector<Point> corners{};  // from the tap on
  Colour colour{};
  float width = 9;   // CSS pixels
  bool dry = false;  // nothing goes through it: a dashed line where it was
};
// Always as many points, unless it is dry, so that a pipe bends from one way into another.
void add_pipe(Figure& figure, const std::string& id, const Pipe& pipe, Theme theme);

// The way with round corners.
std::vector<Point> bent(const std::vector<Point>& corners);

// Where something is that has gone this share of the way, from 0 to 1.
Point point_along(const std::vector<Point>& corners, float share);

// A drop that has gone this share of the way, and its tail of smaller ones, each in the colour of where it is.
template <class ColourAt>
void add_drop(Figure& figure, const std::string& id, const std::vector<Point>& way, float share, float radius,
              const ColourAt& colour_at, Colour rim) {
  constexpr int kTail = 3;
  constexpr float kApart = 0.05F;  // of the way
  // The last of its tail first, so that the drop lies over that.
  for (int tail = kTail; tail >= 0; --tail) {
    const float behind = share - kApart * static_cast<float>(tail), r = radius * (1 - 0.22F * static_cast<float>(tail));
    if (behind <= 0) continue;
    const Point at = point_along(way, behind);
    figure.add({.id = id + (tail > 0 ? ".tail." + std::to_string(tail) : ""),
                .rect = {at.x - r, at.y - r, 2 * r, 2 * r},
                .shape = Rectangle{.fill = colour_at(at), .stroke = rim, .stroke_width = 1.6F, .radius = r}});
  }
}

// scale: 1 where it is 30 across.
void add_tap(Figure& figure, const std::string& id, Point at, Colour colour, float scale, Theme theme);

// "W" with its index in a disc, which stands for the matrix: pointing at it looks at its first number.
struct Glass {
  Point centre{};
  float radius = 17;
  std::string_view index{};  // "Q"
  Colour ring{}, ink{};
  std::string label{};
  std::string_view tensor{};
};
void add_glass(Figure& figure, const std::string& id, const Glass& glass, Theme theme);

}  // namespace limelight::figure
