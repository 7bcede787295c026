// Figures and traces that tests of figures are made of.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "figure/figure.h"

namespace limelight::test {

using namespace figure;

inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
// Sums and products of a few lengths below 1,000 in single precision.
inline constexpr float kLength = 1e-3F;

inline bool near(const Rect& a, const Rect& b) {
  return std::abs(a.x - b.x) < kLength && std::abs(a.y - b.y) < kLength && std::abs(a.w - b.w) < kLength &&
         std::abs(a.h - b.h) < kLength;
}

template <class T>
std::vector<T> all_of(const std::vector<Primitive>& primitives) {
  std::vector<T> found;
  for (const Primitive& primitive : primitives) {
    if (const T* shape = std::get_if<T>(&primitive.shape)) found.push_back(*shape);
  }
  return found;
}

inline Trace trace_of(std::string name, Matrix values) {
  Trace trace;
  trace.add(std::move(name), std::move(values));
  return trace;
}

inline Element cells(std::string id, Rect rect, CellRange range, bool transposed = false) {
  return {.id = std::move(id), .rect = rect, .shape = MatrixCells{.range = std::move(range), .transposed = transposed}};
}

// One element of every kind, each with points of its own where the kind has them.
inline Figure one_of_each() {
  const Rect rect{10, 20, 200, 100};
  const CellRange range{.tensor = "weights", .rows = 3, .columns = 3};
  const std::vector<Point> points{{1, 2}, {30, 4}, {5, 60}};
  const Colour ink{20, 30, 40};
  const std::vector<Shape> shapes{
      std::monostate{},
      Rectangle{.fill = ink},
      Text{.text = "she", .colour = ink},
      FormulaBox{.formula = fraction(number("1"), symbol("d")), .colour = ink},
      Line{.points = points, .colour = ink},
      Curve{.from = {1, 2}, .control_from = {3, 4}, .control_to = {5, 6}, .to = {7, 8}, .colour = ink},
      Arrow{.from = {10, 10}, .to = {60, 40}, .colour = ink},
      Area{.points = points, .fill = ink, .fill_to = ink},
      MatrixCells{.range = range, .tint = ink},
      Heatmap{.range = range, .text_size = 11},
      Arcs{.range = range, .colour = ink},
      Bars{.range = {.tensor = "weights", .rows = 1, .columns = 3}},
      ColourBar{.ink = ink}};
  Figure figure{.width = 300, .height = 200};
  for (const Shape& shape : shapes) {
    Element element{.id = "kind " + std::to_string(shape.index()), .rect = rect, .shape = shape};
    element.clip = Rect{0, 0, 250, 150};
    figure.add(element);
  }
  return figure;
}

inline Trace weights_trace() {
  Matrix weights(3, 3);
  weights << 0.336F, 0.300F, 0.364F, 0.284F, 0.372F, 0.344F, 0.309F, 0.309F, 0.382F;
  return trace_of("weights", weights);
}

}  // namespace limelight::test
