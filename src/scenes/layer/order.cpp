// The steps about order: the inputs are shuffled, positions are added, and all ways to notice are compared.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/order.h"
#include "figure/plot.h"
#include "figure/ribbon.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/layer/films.h"
#include "scenes/layer/machine.h"
#include "scenes/layer/pairs.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

// What the numbers of the pairs are: the outputs' first.
std::string measured(const Drawing& d) { return d.video() ? "minutes in each output" : "first number of each output"; }

struct Lane {
  float middle, height;
};
Lane lane_of(Rect area, int i, int count) {
  const float pitch = area.h / static_cast<float>(count);
  return {area.y + pitch * (static_cast<float>(i) + 0.5F), pitch};
}

// A film keeps its shape, and has its name below it where there is room.
float name_below(const Drawing& d, Rect rect) { return d.video() && rect.h >= 44 ? 15.F : 0; }
Rect shown_of(const Drawing& d, Rect rect) {
  if (!d.video() || rect.h < 24) return rect;
  const float height = std::min(rect.h - name_below(d, rect), rect.w / kFilmShape);
  return {rect.centre().x - height * kFilmShape / 2, rect.y, height * kFilmShape, height};
}

// An input where it stands: its film, or its word.
// `name_of`: what it is recognised by, where it moves.
void add_input(Drawing& d, const std::string& name_of, const std::string& id, int input, Rect rect,
               std::optional<Edit> edit, std::string label) {
  const std::string& name = d.trace.at("X").row_labels[static_cast<std::size_t>(input)];
  const bool hovered = !id.empty() && d.view.hovered == id;
  const float named = name_below(d, rect);
  const Rect shown = shown_of(d, rect);
  if (d.video() && rect.h >= 24) {
    add_film(d.figure, name_of + ".film", input, shown);
    if (named > 0)
      add_words(d, name_of + ".word", {rect.x - 10, shown.bottom() + 1, rect.w + 20, named}, name,
                {d.colours.input, type::caption, Align::centre});
  }
  const Rect edge = shown.inset(d.video() ? -2.F : 0);
  d.figure.add({.id = name_of + ".edge",
                .rect = edge,
                .shape = Rectangle{.fill = d.video() ? Colour{0, 0, 0, 0} : d.colours.surface,
                                   .stroke = hovered ? d.colours.accent : d.colours.input_fill,
                                   .stroke_width = hovered ? 2.4F : 1.4F,
                                   .radius = std::min(6.F, 0.3F * rect.h)}});
  d.figure.add({.id = id.empty() ? name_of : id,
                .role = edit ? Role::token : Role::image,
                .rect = edge,
                .label = std::move(label),
                .edit = edit,
                .furniture = edit.has_value()});
  if (!d.video() || rect.h < 24)
    add_words(d, name_of + ".word", rect.inset(2), name,
              {d.colours.input, {text::Face::semibold, std::clamp(0.55F * rect.h, 9.F, 13.F)}, Align::centre});
}

std::vector<Pair> pairs_of(const Drawing& d, std::string_view last, std::string_view first) {
  std::vector<Pair> pairs;
  const Tensor& rows = d.trace.at(first);
  for (int i = 0; i < rows.rows(); ++i)
    pairs.push_back(
        {rows.row_labels[static_cast<std::size_t>(i)], {std::string(last), i, 0}, {std::string(first), i, 0}});
  return pairs;
}

// One lane for each output.
void add_lanes(Drawing& d, Rect area, const std::vector<Pair>& pairs, float apart = 1) {
  const int count = static_cast<int>(pairs.size());
  const float radius = std::clamp(0.3F * lane_of(area, 0, count).height, 3.F, 7.F);
  const float air = area.w < 240 ? 12 : 52;  // px for a number beside the last dot, where there is room for one
  Span span = span_of(d, pairs, area.x + 10, area.right() - air);
  span.right = area.right();
  span.apart = apart;
  for (int i = 0; i < count; i += 2) {
    const Lane lane = lane_of(area, i, count);
    d.figure.add({.id = "lane." + std::to_string(i),
                  .rect = {area.x, lane.middle - lane.height / 2 + 1, area.w, lane.height - 2},
                  .shape = Rectangle{.fill = d.colours.surface.faded(0.35F), .radius = 8}});
  }
  add_span(d, span, area.y, area.bottom());
  for (int i = 0; i < count; ++i)
    add_pair(d, span, pairs[static_cast<std::size_t>(i)], lane_of(area, i, count).middle, radius);
}

