#include "figure/triangles.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/random.h"

using namespace limelight;
using namespace limelight::figure;

namespace {

float area_of(Point a, Point b, Point c) { return std::abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2; }

float area_of(const std::vector<Point>& polygon) {
  float sum = 0;
  for (std::size_t i = 0, n = polygon.size(); i < n; ++i) {
    const Point a = polygon[i], b = polygon[(i + 1) % n];
    sum += a.x * b.y - b.x * a.y;
  }
  return std::abs(sum) / 2;
}

void check_covered(const std::vector<Point>& polygon) {
  const auto triangles = triangles_of(polygon);
  CHECK(triangles.size() <= polygon.size() - 2);
  float sum = 0;
  for (const auto& [a, b, c] : triangles)
    sum += area_of(polygon[static_cast<std::size_t>(a)], polygon[static_cast<std::size_t>(b)],
                   polygon[static_cast<std::size_t>(c)]);
  CHECK(sum == doctest::Approx(area_of(polygon)).epsilon(1e-4));
}

}  // namespace

TEST_CASE("triangles: they cover a polygon once, whichever way its corners run") {
  std::vector<Point> arrow{{0, 0}, {4, 2}, {0, 4}, {1, 2}};
  CHECK_FALSE(is_convex(arrow));
  check_covered(arrow);
  check_covered({arrow.rbegin(), arrow.rend()});
  const std::vector<Point> square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  CHECK(is_convex(square));
  CHECK_FALSE(turns_left(square));  // right, down, left
  CHECK(turns_left(std::vector<Point>{square.rbegin(), square.rend()}));
  check_covered(square);
}

TEST_CASE("triangles: bands between two curves, also where they touch") {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const int count = 2 + static_cast<int>(random.uniform() * 20);
    std::vector<Point> low, band;
    for (int i = 0; i < count; ++i) {
      const auto x = static_cast<float>(i), y = static_cast<float>(random.uniform());
      low.push_back({x, y});
      band.push_back({x, y + (random.uniform() < 0.2 ? 0.F : static_cast<float>(random.uniform()))});
    }
    band.insert(band.end(), low.rbegin(), low.rend());
    check_covered(band);
  }
}
