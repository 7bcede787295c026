#include "figure/plot.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "io/numbers.h"

namespace limelight::figure {
namespace {

constexpr float kTickSize = 11;
constexpr float kLabelSize = 12;
constexpr float kTickGap = 6;      // between the frame and the numbers
constexpr float kBelow = 22;       // for the numbers under the frame
constexpr float kLabelRoom = 20;   // for an axis's label
constexpr float kTickPitchX = 64;  // room for one number, so that they do not touch
constexpr float kTickPitchY = 34;

double share(const Axis& axis, double value) {
  if (axis.logarithmic) return std::log(value / axis.low) / std::log(axis.high / axis.low);
  return (value - axis.low) / (axis.high - axis.low);
}

std::vector<std::pair<double, std::string>> ticks_of(const Axis& axis, int most) {
  return axis.ticks.empty() ? round_ticks(axis, most) : axis.ticks;
}

// Cuts a line to the frame's height, so that a curve leaves through its edge and not over the labels.
Point cut(Point inside, Point outside, float y) {
  const float t = (y - inside.y) / (outside.y - inside.y);
  return {mix(inside.x, outside.x, t), y};
}

}  // namespace

float Plot::across(double value) const { return frame.x + frame.w * static_cast<float>(share(x, value)); }
float Plot::down(double value) const { return frame.bottom() - frame.h * static_cast<float>(share(y, value)); }

std::vector<std::pair<double, std::string>> round_ticks(const Axis& axis, int most) {
  std::vector<std::pair<double, std::string>> ticks;
  most = std::max(most, 2);
  if (axis.logarithmic) {
    assert(axis.low > 0 && axis.high > axis.low);
    const int first = static_cast<int>(std::ceil(std::log10(axis.low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(axis.high) + 1e-9));
    const int pitch = std::max(1, (last - first + most) / most);
    for (int power = first; power <= last; power += pitch) {
      const double value = std::pow(10, power);
      ticks.emplace_back(value, io::format_short(value));
    }
    return ticks;
  }
  assert(axis.high > axis.low);
  const double rough = (axis.high - axis.low) / most;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double pitch = 10 * power;
  for (const double times : {1., 2., 5.}) {
    if (times * power >= rough) {
      pitch = times * power;
      break;
    }
  }
  // So many that neighbours differ.
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  const int digits =
      std::clamp(1 + static_cast<int>(std::floor(std::log10(largest)) - std::floor(std::log10(pitch))), 1, 12);
  const auto first = static_cast<long long>(std::ceil(axis.low / pitch - 1e-9));
  const auto last = static_cast<long long>(std::floor(axis.high / pitch + 1e-9));
  for (long long i = first; i <= last; ++i) {
    const double value = io::round_to(static_cast<double>(i) * pitch, power);
    ticks.emplace_back(value, io::format_short(value, digits));
  }
  return ticks;
}

Plot add_plot(Figure& figure, const std::string& id, Rect area, Axis x, Axis y, Theme theme) {
  const Palette& colours = palette(theme);
  const auto y_ticks = ticks_of(y, static_cast<int>((area.h - kBelow) / kTickPitchY));
  float widest = 0;
  for (const auto& [value, text] : y_ticks) widest = std::max(widest, text::measure(text::Face::mono, kTickSize, text));
  const float left = widest + kTickGap + (y.label.empty() ? 0 : kLabelRoom);
  const float below = kBelow + (x.label.empty() ? 0 : kLabelRoom);
  const Plot plot{
      .frame = {area.x + left, area.y + kTickSize / 2, area.w - left - kTickGap, area.h - below - kTickSize / 2},
      .x = x,
      .y = y};
  const Rect& frame = plot.frame;
  const auto x_ticks = ticks_of(x, static_cast<int>(frame.w / kTickPitchX));
  int number = 0;
  for (const auto& [value, text] : y_ticks) {
    const std::string name = id + ".y" + std::to_string(number++);
    const float at = plot.down(value);
    figure.add({.id = name,
                .shape = Line{.points = {{frame.x, at}, {frame.right(), at}}, .colour = colours.hairline, .width = 1}});
    figure.add({.id = name + ".text",
                .rect = {area.x, at - kTickSize / 2, frame.x - kTickGap - area.x, kTickSize},
                .shape = Text{.text = text,
                              .face = text::Face::mono,
                              .size = kTickSize,
                              .colour = colours.muted,
                              .align = Align::right}});
  }
  number = 0;
  for (const auto& [value, text] : x_ticks) {
    const std::string name = id + ".x" + std::to_string(number++);
    const float at = plot.across(value);
    const float width = text::measure(text::Face::mono, kTickSize, text);
    figure.add({.id = name,
                .shape = Line{
                    .points = {{at, frame.bottom()}, {at, frame.bottom() + 4}}, .colour = colours.faint, .width = 1}});
    // The outermost numbers stay above the frame's own width.
    const float start = std::clamp(at - width / 2, area.x, std::max(area.x, area.right() - width));
    figure.add({.id = name + ".text",
                .rect = {start, frame.bottom() + kTickGap, width, kTickSize},
                .shape = Text{.text = text, .face = text::Face::mono, .size = kTickSize, .colour = colours.muted}});
  }
  figure.add({.id = id + ".base",
              .shape = Line{.points = {{frame.x, frame.bottom()}, {frame.right(), frame.bottom()}},
                            .colour = colours.faint,
                            .width = 1}});
  if (!x.label.empty())
    figure.add({.id = id + ".xlabel",
                .rect = {frame.x, frame.bottom() + kBelow, frame.w, kLabelRoom},
                .shape = Text{.text = text::fit(text::Face::regular, kLabelSize, x.label, frame.w),
                              .size = kLabelSize,
                              .colour = colours.muted,
                              .align = Align::centre}});
  if (!y.label.empty())
    figure.add({.id = id + ".ylabel",
                .rect = {area.x, frame.y, kLabelRoom - 4, frame.h},
                .shape = Text{.text = text::fit(text::Face::regular, kLabelSize, y.label, frame.h),
                              .size = kLabelSize,
                              .colour = colours.muted,
                              .align = Align::centre,
                              .vertical = true}});
  return plot;
}

void add_curve(Figure& figure, const Plot& plot, const std::string& id, std::span<const double> x,
               std::span<const double> y, Stroke stroke, std::string label) {
  assert(x.size() == y.size());
  const float top = plot.frame.y, bottom = plot.frame.bottom();
  std::vector<Point> points;
  int piece = 0;
  const auto flush = [&] {
    if (points.size() > 1)
      figure.add(
          {.id = id + (piece > 0 ? "." + std::to_string(piece) : ""),
           .rect = plot.frame,
           .label = label,
           .shape = Line{
               .points = std::move(points), .colour = stroke.colour, .width = stroke.width, .dashed = stroke.dashed}});
    points.clear();
    ++piece;
  };
  const auto inside = [&](Point p) { return p.y >= top && p.y <= bottom; };
  std::optional<Point> last;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Point p = plot.at(x[i], y[i]);
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
      flush();
      last.reset();
      continue;
    }
    if (inside(p)) {
      if (last && !inside(*last)) points.push_back(cut(p, *last, last->y < top ? top : bottom));
      points.push_back(p);
    } else if (last && inside(*last)) {
      points.push_back(cut(*last, p, p.y < top ? top : bottom));
      flush();
    } else if (last && (last->y < top) != (p.y < top)) {
      points = {cut(*last, p, last->y < top ? top : bottom), cut(*last, p, p.y < top ? top : bottom)};
      flush();
    }
    last = p;
  }
  flush();
}