// What the axis is, and what its dots are: behind it, or below.
float add_key_above(Drawing& d, float x, float y, bool below) {
  add_words(d, "key.what", {x, y, d.figure.width - x - 8, 18}, measured(d), {d.colours.ink, type::subtitle});
  const float used = below ? 0 : text::measure(type::subtitle.face, type::subtitle.size, measured(d)) + 20;
  return add_legend_of_pairs(d, {x + used, y + (below ? 20.F : 0)}, d.figure.width - 8);
}

// ---- all ----------------------------------------------------------------------------------------------------------

std::vector<Pair> pairs_with(const Drawing& d, int breaker) {
  std::vector<Pair> pairs;
  const Tensor& first = d.trace.at("order_first");
  // Of a way that notices the order, outputs that hardly move are faint.
  constexpr float kHardly = 0.25F, kFaint = 0.4F;
  const auto gaps = d.trace.at("order_gap").values.row(breaker);
  const bool counts = static_cast<double>(gaps.maxCoeff()) >= kRounding;
  for (int i = 0; i < first.columns(); ++i)
    pairs.push_back({first.column_labels[static_cast<std::size_t>(i)],
                     {"order_last", breaker, i},
                     {"order_first", breaker, i},
                     counts && gaps(i) < kHardly * gaps.maxCoeff() ? kFaint : 1});
  return pairs;
}

// How far all outputs are apart at most.
void add_error(Drawing& d, int breaker, Rect rect) {
  const double error = static_cast<double>(d.trace.at("errors").values(0, breaker));
  const bool same = error < kRounding;
  const Source source{"errors", 0, breaker};
  d.figure.add({.id = cell_id(source),
                .role = Role::cell,
                .rect = rect,
                .label = std::string(kBreakers[breaker]) + ": " + io::format_short(error),
                .source = source,
                .shape = Text{.text = error_text(error),
                              .face = text::Face::semibold,
                              .size = 14,
                              .colour = same ? d.colours.good : d.colours.output,
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
            std::string(kBreakers[breaker]) + ", stretched", {d.colours.ink, type::subtitle});
  add_words(d, "inset.note", {card.x + 14, card.y + 27, card.w - 28, 16},
            "largest difference in any number of an output", {d.colours.muted, type::caption});
  const float label = std::min(96.F, 0.36F * card.w);
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
                {d.colours.muted, {text::Face::regular, std::clamp(0.75F * lane.height, 9.F, 11.F)}, Align::right});
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
    if (error >= kRounding && !seen && (found < 0 || error < static_cast<double>(errors(0, found)))) found = i;
  }
  return found;
}

// Where the shuffle's columns stand: the inputs, the same in their new order, and what the layer makes of these.
struct Shuffle {
  std::vector<int> order{};
  Rect rows{};
  float card = 0, most = 0;                 // the width of what stands in a column, and how high it may be
  float moved = 0, outputs = 0, lanes = 0;  // the left edges of the columns after the first; 0: not shown
  [[nodiscard]] Rect at(int i, float x) const {
    const Lane lane = lane_of(rows, i, static_cast<int>(order.size()));
    const float height = std::min(0.94F * lane.height, most);
    return {x, lane.middle - height / 2, card, height};
  }
};
constexpr float kWithOutputs = 900;  // px of a figure that has room for them
Shuffle shuffle_plan(const Drawing& d, float top, float bottom) {
  const bool narrow = d.narrow();
  const float k = narrow ? 1 : std::clamp(d.figure.width / 1216, 0.6F, 1.4F), least = d.video() ? 44.F : 14.F;
  Shuffle plan{.order = d.state.order.of(d.trace.at("X").rows())};
  const auto count = static_cast<float>(plan.order.size());
  plan.rows = {d.margin() + 4, top, d.inner() - 8, std::max(bottom - top, least * count)};
  plan.card = narrow ? 0.25F * plan.rows.w : 140 * k;
  plan.most = d.video() ? plan.card / kFilmShape + 16 : 44 * k;
  plan.moved = plan.rows.x + plan.card + (narrow ? 0.08F * plan.rows.w : 130 * k);
  plan.outputs = d.figure.width < kWithOutputs ? 0 : plan.moved + plan.card + 84 * k;
  const float last = plan.outputs > 0 ? plan.outputs : plan.moved;
  plan.lanes = last + plan.card + (narrow ? 14 : 48 * k);
  return plan;
}

