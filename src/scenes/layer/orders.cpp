// The steps Shuffle and Positions: inputs in a new order, one output's light, outputs, what these were before.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/lamp.h"
#include "figure/ribbon.h"
#include "figure/vessel.h"
#include "io/numbers.h"
#include "scenes/common/sentence.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

constexpr float kFills = 760;       // px of a figure whose rows are as high as there is room
constexpr float kHairline = 0.75F;  // px of half a beam at least

// The place of the output that is looked at; else of the input that has asked before.
int looked_at(const Drawing& d, const Orders& o) {
  const auto place_of = [&](int input) {
    return static_cast<int>(std::ranges::find(o.order, input) - o.order.begin());
  };
  if (const std::optional<Source> focus = parse_cell_id(d.view.focus()); focus && focus->row < o.count())
    for (const Attention* one : {&kShuffled, &kPlaced, &kSelf, &kFirst})
      for (const std::string_view tensor : {one->weights, one->output, one->scores, kMarks})
        if (focus->tensor == tensor) return one == &kSelf || one == &kFirst ? place_of(focus->row) : focus->row;
  const std::string& on = d.view.hovered;
  for (int i = 0; i < o.count(); ++i)
    if (on == "place." + std::to_string(i) || on == "input." + std::to_string(o.input(i))) return i;
  return place_of(input_row(d.state));
}

}  // namespace

Orders laid_out(const Drawing& d, Orders o, float y, float bottom) {
  const bool narrow = d.narrow(), fills = d.figure.width >= kFills, marks = !o.shuffles();
  const float side = narrow ? 12 : d.margin() + 4, w = d.figure.width - 2 * side,
              foot = d.press_height() + (d.figure.width < kBeside ? 84 : 46);
  o.order = d.state.order.of(d.trace.at(kX).rows());
  o.place = o.home = looked_at(d, o);
  o.said = narrow ? "before" : "what they were before";
  o.scale = std::clamp(d.figure.width / 1216, 0.6F, 1.4F);
  o.card = narrow ? 0.137F * w : 140 * o.scale;
  o.ways = narrow ? 0.1F * w : 92 * o.scale;
  o.asks = narrow ? 18 : fills ? 100 * o.scale : 30;
  o.crossing = narrow ? 0.085F * w : 158 * o.scale;
  o.most = d.video() ? o.card / films::kShape + 15 : fills ? 44 * o.scale : 34;
  const auto count = static_cast<float>(o.count());
  const float top = y + (marks && !narrow ? 54 : 30),
              each = o.count() > kCrowd ? 16
                     : narrow           ? 75
                                        : o.most + 6,
              least = d.video() ? 44 : 14;
  o.rows = {side, top, w, std::max(fills ? bottom - top - foot : each * count, least * count)};
  o.inputs = side + (narrow && marks ? 0.345F * w : o.card + o.crossing);
  o.last = o.rows.right() - o.card;
  o.outputs = (narrow && marks ? o.rows.right() - 44 : o.last - o.ways) - o.card;
  o.query = o.outputs - o.asks - (narrow ? 5 : 14 * o.scale);
  return o;
}

bool masked(const Drawing& d, const Orders& o, int place) { return d.state.causal && !o.shuffles() && place > o.place; }

