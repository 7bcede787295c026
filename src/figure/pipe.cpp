#include "figure/pipe.h"

#include <algorithm>
#include <cmath>

namespace limelight::figure {

namespace {

constexpr int kPoints = 97;    // of every pipe
constexpr float kCorner = 14;  // CSS pixels of a bend's radius

// As many points, more of them where it bends: short pieces of the way get more than long ones for their length.
std::vector<Point> sampled(const std::vector<Point>& way) {
  const auto apart = [](Point a, Point b) { return std::sqrt(distance(a, b)); };
  float length = 0;
  for (std::size_t i = 1; i < way.size(); ++i) length += apart(way[i - 1], way[i]);
  std::vector<Point> points;
  std::size_t piece = 1;
  float before = 0;  // of the pieces that are done
  for (int i = 0; i < kPoints; ++i) {
    const float wanted = length * static_cast<float>(i) / (kPoints - 1);
    while (piece + 1 < way.size() && before + apart(way[piece - 1], way[piece]) < wanted)
      before += apart(way[piece - 1], way[piece]), ++piece;
    const float within = apart(way[piece - 1], way[piece]);
    points.push_back(mix(way[piece - 1], way[piece], within > 0 ? std::min((wanted - before) / within, 1.F) : 0));
  }
  return points;
}

Rect square(Point centre, float half) { return {centre.x - half, centre.y - half, 2 * half, 2 * half}; }

void add_disc(Figure& figure, const std::string& id, Point centre, float radius, Rectangle style) {
  style.radius = radius;
  figure.add({.id = id, .rect = square(centre, radius), .shape = style});
}

void add_shadow(Figure& figure, const std::string& id, Point centre, float radius, Theme theme) {
  constexpr int kRings = 4;
  for (int i = kRings; i > 0; --i)
    add_disc(figure, id + ".shadow." + std::to_string(i), {centre.x, centre.y + 3}, radius + 2 * static_cast<float>(i),
             {.fill = is_dark(theme) ? Colour{0, 0, 0, 30} : Colour{0x1b, 0x24, 0x40, 8}});
}

}  // namespace

std::vector<Point> bent(const std::vector<Point>& corners) {
  constexpr int kSteps = 8;
  std::vector<Point> way{corners.front()};
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const Point before = corners[i - 1], at = corners[i], after = corners[i + 1];
    const float one = distance(before, at), other = distance(at, after);
    const float radius = std::min({kCorner, one / 2, other / 2});
    const Point from = mix(at, before, radius / std::max(one, 1.F)), to = mix(at, after, radius / std::max(other, 1.F));
    for (int step = 0; step <= kSteps; ++step) {
      const float t = static_cast<float>(step) / kSteps;
      way.push_back(mix(mix(from, at, t), mix(at, to, t), t));
    }
  }
  way.push_back(corners.back());
  return way;
}

void add_pipe(Figure& figure, const std::string& id, const Pipe& pipe, Theme theme) {
  const std::vector<Point> way = bent(pipe.corners);
  if (pipe.dry) {
    figure.add({.id = id + ".dry",
                .shape = Line{.points = way, .colour = pipe.colour.faded(0.85F), .width = 2, .dashed = true}});
    return;
  }
  const std::vector<Point> points = sampled(way);
  std::vector<Point> shine = points;
  for (Point& p : shine) p = {p.x - 0.8F, p.y - 0.16F * pipe.width};
  const Colour shade = is_dark(theme) ? Colour{0, 0, 0} : Colour{0x1b, 0x21, 0x36};
  const auto add = [&](const char* part, std::vector<Point> line, Colour colour, float width) {
    figure.add({.id = id + part, .shape = Line{.points = std::move(line), .colour = colour, .width = width}});
  };
  add(".edge", points, mix(pipe.colour, shade, 0.28F), pipe.width + 1);
  add("", points, pipe.colour, pipe.width - 1);
  add(".shine", std::move(shine), Colour{255, 255, 255, 100}, 0.2F * pipe.width);
}

Point point_along(const std::vector<Point>& corners, float share) {
  const std::vector<Point> points = sampled(bent(corners));
  const float at = share * (kPoints - 1);
  const auto before = static_cast<std::size_t>(std::min(at, kPoints - 2.F));
  return mix(points[before], points[before + 1], at - static_cast<float>(before));
}

void add_tap(Figure& figure, const std::string& id, Point at, Colour colour, float scale, Theme theme) {
  const Colour black{0, 0, 0};
  add_shadow(figure, id, at, 8 * scale, theme);
  figure.add({.id = id + ".body",
              .rect = {at.x - 7 * scale, at.y - 10 * scale, 14 * scale, 20 * scale},
              .shape = Rectangle{.fill = mix(colour, black, 0.18F), .radius = 3 * scale}});
  figure.add({.id = id + ".bar",
              .rect = {at.x - 11 * scale, at.y - 2.2F * scale, 22 * scale, 4.4F * scale},
              .shape = Rectangle{.fill = mix(colour, black, 0.35F)}});
  for (const float side : {-11.F, 11.F})
    add_disc(figure, id + (side < 0 ? ".left" : ".right"), {at.x + side * scale, at.y}, 4.2F * scale,
             {.fill = mix(colour, black, 0.1F)});
  add_disc(figure, id + ".wheel", at, 6.4F * scale,
           {.fill = colour,
            .stroke = is_dark(theme) ? Colour{0x0d, 0x0f, 0x16} : Colour{255, 255, 255},
            .stroke_width = 1.8F * scale});
}

void add_glass(Figure& figure, const std::string& id, const Glass& glass, Theme theme) {
  add_shadow(figure, id, glass.centre, glass.radius, theme);
  add_disc(figure, id + ".disc", glass.centre, glass.radius,
           {.fill = palette(theme).surface, .stroke = glass.ring, .stroke_width = 2.6F});
  const Formula name = script(symbol("W"), word(glass.index));
  const float size = 0.9F * glass.radius, width = set_formula(name, size).width;
  figure.add({.id = id + ".name",
              .rect = {glass.centre.x - width / 2, glass.centre.y - glass.radius, width + 1, 2 * glass.radius},
              .shape = FormulaBox{.formula = name, .size = size, .colour = glass.ink}});
  const Source first{std::string(glass.tensor), 0, 0};
  figure.add({.id = cell_id(first),
              .role = Role::cell,
              .rect = square(glass.centre, std::max(glass.radius, 18.F)),
              .label = glass.label,
              .source = first,
              .furniture = true});
}

}  // namespace limelight::figure