void add_band(Figure& figure, const Plot& plot, const std::string& id, std::span<const double> x,
              std::span<const double> low, std::span<const double> high, Colour fill, std::string label) {
  assert(x.size() == low.size() && x.size() == high.size());
  const auto point = [&](double x_value, double y_value) {
    Point p = plot.at(x_value, y_value);
    p.y = std::isfinite(p.y) ? std::clamp(p.y, plot.frame.y, plot.frame.bottom()) : plot.frame.bottom();
    return p;
  };
  std::vector<Point> points;
  for (std::size_t i = 0; i < x.size(); ++i) points.push_back(point(x[i], high[i]));
  for (std::size_t i = x.size(); i-- > 0;) points.push_back(point(x[i], low[i]));
  if (points.size() < 4) return;
  figure.add({.id = id,
              .rect = plot.frame,
              .label = std::move(label),
              .shape = Area{.points = std::move(points), .fill = fill, .fill_to = fill}});
}

void add_columns(Figure& figure, const Plot& plot, const Trace& trace, std::string_view tensor, int row,
                 std::span<const double> edges, Colour fill) {
  const Tensor& values = trace.at(tensor);
  assert(static_cast<int>(edges.size()) == values.columns() + 1);
  const float base = std::clamp(plot.down(plot.y.logarithmic ? plot.y.low : std::max(0., plot.y.low)), plot.frame.y,
                                plot.frame.bottom());
  for (int i = 0; i < values.columns(); ++i) {
    const double value = static_cast<double>(values.values(row, i));
    const float left = std::max(plot.across(edges[static_cast<std::size_t>(i)]), plot.frame.x);
    const float right = std::min(plot.across(edges[static_cast<std::size_t>(i) + 1]), plot.frame.right());
    if (right <= left) continue;
    const float end =
        std::isfinite(plot.down(value)) ? std::clamp(plot.down(value), plot.frame.y, plot.frame.bottom()) : base;
    const float gap = right - left > 6 ? 1.F : 0.F;
    const Source source{std::string(tensor), row, i};
    const std::string name = io::format_short(value);
    // The whole height takes the pointer, so that a small column can be looked at too.
    figure.add({.id = cell_id(source) + ".bar",
                .rect = {left, std::min(base, end), right - left - gap, std::abs(base - end)},
                .shape = Rectangle{.fill = fill, .radius = right - left > 12 ? 2.F : 0.F}});
    figure.add({.id = cell_id(source),
                .role = Role::cell,
                .rect = {left, plot.frame.y, right - left, plot.frame.h},
                .label = (i < static_cast<int>(values.column_labels.size())
                              ? values.column_labels[static_cast<std::size_t>(i)] + ": "
                              : std::string()) +
                         name,
                .source = source,
                .shape = Rectangle{}});
  }
}

