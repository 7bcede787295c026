// Plots: a frame with two axes, and what is drawn in it. A plot is elements like any other; a drawing adds the frame
// first, then curves, bars and marks in the frame's own coordinates.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"

namespace limelight::figure {

struct Axis {
  double low = 0;
  double high = 1;
  bool logarithmic = false;  // low and high above 0
  std::string label{};       // what and in which unit, along the axis
  // Where ticks stand and what they say; chosen at round numbers when empty.
  std::vector<std::pair<double, std::string>> ticks{};
};

// Where data lie on the page.
struct Plot {
  Rect frame{};  // inside the axes
  Axis x{};
  Axis y{};

  // Unclamped: data beyond the axes lie beyond the frame. Not finite on a logarithmic axis at 0 or below.
  [[nodiscard]] float across(double value) const;
  [[nodiscard]] float down(double value) const;
  [[nodiscard]] Point at(double x_value, double y_value) const { return {across(x_value), down(y_value)}; }
};

// Round values between low and high, at most `most` of them (at least two, if there are that many): 1, 2 or 5 times a
// power of ten apart; on a logarithmic axis powers of the axis's decades.
std::vector<std::pair<double, std::string>> round_ticks(const Axis& axis, int most);

// A frame in the area, with faint grid lines, ticks and labels in the room left of it and below. id: what its elements'
// ids begin with.
Plot add_plot(Figure& figure, const std::string& id, Rect area, Axis x, Axis y, Theme theme);

struct Stroke {
  Colour colour{};
  float width = 2;
  bool dashed = false;
};

// A curve through (x, y); broken where a value is not finite, cut at the frame.
void add_curve(Figure& figure, const Plot& plot, const std::string& id, std::span<const double> x,
               std::span<const double> y, Stroke stroke, std::string label);

// The area between two curves over the same x.
void add_band(Figure& figure, const Plot& plot, const std::string& id, std::span<const double> x,
              std::span<const double> low, std::span<const double> high, Colour fill, std::string label);

// A column from 0 (or the axis's low end) for each of one row's numbers of a tensor, between edges[i] and edges[i + 1].
// Each is a cell: hovering it looks at tensor[row, i].
void add_columns(Figure& figure, const Plot& plot, const Trace& trace, std::string_view tensor, int row,
                 std::span<const double> edges, Colour fill);

// A dot at one number of the trace; hovering it looks at that cell.
void add_dot(Figure& figure, const Plot& plot, const Source& source, double x, double y, Colour fill, std::string label,
             float radius = 4);

// A line across the frame at a value of x, or of y, with a word at its end.
void add_rule_x(Figure& figure, const Plot& plot, const std::string& id, double value, Stroke stroke,
                std::string label);
void add_rule_y(Figure& figure, const Plot& plot, const std::string& id, double value, Stroke stroke,
                std::string label);

// Names with a stroke of their colour before each, from the left, broken into lines. Returns the height.
struct LegendEntry {
  std::string name;
  Stroke stroke{};
};
float add_legend(Figure& figure, const std::string& id, std::span<const LegendEntry> entries, Point top_left,
                 float width, Theme theme);

}  // namespace limelight::figure
