// The step All: the five layers side by side, and what each of the ways to notice an order does with one.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/order.h"
#include "figure/plot.h"
#include "io/numbers.h"
#include "scenes/layer/pairs.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

// What each of kBreakers does to the inputs or their light.
constexpr std::string_view kSaid[] = {"no marks", "adds a wave", "turns by place", "dims what is far",
                                      "no looking ahead"};

std::vector<Pair> pairs_with(const Drawing& d, int breaker) {
  std::vector<Pair> pairs;
  const Tensor& first = d.trace.at(kOrderFirst);
  for (int i = 0; i < first.columns(); ++i)
    pairs.push_back({first.column_labels[static_cast<std::size_t>(i)],
                     {std::string(kOrderLast), breaker, i},
                     {std::string(kOrderFirst), breaker, i}});
  return pairs;
}

// Whether the outputs change, and how far all are apart at most.
void add_result(Drawing& d, int breaker, float x, float right, float middle) {
  const Source source{std::string(kErrors), 0, breaker};
  const float error = d.trace.at(kErrors).values(0, breaker);
  const std::string sign = sign_of(error, d.trace);
  if (!d.narrow()) add_verdict(d, "all.same." + std::to_string(breaker), {x + 8, middle}, 9, sign);
  add_told(d, source, {x, middle - 10, right - x, 20}, sign == "=" && error > 0 ? "≈ 0" : io::format_short(error),
           {sign == "=" ? d.colours.ink : d.colours.output, type::title, Align::right},
           std::string(kBreakers[breaker]) + ": " + io::format_short(error));
}

// The pairs that look as if they lay on each other, and do not: how far apart they are, on a scale of their own.
void add_inset(Drawing& d, Rect card, int breaker) {
  const Tensor& gaps = d.trace.at("order_gap");
  const double most = static_cast<double>(gaps.values.row(breaker).maxCoeff());
  add_box(d, "inset", card, {.fill = d.colours.surface, .stroke = d.colours.track, .radius = 10});
  add_words(d, "inset.title", {card.x + 14, card.y + 8, card.w - 28, 18},
            std::string(kBreakers[breaker]) + ", enlarged", {d.colours.ink, type::subtitle});
  add_words(d, "inset.note", {card.x + 14, card.y + 27, card.w - 28, 16}, "largest difference within an output",
            {d.colours.muted, type::caption});
  const float label = std::min(96.F, 0.42F * card.w);
  const Span span{.low = 0,
                  .high = 1.1 * most,
                  .from = card.x + label,
                  .to = card.right() - 20,
                  .ticks = round_ticks({.low = 0, .high = 1.1 * most}, 4)};
  const Rect area{card.x, card.y + 48, card.w, card.h - 48 - 24};
  add_span(d, span, area.y, area.bottom(), "inset.span.");
  const int count = gaps.columns();
  for (int i = 0; i < count; ++i) {
    const Lane lane = lane_of(area, i, count);
    const Source source{"order_gap", breaker, i};
    const float value = gaps.values(breaker, i), x = span.at(static_cast<double>(value));
    const float radius = std::clamp(0.28F * lane.height, 2.F, 4.5F);
    if (lane.height >= 9)
      add_words(d, "inset.name." + std::to_string(i), {card.x + 8, lane.middle - 8, label - 16, 16},
                gaps.column_labels[static_cast<std::size_t>(i)],
                {d.colours.muted, {text::Face::regular, std::clamp(0.75F * lane.height, 9.F, 13.F)}, Align::right});
    add_box(d, cell_id(source) + ".way", {span.from, lane.middle - 2, x - span.from, 4},
            {.fill = d.colours.output_fill.faded(0.45F), .radius = 2});
    d.figure.add({.id = cell_id(source),
                  .role = Role::cell,
                  .rect = {x - radius, lane.middle - radius, 2 * radius, 2 * radius},
                  .label = gaps.column_labels[static_cast<std::size_t>(i)] + ": " + io::format_short(value) + " apart",
                  .source = source,
                  .shape = Rectangle{.fill = d.colours.output_fill, .radius = radius}});
  }
}

// Of the dots of so many outputs in a lane this high.
float radius_of(float height, int outputs) {
  return std::clamp(0.55F * height / static_cast<float>(outputs), 2.F, 5.F);
}