namespace {

// Where the input of a place is on its way there, one after the other, small between both orders.
Rect moving_input(const Orders& o, int place) {
  const float share = in_turn(o.moved, place, o.count()),
              aside = smoothstep(0, 0.3F, share) * (1 - smoothstep(0.7F, 1, share));
  const Rect from = o.at(o.input(place), o.rows.x), to = o.at(place, o.inputs);
  const Point middle{mix(from.centre().x, to.centre().x, share),
                     mix(from.centre().y, to.centre().y, smoothstep(0.2F, 0.8F, share))};
  const float small = mix(1, 0.6F, aside);
  return {middle.x - small * to.w / 2, middle.y - small * to.h / 2, small * to.w, small * to.h};
}

// How much of each input the output is: right of it, where its beam begins.
void add_percentages(Drawing& d, const Orders& o) {
  const Tensor& A = d.trace.at(o.told().weights);
  for (int j = 0; j < o.count(); ++j) {
    const float w = A.values(o.place, j);
    const bool much = w >= kTold;
    const float size = std::min((d.narrow() ? 0.92F : larger(d, 1.F)) * (much ? 14 : 12), 0.75F * o.pitch()),
                high = 1.3F * size;
    const text::Face face = much ? text::Face::mono_bold : text::Face::mono;
    const std::span row(A.values.row(o.place).data(), static_cast<std::size_t>(o.count()));
    const std::string words = d.narrow() && o.count() <= kCrowd ? whole_share_text(row, j) : share_text(row, j);
    const float width = text::measure(face, size, words) + 1;
    const Rect input = shown_of(d, o.at(j, o.inputs));
    const Rect told{input.right() + (d.narrow() ? 8 : 22), input.centre().y - high / 2, width, high};
    const Source source{A.name, o.place, j};
    add_box(d, cell_id(source) + ".ground", Rect{told.x - 3, told.y, told.w + 6, high},
            {.fill = d.colours.surface.faded(0.86F), .radius = 5});
    add_told(d, source, told, words, {much ? d.colours.amber_text : d.colours.muted, {face, size}},
             A.column_labels[static_cast<std::size_t>(j)] + " gives " + words);
  }
}

// As wide where it falls as the weights say: together the beams are as high as an input. Marks change it; the shuffle
// lights it for each output.
void add_lit(Drawing& d, const Orders& o, Point bulb) {
  const int n = o.count();
  const float gain = is_dark(d.view.theme) ? 2.8F : 1.65F, come = o.shuffles() ? 1 : o.lit;
  const Eigen::RowVectorXf weights = come * d.trace.at(o.after.weights).values.row(o.place) +
                                     (1 - come) * d.trace.at(o.left.weights).values.row(o.place);
  const float strength = n > kCrowd ? strength_of(weights.maxCoeff()) : 1;
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  const bool one = focus && focus->tensor == o.after.weights;
  Light light{.tensor = std::string(o.after.weights), .theme = d.view.theme};
  for (int j = 0; j < n; ++j) {
    const float w = std::clamp(weights[j], 0.F, 1.F);
    const Rect input = shown_of(d, moving_input(o, j));
    const float bright = noticed(w, n) * std::max(0.4F, 0.1F + 1.5F * std::min(strength * w, 1.F));
    Light::Beam beam{.from = bulb, .to = {input.right() + 4, input.centre().y}, .row = o.place, .column = j};
    beam.half_from = std::max((1 + 6 * w) * o.scale, kHairline), beam.floor = {0, 1};
    beam.half_to = std::max(strength * w * input.h / 2, kHairline);
    beam.intensity = gain * bright * (one && j != focus->column ? 0.35F : 1);
    light.beams.push_back(straight(beam));
    light.spots.push_back(haze(input.centre(), 0.55F * input.w, 0.55F * input.h, 0.6F * strength * w * gain));
  }
  add_part(d, "made.light", Role::cell, {o.inputs + o.card, o.rows.y, bulb.x - o.inputs - o.card, o.rows.h},
           "The light of this output’s query: how much it takes of each input", std::move(light))
      .opacity = o.shuffles() ? o.lit : 1;
}

void add_way(Drawing& d, const std::string& id, Rect from, Rect to, float begins, Colour colour, bool moves) {
  const float half = std::min(0.2F * from.h, 8.F), y = from.centre().y, other = to.centre().y,
              x = from.right() + begins;
  const float seen = moves ? 0.6F : 0.25F;
  d.figure.add({.id = id,
                .shape = flowing({{x, y - half}, {x, y + half}}, {{to.x - 4, other - half}, {to.x - 4, other + half}},
                                 Flow::level, {{0, colour.faded(seen)}, {1, colour.faded(0.6F * seen)}})});
}

// The inputs in both orders: in the second one they change places, and ways from the first one follow them.
void add_inputs_moved(Drawing& d, const Orders& o) {
  for (int i = 0; o.shuffles() && i < o.count(); ++i) {
    const int input = o.input(i);
    const Rect from = shown_of(d, o.at(input, o.rows.x)), to = shown_of(d, moving_input(o, i));
    if (to.x > from.right() + 8)
      add_way(d, "shuffle.way." + std::to_string(input), from, to, 4, d.colours.input_fill, input != i);
    add_input(d, "input." + std::to_string(i), i, o.at(i, o.rows.x));
  }
  for (int i = 0; i < o.count(); ++i)
    add_seen(d,
             in_turn(o.moved, i, o.count()) <= 0 ? 0
             : masked(d, o, i)                   ? mix(1, 0.4F, o.lit)
                                                 : 1,
             [&] { add_input(d, "moved." + std::to_string(o.input(i)), o.input(i), moving_input(o, i), i); });
}

// How much is there of an output while light goes from place to place.
float made_at(const Orders& o, int place) {
  const Turn turn = turn_at(o.home, o.count(), o.made);
  const int own = (place - o.home - 1 + o.count()) % o.count();
  const bool comes = own == turn.number || (own > turn.number && turn.number + 1 == turn.turns);
  return own < turn.number ? 1 : comes ? smoothstep(0.5F, 0.9F, turn.now) : 0;
}

// The outputs, what they were before, and whether each is the same.
void add_outputs(Drawing& d, const Orders& o) {
  const Tensor &in_order = d.trace.at(o.shuffles() ? kYMoved : kYMovedPos), &after = d.trace.at(o.after.output);
  const float radius = std::min(d.narrow() ? 8.5F : 11.F, 0.4F * o.pitch());
  std::vector<float> apart;
  for (int i = 0; i < o.count(); ++i)
    apart.push_back((after.values.row(i) - in_order.values.row(i)).cwiseAbs().maxCoeff());
  for (int i = 0; i < o.count(); ++i) {
    // With marks what stood there before goes first.
    const bool shuffles = o.shuffles();
    const float made = shuffles ? made_at(o, i) : in_turn(o.made, i, o.count()), now = std::abs(2 * o.renamed - 1);
    const Attention &out = !shuffles && made < 0.5F ? o.left : o.after,
                    &old = shuffles || o.renamed < 0.5F ? kSelf : o.before;
    const int input = o.input(i);
    const auto A = d.trace.at(out.weights).values.row(i), own = d.trace.at(old.weights).values.row(input);
    std::vector<float> weights(o.order.size());
    for (int j = 0; j < o.count(); ++j) weights[static_cast<std::size_t>(o.input(j))] = A[j];
    const std::string number = std::to_string(input);
    const Rect to = o.at(i, o.outputs), from = o.at(input, o.last);
    add_seen(d, shuffles ? made : std::max(std::abs(2 * made - 1), 0.2F),
             [&] { add_made(d, "made." + number, {std::string(out.output), i, 0}, to, weights, i == o.place); });
    const float last = o.has_last(d) ? 1 : 0;
    add_seen(d, last * (shuffles ? 1 : now), [&] {
      add_made(d, "before." + number, {std::string(old.output), input, 0}, from, {own.begin(), own.end()}, i == o.home);
    });
    add_seen(d, last * o.crossed, [&] {
      add_way(d, "outputs.way." + number, shown_of(d, to), shown_of(d, from), 2 * radius + 6, d.colours.output_fill,
              input != i);
    });
    add_seen(d, in_turn(o.compared, i, o.count()), [&] {
      add_verdict(d, "same." + number, {to.right() + radius + 4, shown_of(d, to).centre().y}, radius,
                  apart[static_cast<std::size_t>(i)], std::ranges::max(apart),
                  gap_of(in_order, after, i, numbers_shown(d, after)));
    });
  }
}

void add_heads(Drawing& d, const Orders& o) {
  const float aside = std::min(0.45F * o.ways, o.rows.x), y = o.rows.y - (o.shuffles() ? 24 : 30);
  const bool brief = d.narrow(), wide = d.figure.width >= kBeside;
  if (brief && !o.shuffles()) return;
  const auto add = [&](const char* id, float x, const std::string& words) {
    add_words(d, id, {x - aside, y, o.card + 2 * aside, 18}, words,
              {d.colours.muted, larger(d, type::label), Align::centre});
  };
  if (o.shuffles()) add("orders.first", o.rows.x, brief ? "inputs" : "the inputs");
  if (!brief)
    add_words(d, "orders.query", {o.query - 20, y, o.asks + 40, 18}, o.asks < kNamedFrom ? "Q" : "the query",
              {d.colours.query, larger(d, type::label), Align::centre});
  add("orders.new", o.inputs, brief ? "moved" : !wide || !o.shuffles() ? "the new order" : "keys and values, moved");
  add("orders.out", o.outputs, d.video() && wide ? "outputs: minutes, laughs" : brief ? "outputs" : "the outputs");
  if (o.has_last(d))
    add_seen(d, o.shuffles() ? 1 : std::abs(2 * o.renamed - 1), [&] { add("orders.last", o.last, o.said); });
  if (d.figure.width >= kFills)
    add_hint(d, "orders.hint", "drag to reorder", {o.inputs + o.card / 2 - 44, o.rows.bottom() + 4}, 120);
}

// From each input that is lit to the output that is asked for, as wide as its weight, past the query.
void add_streams(Drawing& d, const Orders& o, float asks) {
  const Tensor& A = d.trace.at(o.told().weights);
  const Rect out = shown_of(d, o.at(o.place, o.outputs));
  const float all = std::max((out.h - asks) / 2 - 2, 0.2F * out.h), from_x = o.inputs + o.card + 3, to_x = out.x - 4;
  float above = out.y, below = out.bottom() - all;
  for (int j = 0; j < o.count(); ++j) {
    const float w = A.values(o.place, j), thick = std::max(all * w, 0.8F);
    if (w == 0) continue;
    const Rect input = shown_of(d, o.at(j, o.inputs));
    float& to = j < o.place ? above : below;
    const float from = j < o.place ? input.y + 1 : input.bottom() - 1 - thick;
    Ribbon ribbon = flowing({{from_x, from}, {from_x, from + thick}}, {{to_x, to}, {to_x, to + thick}}, Flow::level,
                            poured(0.5F + 0.4F * std::min(4 * w, 1.F), d.view.theme));
    run(ribbon, o.poured);
    const std::string id = "made.pour." + std::to_string(j);
    add_part(d, id, Role::cell, {from_x, std::min(from, to), to_x - from_x, std::abs(from - to) + thick},
             A.column_labels[static_cast<std::size_t>(j)] + " gives this output " + share_text(w), std::move(ribbon))
        .opacity = smoothstep(0, 0.2F, o.poured) * o.leaves;
    to += all * w;
  }
}

}  // namespace

