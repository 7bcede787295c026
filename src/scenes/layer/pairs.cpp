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
    for (const Source& source : {pair.last, pair.first, pair.was.value_or(pair.first)}) {
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
  const double last = value_of(d, pair.last), first = value_of(d, pair.first);
  // The dot of the layer that comes first is there first.
  const float from = pair.was ? span.at(value_of(d, *pair.was)) : span.from;
  const float a = mix(from, span.at(last), smoothstep(0, 0.6F, span.landed));
  const float b = mix(from, span.at(first), smoothstep(0.4F, 1, span.landed));
  const float half = 0.55F * radius;
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  const bool looked_at = focus == pair.first || focus == pair.last;
  const std::array<std::string, 2> words = told_of(last, first, rounding(d.trace));
  const bool same = words[0] == words[1];
  if (std::abs(last - first) >= rounding(d.trace) && a != b)
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
  const float clear = smoothstep(0.5F * radius, 2 * radius, std::abs(a - b));
  Rectangle ring = hollow(d);
  ring.fill = ring.fill.faded(clear);
  add(pair.last, a, last, "layer, then shuffle", ring, mix(1.4F, 1, clear));
  // The same output wherever the step has it.
  const bool counterpart = focus && pair.first.tensor == kOrderFirst && focus->tensor.starts_with("order_") &&
                           focus->column == pair.first.column;
  if (looked_at || counterpart)
    add_ring(d.figure, cell_id(pair.first) + ".ring",
             Rect{std::min(a, b), y, std::abs(b - a), 0}.inset(-1.4F * radius - 2), d.colours.ink);
  const std::size_t told = d.figure.elements.size();
  if (span.numbers > 0) {
    const float each = (span.right - span.numbers) / 2;
    for (int i = 0; i < (same ? 1 : 2); ++i)
      add_words(d, cell_id(pair.first) + (i == 0 ? ".low" : ".high"),
                {span.numbers + (same ? 0 : each * static_cast<float>(i)), y - 8, same ? 2 * each : each, 16}, words[i],
                {d.colours.ink, type::small_number, Align::centre});
    show_since(d.figure, told, smoothstep(0.8F, 1, span.landed));
    return;
  }
  if (!looked_at && radius < kLeastTold) return;
  const auto tell = [&](const char* of, const std::string& number, bool before) {
    const float width = text::measure(text::Face::mono, 11, number) + 8, gap = 1.4F * radius + 6;
    float x = before ? std::min(a, b) - gap - width : std::max(a, b) + gap;
    if (same && x + width > span.right) x = std::min(a, b) - gap - width;
    if (x < span.left || x + width > span.right) return;
    // On a ground of their own, which no line crosses.
    d.figure.add({.id = cell_id(pair.first) + of + std::string(".ground"),
                  .rect = {x, y - 8, width, 16},
                  .shape = Rectangle{.fill = d.colours.surface.faded(0.86F), .radius = 4}});
    add_words(d, cell_id(pair.first) + of, {x, y - 8, width, 16}, number,
              {looked_at ? d.colours.ink : d.colours.muted, type::small_number, Align::centre});
  };
  const bool grows = first > last;
  tell(".high", words[grows ? 1 : 0], false);
  if (!same) tell(".low", words[grows ? 0 : 1], true);
  show_since(d.figure, told, smoothstep(0.8F, 1, span.landed));
}

float add_legend_of_pairs(Drawing& d, Point at, float right) {
  constexpr float kRadius = 5;
  const bool tight = right - at.x < 400;
  const float after = tight ? 11 : 18;
  const float left = at.x;
  const Type words_type = tight ? type::caption : type::label;
  const auto [face, size] = words_type;
  float x = at.x;
  const auto add = [&](const char* id, const char* words, Rectangle style, float grown) {
    const float width = text::measure(face, size, words), whole = 2 * kRadius + 7 + width;
    if (x > left && x + whole > right) x = left, at.y += 20;
    const Point middle{x + kRadius, at.y + 9};
    if (grown > 1) d.figure.add(dot(middle, kRadius, filled(d))).id = std::string(id) + ".dot";
    Element& mark = d.figure.add(dot(middle, grown * kRadius, style));
    mark.id = id;
    add_words(d, std::string(id) + ".words", {x + 2 * kRadius + 7, at.y, width + 1, 18}, words,
              {d.colours.muted, words_type});
    x += whole + after;
  };
  add("legend.hollow", "layer, then shuffle", hollow(d), 1);
  add("legend.filled", "shuffle, then layer", filled(d), 1);
  Rectangle ring = hollow(d);
  ring.fill = Colour{0, 0, 0, 0};
  add("legend.same", "one over the other", ring, 1.4F);
  return at.y + 26;
}

Lane lane_of(Rect area, int i, int count) {
  const float pitch = area.h / static_cast<float>(count);
  return {area.y + pitch * (static_cast<float>(i) + 0.5F), pitch};
}

std::vector<Pair> pairs_of(const Drawing& d, std::string_view last, std::string_view first, std::string_view was) {
  std::vector<Pair> pairs;
  const Tensor& rows = d.trace.at(first);
  for (int i = 0; i < rows.rows(); ++i)
    pairs.push_back({rows.row_labels[static_cast<std::size_t>(i)],
                     {std::string(last), i, 0},
                     {std::string(first), i, 0},
                     was.empty() ? std::nullopt : std::optional(Source{std::string(was), i, 0})});
  return pairs;
}

