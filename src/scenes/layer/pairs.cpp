#include "scenes/layer/pairs.h"

#include <algorithm>
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

Element dot(Point at, float radius, Rectangle style) {
  style.radius = radius;
  return {.rect = {at.x - radius, at.y - radius, 2 * radius, 2 * radius}, .shape = style};
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
    for (const Source* source : {&pair.last, &pair.first}) {
      span.low = std::min(span.low, value_of(d, *source));
      span.high = std::max(span.high, value_of(d, *source));
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

void add_span(Drawing& d, const Span& span, float top, float bottom) {
  int number = 0;
  for (const auto& [value, words] : span.ticks) {
    const float x = span.at(value);
    const std::string id = "span." + std::to_string(number++);
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
  constexpr float kLeastTold = 6;  // px of a radius from which numbers stand beside dots
  const std::size_t from = d.figure.elements.size();
  const double last = value_of(d, pair.last), first = value_of(d, pair.first);
  const float a = span.at(last), b = mix(a, span.at(first), span.apart);
  const float half = 0.55F * radius;
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  const bool looked_at = focus == pair.first || focus == pair.last, same = std::abs(a - b) < radius;
  if (std::abs(a - b) > 0.5F)
    d.figure.add({.id = cell_id(pair.first) + ".way",
                  .shape = flowing({{a, y - half}, {a, y + half}}, {{b, y - half}, {b, y + half}}, Flow::level,
                                   {{0, d.colours.output_fill.faded(0.18F)}, {1, d.colours.output_fill.faded(0.8F)}})});
  const auto add = [&](const Source& source, float x, double value, const char* order, Rectangle style, float grown) {
    Element element = dot({x, y}, radius * grown, style);
    element.id = cell_id(source);
    element.role = Role::cell;
    element.label = pair.name + ", " + order + ": " + io::format_short(value);
    element.source = source;
    d.figure.add(std::move(element));
  };
  add(pair.first, b, first, "shuffle, then layer", filled(d), 1);

  // Around it where both lie on each other, so that both are seen.
  Rectangle ring = hollow(d);
  if (same) ring.fill = Colour{0, 0, 0, 0};
  add(pair.last, a, last, "layer, then shuffle", ring, same ? 1.4F : 1);
  show_since(d.figure, from, pair.seen);
  // The same output wherever the step has it.
  const bool counterpart = focus && pair.first.tensor == kOrderFirst && focus->tensor.starts_with("order_") &&
                           focus->column == pair.first.column;
  if (looked_at || counterpart)
    add_ring(d.figure, cell_id(pair.first) + ".ring",
             Rect{std::min(a, b), y, std::abs(b - a), 0}.inset(-1.4F * radius - 2), d.colours.ink);
  // Of a pair both numbers are told or none.
  const float beside = 1.4F * radius + 44;
  const bool room = same || (std::min(a, b) - beside > span.from && std::max(a, b) + beside < span.right);
  if (!looked_at && (radius < kLeastTold || !room)) return;
  const std::size_t told = d.figure.elements.size();
  const auto tell = [&](const char* of, double value, bool before) {
    const std::string words = io::format_short(value, 3);
    const float width = text::measure(text::Face::mono, 11, words) + 8, gap = 1.4F * radius + 6;
    const float x = before ? std::min(a, b) - gap - width : std::max(a, b) + gap;
    if (x < span.from || x + width > span.right) return;
    add_words(d, cell_id(pair.first) + of, {x, y - 8, width, 16}, words,
              {looked_at ? d.colours.ink : d.colours.muted, type::small_number, Align::centre});
  };
  tell(".high", same ? first : std::max(first, last), false);
  if (!same) tell(".low", std::min(first, last), true);
  show_since(d.figure, told, smoothstep(0.8F, 1, span.apart));
}

float add_legend_of_pairs(Drawing& d, Point at, float right) {
  constexpr float kRadius = 5, kAfter = 18;
  const float left = at.x;
  const auto [face, size] = type::label;
  float x = at.x;
  const auto add = [&](const char* id, const char* words, Rectangle style, float grown) {
    const float width = text::measure(face, size, words), whole = 2 * kRadius + 7 + width;
    if (x > left && x + whole > right) x = left, at.y += 20;
    const Point middle{x + kRadius, at.y + 9};
    if (grown > 1) d.figure.add(dot(middle, kRadius, filled(d))).id = std::string(id) + ".dot";
    Element& mark = d.figure.add(dot(middle, grown * kRadius, style));
    mark.id = id;
    add_words(d, std::string(id) + ".words", {x + 2 * kRadius + 7, at.y, width + 1, 18}, words, {d.colours.muted});
    x += whole + kAfter;
  };
  add("legend.hollow", "layer, then shuffle", hollow(d), 1);
  add("legend.filled", "shuffle, then layer", filled(d), 1);
  Rectangle ring = hollow(d);
  ring.fill = Colour{0, 0, 0, 0};
  add("legend.same", "both the same", ring, 1.4F);
  return at.y + 26;
}

}  // namespace limelight::scenes::layer
