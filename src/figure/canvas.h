// Pixels and how shapes cover them: what the raster painter draws on. All lengths are pixels; pixel x covers
// [x, x + 1).
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "figure/paint.h"
#include "figure/ribbon.h"

namespace limelight::figure {

struct Box {
  float x0 = 0;
  float y0 = 0;
  float x1 = 0;
  float y1 = 0;

  [[nodiscard]] Box inset(float d) const { return {x0 + d, y0 + d, x1 - d, y1 - d}; }
  [[nodiscard]] bool empty() const { return !(x0 < x1 && y0 < y1); }
};

// A colour, or one that changes along a way.
struct Ink {
  std::vector<Ribbon::Stop> stops{};  // one is a colour
  Course course{};
};
inline Ink plain_ink(Colour c) { return {.stops = {{.at = 0, .colour = c}}}; }

struct Canvas {
  Image image;
  // Coverage of the shape in hand, [height, width + 2], zero between shapes; which columns of each row it touches, and
  // which rows. What a shape costs is then its own size, not the image's.
  struct Columns {
    int first = 0;
    int end = 0;
  };
  std::vector<float> coverage;
  std::vector<Columns> touched;
  int first_row = 0;
  int end_row = 0;
};
// From the background at its top to the one at its bottom.
Canvas make_canvas(int width, int height, Colour background, Colour background_to);

// How much of [i, i + 1) lies in [from, to).
inline float overlap(int i, float from, float to) {
  const auto start = static_cast<float>(i);
  return std::max(std::min(start + 1, to) - std::max(start, from), 0.0F);
}

// How much of a pixel lies beyond a straight edge that is `d` from its centre: all of it when d is below −reach, half
// at 0. The pixel is as wide across the edge as its shadow on the edge's normal, which is a trapezium.
struct PixelEdge {
  float flat = 0.5F;   // half the trapezium's top
  float reach = 0.5F;  // half its base
  float top = 1;       // its height

  [[nodiscard]] float behind(float d) const {
    const float size = std::abs(d);
    if (size >= reach) return d < 0 ? 1.0F : 0.0F;
    // The base's end slopes down, so its area is quadratic.
    const float rest = size <= flat ? 0.5F - size * top : (reach - size) * (reach - size) * top / (2 * (reach - flat));
    return d < 0 ? 1 - rest : rest;
  }
};
inline PixelEdge pixel_edge(Point normal) {
  const float a = std::max(std::abs(normal.x), std::abs(normal.y));
  const float b = std::min(std::abs(normal.x), std::abs(normal.y));
  return {.flat = (a - b) / 2, .reach = (a + b) / 2, .top = 1 / a};
}
// To whole pixels within [0, limit]; a float too large for an int is cut first.
inline int floor_within(float v, int limit) {
  return static_cast<int>(std::floor(std::clamp(v, 0.0F, static_cast<float>(limit))));
}
inline int ceil_within(float v, int limit) {
  return static_cast<int>(std::ceil(std::clamp(v, 0.0F, static_cast<float>(limit))));
}

// One pixel of the canvas: source over destination, in sRGB, as far as the clip lets it through.
void blend_pixel(Canvas& canvas, int x, int y, Colour colour, float coverage, const Box& clip);

using Path = std::vector<Point>;
// The inside of closed paths together; one that runs the other way cuts a hole.
void fill(Canvas& canvas, std::span<const Path> paths, const Ink& ink, const Box& clip);
// Open paths as one shape: their ends are square, their corners round.
void stroke(Canvas& canvas, std::span<const Path> paths, float width, Colour colour, const Box& clip);

// A closed path around a box, clockwise on the screen, or the other way for a hole.
enum class Turn { outline, hole };
Path rounded(const Box& box, float radius, Turn turn = Turn::outline);
// A curve as chords that stray from it by a tenth of a pixel at most.
Path flatten(const Curve& curve);
// The drawn parts of a dashed line; its pattern runs on over the corners.
std::vector<Path> dashes(const Path& path, float on, float off);

}  // namespace limelight::figure
