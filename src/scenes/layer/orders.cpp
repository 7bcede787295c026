// The steps Shuffle and Positions: inputs, the same in a new order, one output's light, outputs, what these were
// before.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/lamp.h"
#include "figure/ribbon.h"
#include "figure/vessel.h"
#include "io/numbers.h"
#include "scenes/common/matrix.h"
#include "scenes/common/sentence.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

constexpr float kFills = 760;      // px of a figure whose rows are as high as there is room
constexpr float kHairline = 0.9F;  // px of half a beam at least
constexpr float kBesideBeam = 15;  // px from what a beam falls on to the middle of its percentage

struct Orders {
  const Attention &before, &after;  // whose weights and outputs
  // How much has come; followed: of the outputs' change of places, made, renamed: of others, and in the last column.
  float moved = 1, marked = 1, lit = 1, poured = 1, followed = 1, made = 1, renamed = 1, compared = 1;
  // Of which layer light and outputs stand until theirs come; in the last column those of kSelf.
  const Attention& left;
  std::string said{};        // of the last column
  std::vector<int> order{};  // the input in each place
  int place = 0;             // of the output that is looked at
  float scale = 1;
  Rect rows{};                   // of all places
  float card = 0, most = 0;      // the width of what stands in a column, and how high it may be
  float crossing = 0, ways = 0;  // px between the two orders of inputs, and of outputs
  float marks = 0;               // px for marks, before the inputs that have moved
  float asks = 0;                // the width of the query that is looked at
  float first = 0, inputs = 0, query = 0, outputs = 0, last = 0;  // the left edges of the columns

  [[nodiscard]] int count() const { return static_cast<int>(order.size()); }
  [[nodiscard]] int input(int place_of_it) const { return order[static_cast<std::size_t>(place_of_it)]; }
  // Whether the outputs that stand until others come are those of the inputs as they were.
  [[nodiscard]] bool shuffles() const { return &left == &kSelf; }
  [[nodiscard]] float pitch() const { return rows.h / static_cast<float>(count()); }
  [[nodiscard]] Rect at(int row, float x) const {
    const Rect lane = scenes::cell_of(rows, count(), 1, row, 0);
    const float height = std::min(0.94F * lane.h, most);
    return {x, lane.centre().y - height / 2, card, height};
  }
};

// The place of the output that is looked at; else of the input that has asked before.
int looked_at(const Drawing& d, const Orders& o) {
  const auto place_of = [&](int input) {
    return static_cast<int>(std::ranges::find(o.order, input) - o.order.begin());
  };
  if (const std::optional<Source> focus = parse_cell_id(d.view.focus()); focus && focus->row < o.count())
    for (const auto& [one, placed] : {std::pair{&kShuffled, true}, {&kPlaced, true}, {&kSelf, false}, {&kFirst, false}})
      if (focus->tensor == kMarks || focus->tensor == one->weights || focus->tensor == one->output ||
          focus->tensor == one->scores)
        return placed ? focus->row : place_of(focus->row);
  const std::string& on = d.view.hovered;
  for (int i = 0; i < o.count(); ++i)
    if (on == "place." + std::to_string(i) || on == "input." + std::to_string(o.input(i))) return i;
  return place_of(input_row(d.state));
}

// Whether the mark of a place is made of sines and cosines.
bool has_clocks(const Drawing& d) { return d.state.positions != Encoding::linear_bias; }

