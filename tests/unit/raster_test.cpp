// Figures painted on the CPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "figure/canvas.h"
#include "figure/paint.h"
#include "unit/fonts.h"
#include "unit/paint_support.h"

using namespace limelight;
using namespace limelight::figure;
using namespace limelight::test;

namespace {

// How black a white page became, in pixels.
double ink(const Image& image) {
  double sum = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) sum += (255 - at(image, x, y).g) / 255.0;
  }
  return sum;
}

struct Bounds {
  int x0 = std::numeric_limits<int>::max();
  int y0 = std::numeric_limits<int>::max();
  int x1 = 0;
  int y1 = 0;
};
Bounds bounds_of_ink(const Image& image) {
  Bounds b;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (at(image, x, y) == kWhite) continue;
      b = {std::min(b.x0, x), std::min(b.y0, y), std::max(b.x1, x + 1), std::max(b.y1, y + 1)};
    }
  }
  return b;
}

}  // namespace

// ---- coverage -----------------------------------------------------------------------------------

TEST_CASE("raster: a rectangle on whole pixels covers them exactly") {
  Figure figure = page(20, 10);
  add(figure, "r", {3, 2, 10, 5}, filled(kRed));
  const Image image = painted(figure);
  REQUIRE(image.width == 20);
  REQUIRE(image.height == 10);
  for (int y = 0; y < 10; ++y) {
    for (int x = 0; x < 20; ++x) CHECK(at(image, x, y) == (x >= 3 && x < 13 && y >= 2 && y < 7 ? kRed : kWhite));
  }
}

TEST_CASE("raster: a rectangle half a pixel off covers its edges by half") {
  Figure figure = page(10, 10);
  add(figure, "r", {2.5F, 2.5F, 4, 4}, filled(kBlack));
  const Image image = painted(figure);
  CHECK(at(image, 4, 4).g == 0);
  CHECK(std::abs(at(image, 2, 4).g - 128) <= 1);
  CHECK(std::abs(at(image, 6, 4).g - 128) <= 1);
  CHECK(std::abs(at(image, 2, 2).g - 191) <= 1);  // a quarter
  CHECK(ink(image) == doctest::Approx(16).epsilon(0.005));
}

TEST_CASE("raster: a polygon's coverage sums to its area, concave ones and either turn alike") {
  const std::vector<Path> polygons = {
      {{2, 3}, {30, 7.3F}, {11, 25}},
      {{2, 2}, {38, 2}, {38, 28}, {20, 9.5F}, {2, 28}},
      {{5.2F, 5.1F}, {5.9F, 5.2F}, {5.4F, 27.7F}},
  };
  for (Path polygon : polygons) {
    double area = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Point a = polygon[i];
      const Point b = polygon[(i + 1) % polygon.size()];
      area += (a.x * b.y - b.x * a.y) / 2;
    }
    for (int turn = 0; turn < 2; ++turn) {
      Area shape;
      shape.points = polygon;
      shape.fill = shape.fill_to = kBlack;
      Figure figure = page(40, 30);
      add(figure, "p", {0, 0, 40, 30}, shape);
      // Each of the edge's pixels, about a hundred, is rounded to 1/255.
      CHECK(ink(painted(figure)) == doctest::Approx(std::abs(area)).epsilon(0.01));
      std::ranges::reverse(polygon);
    }
  }
}

TEST_CASE("raster: what lies beyond the page changes nothing on it") {
  Area wide;
  wide.points = {{-1e7F, -50}, {1e7F, -50}, {1e7F, 5}, {-1e7F, 5}};
  wide.fill = wide.fill_to = kBlack;
  Figure figure = page(10, 10);
  add(figure, "wide", {0, 0, 10, 10}, wide);
  CHECK(ink(painted(figure)) == doctest::Approx(50));
  add(figure, "above", {2, -90, 5, 20}, filled(kRed));
  add(figure, "right", {1000, 2, 5, 2}, filled(kRed));
  add(figure, "left", {-1000, 2, 5, 2}, filled(kRed));
  add(figure, "line", {0, 0, 1, 1}, line({{-4000, 30}, {4000, 1200}}, 3));
  add(figure, "nothing", {0, 0, 1, 1}, line({{std::numeric_limits<float>::quiet_NaN(), 3}, {8, 8}}, 3));
  CHECK(ink(painted(figure)) == doctest::Approx(50));
}

