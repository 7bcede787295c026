// The step All: the five layers, and each output before and after the inputs change places, as two dots on one scale.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/marks.h"
#include "figure/plot.h"
#include "figure/ribbon.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/matrix.h"
#include "scenes/layer/parts.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

constexpr int kWays = static_cast<int>(std::size(kBreakers));
constexpr const char* kDoes[kWays] = {"", "marks each place", "turns by place", "less when far", "hides what follows"};

double number_at(const Drawing& d, const Source& source) {
  return static_cast<double>(d.trace.at(source.tensor).values(source.row, source.column));
}

// From one x to another: for all numbers of both kinds of dots, from 0 where that is near, up to a round number.
Plot scale_of_dots(const Drawing& d, float from, float to) {
  constexpr double kAir = 0.06;  // of the whole, at both ends
  const Matrix &last = d.trace.at(kOrderLast).values, &first = d.trace.at(kOrderFirst).values;
  Axis axis{.low = static_cast<double>(std::min(last.minCoeff(), first.minCoeff())),
            .high = static_cast<double>(std::max(last.maxCoeff(), first.maxCoeff()))};
  const double air = std::max(kAir * (axis.high - axis.low), 1e-3);
  axis.low = axis.low >= 0 && axis.low < 0.5 * axis.high ? 0 : axis.low - air;
  axis.high += air;
  const int most = to - from < 200 ? 3 : 7;
  axis.ticks = round_ticks({.low = axis.low, .high = axis.high}, most);
  return {.frame = {from, 0, to - from, 0}, .x = axis};
}

void add_scale(Drawing& d, const Plot& scale, float top, float bottom) {
  int number = 0;
  for (const auto& [value, words] : scale.x.ticks) {
    const float x = scale.across(value);
    const std::string id = "scale." + std::to_string(number++);
    add_stroke(d, id, {{x, top}, {x, bottom}}, d.colours.faint.faded(0.3F), 1, value != 0);
    add_words(d, id + ".number", {x - 24, bottom + 3, 48, 16}, words,
              {d.colours.muted, type::small_number, Align::centre});
  }
}

void add_pair(Drawing& d, const Plot& scale, int way, int output, const Rect& row, float radius, float come) {
  const Source last_at{std::string(kOrderLast), way, output}, first_at{std::string(kOrderFirst), way, output};
  const std::string &name = d.trace.at(kOrderFirst).column_labels[static_cast<std::size_t>(output)],
                    id = cell_id(first_at);
  const double before = number_at(d, last_at), after = number_at(d, first_at);
  const float last = scale.across(before), first = mix(last, scale.across(after), come);
  const float y = row.centre().y, half = 0.55F * radius;
  if (std::abs(before - after) >= rounding(d.trace) && last != first)
    d.figure.add(
        {.id = id + ".way",
         .shape = flowing({{last, y - half}, {last, y + half}}, {{first, y - half}, {first, y + half}}, Flow::level,
                          {{0, d.colours.output_fill.faded(0.18F)}, {1, d.colours.output_fill.faded(0.8F)}})});
  const auto add = [&](const Source& at, float x, const char* order, float size, Rectangle look) {
    look.radius = size;
    add_part(d, cell_id(at), Role::cell, Rect{x, y, 0, 0}.inset(-size),
             name + ", " + order + ": " + io::format_short(number_at(d, at)), look)
        .source = at;
  };
  add(first_at, first, "after the inputs change places", radius,
      {.fill = d.colours.output_fill, .stroke = d.colours.surface, .stroke_width = 1});
  // Around it where both lie on each other, so that both are seen.
  const float clear = smoothstep(0.5F * radius, 2 * radius, std::abs(last - first));
  add(last_at, last, "before", radius * mix(1.4F, 1, clear),
      {.fill = d.colours.surface.faded(clear), .stroke = d.colours.output, .stroke_width = 1.8F});
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  // The same output wherever the step has it.
  if (focus && focus->tensor.starts_with("order_") && focus->column == output)
    add_ring(d.figure, id + ".ring",
             Rect{std::min(last, first), y, std::abs(first - last), 0}.inset(-1.4F * radius - 2), d.colours.ink);
}

struct Board {
  Rect area;            // of all lanes
  float label, number;  // px at the left and at the right of them
  Plot scale;
  float radius, aside;  // of dots, and px from their middle to words

  [[nodiscard]] Rect at(int way) const { return scenes::cell_of(area, kWays, 1, way, 0); }
  // Of one of so many outputs in a lane.
  [[nodiscard]] Rect row(int way, int output, int outputs) const {
    const Rect lane = at(way);
    const float left = scale.frame.x - 8, right = area.right() - 0.6F * number;
    return scenes::cell_of({left, lane.y + 0.08F * lane.h, right - left, 0.84F * lane.h}, outputs, 1, output, 0);
  }
};