void add_dot(Figure& figure, const Plot& plot, const Source& source, double x, double y, Colour fill, std::string label,
             float radius) {
  const Point p = plot.at(x, y);
  if (!std::isfinite(p.x) || !std::isfinite(p.y) || !plot.frame.inset(-radius).contains(p)) return;
  figure.add({.id = cell_id(source),
              .role = Role::cell,
              .rect = {p.x - radius, p.y - radius, 2 * radius, 2 * radius},
              .label = std::move(label),
              .source = source,
              .shape = Rectangle{.fill = fill, .radius = radius}});
}

void add_rule_x(Figure& figure, const Plot& plot, const std::string& id, double value, Stroke stroke,
                std::string label) {
  const float at = plot.across(value);
  if (!(at >= plot.frame.x && at <= plot.frame.right())) return;
  figure.add({.id = id,
              .rect = {at, plot.frame.y, 1, plot.frame.h},
              .label = label,
              .shape = Line{.points = {{at, plot.frame.y}, {at, plot.frame.bottom()}},
                            .colour = stroke.colour,
                            .width = stroke.width,
                            .dashed = stroke.dashed}});
  const float width = text::measure(text::Face::regular, kTickSize, label);
  const bool to_left = at > plot.frame.centre().x;  // a rule's label across stands at the right
  figure.add({.id = id + ".text",
              .rect = {to_left ? at - 6 - width : at + 6, plot.frame.y + 4, width, kLabelSize},
              .shape = Text{.text = std::move(label), .size = kTickSize, .colour = stroke.colour}});
}

void add_rule_y(Figure& figure, const Plot& plot, const std::string& id, double value, Stroke stroke,
                std::string label) {
  const float at = plot.down(value);
  if (!(at >= plot.frame.y && at <= plot.frame.bottom())) return;
  figure.add({.id = id,
              .rect = {plot.frame.x, at, plot.frame.w, 1},
              .label = label,
              .shape = Line{.points = {{plot.frame.x, at}, {plot.frame.right(), at}},
                            .colour = stroke.colour,
                            .width = stroke.width,
                            .dashed = stroke.dashed}});
  const float width = text::measure(text::Face::regular, kTickSize, label);
  const bool below = at - 16 < plot.frame.y;
  figure.add({.id = id + ".text",
              .rect = {plot.frame.right() - width - 4, below ? at + 4 : at - 16, width, kLabelSize},
              .shape = Text{.text = std::move(label), .size = kTickSize, .colour = stroke.colour}});
}

float add_legend(Figure& figure, const std::string& id, std::span<const LegendEntry> entries, Point top_left,
                 float width, Theme theme) {
  constexpr float kStroke = 18, kGap = 6, kBetween = 18, kLine = 20;
  const Palette& colours = palette(theme);
  float x = top_left.x, y = top_left.y;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const LegendEntry& entry = entries[i];
    const float needed = kStroke + kGap + text::measure(text::Face::regular, kLabelSize, entry.name);
    if (x > top_left.x && x + needed > top_left.x + width) {
      x = top_left.x;
      y += kLine;
    }
    const std::string name = id + "." + std::to_string(i);
    figure.add({.id = name,
                .shape = Line{.points = {{x, y + kLine / 2}, {x + kStroke, y + kLine / 2}},
                              .colour = entry.stroke.colour,
                              .width = entry.stroke.width,
                              .dashed = entry.stroke.dashed}});
    figure.add({.id = name + ".text",
                .rect = {x + kStroke + kGap, y, needed - kStroke - kGap, kLine},
                .shape = Text{.text = entry.name, .size = kLabelSize, .colour = colours.ink}});
    x += needed + kBetween;
  }
  return y + kLine - top_left.y;
}

}  // namespace limelight::figure