// Its columns between y and bottom, `foot` px above it.
Orders laid_out(const Drawing& d, Orders o, float y, float bottom) {
  const bool narrow = d.narrow(), fills = d.figure.width >= kFills;
  const float side = narrow ? 12 : d.margin() + 4, w = d.figure.width - 2 * side,
              foot = d.press_height() + (d.figure.width < kBeside ? 84 : 46);
  o.order = d.state.order.of(d.trace.at(kX).rows());
  o.place = looked_at(d, o);
  o.said = narrow ? "before" : "what they were before";
  o.scale = std::clamp(d.figure.width / 1216, 0.6F, 1.4F);
  o.card = narrow ? 0.12F * w : 140 * o.scale;
  o.ways = narrow ? 0.163F * w : 92 * o.scale;
  o.asks = narrow ? 18 : fills ? 100 * o.scale : 30;
  o.marks = narrow ? 0.088F * w : 66 * o.scale;
  o.crossing = o.marks + (narrow ? 0 : o.ways);
  o.most = d.video() ? o.card / films::kShape + 15 : fills ? 44 * o.scale : 34;
  const auto count = static_cast<float>(o.count());
  const float top = y + 30, each = o.count() > kCrowd ? 16 : o.most + (narrow ? 20 : 6), least = d.video() ? 44 : 14;
  o.rows = {side, top, w, std::max(fills ? bottom - top - foot : each * count, least * count)};
  o.first = o.rows.x;
  o.inputs = o.first + o.card + o.crossing;
  o.last = o.rows.right() - o.card;
  o.outputs = o.last - o.ways - o.card;
  o.query = o.outputs - o.asks - (narrow ? 5 : 14 * o.scale);
  return o;
}

// The first of the places whose inputs go round: to each goes that of the next one.
int first_of_round(const Orders& o, int place) {
  int first = place;
  for (int i = o.input(place); i != place; i = o.input(i)) first = std::min(first, i);
  return first;
}

// How far what comes to a place is on its way: what changes places goes at once, what is next when it is nearly there.
float gone(const Orders& o, int place, float moved) {
  constexpr float kApart = 0.8F;  // of one's way
  const int own = first_of_round(o, place);
  float before = 0, all = -1;  // rounds
  for (int i = 0; i < o.count(); ++i)
    if (o.input(i) != i && first_of_round(o, i) == i) ++all, before += i < own ? 1 : 0;
  const float takes = 1 / (1 + kApart * all);
  return o.input(place) == place ? 1 : std::clamp((moved - kApart * takes * before) / takes, 0.F, 1.F);
}

// Whether under the mask it is not seen from the place that asks.
bool masked(const Drawing& d, const Orders& o, int place) { return d.state.causal && !o.shuffles() && place > o.place; }

// Where that is: what goes down bends to the left or stays, what goes up to the right, as small as the room there.
Rect on_its_way(const Orders& o, int place, float column, float moved, float room, bool at_left) {
  constexpr float kAir = 4;  // px
  const Rect from = o.at(o.input(place), column), to = o.at(place, column);
  const float share = gone(o, place, moved), aside = smoothstep(0, 0.3F, share) * (1 - smoothstep(0.7F, 1, share));
  const int rows = place - o.input(place);
  const bool past = std::abs(rows) > 1 || !at_left, stays = !at_left && rows > 0;
  const float small = past && !stays ? mix(1, std::min((room - 2 * kAir) / o.card, 1.F), aside) : 1;
  const float bend = stays ? 0 : past ? (o.card + room) / 2 : o.card / 2 + kAir;
  const Point middle{to.centre().x + (rows < 0 ? 1 : -1) * bend * aside,
                     mix(from.centre().y, to.centre().y, smoothstep(0.24F, 0.76F, share))};
  return {middle.x - small * to.w / 2, middle.y - small * to.h / 2, small * to.w, small * to.h};
}
Rect moving_input(const Orders& o, int place) { return on_its_way(o, place, o.inputs, o.moved, o.crossing, true); }
// The query is at the left.
Rect moving_output(const Orders& o, int place) {
  return on_its_way(o, place, o.outputs, o.followed, 0.86F * o.ways, false);
}

// Where the mark of a place is.
Rect mark_at(const Drawing& d, const Orders& o, int place) {
  const Rect at = o.at(place, o.inputs);
  const float air = d.narrow() ? 4 : 8, room = o.marks - 1.5F * air,
              height = std::min(has_clocks(d) ? room : 22 * o.scale, (d.video() ? 0.56F : 0.95F) * at.h),
              width = has_clocks(d) ? height
                      : d.narrow()  ? room
                                    : std::max(room, 38.F);
  return {at.x - air - width, shown_of(d, at).centre().y - height / 2, width, height};
}

