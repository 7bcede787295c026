#include "app/icons.h"

#include <cmath>
#include <vector>

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kStroke = 1.7F;

// From degree to degree, clockwise from the right.
std::vector<Point> arc(Point middle, float radius, float from, float to) {
  constexpr int kPieces = 16;
  std::vector<Point> points;
  for (int i = 0; i <= kPieces; ++i) {
    const float angle = (from + (to - from) * static_cast<float>(i) / kPieces) * 0.017453293F;
    points.push_back({middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)});
  }
  return points;
}

// An arrow to the left that comes from below; `side` −1: to the right.
void add_turn(Figure& figure, const std::string& id, Point m, float side, Colour ink) {
  std::vector<Point> way{{m.x - side * 6.5F, m.y - 2}};
  for (const Point p : arc({0, 0}, 3.8F, -90, 90)) way.push_back({m.x + side * (2.5F + p.x), m.y + 1.8F + p.y});
  way.push_back({m.x - side * 1.5F, m.y + 5.6F});
  figure.add({.id = id + ".way", .shape = Line{.points = std::move(way), .colour = ink, .width = kStroke}});
  figure.add({.id = id + ".head",
              .shape = Line{
                  .points = {{m.x - side * 3, m.y - 5.5F}, {m.x - side * 6.5F, m.y - 2}, {m.x - side * 3, m.y + 1.5F}},
                  .colour = ink,
                  .width = kStroke}});
}

// All but the whole way round, clockwise.
void add_circle_arrow(Figure& figure, const std::string& id, Point m, Colour ink) {
  constexpr float kCircle = 6, kFrom = -40, kTo = 265, kBarb = 4.2F;
  figure.add(
      {.id = id + ".way", .shape = Line{.points = arc(m, kCircle, kFrom, kTo), .colour = ink, .width = kStroke}});
  const Point tip = arc(m, kCircle, kTo, kTo + 12).back();
  figure.add({.id = id + ".head",
              .shape = Line{.points = {{tip.x - kBarb, tip.y - kBarb}, tip, {tip.x - kBarb, tip.y + kBarb}},
                            .colour = ink,
                            .width = kStroke}});
}

// A circle less another one to its upper right.
void add_moon(Figure& figure, const std::string& id, Point m, Colour ink) {
  std::vector<Point> way = arc(m, 6.5F, 10, 260);
  for (const Point p : arc({m.x + 3.4F, m.y - 3}, 5.47F, 217, 52)) way.push_back(p);
  figure.add({.id = id + ".moon", .shape = Line{.points = std::move(way), .colour = ink, .width = kStroke}});
}

void add_sun(Figure& figure, const std::string& id, Point m, Colour ink) {
  figure.add({.id = id + ".sun", .shape = Line{.points = arc(m, 3.4F, 0, 360), .colour = ink, .width = kStroke}});
  for (int ray = 0; ray < 8; ++ray) {
    const float angle = 0.7853982F * static_cast<float>(ray), x = std::cos(angle), y = std::sin(angle);
    figure.add({.id = id + ".ray." + std::to_string(ray),
                .shape = Line{.points = {{m.x + 5.4F * x, m.y + 5.4F * y}, {m.x + 7.4F * x, m.y + 7.4F * y}},
                              .colour = ink,
                              .width = kStroke}});
  }
}

}  // namespace

void add_icon(Figure& figure, const std::string& id, Icon icon, Point middle, Colour ink) {
  switch (icon) {
    case Icon::none:
      return;
    case Icon::undo:
      return add_turn(figure, id, middle, 1, ink);
    case Icon::redo:
      return add_turn(figure, id, middle, -1, ink);
    case Icon::again:
      return add_circle_arrow(figure, id, middle, ink);
    case Icon::moon:
      return add_moon(figure, id, middle, ink);
    case Icon::sun:
      return add_sun(figure, id, middle, ink);
  }
}

}  // namespace limelight::app