TEST_CASE("raster: a page's sides cut shapes off without changing them") {
  Area area;
  area.points = {{-15, 12}, {12, 2.5F}, {55, 11.25F}, {20, 14}};
  area.fill = area.fill_to = kBlack;
  Figure narrow = page(40, 16);
  add(narrow, "a", {0, 0, 40, 16}, area);
  for (Point& p : area.points) p.x += 20;
  Figure wide = page(80, 16);
  add(wide, "a", {0, 0, 80, 16}, area);
  const Image a = painted(narrow);
  const Image b = painted(wide);
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 40; ++x) CHECK(std::abs(at(a, x, y).g - at(b, x + 20, y).g) <= 1);
  }
}

TEST_CASE("raster: a rounded rectangle lacks the corners' share of its area") {
  Figure figure = page(60, 50);
  Rectangle rounded_off = filled(kBlack);
  rounded_off.radius = 12;
  add(figure, "r", {5, 5, 50, 40}, rounded_off);
  const double corners = (4 - 3.14159265) * 12 * 12;
  CHECK(ink(painted(figure)) == doctest::Approx(50 * 40 - corners).epsilon(0.002));  // chords cut off up to 0.1 px
}

TEST_CASE("raster: a rectangle's stroke runs inside it") {
  Figure figure = page(20, 20);
  Rectangle frame;
  frame.stroke = kBlack;
  frame.stroke_width = 1;
  add(figure, "r", {3, 3, 10, 10}, frame);
  const Image image = painted(figure);
  CHECK(ink(image) == doctest::Approx(36));
  CHECK(at(image, 3, 3) == kBlack);
  CHECK(at(image, 12, 12) == kBlack);
  CHECK(at(image, 2, 5) == kWhite);
  CHECK(at(image, 4, 4) == kWhite);
}

TEST_CASE("raster: a line covers its length times its width, at every angle") {
  for (const float angle : {0.0F, 0.3F, 0.785398F, 1.2F, 1.5707963F, 2.5F}) {
    for (const float width : {0.5F, 1.0F, 3.0F}) {
      CAPTURE(angle);
      CAPTURE(width);
      Figure figure = page(100, 100);
      const Point way{std::cos(angle) * 40, std::sin(angle) * 40};
      add(figure, "l", {0, 0, 100, 100}, line({{50.5F - way.x, 50.5F - way.y}, {50.5F + way.x, 50.5F + way.y}}, width));
      // Exact along the line; at its ends the product of two coverages stands for that of a corner.
      CHECK(ink(painted(figure)) == doctest::Approx(80 * width).epsilon(0.01));
    }
  }
}

TEST_CASE("raster: a line is no darker where its pieces meet") {
  const Point from{10, 10};
  const Point to{90, 17};
  std::vector<Point> points;
  for (int i = 0; i <= 30; ++i) points.push_back(mix(from, to, static_cast<float>(i) / 30));
  Figure pieces = page(100, 30);
  add(pieces, "l", {0, 0, 100, 30}, line(points, 1));
  Figure whole = page(100, 30);
  add(whole, "l", {0, 0, 100, 30}, line({from, to}, 1));
  const Image a = painted(pieces);
  const Image b = painted(whole);
  for (std::size_t i = 0; i < a.rgba.size(); ++i) CHECK(std::abs(a.rgba[i] - b.rgba[i]) <= 1);
}

TEST_CASE("raster: a dashed line is drawn for its share of the way") {
  Figure figure = page(300, 10);
  Line dashed = line({{10, 5}, {40, 5}, {10 + 40 * (kDashOn + kDashOff), 5}}, 2);
  dashed.dashed = true;
  add(figure, "d", {0, 0, 300, 10}, dashed);
  CHECK(ink(painted(figure)) == doctest::Approx(40 * kDashOn * 2).epsilon(0.01));
}