void add_names(Drawing& d, const Board& b) {
  const Tensor& dots = d.trace.at(kOrderFirst);
  Type type = larger(d, d.narrow() ? type::caption : type::label);
  type.size = std::min(type.size, 1.15F * b.row(0, 0, dots.columns()).h);
  std::vector<Rect> taken;
  for (int i = 0; i < dots.columns(); ++i) {
    const std::string& name = dots.column_labels[static_cast<std::size_t>(i)];
    const Rect row = b.row(0, i, dots.columns());
    const float width = text::measure(type.face, type.size, name) + 1,
                x = b.scale.across(number_at(d, {dots.name, 0, i}));
    // Over no other dot.
    bool right = x + b.aside + width <= row.right();
    for (int j = 0; j < dots.columns(); ++j)
      right = right && std::abs(b.scale.across(number_at(d, {dots.name, 0, j})) - x - width / 2 - b.aside) > width / 2;
    const Rect words{right ? x + b.aside : x - b.aside - width, row.y, width, row.h};
    const auto over = [&](const Rect& other) { return intersection(words, other).w > 0; };
    const bool moves = d.state.order.of(dots.columns())[static_cast<std::size_t>(i)] != i;
    if (type.size < 10 || (d.narrow() && (!moves || std::ranges::any_of(taken, over)))) continue;
    taken.push_back(words);
    add_words(d, "all.output." + std::to_string(i), words, name, {d.colours.output, type});
  }
}

// What both kinds of dots are, where two first stand apart.
void add_kinds(Drawing& d, const Board& b, int way) {
  const Matrix &last = d.trace.at(kOrderLast).values, &first = d.trace.at(kOrderFirst).values;
  int most = 0;
  (last.row(way) - first.row(way)).cwiseAbs().maxCoeff(&most);
  const float y = b.row(way, most, static_cast<int>(last.cols())).centre().y - 9;
  for (const auto& [words, here, there] :
       {std::tuple{"before", last(way, most), first(way, most)}, {"after", first(way, most), last(way, most)}})
    add_words(d, std::string("all.") + words,
              {b.scale.across(static_cast<double>(here)) + (here > there ? b.aside : -b.aside - 50), y, 50, 18}, words,
              {d.colours.output, larger(d, type::caption), here > there ? Align::left : Align::right});
}

// A layer with one of the ways to notice an order: its outputs' dots, and how far these are apart at most.
void add_lane(Drawing& d, const Board& b, int way, float come) {
  const Rect lane = b.at(way);
  const std::string id = std::to_string(way);
  const int outputs = d.trace.at(kX).rows();
  for (int j = 0; j < outputs; ++j)
    add_pair(d, b.scale, way, j, b.row(way, j, outputs), b.radius, smoothstep(0.3F, 1, come));
  const Tensor& gaps = d.trace.at(kErrors);
  const float error = gaps.values(0, way);
  const bool same = static_cast<double>(error) < rounding(d.trace);
  Rect told{lane.right() - b.number, lane.y, b.number - 12, lane.h};
  if (same) {
    told = {told.x, lane.centre().y - 17, told.w, 18};
    add_words(d, "all.same." + id, {told.x - 20, told.bottom(), told.w + 20, 16}, "unchanged",
              {d.colours.ink, larger(d, d.narrow() ? type::caption : type::label), Align::right});
  }
  const std::string gap = gap_of(d.trace.at(kOrderLast), d.trace.at(kOrderFirst), way, outputs)[0];
  add_told(d, {std::string(kErrors), 0, way}, told,
           same && error > 0 ? "≈ 0"
           : gap == kNoGap   ? io::format_short(error)
                             : gap + (d.video() && !d.narrow() && gaps.row_labels[0] == "minutes" ? " min" : ""),
           {same ? d.colours.ink : d.colours.output, larger(d, Type{text::Face::mono_bold, d.narrow() ? 13.F : 14.F}),
            Align::right},
           std::string(kBreakers[way]) + ": " + io::format_short(error));
  if (way == 0) add_names(d, b);
  if (way == 1 && !same) add_seen(d, smoothstep(0.8F, 1, come), [&] { add_kinds(d, b, way); });
}

// All lanes before anything is in them, with the names of their ways.
void add_lanes(Drawing& d, const Board& b) {
  for (int way = 0; way < kWays; ++way) {
    const Rect lane = b.at(way);
    const float fill = way % 2 == 1 ? 0 : is_dark(d.view.theme) ? 0.8F : 0.45F;
    add_box(d, "all.lane." + std::to_string(way), lane, {.fill = d.colours.surface.faded(fill), .radius = 8});
    const bool told = way > 0 && !d.narrow() && lane.h >= 34;
    const Rect name{lane.x + 4, lane.y, b.label, told ? 0.56F * lane.h : lane.h};
    add_words(d, "all.name." + std::to_string(way), name, std::string(way == 0 ? "nothing added" : kBreakers[way]),
              {d.colours.ink, larger(d, d.narrow() ? type::name : type::title), Align::right});
    if (told)
      add_words(d, "all.does." + std::to_string(way), {name.x, name.bottom() - 2, name.w, 0.36F * lane.h}, kDoes[way],
                {d.colours.muted, larger(d, type::caption), Align::right});
  }
}

