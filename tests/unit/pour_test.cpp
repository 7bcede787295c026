// A lens holds a matrix, and a strip is as full as a weight is large.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "figure/callout.h"
#include "figure/lens.h"
#include "figure/ribbon.h"
#include "figure/value_strip.h"
#include "figure/vessel.h"

namespace limelight::figure {
namespace {

TEST_CASE(
    "lens: its matrix lies within the ring, however many rows and columns it has, and each cell is hit as itself") {
  for (const auto& [rows, columns] : {std::pair{4, 4}, {6, 6}, {97, 24}, {1, 64}, {64, 1}})
    for (const float radius : {20.F, 42.F, 61.F}) {
      CAPTURE(rows);
      CAPTURE(radius);
      Figure figure{.width = 300, .height = 300};
      add_lens(figure, {.centre = {150, 140},
                        .radius = radius,
                        .range = {"W", 0, 0, rows, columns},
                        .tint = {1, 2, 3},
                        .label = "W"});
      const Element& cells = *figure.find("W");
      for (const Point corner : {Point{cells.rect.x, cells.rect.y}, {cells.rect.right(), cells.rect.bottom()}})
        CHECK(std::hypot(corner.x - 150, corner.y - 140) < radius);
      const Rect last = *cell_rect(cells, rows - 1, columns - 1);
      CHECK(hit(figure, last.centre()).id == cell_id({"W", rows - 1, columns - 1}));
    }
}

TEST_CASE("value strip: as high as its weight, from the bottom of its glass; nothing is nothing") {
  const Rect glass{10, 20, 90, 200};
  const auto height = [&](float weight) { return filled_part({.glass = glass, .weight = weight}).h; };
  CHECK(height(0) == 0);
  CHECK(height(0.25F) == doctest::Approx(50));
  CHECK(height(1) == doctest::Approx(200));
  CHECK(height(1.5F) == doctest::Approx(200));
  CHECK(height(1e-6F) > 0);
  CHECK(height(1e-6F) <= 2);
  CHECK(filled_part({.glass = glass, .weight = 0.4F}).bottom() == doctest::Approx(glass.bottom()));
  for (const float weight : {0.F, 0.5F}) {
    Figure figure{.width = 300, .height = 300};
    add_value_strip(figure, "V.3", {.glass = glass, .weight = weight, .value = {"V", 3, 0, 1, 6}, .label = "V"});
    CHECK(figure.find("V.3.glass") != nullptr);
    CHECK((figure.find("V.3") != nullptr) == (weight > 0));
    CHECK((figure.find("V.3.level") != nullptr) == (weight > 0));
    if (weight > 0) CHECK(hit(figure, {12, 200}).id == cell_id({"V", 3, 0}));
  }
}

TEST_CASE(
    "ribbon: however far aside it goes, it lies where its cubic does, and half-way between two it lies half-way") {
  const auto aside = [](float far) {
    return flowing({{0, 0}, {10, 0}}, {{far, 200}, {far + 30, 200}}, Flow::upright, poured(1, Theme::light));
  };
  const auto cubic = [](float far, float y) {  // x of its first side at the height y
    float low = 0, high = 1;
    for (int i = 0; i < 40; ++i) {
      const float t = (low + high) / 2;
      (200 * t * (1.5F - 1.5F * t + t * t) < y ? low : high) = t;
    }
    return far * low * low * (3 - 2 * low);
  };
  // A point of the polygon at the height y.
  const auto side = [](const std::vector<Point>& points, float y) {
    const auto after = std::ranges::lower_bound(points, y, {}, &Point::y);
    const Point a = *(after - 1), b = *after;
    return a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
  };
  for (const float far : {1.F, 20.F, 150.F, 500.F})
    for (float y = 5; y < 200; y += 7) CHECK(std::abs(side(aside(far).one, y) - cubic(far, y)) < 0.25F);
  for (const float far : {20.F, 150.F, 500.F}) {
    Figure from, to;
    from.add({.id = "stream", .rect = {0, 0, far, 200}, .shape = aside(0)});
    to.add({.id = "stream", .rect = {0, 0, far, 200}, .shape = aside(far)});
    const Ribbon between = std::get<Ribbon>(blend(from, to, 0.5F).find("stream")->shape);
    for (float y = 5; y < 200; y += 7) CHECK(std::abs(side(between.one, y) - cubic(far / 2, y)) < 0.4F);
  }
}

TEST_CASE(
    "ribbon: between two level edges its colour is the same across, however far aside it ends; so between upright "
    "ones") {
  for (const Flow flow : {Flow::upright, Flow::level}) {
    const auto turned = [flow](Point p) { return flow == Flow::upright ? p : Point{p.y, p.x}; };
    const Ribbon ribbon =
        flowing({turned({10, 0}), turned({30, 0})}, {turned({200, 100}), turned({340, 100})}, flow, {});
    const Course course = course_of(ribbon);
    for (const float x : {0.F, 100.F, 300.F}) {
      CHECK(course.share(turned({x, 0})) == doctest::Approx(0));
      CHECK(course.share(turned({x, 25})) == doctest::Approx(0.25));
      CHECK(course.share(turned({x, 100})) == doctest::Approx(1));
    }
  }
}

TEST_CASE("callout: its pointer leaves the card on the side where the point is, and ends at it") {
  const Rect card{100, 100, 80, 60};
  for (const Point at : {Point{140, 90}, {140, 170}, {90, 130}, {190, 130}, {90, 0}, {300, 300}}) {
    Figure figure{.width = 400, .height = 400};
    add_callout(figure, "c", card, at, Theme::light);
    const auto& points = std::get<Area>(figure.find("c.pointer")->shape).points;
    REQUIRE(points.size() == 3);
    CHECK(points[1].x == at.x);
    CHECK(points[1].y == at.y);
    for (const Point end : {points[0], points[2]}) CHECK(card.contains(end));
    const bool beside = at.x < card.x || at.x > card.right();
    CHECK((points[0].x == points[2].x) == beside);
    CHECK((points[0].y == points[2].y) != beside);
  }
}

}  // namespace
}  // namespace limelight::figure