void add_band(Drawing& d, const std::string& id, Rect area, Lane lane) {
  const float gap = std::min(0.06F * lane.height, 3.F);
  d.figure.add({.id = id,
                .rect = {area.x, lane.middle - lane.height / 2 + gap, area.w, lane.height - 2 * gap},
                .shape = Rectangle{.fill = d.colours.surface.faded(is_dark(d.view.theme) ? 0.8F : 0.45F),
                                   .radius = std::min(8.F, 0.2F * lane.height)}});
}

// On a ground of its own, which no line crosses.
void add_lane_name(Drawing& d, const std::string& id, const std::string& name, Point at) {
  const auto [face, size] = type::subtitle;
  const Rect rect{at.x, at.y + 4, text::measure(face, size, name) + 9, 18};
  d.figure.add(
      {.id = id + ".ground", .rect = rect, .shape = Rectangle{.fill = d.colours.surface.faded(0.86F), .radius = 5}});
  add_words(d, id, {rect.x + 4, rect.y, rect.w - 4, rect.h}, name, {d.colours.output, {face, size}});
}

void add_verdict(Drawing& d, const std::string& id, Point at, float radius, bool same) {
  Rectangle disc{.fill = same ? d.colours.ink : d.colours.output, .radius = radius};
  d.figure.add(dot(at, radius, disc, id + ".disc"));
  add_words(d, id, {at.x - radius, at.y - radius, 2 * radius, 2 * radius}, same ? "=" : "≠",
            {d.colours.surface, {text::Face::semibold, 1.5F * radius}, Align::centre});
}

void add_lanes(Drawing& d, Rect area, const std::vector<Pair>& pairs, float landed, bool below) {
  const int count = static_cast<int>(pairs.size());
  const float pitch = lane_of(area, 0, count).height, radius = std::clamp(0.3F * pitch, 3.F, 7.F);
  // px of the names at the left and of the numbers at the right; of a number beside a dot
  const float names = below ? 0.22F * area.w : 0, numbers = below || pitch < 24 ? 96.F : 0;
  const float beside = numbers > 0 ? 0 : d.video() ? 52.F : 72.F;
  const bool named = pitch >= 44 && !below;     // above the dots of a lane there is room for its name
  const float mark = numbers > 0 ? 0.F : 36.F;  // px at the right, where it says whether both are the same
  const bool apart = std::ranges::any_of(pairs, [&](const Pair& pair) {
    return std::abs(value_of(d, pair.last) - value_of(d, pair.first)) > rounding(d.trace);
  });
  Span span = span_of(d, pairs, area.x + names + (apart && beside > 0 ? beside : 12.F),
                      area.right() - (numbers > 0 ? numbers + 14 : beside + mark));
  span.left = area.x + names;
  span.right = area.right() - mark;
  span.numbers = numbers > 0 ? area.right() - numbers : 0;
  span.landed = landed;
  for (int i = 0; i < count; ++i) {
    const Lane lane = lane_of(area, i, count);
    const std::string number = std::to_string(i), &name = pairs[static_cast<std::size_t>(i)].name;
    add_band(d, "lane." + number, area, lane);
    if (below)
      add_words(d, "lane.name." + number, {area.x + 4, lane.middle - 8, names - 4, 16}, name,
                {d.colours.output, type::caption, Align::right});
    const float y = lane.middle;
    d.figure.add({.id = "lane.line." + number,
                  .shape = Line{.points = {{span.from, y}, {span.to, y}}, .colour = d.colours.faint.faded(0.28F)}});
  }
  add_span(d, span, area.y, area.bottom());
  for (int i = 0; mark > 0 && i < count; ++i) {
    const Lane lane = lane_of(area, i, count);
    const Pair& pair = pairs[static_cast<std::size_t>(i)];
    if (named)
      add_lane_name(d, "lane.name." + std::to_string(i), pair.name, {area.x + 6, lane.middle - lane.height / 2});
    const bool same = std::abs(value_of(d, pair.last) - value_of(d, pair.first)) < rounding(d.trace);
    const std::size_t first = d.figure.elements.size();
    add_verdict(d, "lane.same." + std::to_string(i), {area.right() - mark / 2, lane.middle},
                std::min(11.F, 0.4F * lane.height), same);
    show_since(d.figure, first, smoothstep(0.8F, 1, landed));
  }
  for (int i = 0; i < count; ++i)
    add_pair(d, span, pairs[static_cast<std::size_t>(i)], lane_of(area, i, count).middle, radius);
  for (int i = 0; numbers > 0 && i < 2; ++i)
    add_mark(d, "lane.head." + std::to_string(i), {span.numbers + numbers * (i == 0 ? 0.25F : 0.75F), area.y - 8},
             i == 1);
}

void add_mark(Drawing& d, const std::string& id, Point at, bool first) {
  d.figure.add(dot(at, 4, first ? filled(d) : hollow(d), id));
}

float add_key(Drawing& d, Point at, bool below) {
  const std::string measured = d.video() ? "minutes in each output" : "first number of each output";
  add_words(d, "key.what", {at.x, at.y, d.figure.width - at.x - 8, 18}, measured, {d.colours.ink, type::subtitle});
  const float used = below ? 0 : text::measure(type::subtitle.face, type::subtitle.size, measured) + 20;
  return add_legend_of_pairs(d, {at.x + used, at.y + (below ? 20.F : 0)}, d.figure.width - 8);
}

}  // namespace limelight::scenes::layer
