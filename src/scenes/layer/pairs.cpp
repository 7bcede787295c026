#include "scenes/layer/pairs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "figure/marks.h"
#include "figure/plot.h"
#include "figure/ribbon.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::layer {

using namespace figure;

namespace {

double value_of(const Drawing& d, const Source& source) {
  return static_cast<double>(d.trace.at(source.tensor).values(source.row, source.column));
}

// Both with the decimals that their difference needs for three digits, so that what is seen of it is true.
std::array<std::string, 2> told_of(double last, double first, double most_rounding) {
  constexpr int kMost = 3;  // what has room beside a dot
  const double apart = std::abs(last - first);
  if (apart < std::max(most_rounding, 0.5e-3)) return {io::format_short(last, 3), io::format_short(first, 3)};
  const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(apart))), 0, kMost);
  return {io::format_fixed(last, decimals), io::format_fixed(first, decimals)};
}

Element dot(Point at, float radius, Rectangle style, std::string id = {}) {
  style.radius = radius;
  return {.id = std::move(id), .rect = {at.x - radius, at.y - radius, 2 * radius, 2 * radius}, .shape = style};
}

Rectangle hollow(const Drawing& d) {
  return {.fill = d.colours.surface, .stroke = d.colours.output, .stroke_width = 1.8F};
}
Rectangle filled(const Drawing& d) {
  return {.fill = d.colours.output_fill, .stroke = d.colours.surface, .stroke_width = 1};
}

}  // namespace

float Span::at(double value) const {
  return mix(from, to, static_cast<float>((value - low) / std::max(high - low, 1e-12)));
}

Span span_of(const Drawing& d, const std::vector<Pair>& pairs, float from, float to) {
  constexpr double kAir = 0.06;  // of the whole, at both ends
  constexpr int kMostTicks = 7;
  Span span{.low = 1e30, .high = -1e30, .from = from, .to = to};
  for (const Pair& pair : pairs)
    for (const Source& source : {pair.last, pair.first}) {
      span.low = std::min(span.low, value_of(d, source));
      span.high = std::max(span.high, value_of(d, source));
    }
  const double air = std::max(kAir * (span.high - span.low), 1e-3);
  // From 0 where that is near.
  span.low = span.low >= 0 && span.low < 0.5 * span.high ? 0 : span.low - air;
  span.high += air;
  const int most = to - from < 200 ? 3 : kMostTicks;
  span.ticks = round_ticks({.low = span.low, .high = span.high}, most);
  // Up to a round number.
  if (span.ticks.size() < 2) return span;
  span.high = 2 * span.ticks.back().first - span.ticks[span.ticks.size() - 2].first;
  span.ticks = round_ticks({.low = span.low, .high = span.high}, most + 1);
  return span;
}

void add_span(Drawing& d, const Span& span, float top, float bottom, const std::string& name) {
  int number = 0;
  for (const auto& [value, words] : span.ticks) {
    const float x = span.at(value);
    const std::string id = name + std::to_string(number++);
    d.figure.add({.id = id,
                  .shape = Line{.points = {{x, top}, {x, bottom}},
                                .colour = d.colours.faint.faded(0.4F),
                                .width = 1,
                                .dashed = value != 0}});
    add_words(d, id + ".number", {x - 24, bottom + 3, 48, 16}, words,
              {d.colours.muted, type::small_number, Align::centre});
  }
}