// As wide where it falls as the weights say: together the beams are as high as an input.
Light light_of(const Drawing& d, const Orders& o, const Eigen::RowVectorXf& weights, Point bulb) {
  const int n = o.count();
  const float gain = is_dark(d.view.theme) ? 2.8F : 1.65F;
  const float strength = n > kCrowd ? strength_of(weights.maxCoeff()) : 1;
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  const bool one = focus && focus->tensor == o.after.weights;
  Light light{.tensor = std::string(o.after.weights), .theme = d.view.theme};
  for (int j = 0; j < n; ++j) {
    const float w = std::clamp(weights[j], 0.F, 1.F);
    const Rect input = shown_of(d, moving_input(o, j));
    const float bright = 0.1F * noticed(w, n) + 1.5F * std::min(strength * w, 1.F);
    Light::Beam beam{.from = bulb, .to = {input.right() + 4, input.centre().y}, .row = o.place, .column = j};
    beam.half_from = std::max((2 + 5 * w) * o.scale, kHairline), beam.floor = {0, 1};
    beam.half_to = std::max(strength * w * input.h / 2, kHairline);
    beam.intensity = gain * bright * (one && j != focus->column ? 0.35F : 1);
    light.beams.push_back(straight(beam));
    light.spots.push_back(haze(input.centre(), 0.55F * input.w, 0.55F * input.h, 0.6F * strength * w * gain));
  }
  return light;
}

// How much of each input the output is: off its beam, on the side that the lamp is not on, or in it where rows are low.
void add_percentages(Drawing& d, const Orders& o) {
  const Tensor& A = d.trace.at(o.lit < 0.5F ? o.left.weights : o.after.weights);
  const Matrix& was = d.trace.at(o.left.weights).values;
  const float k = std::clamp(d.figure.width / 1216, 0.8F, 1.25F), card = shown_of(d, o.at(0, 0)).h,
              aside = std::min((d.narrow() ? 0.41F : 0.47F) * o.pitch(), card / 2 + kBesideBeam);
  const bool beside = d.narrow() ? o.count() <= kCrowd : o.pitch() > card + kBesideBeam;
  for (int j = 0; j < o.count(); ++j) {
    const Source source{A.name, o.place, j};
    const float w = A.values(o.place, j);
    const bool much = w >= kTold;
    const float size = std::min((much ? 14.F : 12.F) * (d.narrow() ? 0.92F : k), 0.75F * o.pitch()), high = 1.3F * size;
    const text::Face face = much ? text::Face::mono_bold : text::Face::mono;
    const std::span row(A.values.row(o.place).data(), static_cast<std::size_t>(o.count()));
    const std::string words = d.narrow() && beside ? whole_share_text(row, j) : share_text(row, j);
    const float middle = shown_of(d, o.at(j, o.inputs)).centre().y + (!beside ? 0 : j < o.place ? -aside : aside);
    const float width = text::measure(face, size, words) + 1, lamp = o.query - (d.narrow() ? 36 : 70);
    const Rect at{std::min(o.inputs + o.card + 9, lamp - width), middle - high / 2, width, high};
    // Beside it what it was before, in any step but the one that only moves it.
    const Type small{text::Face::regular, 0.85F * size};
    const std::string then = share_text(std::span(was.row(o.place).data(), row.size()), j), before = "was " + then;
    const bool differs = !o.shuffles() && !d.narrow() && then != words;
    const float more = differs ? text::measure(small.face, small.size, before) + 8 : 0;
    add_box(d, cell_id(source) + ".ground", {at.x - 4, at.y, at.w + more + 8, high},
            {.fill = d.colours.surface.faded(0.86F), .radius = 5});
    add_told(d, source, at, words, {much ? d.colours.amber_text : d.colours.muted, {face, size}},
             A.column_labels[static_cast<std::size_t>(j)] + " gives " + words);
    if (differs)
      add_told(d, {std::string(o.left.weights), o.place, j}, {at.right() + 7, at.y, more, high}, before,
               {d.colours.muted, small}, A.column_labels[static_cast<std::size_t>(j)] + " gave " + then);
  }
}