TEST_CASE("dashes: a line of many short pieces is dashed as if it were one") {
  Path pieces;
  for (int i = 0; i <= 280; ++i) pieces.push_back({10 + static_cast<float>(i) / 4, 5});
  const std::vector<Path> drawn = dashes(pieces, kDashOn, kDashOff);
  REQUIRE(drawn.size() == 10);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    CHECK(drawn[i].front().x == doctest::Approx(10 + static_cast<float>(i) * (kDashOn + kDashOff)));
    CHECK(drawn[i].back().x - drawn[i].front().x == doctest::Approx(kDashOn));
  }
}

TEST_CASE("raster: a straight Bézier curve is a line") {
  Curve curve;
  curve.from = {10, 10};
  curve.control_from = {30, 20};
  curve.control_to = {50, 30};
  curve.to = {70, 40};
  curve.colour = kBlack;
  curve.width = 2;
  Figure curved = page(80, 50);
  add(curved, "c", {0, 0, 80, 50}, curve);
  Figure straight = page(80, 50);
  add(straight, "l", {0, 0, 80, 50}, line({curve.from, curve.to}, 2));
  const Image a = painted(curved);
  const Image b = painted(straight);
  for (std::size_t i = 0; i < a.rgba.size(); ++i) CHECK(std::abs(a.rgba[i] - b.rgba[i]) <= 2);
}

TEST_CASE("raster: an area's colour runs from top to bottom") {
  Area area;
  area.points = {{0, 0}, {10, 0}, {10, 100}, {0, 100}};
  area.fill = kRed;
  area.fill_to = kBlue;
  Figure figure = page(10, 100);
  add(figure, "a", {0, 0, 10, 100}, area);
  const Image image = painted(figure);
  CHECK(at(image, 5, 0).r >= 252);
  CHECK(at(image, 5, 99).b >= 252);
  CHECK(std::abs(at(image, 5, 50).r - 127) <= 3);
}

TEST_CASE("raster: a clip hides everything outside, and nothing inside") {
  REQUIRE(test::load_fonts());
  Figure figure = sample();
  Figure clipped = sample();
  const Rect window{60, 20, 150, 100};
  for (Element& element : clipped.elements) element.clip = window;
  for (Element& element : figure.elements) element.clip.reset();
  const Trace trace = ramp(20, 20);
  const Image whole = raster(figure, trace, 1);
  const Image part = raster(clipped, trace, 1);
  bool same = true;
  for (int y = 0; y < whole.height; ++y) {
    for (int x = 0; x < whole.width; ++x) {
      const bool inside = window.contains({static_cast<float>(x), static_cast<float>(y)});
      same = same && at(part, x, y) == (inside ? at(whole, x, y) : kWhite);
    }
  }
  CHECK(same);
}

TEST_CASE("raster: opacity mixes with what lies below, and a page without background stays transparent") {
  Figure figure = page(10, 10);
  add(figure, "r", {0, 0, 5, 10}, filled(kRed)).opacity = 0.5F;
  CHECK(at(painted(figure), 2, 2).r == 255);
  CHECK(std::abs(at(painted(figure), 2, 2).g - 127) <= 1);
  figure.background = {0, 0, 0, 0};
  const Image image = painted(figure);
  CHECK(at(image, 8, 8).a == 0);
  CHECK(at(image, 2, 2).r == 255);
  CHECK(std::abs(at(image, 2, 2).a - 128) <= 1);
}

TEST_CASE("raster: twice the scale is four times the ink") {
  REQUIRE(test::load_fonts());
  Figure figure = page(200, 40);
  add(figure, "t", {10, 5, 180, 30}, said("coffee", 24));
  add(figure, "l", {0, 0, 1, 1}, line({{150, 5}, {190, 30}}, 2));
  const Image once = painted(figure, 1);
  const Image twice = painted(figure, 2);
  CHECK(twice.width == 2 * once.width);
  CHECK(ink(twice) == doctest::Approx(4 * ink(once)).epsilon(0.02));
}

// ---- text in the raster -------------------------------------------------------------------------

