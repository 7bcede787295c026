// Pipes from a sequence to what is made of it: a tap on the sequence, and the matrix that it all goes through.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"

namespace limelight::scenes::layer {

struct Pipe {
  std::vector<figure::Point> corners{};  // from the tap on
  figure::Colour colour{};
  float width = 9;   // CSS pixels
  bool dry = false;  // nothing goes through it: a dashed line where it was
};
// Always as many points, unless it is dry, so that a pipe bends from one way into another.
void add_pipe(figure::Figure& figure, const std::string& id, const Pipe& pipe, figure::Theme theme);

// The way with round corners.
std::vector<figure::Point> bent(const std::vector<figure::Point>& corners);

// Where something is that has gone this share of the way, from 0 to 1.
figure::Point point_along(const std::vector<figure::Point>& corners, float share);

// scale: 1 where it is 30 across.
void add_tap(figure::Figure& figure, const std::string& id, figure::Point at, figure::Colour colour, float scale,
             figure::Theme theme);

// "W" with its index in a disc, which stands for the matrix: pointing at it looks at its first number.
struct Glass {
  figure::Point centre{};
  float radius = 17;
  std::string_view index{};  // "Q"
  figure::Colour ring{}, ink{};
  std::string label{};
  std::string_view tensor{};
};
void add_glass(figure::Figure& figure, const std::string& id, const Glass& glass, figure::Theme theme);

}  // namespace limelight::scenes::layer