void add_lit(Drawing& d, const Orders& o, Point bulb) {
  // Inputs that change places take their light along; marks change it.
  const auto after = d.trace.at(o.after.weights).values.row(o.place),
             left = d.trace.at(o.shuffles() ? o.after.weights : o.left.weights).values.row(o.place);
  const Eigen::RowVectorXf weights = o.lit * after + (1 - o.lit) * left;
  add_part(d, "made.light", Role::cell, {o.inputs + o.card, o.rows.y, bulb.x - o.inputs - o.card, o.rows.h},
           "The light of this output’s query: how much it takes of each input", light_of(d, o, weights, bulb));
}

// From one order to the other; what keeps its place is faint.
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
  for (int i = 0; i < o.count(); ++i) {
    const int input = o.input(i);
    add_way(d, "shuffle.way." + std::to_string(input), shown_of(d, o.at(input, o.first)),
            shown_of(d, moving_input(o, i)), 4, d.colours.input_fill, input != i);
  }
  for (int i = 0; i < o.count(); ++i) {
    const Rect at = moving_input(o, i), shown = shown_of(d, at);
    const std::string number = std::to_string(o.input(i));
    const std::size_t first = d.figure.elements.size();
    add_input(d, "moved." + number, o.input(i), at, i);
    if (!masked(d, o, i)) continue;
    // A slat keeps the light off it.
    show_since(d.figure, first, mix(1, 0.4F, o.lit));
    add_box(d, "slat." + number, {shown.right() + 5, shown.y, d.narrow() ? 4.F : 6.F, shown.h * o.lit},
            {.fill = d.colours.muted, .radius = 2});
  }
  for (int i = 0; i < o.count(); ++i) add_input(d, "input." + std::to_string(i), i, o.at(i, o.first));
}

// The outputs, what they were before, and whether each is the same.
void add_outputs(Drawing& d, const Orders& o) {
  const Tensor &in_order = d.trace.at(o.shuffles() ? kYMoved : kYMovedPos), &after = d.trace.at(o.after.output);
  const float radius = std::min(d.narrow() ? 8.5F : 11.F, 0.4F * o.pitch());
  std::vector<float> apart;
  for (int i = 0; i < o.count(); ++i)
    apart.push_back((after.values.row(i) - in_order.values.row(i)).cwiseAbs().maxCoeff());
  for (int i = 0; i < o.count(); ++i) {
    const int input = o.input(i);
    const std::string number = std::to_string(input);
    const bool follows = o.shuffles();
    const float made = follows ? o.followed : in_turn(o.made, i, o.count());
    // What stood there before goes first, if it is not the same that comes.
    const bool left = made < 0.5F;
    const float seen = follows ? 1 : std::max(std::abs(2 * made - 1), 0.2F);
    const Attention &now = left ? o.left : o.after, &old = o.renamed < 0.5F ? kSelf : o.before;
    const int row = left && follows ? input : i;
    const auto A = d.trace.at(now.weights).values.row(row), own = d.trace.at(old.weights).values.row(input);
    std::vector<float> weights(o.order.size());
    for (int j = 0; j < o.count(); ++j) weights[static_cast<std::size_t>(left && follows ? j : o.input(j))] = A[j];
    const Rect to = moving_output(o, i), from = o.at(input, o.last);
    add_seen(d, seen, [&] {
      add_made(d, "made." + number, {std::string(now.output), row, 0}, to, to.w / o.card, weights, i == o.place);
    });
    add_seen(d, std::abs(2 * o.renamed - 1), [&] {
      add_made(d, "before." + number, {std::string(old.output), input, 0}, from, 1, {own.begin(), own.end()},
               i == o.place);
    });
    add_seen(d, in_turn(o.compared, i, o.count()), [&] {
      add_way(d, "outputs.way." + number, shown_of(d, to), shown_of(d, from), 2 * radius + 6, d.colours.output_fill,
              input != i);
      add_verdict(d, "same." + number, {to.right() + radius + 4, shown_of(d, to).centre().y}, radius,
                  apart[static_cast<std::size_t>(i)], std::ranges::max(apart),
                  gap_of(in_order, after, i, numbers_shown(d, after)));
    });
  }
}