void add_way(Drawing& d, const std::string& id, const Rect& from, const Rect& to, Colour begin, Colour end) {
  const float half = std::min(0.2F * from.h, 8.F), y = from.centre().y, other = to.centre().y;
  d.figure.add({.id = id,
                .shape = flowing({{from.right() + 4, y - half}, {from.right() + 4, y + half}},
                                 {{to.x - 4, other - half}, {to.x - 4, other + half}}, Flow::level,
                                 {{0, begin.faded(0.5F)}, {1, end.faded(0.3F)}})});
}

// An input at its new place, which can be dragged to another.
void add_placed(Drawing& d, const Shuffle& plan, int i, Rect rect) {
  const int input = plan.order[static_cast<std::size_t>(i)];
  add_input(d, "moved." + std::to_string(input), "place." + std::to_string(i), input, rect,
            Edit{.field = "order", .place = i},
            d.trace.at("X").row_labels[static_cast<std::size_t>(input)] + ", in place " + std::to_string(i + 1) +
                ": drag it to another");
}

// Each input slides along its way to its new place.
void add_moved(Drawing& d, const Shuffle& plan, float way) {
  const std::vector<std::string>& names = d.trace.at("X").row_labels;
  const int count = static_cast<int>(plan.order.size());
  const std::size_t first = d.figure.elements.size();
  for (int i = 0; i < count; ++i) {
    const int input = plan.order[static_cast<std::size_t>(i)];
    add_way(d, "shuffle.way." + std::to_string(input), shown_of(d, plan.at(input, plan.rows.x)),
            shown_of(d, plan.at(i, plan.moved)), d.colours.input_fill, d.colours.input_fill);
  }
  show_since(d.figure, first, way);
  for (int i = 0; i < count; ++i) {
    const int input = plan.order[static_cast<std::size_t>(i)];
    add_input(d, "input." + std::to_string(i), {}, i, plan.at(i, plan.rows.x), {},
              d.video() ? said_of(d, i) : names[static_cast<std::size_t>(i)] + ": input " + std::to_string(i + 1));
    const Rect from = plan.at(input, plan.rows.x), to = plan.at(i, plan.moved);
    const float along = 1.5F * way * (1 - way) + way * way * way;  // as its way bends
    const std::size_t placed = d.figure.elements.size();
    add_placed(d, plan, i, {mix(from.x, to.x, along), mix(from.y, to.y, smoothstep(0, 1, way)), to.w, to.h});
    show_since(d.figure, placed, smoothstep(0, 0.02F, way));
    for (std::size_t part = placed; d.video() && part < d.figure.elements.size(); ++part)
      if (d.figure.elements[part].id.ends_with(".word")) d.figure.elements[part].opacity *= smoothstep(0.8F, 1, way);
  }
}

