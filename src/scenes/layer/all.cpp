// The step All: the five layers side by side, and what each of the ways to notice an order does with one.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/order.h"
#include "figure/plot.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/layer/pairs.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

// Of which kind each of kBreakers is.
constexpr std::string_view kKinds[] = {"", "positions", "positions", "positions", "no positions"};

std::vector<Pair> pairs_with(const Drawing& d, int breaker) {
  std::vector<Pair> pairs;
  const Tensor& first = d.trace.at(kOrderFirst);
  for (int i = 0; i < first.columns(); ++i)
    pairs.push_back({first.column_labels[static_cast<std::size_t>(i)],
                     {std::string(kOrderLast), breaker, i},
                     {std::string(kOrderFirst), breaker, i}});
  return pairs;
}

// How far all outputs are apart at most.
void add_error(Drawing& d, int breaker, Rect rect) {
  const double error = static_cast<double>(d.trace.at("errors").values(0, breaker));
  const bool same = error < rounding(d.trace);
  const Source source{"errors", 0, breaker};
  d.figure.add({.id = cell_id(source),
                .role = Role::cell,
                .rect = rect,
                .label = std::string(kBreakers[breaker]) + ": " + io::format_short(error),
                .source = source,
                .shape = Text{.text = error_text(error, rounding(d.trace)),
                              .face = text::Face::semibold,
                              .size = 14,
                              .colour = same ? d.colours.ink : d.colours.output,
                              .align = Align::right}});
}

// The pairs that look as if they lay on each other, and do not: how far apart they are, on a scale of their own.
void add_inset(Drawing& d, Rect card, int breaker) {
  const Tensor& gaps = d.trace.at("order_gap");
  const double most = static_cast<double>(gaps.values.row(breaker).maxCoeff());
  d.figure.add({.id = "inset",
                .rect = card,
                .shape = Rectangle{.fill = d.colours.surface, .stroke = d.colours.track, .radius = 10}});
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
  for (const auto& [value, words] : span.ticks)
    add_words(d, "inset.tick." + words, {span.at(value) - 26, area.bottom() + 2, 52, 16}, words,
              {d.colours.muted, type::small_number, Align::centre});
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
    d.figure.add({.id = cell_id(source) + ".way",
                  .rect = {span.from, lane.middle - 2, x - span.from, 4},
                  .shape = Rectangle{.fill = d.colours.output_fill.faded(0.45F), .radius = 2}});
    d.figure.add({.id = cell_id(source),
                  .role = Role::cell,
                  .rect = {x - radius, lane.middle - radius, 2 * radius, 2 * radius},
                  .label = gaps.column_labels[static_cast<std::size_t>(i)] + ": " + io::format_short(value) + " apart",
                  .source = source,
                  .shape = Rectangle{.fill = d.colours.output_fill, .radius = radius}});
  }
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

// The outputs by name above their dots in the first lane, as far as `lines` have room: each begins where its dot is,
// and lower than one to its left that it would meet, so that no line crosses a name.
void add_names_above(Drawing& d, const Span& span, const std::vector<Pair>& pairs, const Rect& lane, int lines) {
  constexpr float kLine = 15;
  const Type named = d.narrow() ? type::caption : type::body;
  const Tensor& dots = d.trace.at(kOrderFirst);
  const int count = dots.columns();
  const std::vector<int> order = largest_first(std::span(dots.values.data(), static_cast<std::size_t>(count)));
  float free = 0;  // from this x on
  int line = 0;
  for (auto output = order.rbegin(); output != order.rend(); ++output) {
    const int i = *output;
    const std::string &name = pairs[static_cast<std::size_t>(i)].name, id = "all.output." + std::to_string(i);
    const float x = span.at(static_cast<double>(dots.values(0, i)));
    const float width = text::measure(named.face, named.size, name) + 3;
    line = x >= free ? 0 : line + 1;
    if (line >= lines || x + width > span.right) continue;
    free = std::max(free, x + width + 6);
    const float y = lane.y - kLine * static_cast<float>(lines - line);
    d.figure.add({.id = id + ".line",
                  .shape = Line{.points = {{x, y + 3}, {x, lane_of(lane, i, count).middle}},
                                .colour = d.colours.output.faded(0.45F)}});
    add_words(d, id, {x + 4, y, width, kLine}, name, {d.colours.output, named});
  }
}

// Where the dots lie on each other, in words.
std::string coincide(const Drawing& d) {
  const Matrix& errors = d.trace.at(kErrors).values;
  std::string where;
  int ways = 0;
  for (int i = 0; i < static_cast<int>(errors.cols()); ++i)
    if (static_cast<double>(errors(0, i)) < rounding(d.trace))
      where += (ways++ > 0 ? " or " : "") + bold(std::string(kBreakers[i]));
  if (std::ranges::is_sorted(d.state.order.of(d.trace.at(kX).rows())))
    return "Nothing has moved, so all hollow and filled dots coincide.";
  if (ways == std::ssize(kBreakers))
    return "With these numbers no output changes, so all hollow and filled dots coincide.";
  return "Hollow and filled dots coincide only where " + where + " is added: there " +
         (ways == 1 ? "the layer sees a **set**." : "this order goes **unnoticed**.");
}

}  // namespace