// Words above each column.
void add_heads(Drawing& d, const Orders& o) {
  const float aside = std::min(0.45F * o.ways, o.rows.x);
  const bool brief = d.narrow(), wide = d.figure.width >= kBeside;
  const auto add = [&](const char* id, float x, const std::string& words) {
    add_words(d, id, {x - aside, o.rows.y - 24, o.card + 2 * aside, 18}, words,
              {d.colours.muted, larger(d, type::label), Align::centre});
  };
  add("orders.first", o.first, brief ? "inputs" : "the inputs");
  add_words(d, "orders.query", {o.query - 20, o.rows.y - 24, o.asks + 40, 18}, o.asks < kNamedFrom ? "Q" : "the query",
            {d.colours.query, larger(d, type::label), Align::centre});
  add("orders.new", o.inputs, brief ? "moved" : wide ? "keys and values, moved" : "in their new order");
  const char* named = !d.video() ? "" : wide ? ", minutes and laughs" : ", minutes";
  add("orders.out", o.outputs, brief ? "outputs" : std::string("the outputs") + named);
  add_seen(d, std::abs(2 * o.renamed - 1), [&] { add("orders.last", o.last, o.said); });
  if (d.figure.width >= kFills)
    add_hint(d, "orders.hint", "drag to reorder", {o.inputs + o.card / 2 - 44, o.rows.bottom() + 4}, 120);
}

// From each input that is lit to the output that is asked for, as wide as its weight, past the query.
void add_streams(Drawing& d, const Orders& o, float asks) {
  const Tensor& A = d.trace.at(o.lit < 0.5F ? o.left.weights : o.after.weights);
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
        .opacity = smoothstep(0, 0.2F, o.poured);
    to += all * w;
  }
}

void add_picture(Drawing& d, const Orders& o) {
  const float k = d.narrow() ? 0.42F : std::min(0.82F * o.scale, 0.017F * o.pitch());
  // In Shuffle the query goes with its output.
  const float went = o.shuffles() ? smoothstep(0.24F, 0.76F, gone(o, o.place, o.followed)) : 1,
              from = shown_of(d, o.at(o.input(o.place), 0)).centre().y;
  const Point bulb{o.query - 38 * k - 6, mix(from, shown_of(d, o.at(o.place, 0)).centre().y, went)};
  add_lit(d, o, bulb);
  add_inputs_moved(d, o);
  const float high = std::min({34 * o.scale, 0.8F * o.pitch(), o.card});
  add_streams(d, o, high);
  add_asking(d, {std::string(o.lit < 0.5F && !o.shuffles() ? o.left.query : o.after.query), o.place, 0},
             {o.query, bulb.y - high / 2, o.asks, high}, o.shuffles() ? 1 : std::abs(2 * o.lit - 1));
  add_lamp(d.figure, "made.lamp",
           {.bulb = bulb, .cable_from = o.query, .scale = k, .tilt = 3.1415927F, .hung = Hung::left}, d.view.theme);
  add_outputs(d, o);
  add_seen(d, o.shuffles() ? smoothstep(0.7F, 1, o.lit) : std::abs(2 * o.lit - 1), [&] { add_percentages(d, o); });
  add_heads(d, o);
}

// Where the score of a place is: below its mark, or before it; on a phone below its input.
Rect score_at(const Drawing& d, const Orders& o, int place) {
  const Rect mark = mark_at(d, o, place);
  if (d.narrow()) return {mark.x, o.at(place, 0).bottom() + 2, o.inputs + o.card - mark.x, 13};
  const float from = o.first + o.card + 6, high = larger(d, 18.F);
  if (!d.video() && has_clocks(d)) return {from, mark.centre().y - high / 2, mark.x - 6 - from, high};
  return {from, mark.bottom() + 3, o.inputs - 6 - from, high};
}

