#include "figure/triangles.h"

#include <algorithm>
#include <numeric>

namespace limelight::figure {
namespace {

// Twice the area, above 0 for a turn to one side.
float turn(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

// Of a polygon that touches itself nowhere.
void cut_ears(std::span<const Point> polygon, std::vector<int> left, std::vector<std::array<int, 3>>& triangles) {
  const auto at = [&](int index) { return polygon[static_cast<std::size_t>(index)]; };
  float area = 0;
  for (std::size_t i = 1; i + 1 < left.size(); ++i) area += turn(at(left[0]), at(left[i]), at(left[i + 1]));
  const float side = area < 0 ? -1.F : 1.F;
  while (left.size() >= 3) {
    const std::size_t n = left.size();
    const auto ear_at = [&](std::size_t i) { return std::array{left[(i + n - 1) % n], left[i], left[(i + 1) % n]}; };
    const auto is_ear = [&](std::size_t i) {
      const std::array<int, 3> corners = ear_at(i);
      const Point a = at(corners[0]), b = at(corners[1]), c = at(corners[2]);
      if (side * turn(a, b, c) < 0) return false;
      return std::ranges::none_of(left, [&](int other) {
        const Point p = at(other);
        return std::ranges::find(corners, other) == corners.end() && side * turn(a, b, p) >= 0 &&
               side * turn(b, c, p) >= 0 && side * turn(c, a, p) >= 0;
      });
    };
    std::size_t ear = 0;
    while (ear + 1 < n && !is_ear(ear)) ++ear;
    triangles.push_back(ear_at(ear));
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
}

// Where two corners are one point, there are two polygons.
void cut(std::span<const Point> polygon, const std::vector<int>& corners, std::vector<std::array<int, 3>>& triangles) {
  for (auto first = corners.begin(); first != corners.end(); ++first)
    for (auto second = first + 1; second != corners.end(); ++second)
      if (polygon[static_cast<std::size_t>(*first)] == polygon[static_cast<std::size_t>(*second)]) {
        cut(polygon, {first, second}, triangles);
        std::vector<int> rest(corners.begin(), first);
        rest.insert(rest.end(), second, corners.end());
        cut(polygon, rest, triangles);
        return;
      }
  cut_ears(polygon, corners, triangles);
}

}  // namespace

bool turns_left(std::span<const Point> polygon) {
  float area = 0;
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) area += turn(polygon[0], polygon[i], polygon[i + 1]);
  return area < 0;
}

bool is_convex(std::span<const Point> polygon) {
  bool left = false, right = false;
  for (std::size_t i = 0, n = polygon.size(); i < n; ++i) {
    const float to = turn(polygon[i], polygon[(i + 1) % n], polygon[(i + 2) % n]);
    left = left || to < 0;
    right = right || to > 0;
  }
  return !(left && right);
}

std::vector<std::array<int, 3>> triangles_of(std::span<const Point> polygon) {
  std::vector<int> corners(polygon.size());
  std::iota(corners.begin(), corners.end(), 0);
  std::vector<std::array<int, 3>> triangles;
  cut(polygon, corners, triangles);
  return triangles;
}

}  // namespace limelight::figure