constexpr Type kHeading{text::Face::semibold, 16};

// What the five have become: the layer, as the steps Self and Cross define it, and what each line is.
void add_definition(Drawing& d, float heading, const Rect& card) {
  add_words(d, "layer.title", {card.x, heading}, card.w, "The layer they became", {d.colours.ink, larger(d, kHeading)});
  add_box(d, "layer.definition", card, {.fill = d.colours.surface.faded(0.8F), .radius = 10});
  const auto defined = [&](int step) {
    return inspect(d.state, d.trace, {.place = {step, 0}, .theme = d.view.theme}, "")->lines;
  };
  std::vector<Formula> lines = defined(4);
  lines.insert(lines.begin() + 1, defined(5)[0]);  // the same but for the queries
  const std::string said[] = {"self: the inputs ask", "cross: a second sequence asks", "keys: what inputs are found by",
                              "values: what they pass on", "outputs; d = " + std::to_string(sizes(d.state).key)};
  const float pitch = (card.h - 12) / (static_cast<float>(lines.size()) + 1),
              size = std::min({larger(d, 23), 0.066F * card.w, 0.6F * pitch}), aside = card.x + 6.2F * size;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool last = i + 1 == lines.size();
    const std::string id = "layer.line." + std::to_string(i);
    const Rect line{card.x + 16, card.y + 6 + pitch * static_cast<float>(i), card.w - 24, last ? 2 * pitch : pitch};
    add_formula(d, id, line, lines[i], last ? 1.1F * size : size, d.colours.ink);
    const float x = last ? line.x + set_formula(lines[i], 1.1F * size).width + 10 : aside;
    const TextStyle style{d.colours.muted, larger(d, type::label)};
    add_words(d, id + ".said", {x, line.y, card.right() - 8 - x, line.h}, said[i],
              fitted(style, said[i], card.right() - 8 - x));
  }
}

}  // namespace

float draw_all(Drawing& d, float y, float bottom) {
  const bool narrow = d.narrow(), beside = d.inner() >= 820;
  const float t = d.view.t;
  y = add_forms(d, {d.margin(), y + 2, d.inner(), narrow ? 92 : std::clamp(0.385F * (bottom - y), 120.F, 330.F)}) + 14;
  const float title = add_words(d, "order.question", {d.margin(), y}, d.inner(), "Does the order count?",
                                {d.colours.ink, larger(d, kHeading)});
  const Point legend = narrow ? Point{d.margin(), y + 22} : Point{d.margin() + title + 24, y + 2};
  add_note(d, "all.what", d.trace.at(kErrors).row_labels[0] + " of each output, ○ before the shuffle, ● after it",
           legend, d.inner() - legend.x, larger(d, type::label).size);
  const float heading = y;
  y = legend.y + (beside ? 26 : 42);
  Board b{.area = {d.margin(), y, beside ? 0.66F * d.inner() : d.inner(), 0},
          .label = narrow ? 94.F : larger(d, 116.F),
          .number = narrow ? 64.F : larger(d, 88.F),
          .scale = {},
          .radius = 0,
          .aside = 0};
  b.area.h = std::max(bottom - b.area.y - d.press_height() - 42, narrow ? 220.F : 170.F);
  b.radius = std::clamp(0.62F * b.at(1).h / static_cast<float>(d.trace.at(kX).rows()), 2.5F, larger(d, 5.5F));
  b.aside = 1.4F * b.radius + 3;
  b.scale = scale_of_dots(d, b.area.x + b.label + 16, b.area.right() - b.number - 8);
  add_words(d, "all.most", {b.area.right() - b.number - 40, y - (narrow ? 20.F : 25.F), b.number + 28, 18},
            narrow ? "differ by" : "largest difference",
            {d.colours.muted, larger(d, narrow ? type::caption : type::label), Align::right});
  add_lanes(d, b);
  add_scale(d, b.scale, b.area.y, b.area.bottom());
  for (int i = 0; i < kWays; ++i) {
    const float come = i == 0 ? 1 : in_turn(Phase{0.1F, 0.8F}.along(t), i - 1, kWays - 1);
    add_seen(d, smoothstep(0, 0.3F, come), [&] { add_lane(d, b, i, come); });
  }
  float below = add_orders(d, b.area.bottom() + 26);
  const float x = beside ? b.area.right() + 28 : d.margin(), top = beside ? y : below + 40;
  const Rect card{x, top, d.margin() + d.inner() - x, beside ? below - top : 170};
  add_seen(d, smoothstep(0.5F, 0.8F, t), [&] { add_definition(d, beside ? heading : below + 12, card); });
  return std::max(below, card.bottom());
}

}  // namespace limelight::scenes::layer