void add_pair(Drawing& d, const Span& span, const Pair& pair, float y, float radius) {
  const double last = value_of(d, pair.last), first = value_of(d, pair.first);
  const float a = span.at(last), b = mix(a, span.at(first), span.landed);
  const float half = 0.55F * radius;
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  const bool looked_at = focus == pair.first || focus == pair.last;
  if (std::abs(last - first) >= rounding(d.trace) && a != b)
    d.figure.add({.id = cell_id(pair.first) + ".way",
                  .shape = flowing({{a, y - half}, {a, y + half}}, {{b, y - half}, {b, y + half}}, Flow::level,
                                   {{0, d.colours.output_fill.faded(0.18F)}, {1, d.colours.output_fill.faded(0.8F)}})});
  const auto add = [&](const Source& source, float x, double value, const char* order, Rectangle style, float grown) {
    Element element = dot({x, y}, radius * grown, style, cell_id(source));
    element.role = Role::cell;
    element.label = pair.name + ", " + order + ": " + io::format_short(value);
    element.source = source;
    d.figure.add(std::move(element));
  };
  add(pair.first, b, first, "after the inputs change places", filled(d), 1);
  // Around it where both lie on each other, so that both are seen.
  const float clear = smoothstep(0.5F * radius, 2 * radius, std::abs(a - b));
  Rectangle ring = hollow(d);
  ring.fill = ring.fill.faded(clear);
  add(pair.last, a, last, "before", ring, mix(1.4F, 1, clear));
  // The same output wherever the step has it.
  const bool counterpart = focus && focus->tensor.starts_with("order_") && focus->column == pair.first.column;
  if (counterpart)
    add_ring(d.figure, cell_id(pair.first) + ".ring",
             Rect{std::min(a, b), y, std::abs(b - a), 0}.inset(-1.4F * radius - 2), d.colours.ink);
  if (!looked_at) return;
  const std::array<std::string, 2> words = told_of(last, first, rounding(d.trace));
  const bool same = words[0] == words[1], grows = first > last;
  const auto tell = [&](const char* of, const std::string& number, bool before) {
    const float width = text::measure(text::Face::mono, 11, number) + 8, gap = 1.4F * radius + 6;
    float x = before ? std::min(a, b) - gap - width : std::max(a, b) + gap;
    if (same && x + width > span.right) x = std::min(a, b) - gap - width;
    if (x < span.left || x + width > span.right) return;
    // On a ground of their own, which no line crosses.
    add_box(d, cell_id(pair.first) + of + std::string(".ground"), {x, y - 8, width, 16},
            {.fill = d.colours.surface.faded(0.86F), .radius = 4});
    add_words(d, cell_id(pair.first) + of, {x, y - 8, width, 16}, number,
              {d.colours.ink, type::small_number, Align::centre});
  };
  tell(".high", words[grows ? 1 : 0], false);
  if (!same) tell(".low", words[grows ? 0 : 1], true);
}

float add_legend_of_pairs(Drawing& d, Point at) {
  constexpr float kRadius = 5;
  const float left = at.x, right = d.figure.width - 8;
  const auto [face, size] = type::label;
  const auto add = [&](const char* id, const char* words, Rectangle style, float grown) {
    const float width = text::measure(face, size, words), whole = 2 * kRadius + 7 + width;
    if (at.x > left && at.x + whole > right) at = {left, at.y + 20};
    const Point middle{at.x + kRadius, at.y + 9};
    if (grown > 1) d.figure.add(dot(middle, kRadius, filled(d), std::string(id) + ".dot"));
    d.figure.add(dot(middle, grown * kRadius, style, id));
    add_words(d, std::string(id) + ".words", {at.x + 2 * kRadius + 7, at.y, width + 1, 18}, words,
              {d.colours.muted, {face, size}});
    at.x += whole + 16;
  };
  add("legend.hollow", "before", hollow(d), 1);
  add("legend.filled", "after", filled(d), 1);
  Rectangle ring = hollow(d);
  ring.fill = Colour{0, 0, 0, 0};
  add("legend.same", "both the same", ring, 1.4F);
  return at.y + 26;
}

Lane lane_of(Rect area, int i, int count) {
  const float pitch = area.h / static_cast<float>(count);
  return {area.y + pitch * (static_cast<float>(i) + 0.5F), pitch};
}

std::string sign_of(float apart, const Trace& trace) {
  constexpr float kTold = 0.005F;  // by two decimals
  if (static_cast<double>(apart) < rounding(trace)) return "=";
  return apart < kTold ? "≈" : "≠";
}

void add_verdict(Drawing& d, const std::string& id, Point at, float radius, const std::string& sign) {
  const Colour fill = sign == "≠" ? d.colours.output : sign == "=" ? d.colours.ink : d.colours.muted;
  d.figure.add(dot(at, radius, {.fill = fill}, id + ".disc"));
  add_words(d, id, {at.x - radius, at.y - radius, 2 * radius, 2 * radius}, sign,
            {d.colours.surface, {text::Face::semibold, 1.5F * radius}, Align::centre});
}

}  // namespace limelight::scenes::layer
