// The machine's pipes, taps and matrices.
#include <algorithm>
#include <cmath>
#include <span>

#include "figure/callout.h"
#include "figure/marks.h"
#include "figure/pipe.h"
#include "figure/small_cells.h"
#include "scenes/common/matrix.h"
#include "scenes/layer/machine.h"

namespace limelight::scenes::layer {
namespace {

// Where the queries' tap is, the way from there, and the matrix on it.
struct Route {
  Point tap;
  std::vector<Point> way;
  Point glass;
  float whole = 1;  // 0 where the pipe leaves one side of the queries for the other
};
Route from_inputs(const Plan& plan, Tap tap) { return {plan.port(tap), plan.way(tap), plan.glass(tap)}; }
Route route_of(const Machine& m) {
  const Plan& plan = m.plan;
  Route route = from_inputs(plan, Tap::query);
  if (m.form.queries == QueriesFrom::second) route = {plan.second_port(), plan.way_from_second(), plan.second_glass()};
  if (m.form.queries == QueriesFrom::own) {
    const Point loose = plan.loose_tap();
    route = {loose, {loose, {loose.x, plan.query_card(0).y - 5 * plan.scale}}, {}};
  }
  if (!m.held) return route;
  // On its way: the pipe goes with it, from above or from below, until it is where it will be.
  const Point at = *m.held;
  const float k = plan.scale;
  const Rect first = plan.query_card(0), last = plan.query_card(plan.query_count - 1);
  const float middle = (first.centre().y + plan.second.y) / 2;
  const Point end{plan.query.middle(), at.y < middle ? first.y - 5 : last.bottom() + 5};
  const float lowest = std::max(at.y, last.bottom() + 44);  // of a pipe from below
  Route flying{at, {}, {}, smoothstep(8 * k, 44 * k, std::abs(at.y - middle))};
  std::vector<Point> there = route.way;
  if (at.y < middle) {
    // Up between the inputs and the queries, over none of them.
    const float gap = plan.phone ? at.x : (plan.strip.right() + plan.query.x) / 2;
    const float bend = mix(at.x, gap, smoothstep(first.y - 24 * k, first.y + 16 * k, at.y));
    const float top = std::min(at.y, first.y - 44);
    flying.way = {at, {bend, at.y}, {bend, top}, {end.x, top}, end};
    flying.glass = mix({end.x, top}, end, 0.5F);
  } else {
    const Point corner{end.x, lowest};
    flying.way = {at, {at.x, corner.y}, corner, end};
    flying.glass = mix(corner, end, 0.5F);
  }
  if (m.landed > 0) {
    while (there.size() < flying.way.size()) there.insert(there.begin(), there.front());
    for (std::size_t i = 1; i < there.size(); ++i) {
      flying.way[i] = mix(flying.way[i], there[i], m.landed);
      if (at.y >= middle) flying.way[i].y = std::min(flying.way[i].y, lowest);
    }
    // On the last piece of the pipe, from where it rides now to where it will be.
    const Point from = there[there.size() - 2], to = there.back();
    const float share = mix(0.5F, (route.glass.y - from.y) / (to.y - from.y), m.landed);
    flying.glass = mix(flying.way[there.size() - 2], flying.way.back(), share);
  }
  return flying;
}

// What is made by a matrix, and the tap that it begins with.
struct Whole {
  std::string_view name, index, tensor, made, said;
  Tap tap;
  Colour Palette::*fill, Palette::*ink;
};
constexpr Whole kWholes[] = {
    {"value", "V", kWV, "values", "what an input passes on is drawn here", Tap::value, &Palette::value_fill,
     &Palette::value},
    {"key", "K", kWK, "keys", "what an input is found by is drawn here", Tap::key, &Palette::key_fill, &Palette::key},
    {"query", "Q", kWQ, "queries", "", Tap::query, &Palette::query_fill, &Palette::query}};

// How the pipe of a tap goes on from the card it ends at to those of its whole column: beside them, over none.
struct Rail {
  Route from;          // whose matrix is on its last piece
  float edge, beside;  // of the cards, and the rail
  int nearest, count;
  Rows rows;
  [[nodiscard]] std::vector<Point> to(int i) const {
    std::vector<Point> all = from.way;
    if (i == nearest) return all;
    all.back().y = mix(from.glass.y, all.back().y, 0.62F);
    const float turn = all.back().y, y = rows.at(i);
    all.insert(all.end(), {{beside, turn}, {beside, y}, {edge, y}});
    return all;
  }
  [[nodiscard]] bool up() const { return from.way.back().y < from.glass.y; }  // from the second sequence
};
Rail rail_of(const Machine& m, Tap tap, Route route) {
  const float x = m.plan.column(tap).x;
  const int count = tap == Tap::query ? m.plan.query_count : static_cast<int>(m.weights.size());
  Rail rail{std::move(route), x, x - (m.plan.phone ? 6 : 11 * m.plan.scale), 0, count, m.plan.rows_of(tap)};
  if (rail.up()) rail.nearest = count - 1;
  return rail;
}

// The pipe as far as its matrix is green, as what goes through it; then it is what that makes, and goes to all cards.
void add_pipe_of(Drawing& d, const Machine& m, const Whole& one, const Rail& rail, float width, float branches = 1) {
  const std::string id = "pipe." + std::string(one.name);
  const auto made = [&](int i) {
    return one.tap == Tap::query ? d.colours.query_fill : colour_of_side(d, m, i, d.colours.*one.fill);
  };
  for (int i = rail.count - 1; i >= 0; --i) {
    // On a phone percentages stand there beside the values.
    if (i == rail.nearest || (m.plan.phone && one.tap == Tap::value)) continue;
    std::vector<Point> way = rail.to(i);
    way.erase(way.begin(), way.end() - 4);
    add_stroke(d, "rail." + std::string(one.name) + "." + std::to_string(i), bent(way), made(i), 0.36F * width)
        .opacity = branches;
  }
  Pipe pipe{.corners = rail.from.way, .colour = d.colours.input_fill, .width = width};
  const Point end = pipe.corners.back();
  if (m.form.lenses) pipe.corners.back() = rail.from.glass;
  add_pipe(d.figure, id, pipe, d.view.theme);
  pipe.corners = {rail.from.glass, end}, pipe.colour = made(rail.nearest);
  if (m.form.lenses) add_pipe(d.figure, id + ".made", pipe, d.view.theme);
}

// What goes through a tap to its cards: rows of numbers, of which its matrix makes others. Queries once it is there.
void add_drops(Drawing& d, const Machine& m, const Whole& one, const Rail& rail) {
  const Attention& names = m.form.names;
  const bool queries = one.tap == Tap::query;
  for (int i = 0; i < rail.count; ++i) {
    const float share = queries ? way_of_query(m, i) : way_of_key(m, i);
    if (share <= 0 || share >= 1) continue;
    const Point at = point_along(rail.to(i), share);
    const bool made = rail.up() != (at.y > rail.from.glass.y) && at.x >= rail.beside - 1;
    const Tensor& T = d.trace.at(!made     ? (queries && rail.up() ? kZ : kX)
                                 : queries ? names.query
                                           : (one.tap == Tap::key ? names.key : names.value));
    const float side = m.plan.phone ? 2.4F : 7.5F * m.plan.scale, high = m.plan.phone ? 9 : 1.4F * side,
                half = side * static_cast<float>(T.columns()) / 2;
    const Colour colour = made ? d.colours.*one.fill : d.colours.input_fill;
    const std::string id = "drop." + std::string(one.name) + "." + std::to_string(i);
    const Rect cells{std::max(at.x - half, 4.F), at.y - high / 2, 2 * half, high};
    add_box(d, id, cells.inset(-2), {.fill = d.colours.surface, .stroke = colour, .stroke_width = 1.4F, .radius = 4});
    MatrixCells shown = small_cells({T.name, i, 0, 1, T.columns()}, side, colour, d.view.theme);
    if (d.video()) shown.largest = kEachColumn;
    d.figure.add({.id = id + ".cells", .rect = cells, .shape = shown});
  }
}

void add_lens(Drawing& d, const Machine& m, const Whole& one, Point at) {
  add_glass(d.figure, "lens." + std::string(one.name),
            {.centre = at,
             .radius = m.plan.phone ? 13 : 17 * m.plan.scale,
             .index = one.index,
             .ring = d.colours.*one.fill,
             .ink = d.colours.*one.ink,
             .label = "The matrix that makes " + std::string(one.made),
             .tensor = one.tensor},
            d.view.theme);
}

// The one that moves from form to form, and where it is not on the inputs its place there.
void add_queries_tap(Drawing& d, const Machine& m, Point at, float scale) {
  const bool inputs = m.form.queries == QueriesFrom::inputs, second = m.form.queries == QueriesFrom::second;
  add_tap(d.figure, "tap.query", at, d.colours.query_fill, scale, d.view.theme);
  const bool marked = d.view.hovered == "tap.query" || m.held;
  const float ring = 19 * scale, reach = std::max(ring, 22.F);
  add_box(d, "tap.query.ring", {at.x - ring, at.y - ring, 2 * ring, 2 * ring},
          {.stroke = d.colours.query_fill, .stroke_width = marked ? 3.F : 1.6F, .radius = ring});
  d.figure.elements.back().furniture = true;
  const std::string to = inputs ? "a second sequence" : "the inputs";
  const int place = inputs ? 1 : second ? 2 : 3;
  add_part(d, "tap.query", Role::token, {at.x - reach, at.y - reach, 2 * reach, 2 * reach},
           "The queries’ tap: drag it to " + to)
      .edit = Edit{.field = "step", .value = inputs ? "cross" : "self", .place = place};
  const Point port = m.plan.port(Tap::query);
  if (!inputs && !second && !m.held)
    add_words(d, "tap.query.said", {at.x + ring + 7, at.y - 10, 210 * scale, 20},
              m.plan.phone ? "from outside" : "typed in, not made from inputs",
              {d.colours.query, {text::Face::regular, small_text(m)}});
  if (!inputs)
    add_box(d, "tap.query.free", {port.x - 8, port.y - 8, 16, 16},
            {.stroke = d.colours.query_fill, .stroke_width = 1.6F, .radius = 8});
}

}  // namespace

void add_ways(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  const Theme theme = d.view.theme;
  const float width = plan.phone ? 8 : 9 * plan.scale, tap = plan.phone ? 0.9F : plan.scale;
  const std::span fixed(kWholes, 2);
  for (const Whole& one : fixed) {
    const std::string id = "tap." + std::string(one.name);
    const float grown = d.view.hovered == id ? 4 : 0;
    const Point at = plan.port(one.tap);
    add_pipe_of(d, m, one, rail_of(m, one.tap, from_inputs(plan, one.tap)), width + grown);
    add_tap(d.figure, id, at, m.form.lenses ? d.colours.*one.fill : d.colours.input_fill, tap, theme);
    add_part(d, id, Role::image, Rect{at.x, at.y, 0, 0}.inset(-16),
             "A tap: " + std::string(one.said) + (m.form.lenses ? "" : ", of the inputs as they are"));
  }
  if (!m.form.lenses) return;
  const Route route = route_of(m);
  const Whole& queries = kWholes[2];
  const bool inputs = m.form.queries == QueriesFrom::inputs, drawn = m.form.queries != QueriesFrom::own;
  if (!inputs || m.held)
    add_pipe(d.figure, "pipe.query.from",
             {.corners = plan.way(Tap::query), .colour = d.colours.query_fill, .width = width, .dry = true}, theme);
  const std::size_t first = d.figure.elements.size();
  const Rail rail = rail_of(m, Tap::query, route);
  // Of a tap that is on nothing there are no branches and no matrix, before it is on the inputs.
  const float landed = m.loose ? m.landed : 1;
  if (drawn)
    add_pipe_of(d, m, queries, rail, width, landed);
  else
    add_pipe(d.figure, "pipe.query", {.corners = route.way, .colour = d.colours.query_fill, .width = width}, theme);
  show_since(d.figure, first, route.whole);
  for (const Whole& one : fixed) add_drops(d, m, one, rail_of(m, one.tap, from_inputs(plan, one.tap)));
  if (drawn) add_drops(d, m, queries, rail);
  for (const Whole& one : fixed) add_lens(d, m, one, plan.glass(one.tap));
  add_seen(d, drawn ? route.whole * landed : 0, [&] { add_lens(d, m, queries, route.glass); });
  add_queries_tap(d, m, route.tap, tap);
}

void add_matrix_card(Drawing& d, const Machine& m) {
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  const auto* told = focus ? std::ranges::find(kWholes, focus->tensor, &Whole::tensor) : std::end(kWholes);
  if (told == std::end(kWholes) || d.figure.find(cell_id({focus->tensor, 0, 0})) == nullptr) return;
  const Tensor& W = d.trace.at(told->tensor);
  const float k = m.plan.text(), head = 26 * k, pad = 10 * k;
  const float across = std::min(44 * k, 330 * k / static_cast<float>(W.columns()));
  const float down = std::min(m.plan.phone ? 20 : 26 * k, 260 * k / static_cast<float>(W.rows()));
  const float width = across * static_cast<float>(W.columns()), height = down * static_cast<float>(W.rows());
  const std::string words = size_text(W) + "  makes " + std::string(told->made);
  const Rect disc = d.figure.find(cell_id({focus->tensor, 0, 0}))->rect;
  const float card_h = head + height + 1.6F * pad;
  // Over none of the keys and percentages that it changes: right of the values, on a phone below.
  const float card_w = std::max(width, 150 * k) + 2 * pad, right = d.figure.width - d.margin();
  const float x = m.plan.phone ? disc.centre().x - card_w / 2 : m.plan.value.right() + 16;
  const float y = m.plan.phone ? m.plan.rows.at(static_cast<int>(m.weights.size()) - 1) + m.plan.value_h / 2 + 10 : 8;
  const Rect card{std::clamp(x, d.margin(), right - card_w), y, card_w, card_h};
  const std::string id = "card." + focus->tensor;
  add_ring(d.figure, id + ".disc", disc, d.colours.ink);
  add_callout(d.figure, id, card, {}, d.view.theme);
  add_caption(d, m, id, script(symbol("W"), word(told->tensor.substr(2))), d.colours.*told->ink, words,
              {card.x + pad, card.y + 4}, card.w - 2 * pad);
  d.figure.add(matrix_element(
      d, {.tensor = focus->tensor, .name = focus->tensor, .tint = d.colours.*told->fill, .least = 1, .editable = true},
      {card.centre().x - width / 2, card.y + head + 0.4F * pad, width, height}));
}

}  // namespace limelight::scenes::layer