void add_picture(Drawing& d, const Orders& o) {
  const float k = d.narrow() ? 0.42F : std::min(0.82F * o.scale, 0.017F * o.pitch());
  const float y = o.asks_at >= 0 ? o.asks_at : shown_of(d, o.at(o.place, 0)).centre().y,
              high = std::min({34 * o.scale, 0.8F * o.pitch(), o.card});
  const Point bulb{o.query - 38 * k - 6, y};
  add_seen(d, o.asked, [&] { add_lit(d, o, bulb); });
  add_inputs_moved(d, o);
  add_seen(d, o.asked, [&] {
    add_streams(d, o, high);
    add_asking(d, {std::string(o.told().query), o.place, 0}, {o.query, y - high / 2, o.asks, high},
               o.shuffles() ? 1 : std::abs(2 * o.lit - 1));
    add_lamp(d.figure, "made.lamp",
             {.bulb = bulb, .cable_from = o.query, .scale = k, .tilt = 3.1415927F, .hung = Hung::left}, d.view.theme);
  });
  add_outputs(d, o);
  add_seen(d, o.shuffles() ? o.lit : std::abs(2 * o.lit - 1), [&] { add_percentages(d, o); });
  add_heads(d, o);
}

float add_order_told(Drawing& d, const Orders& o, float told) {
  const float below = o.rows.bottom();
  const bool beside = d.figure.width >= kBeside, shuffles = o.shuffles();
  const std::size_t first = d.figure.elements.size();
  const auto [most, of] =
      gap_of(d.trace.at(kYMovedPos), d.trace.at(kPlaced.output), 0, sizes(d.state).value, o.count());
  const float y =
      add_difference(d, shuffles ? kError : kErrorPos,
                     beside ? Point{o.outputs - 8, below + 6} : Point{d.margin(), below + (d.narrow() ? -4 : 26)},
                     shuffles || most == kNoGap ? "" : most + (of.empty() ? "" : " " + of));
  show_since(d.figure, first, told);
  const float chosen = beside ? below + 32 : y + 10;
  return std::max(y, shuffles ? add_orders(d, chosen) : add_encodings(d, chosen));
}