// The ground of a row.
void add_band(Drawing& d, const std::string& id, Rect area, Lane lane) {
  const float gap = std::min(0.06F * lane.height, 3.F);
  add_box(d, id, {area.x, lane.middle - lane.height / 2 + gap, area.w, lane.height - 2 * gap},
          {.fill = d.colours.surface.faded(is_dark(d.view.theme) ? 0.8F : 0.45F),
           .radius = std::min(8.F, 0.2F * lane.height)});
}

// Of the ways that notice the order the one that is seen least; −1 where all are seen.
int hardly_seen(const Drawing& d, const Span& span, float radius) {
  const Matrix& errors = d.trace.at("errors").values;
  int found = -1;
  for (int i = 0; i < static_cast<int>(errors.cols()); ++i) {
    const double error = static_cast<double>(errors(0, i));
    const bool seen = std::abs(span.at(span.low + error) - span.from) > 2 * radius;
    if (error >= rounding(d.trace) && !seen && (found < 0 || error < static_cast<double>(errors(0, found)))) found = i;
  }
  return found;
}

constexpr float kNameLine = 15;  // px from a line of names to the next

// An output's name above its dot in the first lane.
struct NameAbove {
  int output, line;  // 0 is the highest
  float x, width;
};

// As far as so many lines have room: each begins where its dot is, and lower than one to its left that it would meet,
// so that no line crosses a name.
std::vector<NameAbove> names_above(const Drawing& d, const Span& span, Type named) {
  constexpr int kMostLines = 4;
  const Tensor& dots = d.trace.at(kOrderFirst);
  std::vector<NameAbove> names;
  const std::vector<int> order = largest_first(std::span(dots.values.data(), static_cast<std::size_t>(dots.columns())));
  float free = 0;  // from this x on
  int line = 0;
  for (auto output = order.rbegin(); output != order.rend(); ++output) {
    const float x = span.at(static_cast<double>(dots.values(0, *output)));
    const float width =
        text::measure(named.face, named.size, dots.column_labels[static_cast<std::size_t>(*output)]) + 3;
    line = x >= free ? 0 : line + 1;
    if (line >= kMostLines || x + width > span.right) continue;
    free = std::max(free, x + width + 6);
    names.push_back({*output, line, x, width});
  }
  return names;
}

int lines_of(const std::vector<NameAbove>& names) {
  int lines = 0;
  for (const NameAbove& name : names) lines = std::max(lines, name.line + 1);
  return lines;
}

void add_names_above(Drawing& d, const std::vector<NameAbove>& names, Type named, const Rect& lane) {
  const Tensor& dots = d.trace.at(kOrderFirst);
  const int lines = lines_of(names);
  for (const NameAbove& name : names) {
    const std::string id = "all.output." + std::to_string(name.output);
    const float y = lane.y - kNameLine * static_cast<float>(lines - name.line);
    d.figure.add(
        {.id = id + ".line",
         .shape = Line{.points = {{name.x, y + 3}, {name.x, lane_of(lane, name.output, dots.columns()).middle}},
                       .colour = d.colours.output.faded(0.45F)}});
    add_words(d, id, {name.x + 4, y, name.width, kNameLine}, dots.column_labels[static_cast<std::size_t>(name.output)],
              {d.colours.output, named});
  }
}

// A layer with one of the ways to notice an order: its name, its outputs' dots, and whether they have moved.
void add_lane(Drawing& d, const Rect& area, int breaker, Span span, float label, float number, float come) {
  const bool narrow = d.narrow();
  const Lane lane = lane_of(area, breaker, static_cast<int>(std::size(kBreakers)));
  const std::size_t first = d.figure.elements.size();
  const std::string id = std::to_string(breaker);
  add_words(d, "all.name." + id, {area.x + 4, lane.middle - 17, label, 20}, std::string(kBreakers[breaker]),
            {d.colours.ink, narrow ? type::name : type::subtitle, Align::right});
  add_words(d, "all.said." + id, {area.x + 4, lane.middle, label, 16}, std::string(kSaid[breaker]),
            {d.colours.muted, type::caption, Align::right});
  span.landed = smoothstep(0.3F, 1, come);
  const std::vector<Pair> pairs = pairs_with(d, breaker);
  const int outputs = static_cast<int>(pairs.size());
  const Rect inside{area.x, lane.middle - 0.42F * lane.height, area.w, 0.84F * lane.height};
  for (int j = 0; j < outputs; ++j)
    add_pair(d, span, pairs[static_cast<std::size_t>(j)], lane_of(inside, j, outputs).middle,
             radius_of(inside.h, outputs));
  add_result(d, breaker, area.right() - number, area.right() - 8, lane.middle);
  show_since(d.figure, first, smoothstep(0, 0.3F, come));
}

}  // namespace