// The mark of a place, and the score there with it.
void add_mark_of(Drawing& d, const Orders& o, int i, float come) {
  const std::string id = "P." + std::to_string(i);
  const Tensor& P = d.trace.at(kPAdded);
  const bool clock = has_clocks(d), hidden = masked(d, o, i);
  const Rect rect = mark_at(d, o, i);
  add_box(d, id + ".ground", rect.inset(-2),
          {.fill = d.colours.surface,
           .stroke = d.colours.muted,
           .stroke_width = 1.4F,
           .radius = clock ? rect.h / 2 + 2 : 5});
  if (clock) add_clock(d, id, P.values, i, hidden ? i : o.place, rect);
  add_part(d, id, Role::cell, rect, "The mark of place " + std::to_string(i + 1), Rectangle{}).source =
      Source{P.name, i, 0};
  if (hidden) return;
  if (!clock) {
    const std::string words = io::format_signed(static_cast<double>(d.trace.at(kMarks).values(o.place, i)), 1);
    const TextStyle style{d.colours.ink, larger(d, Type{text::Face::mono_bold, 12}), Align::centre};
    add_told(d, {std::string(kMarks), o.place, i}, rect, words, fitted(style, words, rect.w, 8),
             "The mark adds " + words + " to this score");
  }
  if (o.pitch() >= 40) add_score(d, o.place, i, score_at(d, o, i), come);
}

// The query’s own clock, above it where there is room.
void add_asking_clock(Drawing& d, const Orders& o) {
  const float high = std::min(d.narrow() ? 22.F : 34 * o.scale, 0.4F * o.pitch()), y = o.at(o.place, 0).centre().y,
              asks = std::min({34 * o.scale, 0.8F * o.pitch(), o.card}) / 2, apart = asks + 4 + high / 2;
  const bool above = !d.narrow() && y - apart - high / 2 > o.rows.y - 12;
  const Point at{o.query + o.asks / 2, shown_of(d, o.at(o.place, o.query)).centre().y + (above ? -apart : apart)};
  const Rect rect = Rect{at.x, at.y, 0, 0}.inset(-high / 2);
  add_box(d, "P.asks.ground", rect.inset(-2),
          {.fill = d.colours.surface, .stroke = d.colours.query_fill, .stroke_width = 1.4F, .radius = high / 2 + 2});
  add_clock(d, "P.asks", d.trace.at(kPAdded).values, -1, o.place, rect);
}

// Beside its clock the numbers of a place’s first hand: those that it adds, or by how much it turns.
void add_hands(Drawing& d, const Orders& o) {
  const Matrix& P = d.trace.at(kPAdded).values;
  const Type type = larger(d, type::small_number);
  for (int i = 0; i < o.count(); ++i) {
    const auto number = [&](int j) { return io::format_signed(static_cast<double>(P(i, j)), 2); };
    const std::string words = d.state.positions == Encoding::sinusoidal
                                  ? number(0) + " " + number(1)
                                  : io::format_fixed(i * 180 / 3.14159265, 0) + "°";
    const Rect mark = mark_at(d, o, i);
    const float width = text::measure(type.face, type.size, words) + 8;
    const Rect at{mark.x - width - 1, mark.centre().y - larger(d, d.video() ? 2.F : 28.F), width, larger(d, 16.F)};
    if (o.pitch() < 70 || at.x < o.first + o.card + 2) continue;
    add_box(d, "P.hand." + std::to_string(i), at, {.fill = d.colours.surface.faded(0.86F), .radius = 5});
    add_words(d, "P.hand.words." + std::to_string(i), at, words, {d.colours.ink, type, Align::centre});
  }
}

// How each encoding enters the layer.
constexpr struct {
  const char *said, *brief, *before;
} kEnters[] = {{"no marks", "", "in the old order"},
               {"adds sine, cosine", "marks", "with marks, old order"},
               {"each place’s turn", "turns", "with turns, old order"},
               {"less for what is far", "less", "with bias, old order"}};