float draw_all(Drawing& d, float y, float bottom) {
  const bool narrow = d.narrow();
  const int lines = narrow ? 4 : 2;  // of the outputs' names
  const float k = narrow ? 1 : std::clamp(d.figure.width / 1216, 0.6F, 1.4F);
  // Of this moment: to the lane that the dots have come to come the outputs' names, and one by one the other lanes.
  const float t = d.view.t, come = smoothstep(0, 0.3F, t);
  const int own = breaker_of(d.state);
  y = add_forms(d, {d.margin(), y + 2, d.inner(), narrow ? 92 : std::clamp(0.35F * (bottom - y), 120.F, 290.F)}) + 14;
  constexpr Type kQuestion{text::Face::semibold, 16};
  const std::string question = "Does the order count?";
  add_words(d, "order.question", {d.margin(), y, d.inner(), 22}, question, {d.colours.ink, kQuestion});
  const float title = text::measure(kQuestion.face, kQuestion.size, question);
  y = add_key(d, {narrow ? d.margin() : d.margin() + title + 24, narrow ? y + 24 : y + 2}, narrow) +
      15 * static_cast<float>(lines);
  const float number = narrow ? 58 : 98, label = narrow ? 84 : 112;
  const bool beside = d.inner() >= 820 * k && !narrow;
  const Rect area{d.margin(), y, beside ? 0.66F * d.inner() : d.inner(),
                  std::max(bottom - y - d.press_height() - 46, narrow ? 210.F : 170.F)};
  const int count = static_cast<int>(std::size(kBreakers));
  add_words(d, "all.added", {area.x + 4, area.y - 20, label, 18}, "what is added",
            {d.colours.muted, narrow ? type::caption : type::label, Align::right});
  add_words(d, "all.most", {area.right() - number, area.y - 20, number - 8, 18}, narrow ? "apart by" : "apart by up to",
            {d.colours.muted, narrow ? type::caption : type::label, Align::right});
  std::vector<Pair> all;
  for (int i = 0; i < count; ++i)
    for (Pair& pair : pairs_with(d, i)) all.push_back(std::move(pair));
  Span span = span_of(d, all, area.x + label + 14, area.right() - number - 8);
  span.left = span.from;
  span.right = area.right() - 0.6F * number;
  for (int i = 0; i < count; ++i) add_band(d, "all.lane." + std::to_string(i), area, lane_of(area, i, count));
  add_span(d, span, area.y, area.bottom());
  const std::size_t named = d.figure.elements.size();
  add_names_above(d, span, all, {area.x, area.y, area.w, area.h / static_cast<float>(count)}, lines);
  show_since(d.figure, named, come);
  float radius = 0;
  for (int i = 0; i < count; ++i) {
    const Lane lane = lane_of(area, i, count);
    const std::size_t first = d.figure.elements.size();
    const std::string kind(kKinds[i]);
    const float up = kind.empty() ? 0 : 7;
    add_words(d, "all.name." + std::to_string(i), {area.x + 4, lane.middle - 10 - up, label, 20},
              std::string(kBreakers[i]), {d.colours.ink, narrow ? type::name : type::subtitle, Align::right});
    if (up > 0)
      add_words(d, "all.kind." + std::to_string(i), {area.x + 4, lane.middle, label, 16}, kind,
                {d.colours.muted, type::caption, Align::right});
    const std::vector<Pair> pairs = pairs_with(d, i);
    const Rect inside{area.x, lane.middle - 0.42F * lane.height, area.w, 0.84F * lane.height};
    const int outputs = static_cast<int>(pairs.size());
    radius = std::clamp(0.55F * inside.h / static_cast<float>(outputs), 2.F, 5.F);
    for (int j = 0; j < outputs; ++j)
      add_pair(d, span, pairs[static_cast<std::size_t>(j)], lane_of(inside, j, outputs).middle, radius);
    const bool same = static_cast<double>(d.trace.at(kErrors).values(0, i)) < rounding(d.trace);
    if (!narrow) add_verdict(d, "all.same." + std::to_string(i), {area.right() - number + 8, lane.middle}, 9, same);
    add_error(d, i, {area.right() - number, lane.middle - 10, number - 8, 20});
    if (i != own) show_since(d.figure, first, in_turn(std::clamp((t - 0.2F) / 0.6F, 0.F, 1.F), i, count));
  }
  float below = add_orders(d, area.bottom() + 30);
  const std::size_t first = d.figure.elements.size();
  const float aside = beside ? area.right() + 28 : d.margin(), width = beside ? d.inner() - area.w - 28 : d.inner();
  const float said = add_note(d, "all.coincide", coincide(d), {aside, beside ? area.y - 30 : below + 10}, width);
  below = std::max(below, said);
  if (const int small = hardly_seen(d, span, radius); small >= 0) {
    const float high = beside ? std::min(area.bottom() - said - 12, 190.F) : 170;
    const float at = beside ? std::clamp(lane_of(area, small, count).middle - high / 2, said + 12,
                                         std::max(said + 12, area.bottom() - high))
                            : said + 12;
    const Rect card{aside, at, beside ? width : std::min(width, 360.F), high};
    add_inset(d, card, small);
    if (beside) {
      const Lane lane = lane_of(area, small, count);
      d.figure.add({.id = "inset.pointer",
                    .shape = Line{.points = {{area.right() + 2, lane.middle},
                                             {card.x, std::min(lane.middle, card.bottom() - 20)}},
                                  .colour = d.colours.muted,
                                  .width = 1.2F,
                                  .dashed = true}});
    }
    below = std::max(below, card.bottom());
  }
  show_since(d.figure, first, smoothstep(0.7F, 1, t));
  return below;
}

}  // namespace limelight::scenes::layer