float draw_shuffle(Drawing& d, float y, float bottom) {
  // The inputs are shuffled; light pours each output anew; these are joined with what they were and compared.
  const float t = d.view.t;
  Orders o = laid_out(d,
                      {.before = kSelf,
                       .after = kShuffled,
                       .moved = Phase{0, 0.36F}.along(t),
                       .asked = Phase{0.34F, 0.4F}.share(t),
                       .made = Phase{0.4F, 0.78F}.along(t),
                       .crossed = Phase{0.78F, 0.85F}.share(t),
                       .compared = Phase{0.84F, 0.93F}.along(t),
                       .left = kSelf},
                      y, bottom);
  const Turn turn = turn_at(o.home, o.count(), o.made);
  const auto middle = [&](int place) { return shown_of(d, o.at(place, 0)).centre().y; };
  o.place = turn.now < 0.15F ? turn.from : turn.to;  // with the query, halfway
  o.asks_at = mix(middle(turn.from), middle(turn.to), smoothstep(0, 0.3F, turn.now));
  o.leaves = turn.number + 1 == turn.turns ? 1 : 1 - smoothstep(0.88F, 1, turn.now);
  o.lit = smoothstep(0.25F, 0.45F, turn.now) * o.leaves;
  o.poured = Phase{0.4F, 0.75F}.along(turn.now);
  add_picture(d, o);
  return add_order_told(d, o, smoothstep(0.93F, 1, t));
}

}  // namespace limelight::scenes::layer