TEST_CASE("raster: text lies within its measured width") {
  REQUIRE(test::load_fonts());
  for (const std::string& words : {std::string("she likes coffee"), std::string("HMW"), std::string("tea 家族 👍 x")}) {
    for (const float scale : {1.0F, 2.0F}) {
      CAPTURE(words);
      Figure figure = page(300, 60);
      add(figure, "t", {40, 10, 250, 40}, said(words));
      const Bounds b = bounds_of_ink(painted(figure, scale));
      const float width = text::measure(text::Face::regular, 16, words) * scale;
      CHECK(static_cast<float>(b.x0) >= 40 * scale - 1);
      CHECK(static_cast<float>(b.x1) <= 40 * scale + width + 1);
      CHECK(static_cast<float>(b.x1 - b.x0) >= width - 4 * scale);  // less the side bearings
    }
  }
}

TEST_CASE("raster: upright text reads from bottom to top, with the same ink") {
  REQUIRE(test::load_fonts());
  Figure lying = page(100, 100);
  add(lying, "t", {10, 40, 80, 20}, said("Lattice"));
  Text text = said("Lattice");
  text.vertical = true;
  Figure standing = page(100, 100);
  add(standing, "t", {40, 10, 20, 80}, text);
  const Image a = painted(lying);
  const Image b = painted(standing);
  CHECK(ink(b) == doctest::Approx(ink(a)));
  const Bounds across = bounds_of_ink(a);
  const Bounds up = bounds_of_ink(b);
  CHECK(up.y1 - up.y0 == across.x1 - across.x0);
  CHECK(90 - up.y1 == across.x0 - 10);  // both begin at their rect's edge
  // The L's stem stands at the left of the lying text, so a line at the bottom of the standing one.
  const auto row_ink = [&](int y) {
    int n = 0;
    for (int x = 0; x < b.width; ++x) n += 255 - at(b, x, y).g;
    return n;
  };
  CHECK(row_ink(up.y1 - 2) > 2 * row_ink(up.y1 - 5));
}

TEST_CASE("raster: what no font has is drawn as a box, blank spaces are not") {
  REQUIRE(test::load_fonts());
  for (const std::string& words : {std::string("家"), std::string("👍"), std::string("م"), std::string("e\u0301")}) {
    Figure figure = page(60, 40);
    add(figure, "t", {10, 10, 40, 20}, said(words));
    CHECK(ink(painted(figure)) > 10);
  }
  Figure blank = page(60, 40);
  add(blank, "t", {10, 10, 40, 20}, said("\u3000\u2028\t "));
  CHECK(ink(painted(blank)) == 0);
}

// ---- heatmaps -----------------------------------------------------------------------------------

TEST_CASE("raster: a heatmap's cell shows its own colour") {
  const Trace trace = ramp(20, 30);
  Figure figure = page(320, 220);
  add(figure, "heat", {10, 10, 300, 200}, heatmap_of("weights", 20, 30));
  const Image image = raster(figure, trace, 1);
  const Heatmap expected_map = heatmap_of("weights", 20, 30);
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 30; ++j) {
      const auto expected = HeatmapReader(expected_map, trace).colour(i, j);
      REQUIRE(expected);
      CHECK(at(image, 10 + 10 * j + 5, 10 + 10 * i + 5) == *expected);
    }
  }
}

TEST_CASE("raster: cells smaller than a pixel are averaged") {
  Matrix checks(400, 400);
  for (Eigen::Index i = 0; i < 400; ++i) {
    for (Eigen::Index j = 0; j < 400; ++j) checks(i, j) = static_cast<float>((i + j) % 2);
  }
  Trace trace;
  trace.add("weights", std::move(checks));
  Heatmap heatmap = heatmap_of("weights", 400, 400);
  heatmap.map = ColourMap::grey;
  Figure figure = page(50, 50);
  add(figure, "heat", {0, 0, 50, 50}, heatmap);
  const Image image = raster(figure, trace, 1);
  const Colour black = sample(ColourMap::grey, 0, Theme::light);
  const Colour white = sample(ColourMap::grey, 1, Theme::light);
  CHECK(std::abs(at(image, 20, 20).g - (black.g + white.g) / 2) <= 1);
  CHECK(at(image, 20, 20) == at(image, 31, 17));
}

TEST_CASE("raster: an empty figure is one pixel") {
  const Image image = painted(page(0, 0));
  CHECK(image.width == 1);
  CHECK(image.height == 1);
}