// Each output as the mix that it is, or in numbers.
void add_outputs(Drawing& d, const Shuffle& plan, float come) {
  const Tensor &A = d.trace.at("A_new"), &Y = d.trace.at("Y_new");
  const int count = static_cast<int>(plan.order.size());
  for (int i = 0; i < count; ++i) {
    const Rect from = shown_of(d, plan.at(i, plan.moved)), to = shown_of(d, plan.at(i, plan.outputs));
    const std::size_t first = d.figure.elements.size();
    const std::string id = "made." + std::to_string(plan.order[static_cast<std::size_t>(i)]);
    add_way(d, id + ".way", from, to, d.colours.input_fill, d.colours.output_fill);
    if (d.video()) {
      std::vector<float> weights(plan.order.size());
      for (int j = 0; j < count; ++j)
        weights[static_cast<std::size_t>(plan.order[static_cast<std::size_t>(j)])] = A.values(i, j);
      add_mix(d.figure, id, weights, to);
      d.figure.add({.id = id + ".edge",
                    .role = Role::cell,
                    .rect = to.inset(-2),
                    .label = "Output of " + Y.row_labels[static_cast<std::size_t>(i)],
                    .source = Source{"Y_new", i, 0},
                    .shape = Rectangle{.stroke = d.colours.output_fill, .stroke_width = 2, .radius = 5}});
    } else {
      d.figure.add({.id = id,
                    .role = Role::cell,
                    .rect = to,
                    .label = "Output of " + Y.row_labels[static_cast<std::size_t>(i)],
                    .shape = small_cells({"Y_new", i, 0, 1, Y.columns()}, to.h, d.colours.output_fill, d.view.theme)});
    }
    show_since(d.figure, first, in_turn(come, i, count));
  }
}

}  // namespace

float draw_shuffle(Drawing& d, float y, float bottom) {
  const bool narrow = d.narrow();
  const float foot = errors_height(d) + d.press_height() + 48;  // px below the rows
  const float head = narrow ? add_key_above(d, d.margin() + 4, y, true) + 24 : y + 50;
  const Shuffle plan = shuffle_plan(d, head, bottom - foot);
  const auto name = [&](const char* id, float x, const std::string& words) {
    add_words(d, id, {x, plan.rows.y - 24, plan.card + 30, 18}, words, {d.colours.muted});
  };
  name("shuffle.from", plan.rows.x, "the inputs");
  name("shuffle.to", plan.moved, "shuffled");
  add_words(d, "shuffle.hint", {plan.moved + 56, plan.rows.y - 24, plan.card, 18}, "drag them", {d.colours.faint});
  d.figure.elements.back().furniture = true;
  // Of this moment: the inputs are shuffled, then the layer gives its outputs, then these are measured.
  const float t = d.view.t, made = smoothstep(0.45F, 0.8F, t), told = smoothstep(0.75F, 1, t);
  add_moved(d, plan, smoothstep(0, 0.45F, t));
  if (plan.outputs > 0) {
    name("shuffle.out", plan.outputs, "what the layer gives");
    show_since(d.figure, d.figure.elements.size() - 1, made);
    add_outputs(d, plan, made);
  }
  const std::size_t first = d.figure.elements.size();
  if (!narrow) add_key_above(d, plan.lanes, y + 2, true);
  add_lanes(d, {plan.lanes, plan.rows.y, plan.rows.right() - plan.lanes, plan.rows.h}, pairs_of(d, "Y_moved", "Y_new"));
  y = add_checks(d, plan.rows.bottom() + 28);
  show_since(d.figure, first, told);
  return add_orders(d, y + 10);
}