float draw_all(Drawing& d, float y, float bottom) {
  const bool narrow = d.narrow();
  const float t = d.view.t;
  y = add_forms(d, {d.margin(), y + 2, d.inner(), narrow ? 92 : std::clamp(0.38F * (bottom - y), 120.F, 300.F)}) + 14;
  constexpr Type kQuestion{text::Face::semibold, 16};
  const std::string question = "Does the order count?";
  add_words(d, "order.question", {d.margin(), y, d.inner(), 22}, question, {d.colours.ink, kQuestion});
  const float title = narrow ? 0 : text::measure(kQuestion.face, kQuestion.size, question) + 24;
  y += narrow ? 22 : 2;
  const float told =
      add_words(d, "all.what", {d.margin() + title, y}, d.inner() - title,
                d.video() ? "minutes in each output" : "the first number of each output", {d.colours.ink, type::body});
  y = add_legend_of_pairs(d, narrow ? Point{d.margin(), y + 20} : Point{d.margin() + title + told + 18, y});
  const float number = narrow ? 58 : 98, label = narrow ? 96 : 116;
  const bool beside = d.inner() >= 820;
  Rect area{d.margin(), y, beside ? 0.66F * d.inner() : d.inner(), 0};
  const int count = static_cast<int>(std::size(kBreakers));
  std::vector<Pair> all;
  for (int i = 0; i < count; ++i)
    for (Pair& pair : pairs_with(d, i)) all.push_back(std::move(pair));
  Span span = span_of(d, all, area.x + label + 14, area.right() - number - 8);
  span.left = span.from;
  span.right = area.right() - 0.6F * number;
  const Type named = narrow ? type::caption : type::body;
  const std::vector<NameAbove> names = names_above(d, span, named);
  area.y += kNameLine * static_cast<float>(std::max(lines_of(names), 2)) - 4;
  area.h = std::max(bottom - area.y - d.press_height() - 46, narrow ? 210.F : 170.F);
  const TextStyle head{d.colours.muted, narrow ? type::caption : type::label, Align::right};
  add_words(d, "all.added", {area.x + 4, area.y - 20, label, 18}, "what is added", head);
  add_words(d, "all.most", {area.right() - number, area.y - 20, number - 8, 18}, narrow ? "apart by" : "apart by up to",
            head);
  for (int i = 0; i < count; ++i) add_band(d, "all.lane." + std::to_string(i), area, lane_of(area, i, count));
  add_span(d, span, area.y, area.bottom());
  add_names_above(d, names, named, {area.x, area.y, area.w, area.h / static_cast<float>(count)});
  for (int i = 0; i < count; ++i)
    add_lane(d, area, i, span, label, number, in_turn(std::clamp((t - 0.05F) / 0.65F, 0.F, 1.F), i, count));
  float below = add_orders(d, area.bottom() + 30);
  const int small = hardly_seen(d, span, radius_of(0.84F * area.h / static_cast<float>(count), d.trace.at(kX).rows()));
  if (small < 0) return below;
  const std::size_t first = d.figure.elements.size();
  const Lane lane = lane_of(area, small, count);
  Rect card{d.margin(), below + 10, std::min(d.inner(), 360.F), 170};
  if (beside) {
    const float high = std::min(area.h, 190.F), x = area.right() + 28;
    card = {x, std::clamp(lane.middle - high / 2, area.y, area.bottom() - high), d.margin() + d.inner() - x, high};
    d.figure.add(
        {.id = "inset.pointer",
         .shape = Line{.points = {{area.right() + 2, lane.middle}, {card.x, std::min(lane.middle, card.bottom() - 20)}},
                       .colour = d.colours.muted,
                       .width = 1.2F,
                       .dashed = true}});
  }
  add_inset(d, card, small);
  show_since(d.figure, first, smoothstep(0.7F, 1, t));
  return std::max(below, card.bottom());
}

}  // namespace limelight::scenes::layer
