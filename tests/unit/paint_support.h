// Figures to paint, and what is asked of their pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figure/figure.h"
#include "figure/paint.h"

namespace limelight::test {

using namespace figure;

inline constexpr Colour kWhite{255, 255, 255};
inline constexpr Colour kBlack{0, 0, 0};
inline constexpr Colour kRed{255, 0, 0};
inline constexpr Colour kBlue{0, 0, 255};

inline Figure page(float width, float height) {
  Figure figure;
  figure.width = width;
  figure.height = height;
  figure.background = kWhite;
  return figure;
}

inline Element& add(Figure& figure, std::string id, Rect rect, Shape shape) {
  Element element;
  element.id = std::move(id);
  element.rect = rect;
  element.shape = std::move(shape);
  return figure.add(std::move(element));
}

inline Rectangle filled(Colour c) {
  Rectangle rectangle;
  rectangle.fill = c;
  return rectangle;
}

inline Text said(std::string words, float size = 16) {
  Text text;
  text.text = std::move(words);
  text.size = size;
  text.colour = kBlack;
  return text;
}

inline Line line(std::vector<Point> points, float width) {
  Line result;
  result.points = std::move(points);
  result.colour = kBlack;
  result.width = width;
  return result;
}

inline Heatmap heatmap_of(const std::string& tensor, int rows, int columns) {
  Heatmap heatmap;
  heatmap.range = {.tensor = tensor, .row = 0, .column = 0, .rows = rows, .columns = columns};
  heatmap.gap = 0;
  return heatmap;
}

// A trace with one tensor "weights" that rises from 0 to 1 from cell to cell.
inline Trace ramp(int rows, int columns) {
  Matrix values(rows, columns);
  for (Eigen::Index i = 0; i < values.size(); ++i)
    values.data()[i] = static_cast<float>(i) / static_cast<float>(values.size());
  Trace trace;
  trace.add("weights", std::move(values));
  return trace;
}

inline Colour at(const Image& image, int x, int y) {
  const std::uint8_t* p =
      image.rgba.data() +
      (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * 4;
  return {p[0], p[1], p[2], p[3]};
}

inline Image painted(const Figure& figure, float scale = 1) { return raster(figure, {}, scale); }

inline int count(std::string_view text, std::string_view part) {
  int n = 0;
  for (std::size_t p = text.find(part); p != std::string_view::npos; p = text.find(part, p + part.size())) ++n;
  return n;
}

// Of every kind that a painter meets.
inline Figure sample() {
  Figure figure = page(320, 240);
  Rectangle card = filled({240, 240, 250});
  card.stroke = kBlue;
  card.radius = 6;
  add(figure, "card", {10, 10, 100, 60}, card).label = "A card";
  add(figure, "words", {10, 80, 200, 20}, said("she likes coffee, 家族 & <more>")).clip = Rect{0, 0, 300, 200};
  Text upward = said("upward");
  upward.vertical = true;
  add(figure, "upward", {280, 10, 20, 100}, upward);
  Line dashed = line({{10, 120}, {60, 150}, {110, 120}}, 2);
  dashed.dashed = true;
  add(figure, "dashed", {10, 120, 100, 30}, dashed).clip = Rect{0, 0, 300, 200};
  Curve curve;
  curve.from = {120, 120};
  curve.control_from = {160, 60};
  curve.control_to = {180, 180};
  curve.to = {220, 120};
  curve.colour = kRed;
  add(figure, "curve", {120, 60, 100, 120}, curve);
  Arrow arrow;
  arrow.from = {230, 130};
  arrow.to = {270, 160};
  arrow.colour = kBlack;
  add(figure, "arrow", {230, 130, 40, 30}, arrow).opacity = 0.5F;
  Area area;
  area.points = {{120, 10}, {180, 10}, {200, 70}, {100, 70}};
  area.fill = {90, 158, 47, 150};
  area.fill_to = {90, 158, 47, 0};
  add(figure, "beam", {100, 10, 100, 60}, area);
  add(figure, "heat", {10, 170, 60, 60}, heatmap_of("weights", 20, 20));
  return figure;
}

}  // namespace limelight::test