// What stands at each place, what the encoding makes of the place, and the outputs; below what can be chosen.
float draw_order(Drawing& d, float y, float bottom) {
  struct Told {
    const char *sign, *said;
  };
  static constexpr Told kSaid[] = {{"", "nothing says which place is whose"},
                                   {"+", "each place adds its own pattern P"},
                                   {"×", "each place turns by its own angles"},
                                   {"+", "distance adds this to its scores"}};
  const Told& told = kSaid[static_cast<int>(d.state.positions)];
  const bool narrow = d.narrow();
  const Tensor* P = d.trace.find(kP);
  const std::vector<Pair> pairs = pairs_of(d, "Y_moved_pos", "Y_pos");
  const int count = static_cast<int>(pairs.size());
  const float k = narrow ? 1 : std::clamp(d.figure.width / 1216, 0.6F, 1.4F), foot = d.press_height() + 86;
  const float top = narrow ? add_key_above(d, d.margin(), y, true) + 22 : y + 50;
  const float least = (d.video() ? 48.F : 20.F) * static_cast<float>(count);
  Shuffle plan{.order = d.state.order.of(count),
               .rows = {d.margin() + 4, top, d.inner() - 8, std::max(bottom - top - foot, least)},
               .card = narrow ? 56 : 96 * k};
  plan.most = d.video() ? plan.card / kFilmShape + 16 : 34 * k;
  const int most = narrow ? 8 : 16;  // numbers of a pattern; distances are told as far as there are inputs
  const int shown =
      P == nullptr ? 0 : std::min({d.state.positions == Encoding::linear_bias ? count : most, most, P->columns()});
  const float side = narrow ? 13 : 19 * k, sign = 32 * k, strip = side * static_cast<float>(shown);
  plan.moved = plan.rows.x;
  plan.lanes = plan.rows.x + plan.card + sign + side * static_cast<float>(most) + (narrow ? 12 : 48 * k);
  add_words(d, "P.title", {plan.rows.x, top - 22, plan.rows.w, 18}, told.said, {d.colours.ink, type::subtitle});
  for (int i = 0; i < count; ++i) {
    const Rect at = plan.at(i, plan.rows.x);
    add_placed(d, plan, i, at);
    if (P == nullptr) continue;
    const std::size_t first = d.figure.elements.size();
    const float middle = shown_of(d, at).centre().y, height = std::min(24 * k, 0.7F * at.h);
    const std::string id = "P." + std::to_string(i);
    add_words(d, id + ".sign", {at.right(), middle - 12, sign, 24}, told.sign,
              {d.colours.muted, {text::Face::semibold, 17}, Align::centre});
    MatrixCells cells = small_cells({std::string(kP), i, 0, 1, shown}, side, d.colours.input_fill, d.view.theme);
    cells.largest = P->values.block(0, 0, count, shown).cwiseAbs().maxCoeff();
    d.figure.add({.id = id,
                  .role = Role::cell,
                  .rect = {at.right() + sign, middle - height / 2, strip, height},
                  .label = "What place " + std::to_string(i + 1) + " does",
                  .shape = cells});
    show_since(d.figure, first, in_turn(std::min(2 * d.view.t, 1.F), i, count));
  }
  if (!narrow) add_key_above(d, plan.lanes, y + 2, true);
  add_lanes(d, {plan.lanes, plan.rows.y, plan.rows.right() - plan.lanes, plan.rows.h}, pairs,
            smoothstep(0.4F, 1, d.view.t));
  return add_encodings(d, add_position_check(d, plan.rows.bottom() + 28) + 12);
}

// The outputs by name above their dots in the first lane, as far as `lines` have room: each begins where its dot is,
// and lower than one to its left that it would meet, so that no line crosses a name.
void add_names_above(Drawing& d, const Span& span, const std::vector<Pair>& pairs, const Rect& lane, int lines) {
  constexpr float kLine = 15;
  const Tensor& dots = d.trace.at(kOrderFirst);
  const int count = dots.columns();
  const std::vector<int> order = largest_first(std::span(dots.values.data(), static_cast<std::size_t>(count)));
  float free = 0;  // from this x on
  int line = 0;
  for (auto output = order.rbegin(); output != order.rend(); ++output) {
    const int i = *output;
    const std::string &name = pairs[static_cast<std::size_t>(i)].name, id = "all.output." + std::to_string(i);
    const float x = span.at(static_cast<double>(dots.values(0, i)));
    const float width = text::measure(type::caption.face, type::caption.size, name) + 3;
    line = x >= free ? 0 : line + 1;
    if (line >= lines || x + width > d.figure.width) continue;
    free = std::max(free, x + width + 6);
    const float y = lane.y - kLine * static_cast<float>(lines - line);
    d.figure.add({.id = id + ".line",
                  .shape = Line{.points = {{x, y + 3}, {x, lane_of(lane, i, count).middle}},
                                .colour = d.colours.output.faded(0.45F)}});
    add_words(d, id, {x + 4, y, width, kLine}, name, {d.colours.output, type::caption});
  }
}

