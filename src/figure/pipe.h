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