// Where it is told what an order comes to: below the outputs, beside what can be chosen, where that has room.
Point told_at(const Drawing& d, const Orders& o) {
  const float below = o.rows.bottom();
  return d.figure.width >= kBeside ? Point{o.outputs - 8, below + 6} : Point{d.margin(), below + 26};
}
float chosen_at(const Drawing& d, const Orders& o, float told_bottom) {
  return d.figure.width >= kBeside ? o.rows.bottom() + 32 : told_bottom + 10;
}

}  // namespace

float draw_shuffle(Drawing& d, float y, float bottom) {
  // The inputs are shuffled, the outputs follow them and so does the lamp, they are compared, and it is told.
  constexpr Phase kTurns{0.44F, 0.72F};
  const float t = d.view.t;
  const Orders orders = laid_out(d,
                                 {.before = kSelf,
                                  .after = kShuffled,
                                  .moved = Phase{0.06F, 0.42F}.along(t),
                                  .lit = kTurns.along(t),
                                  .poured = Phase{0.66F, 0.8F}.along(t),
                                  .followed = kTurns.along(t),
                                  .compared = Phase{0.78F, 0.9F}.along(t),
                                  .left = kSelf},
                                 y, bottom);
  add_picture(d, orders);
  const std::size_t first = d.figure.elements.size();
  y = add_difference(d, kError, "The outputs", told_at(d, orders));
  show_since(d.figure, first, smoothstep(0.92F, 1, t));
  return std::max(y, add_orders(d, chosen_at(d, orders, y)));
}

float draw_order(Drawing& d, float y, float bottom) {
  const auto& told = kEnters[static_cast<int>(d.state.positions)];
  const Tensor* P = d.trace.find(kPAdded);
  // Marks come, the light swings to what they find, outputs become others; these are compared, and it is told.
  const float t = d.view.t;
  Orders orders = laid_out(d,
                           {.before = kFirst,
                            .after = kPlaced,
                            .marked = Phase{0.05F, 0.41F}.along(t),
                            .lit = Phase{0.47F, 0.63F}.along(t),
                            .poured = t < 0.5F ? 1 - Phase{0.39F, 0.47F}.along(t) : Phase{0.6F, 0.72F}.along(t),
                            .made = Phase{0.66F, 0.83F}.along(t),
                            .renamed = Phase{0.62F, 0.78F}.along(t),
                            .compared = Phase{0.83F, 0.92F}.along(t),
                            .left = kShuffled},
                           y, bottom);
  if (orders.renamed >= 0.5F) orders.said = d.narrow() ? "old order" : told.before;
  add_picture(d, orders);
  for (int i = 0; P != nullptr && i < orders.count(); ++i) {
    const float come = in_turn(orders.marked, i, orders.count());
    add_seen(d, come * (masked(d, orders, i) ? mix(1, 0.35F, orders.lit) : 1),
             [&] { add_mark_of(d, orders, i, come); });
  }
  if (P != nullptr && has_clocks(d)) {
    add_seen(d, orders.marked, [&] { add_asking_clock(d, orders); });
    if (!d.narrow()) add_seen(d, smoothstep(0.8F, 1, orders.marked), [&] { add_hands(d, orders); });
  }
  const std::string said = d.narrow() ? told.brief : told.said;
  const bool narrow = d.narrow();
  const float from = orders.first + orders.card - (narrow ? 4 : 12), room = orders.inputs + (narrow ? 4 : -18) - from;
  const TextStyle style{d.colours.ink, narrow ? type::label : larger(d, type::subtitle),
                        narrow ? Align::centre : Align::right};
  add_words(d, "P.said", {from, orders.rows.y - 24, room, 18}, said, fitted(style, said, narrow ? room - 4 : room));
  const std::size_t first = d.figure.elements.size();
  const auto [most, of] =
      gap_of(d.trace.at(kYMovedPos), d.trace.at(kPlaced.output), 0, sizes(d.state).value, orders.count());
  const std::string unit = of.empty() ? "" : " " + of;
  y = add_difference(d, kErrorPos, "The outputs", told_at(d, orders), most == kNoGap ? "" : most + unit);
  show_since(d.figure, first, smoothstep(0.92F, 1, t));
  return std::max(y, add_encodings(d, chosen_at(d, orders, y)));
}

}  // namespace limelight::scenes::layer