float draw_all(Drawing& d, float y, float bottom) {
  const bool narrow = d.narrow();
  const int lines = narrow ? 4 : 2;  // of the outputs' names
  const float k = narrow ? 1 : std::clamp(d.figure.width / 1216, 0.6F, 1.4F);
  // Of this moment: to the lane that the dots have come to come the forms, and one by one the other lanes.
  const float t = d.view.t, come = smoothstep(0, 0.4F, t);
  const int own = breaker_of(d.state);
  y = add_forms(d, {d.margin(), y + 4, d.inner(), narrow ? 120 : std::clamp(0.34F * (bottom - y), 120.F, 280.F)}) + 14;
  show_since(d.figure, 0, come);
  add_words(d, "order.question", {d.margin(), y, d.inner(), 22}, "Does the order count?",
            {d.colours.ink, {text::Face::semibold, 16}});
  const float title = text::measure(text::Face::semibold, 16, "Does the order count?");
  y = add_key_above(d, narrow ? d.margin() : d.margin() + title + 24, narrow ? y + 24 : y + 2, narrow) +
      15 * static_cast<float>(lines);
  const float number = 98, label = 100;
  const bool beside = d.inner() >= 820 * k && !narrow;
  const Rect area{d.margin(), y, beside ? 0.66F * d.inner() : d.inner(),
                  std::max(bottom - y - d.press_height() - 40, narrow ? 260.F : 170.F)};
  const int count = static_cast<int>(std::size(kBreakers));
  std::vector<Pair> all;
  for (int i = 0; i < count; ++i)
    for (Pair& pair : pairs_with(d, i)) all.push_back(std::move(pair));
  const Span span = span_of(d, all, area.x + label + 14, area.right() - number - 8);
  for (int i = 0; i < count; i += 2) {
    const Lane lane = lane_of(area, i, count);
    d.figure.add({.id = "all.lane." + std::to_string(i),
                  .rect = {area.x, lane.middle - lane.height / 2 + 2, area.w, lane.height - 4},
                  .shape = Rectangle{.fill = d.colours.surface.faded(0.35F), .radius = 8}});
  }
  add_span(d, span, area.y, area.bottom());
  const std::size_t named = d.figure.elements.size();
  add_names_above(d, span, all, {area.x, area.y, area.w, area.h / static_cast<float>(count)}, lines);
  show_since(d.figure, named, come);
  float radius = 0;
  for (int i = 0; i < count; ++i) {
    const Lane lane = lane_of(area, i, count);
    const std::size_t first = d.figure.elements.size();
    add_words(d, "all.name." + std::to_string(i), {area.x + 4, lane.middle - 10, label, 20}, std::string(kBreakers[i]),
              {d.colours.ink, type::subtitle, Align::right});
    const std::vector<Pair> pairs = pairs_with(d, i);
    const Rect inside{area.x, lane.middle - 0.42F * lane.height, area.w, 0.84F * lane.height};
    const int outputs = static_cast<int>(pairs.size());
    radius = std::clamp(0.55F * inside.h / static_cast<float>(outputs), 2.F, 5.F);
    for (int j = 0; j < outputs; ++j)
      add_pair(d, span, pairs[static_cast<std::size_t>(j)], lane_of(inside, j, outputs).middle, radius);
    add_error(d, i, {area.right() - number, lane.middle - 10, number - 8, 20});
    if (i != own) show_since(d.figure, first, in_turn(std::clamp((t - 0.2F) / 0.6F, 0.F, 1.F), i, count));
  }
  add_words(d, "all.most", {area.right() - 100, area.bottom() + 3, 92, 16}, "largest of all",
            {d.colours.muted, type::caption, Align::right});
  float below = add_orders(d, area.bottom() + 26);
  const std::size_t first = d.figure.elements.size();
  if (const int small = hardly_seen(d, span, radius); small >= 0) {
    const float width = d.inner() - area.w - 28;
    const Rect card =
        beside
            ? Rect{area.right() + 28,
                   std::clamp(lane_of(area, small, count).middle - 95, area.y, area.bottom() - std::min(area.h, 190.F)),
                   width, std::min(area.h, 190.F)}
            : Rect{d.margin(), below + 12, std::min(d.inner(), 360.F), 170};
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
