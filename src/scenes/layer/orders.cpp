#include "scenes/layer/orders.h"

#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/lamp.h"
#include "figure/light.h"
#include "figure/ribbon.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/sentence.h"
#include "scenes/layer/films.h"
#include "scenes/layer/machine.h"
#include "scenes/layer/pairs.h"

namespace limelight::scenes::layer {
namespace {

constexpr float kFills = 760;        // px of a figure whose rows are as high as there is room
constexpr float kLeastFilm = 24;     // px of height; what is lower is its name alone
constexpr int kManyPlaces = 8;       // of more none gets much light
constexpr float kHairline = 0.9F;    // px of half a beam at least
constexpr float kLeastSeen = 0.75F;  // how bright a beam is at least, from 0.2 % on

// A film keeps its shape, and has its name below it where there is room.
float name_below(const Drawing& d, Rect rect) { return d.video() && rect.h >= 44 ? 15.F : 0; }

Type named_type(const Drawing& d) { return d.narrow() ? type::caption : type::body; }

// ---- what stands in the columns ----

// An input where it stands: its film, or its word. Its parts' ids begin with `name_of`; what can be dragged to another
// place has an id of its own.
void add_input(Drawing& d, const std::string& name_of, int input, Rect rect, int place = -1) {
  const std::string& name = d.trace.at(kX).row_labels[static_cast<std::size_t>(input)];
  const std::string id = place < 0 ? name_of : "place." + std::to_string(place);
  const bool film = d.video() && rect.h >= kLeastFilm, hovered = d.view.hovered == id;
  const Rect shown = shown_of(d, rect), edge = shown.inset(d.video() ? -2.F : 0);
  if (film) add_film(d.figure, name_of + ".film", input, shown);
  add_box(d, name_of + ".edge", edge,
          {.fill = d.video() ? Colour{0, 0, 0, 0} : d.colours.surface,
           .stroke = hovered ? d.colours.accent : d.colours.input_fill,
           .stroke_width = hovered ? 2.4F : 1.4F,
           .radius = std::min(6.F, 0.3F * rect.h)});
  Element whole{
      .id = id, .role = Role::image, .rect = edge, .label = d.video() ? said_of(d.trace.at(kX), input) : name};
  if (place >= 0) {
    whole.role = Role::token;
    whole.label = name + ", in place " + std::to_string(place + 1) + ": drag it to another";
    whole.edit = Edit{.field = "order", .place = place};
    whole.furniture = true;
  }
  d.figure.add(std::move(whole));
  if (film && name_below(d, rect) > 0)
    add_words(d, name_of + ".word", {rect.x - 10, shown.bottom() + 1, rect.w + 20, 17}, name,
              {d.colours.input, named_type(d), Align::centre});
  if (film) return;
  const float size = std::clamp(0.55F * rect.h, 9.F, 13.F), width = text::measure(text::Face::semibold, size, name);
  add_words(d, name_of + ".word", rect.inset(2), name,
            {d.colours.input,
             {text::Face::semibold, std::max(std::min(size, size * (rect.w - 8) / width), 9.F)},
             Align::centre});
}

// "10.1 minutes, 2.9 laughs", as much of it as has room.
std::string numbers_of(const Drawing& d, const Tensor& Y, int row, float room) {
  const auto [face, size] = named_type(d);
  std::string told;
  for (int j = 0; j < Y.columns(); ++j) {
    const std::string one = io::format_fixed(static_cast<double>(Y.values(row, j)), d.narrow() ? 1 : 2) + " " +
                            label_of(Y.column_labels, j);
    if (j > 0 && text::measure(face, size, told + ", " + one) > room) break;
    told += (j > 0 ? ", " : "") + one;
  }
  if (text::measure(face, size, told) > room) told = told.substr(0, told.find(' '));
  return told;
}

// A row of outputs: what it is a mix of, and its numbers. weights: of the inputs, by number.
void add_output(Drawing& d, const std::string& id, const Source& at, Rect rect, const std::vector<float>& weights,
                bool looked_at) {
  const Tensor& Y = d.trace.at(at.tensor);
  const Rect shown = shown_of(d, rect);
  const std::string label = "Output of " + Y.row_labels[static_cast<std::size_t>(at.row)];
  if (d.video()) {
    add_mix(d.figure, id, weights, shown);
    const std::string words = numbers_of(d, Y, at.row, rect.w + 2 * d.margin());
    if (name_below(d, rect) > 0)
      add_words(d, id + ".numbers", {rect.x - d.margin(), shown.bottom() + 1, rect.w + 2 * d.margin(), 17}, words,
                {looked_at ? d.colours.output : d.colours.muted, named_type(d), Align::centre});
  } else {
    add_box(d, id + ".ground", shown, {.fill = d.colours.surface, .radius = 4});
    const float cell = shown.w / static_cast<float>(Y.columns());
    MatrixCells cells = small_cells({at.tensor, at.row, 0, 1, Y.columns()}, std::min(cell, shown.h),
                                    d.colours.output_fill, d.view.theme);
    if (std::min(cell, 1.5F * shown.h) >= 26) cells.text_size = std::min({0.34F * cell, 0.5F * shown.h, 13.F});
    d.figure.add({.id = id, .role = Role::cell, .rect = shown.inset(1), .label = label, .shape = cells});
  }
  d.figure.add({.id = id + ".edge",
                .role = d.video() ? Role::cell : Role::none,
                .rect = shown.inset(-2),
                .label = label,
                .source = at,
                .shape = Rectangle{.stroke = d.colours.output_fill.faded(looked_at ? 1 : 0.6F),
                                   .stroke_width = looked_at ? 2.6F : 1.4F,
                                   .radius = 5}});
}

// ---- the light of the output that is looked at ----

// As wide where it falls as the weights say: together the beams are as high as an input.
Light light_of(const Drawing& d, const Orders& o, const Eigen::RowVectorXf& weights, Point bulb) {
  const int n = o.count();
  const float gain = is_dark(d.view.theme) ? 1.5F : 1.4F;
  // Of many inputs the one that gets most is as bright as if it got half.
  const float strength = n > kManyPlaces ? std::clamp(0.5F / std::max(weights.maxCoeff(), 1e-3F), 1.F, 5.F) : 1;
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  const bool one = focus && focus->tensor == o.after.weights;
  Light light{.tensor = std::string(o.after.weights), .theme = d.view.theme};
  for (int j = 0; j < n; ++j) {
    const float w = std::clamp(weights[j], 0.F, 1.F), come = in_turn(o.lit, j, n) * gain;
    const Rect input = shown_of(d, o.at(j, o.inputs));
    const float bright = 0.1F * smoothstep(0.002F, 0.012F, w) + std::min(1.4F * strength * w, 1.4F);
    const float seen = std::max(bright, kLeastSeen * smoothstep(0.0005F, 0.002F, w));
    Light::Beam beam = straight_beam(
        bulb, {o.light() + 4, input.centre().y}, std::max((2 + 5 * w) * o.scale, kHairline),
        std::max(strength * w * input.h / 2, kHairline), come * seen * (one && j != focus->column ? 0.35F : 1));
    beam.row = o.place;
    beam.column = j;
    light.beams.push_back(beam);
    light.spots.push_back({.glow = Light::Glow::haze,
                           .centre = input.centre(),
                           .radius_x = 0.55F * input.w,
                           .radius_y = 0.55F * input.h,
                           .intensity = 0.6F * strength * w * come});
  }
  return light;
}

// How much of each input the output is, and how much it was before, where its beam falls, on a ground of its own.
void add_percentages(Drawing& d, const Orders& o) {
  const Tensor& A = d.trace.at(o.after.weights);
  const float k = std::clamp(d.figure.width / 1216, 0.8F, 1.25F), pitch = o.rows.h / static_cast<float>(o.count());
  const std::size_t first = d.figure.elements.size();
  for (int j = 0; j < o.count(); ++j) {
    const Source source{A.name, o.place, j};
    const float w = A.values(o.place, j);
    const float size = std::min((w >= 0.1F ? 14.F : 11.F) * (d.narrow() ? 0.85F : k), 0.75F * pitch);
    const text::Face face = w >= 0.1F ? text::Face::mono_bold : text::Face::mono;
    const std::string words = share_text(w);
    const std::string was = o.was == nullptr || o.outputs - o.light() < 180 || pitch < 24
                                ? words
                                : share_text(d.trace.at(o.was->weights).values(o.place, j));
    const float width = text::measure(face, size, words) + 1, high = 1.3F * size,
                after = was == words ? 0 : text::measure(type::caption.face, type::caption.size, "was " + was) + 7;
    const Rect at{o.light() + 10, shown_of(d, o.at(j, o.inputs)).centre().y - high / 2, width, high};
    add_box(d, cell_id(source) + ".ground", {at.x - 4, at.y, width + after + 8, high},
            {.fill = d.colours.surface.faded(0.86F), .radius = 5});
    add_told(d, source, at, words, {w >= 0.1F ? d.colours.amber_text : d.colours.muted, {face, size}},
             A.column_labels[static_cast<std::size_t>(j)] + " gives " + io::format_percent(static_cast<double>(w)));
    if (after > 0)
      add_words(d, cell_id(source) + ".was", {at.right() + 6, at.y, after, high}, "was " + was,
                {d.colours.muted, type::caption});
  }
  show_since(d.figure, first, smoothstep(0.7F, 1, o.lit));
}

// ---- what changes places ----

// From one order to the other; what keeps its place is faint.
void add_way(Drawing& d, const std::string& id, Rect from, Rect to, float begins, Colour colour, bool moves) {
  const float half = std::min(0.2F * from.h, 8.F), y = from.centre().y, other = to.centre().y,
              x = from.right() + begins;
  const float seen = moves ? 0.6F : 0.25F;
  d.figure.add({.id = id,
                .shape = flowing({{x, y - half}, {x, y + half}}, {{to.x - 4, other - half}, {to.x - 4, other + half}},
                                 Flow::level, {{0, colour.faded(seen)}, {1, colour.faded(0.6F * seen)}})});
}

// The inputs in both orders; each slides along its way to its new place, followed by fainter and fainter ghosts.
void add_inputs_moved(Drawing& d, const Orders& o) {
  constexpr int kTrail = 2;
  const std::size_t first = d.figure.elements.size();
  for (int i = 0; o.both && i < o.count(); ++i) {
    const int input = o.order[static_cast<std::size_t>(i)];
    add_way(d, "shuffle.way." + std::to_string(input), shown_of(d, o.at(input, o.first)),
            shown_of(d, o.at(i, o.inputs)), 4, d.colours.input_fill, input != i);
  }
  show_since(d.figure, first, o.moved);
  for (int i = 0; o.both && i < o.count(); ++i) add_input(d, "input." + std::to_string(i), i, o.at(i, o.first));
  for (int i = 0; i < o.count(); ++i) {
    const int input = o.order[static_cast<std::size_t>(i)];
    const std::string number = std::to_string(input);
    const Rect from = o.at(input, o.both ? o.first : o.inputs), to = o.at(i, o.inputs);
    const auto at = [&](float share) {
      const float along = 1.5F * share * (1 - share) + share * share * share;  // as its way bends
      return Rect{mix(from.x, to.x, along), mix(from.y, to.y, smoothstep(0, 1, share)), to.w, to.h};
    };
    for (int ago = kTrail; ago > 0 && input != i && o.moved < 1; --ago) {
      const std::size_t trail = d.figure.elements.size();
      const float past = o.moved - 0.16F * static_cast<float>(ago);
      add_input(d, "trail." + std::to_string(ago) + "." + number, input, at(std::max(past, 0.F)));
      show_since(d.figure, trail, past > 0 ? 0.4F / static_cast<float>(ago) : 0);
    }
    const std::size_t placed = d.figure.elements.size();
    add_input(d, "moved." + number, input, at(o.moved), i);
    show_since(d.figure, placed, smoothstep(0, 0.02F, o.moved));
  }
}

// The outputs, what they were before, and whether each is the same.
void add_outputs(Drawing& d, const Orders& o, const Matrix& A) {
  const Tensor& before = d.trace.at(o.before.output);
  const Tensor& after = d.trace.at(o.after.output);
  const Matrix& was = d.trace.at(o.before.weights).values;
  const float radius = std::min(d.narrow() ? 6.5F : 10.F, 0.4F * o.rows.h / static_cast<float>(o.count()));
  for (int i = 0; i < o.count(); ++i) {
    const int input = o.order[static_cast<std::size_t>(i)];
    const std::string number = std::to_string(input);
    const Rect to = o.at(i, o.outputs), from = o.at(input, o.last);
    std::vector<float> weights(o.order.size());
    for (int j = 0; j < o.count(); ++j)
      weights[static_cast<std::size_t>(o.order[static_cast<std::size_t>(j)])] = A(i, j);
    std::size_t first = d.figure.elements.size();
    add_output(d, "made." + number, {after.name, i, 0}, to, weights, i == o.place);
    show_since(d.figure, first, in_turn(o.made, i, o.count()));
    first = d.figure.elements.size();
    const auto own = was.row(input);
    add_output(d, "before." + number, {before.name, input, 0}, from, {own.begin(), own.end()}, i == o.place);
    show_since(d.figure, first, o.known());
    first = d.figure.elements.size();
    add_way(d, "outputs.way." + number, shown_of(d, to), shown_of(d, from), 2 * radius + 6, d.colours.output_fill,
            input != i);
    add_verdict(
        d, "same." + number, {to.right() + radius + 4, shown_of(d, to).centre().y}, radius,
        sign_of((d.trace.at(o.after.output).values.row(i) - before.values.row(input)).cwiseAbs().maxCoeff(), d.trace));
    show_since(d.figure, first, in_turn(o.compared, i, o.count()));
  }
}

// The place of the output that is looked at; else of the first input that has moved.
int looked_at(const Drawing& d, const Orders& o) {
  const auto place_of = [&](int input) {
    return static_cast<int>(std::ranges::find(o.order, input) - o.order.begin());
  };
  if (const std::optional<Source> focus = parse_cell_id(d.view.focus()); focus && focus->row < o.count()) {
    for (const Attention* one : {&kShuffled, &kPlaced})
      if (focus->tensor == one->weights || focus->tensor == one->output) return focus->row;
    for (const Attention* one : {&kSelf, &kFirst})
      if (focus->tensor == one->weights || focus->tensor == one->output) return place_of(focus->row);
  }
  int first = -1;
  for (int i = 0; i < o.count(); ++i) {
    const int input = o.order[static_cast<std::size_t>(i)];
    if (d.view.hovered == "place." + std::to_string(i) || d.view.hovered == "input." + std::to_string(input)) return i;
    if (first < 0 && input != i) first = i;
  }
  return std::max(first, 0);
}

}  // namespace

Rect Orders::at(int row, float x) const {
  const Lane lane = lane_of(rows, row, count());
  const float height = std::min(0.94F * lane.height, most);
  return {x, lane.middle - height / 2, card, height};
}

Rect shown_of(const Drawing& d, Rect card) {
  if (!d.video() || card.h < kLeastFilm) return card;
  const float height = std::min(card.h - name_below(d, card), card.w / kFilmShape);
  return {card.centre().x - height * kFilmShape / 2, card.y, height * kFilmShape, height};
}

Orders laid_out(const Drawing& d, Orders o, float y, float bottom, float foot, bool with_marks) {
  const float w = d.inner() - 8;
  const bool narrow = d.narrow(), fills = d.figure.width >= kFills;
  o.order = d.state.order.of(d.trace.at(kX).rows());
  o.place = looked_at(d, o);
  o.both = !narrow || !with_marks;
  o.scale = std::clamp(d.figure.width / 1216, 0.6F, 1.4F);
  o.card = narrow ? 0.155F * w : 146 * o.scale;
  o.ways = narrow ? 0.09F * w : 104 * o.scale;
  o.marks = !with_marks ? 0 : narrow ? 0.26F * w : 190 * o.scale;
  o.most = d.video() ? o.card / kFilmShape + 15 : fills ? 44 * o.scale : 34;
  const auto count = static_cast<float>(o.count());
  const float top = y + 30, each = o.count() > kManyPlaces ? 16 : o.most + 6, least = d.video() ? 44 : 14;
  o.rows = {d.margin() + 4, top, w, std::max(fills ? bottom - top - foot : each * count, least * count)};
  o.first = o.rows.x;
  o.inputs = o.first + (o.both ? o.card + o.ways : 0);
  o.last = o.rows.right() - o.card;
  o.outputs = o.last - o.ways - o.card;
  return o;
}

void add_head(Drawing& d, const Orders& o, const std::string& id, float x, float width, const std::string& words) {
  add_words(d, id, {x, o.rows.y - 24, width, 18}, words, {d.colours.muted, type::label, Align::centre});
}

void add_picture(Drawing& d, const Orders& o) {
  const Matrix& A = d.trace.at(o.after.weights).values;
  const float k = d.narrow() ? 0.42F : std::min(0.82F * o.scale, 0.017F * o.rows.h / static_cast<float>(o.count()));
  const Point bulb{o.outputs - 38 * k - 6, shown_of(d, o.at(o.place, o.outputs)).centre().y};
  d.figure.add({.id = "made.light",
                .role = Role::cell,
                .rect = {o.light(), o.rows.y, bulb.x - o.light(), o.rows.h},
                .label = "The light of this output’s query: how much it takes of each input",
                .shape = light_of(d, o, A.row(o.place), bulb)});
  const std::size_t lamp = d.figure.elements.size();
  constexpr float kTurned = 3.1415927F;  // to the left
  add_lamp(d.figure, "made.lamp",
           {.bulb = bulb, .cable_from = o.outputs - 2, .scale = k, .tilt = kTurned, .hung = Hung::left}, d.view.theme);
  show_since(d.figure, lamp, smoothstep(0, 0.3F, o.lit));
  add_inputs_moved(d, o);
  add_outputs(d, o, A);
  add_percentages(d, o);
  const float aside = std::min(0.45F * o.ways, d.margin()), wide = o.card + 2 * aside;
  const bool now = d.narrow();  // short words
  if (o.both) add_head(d, o, "orders.first", o.first - aside, wide, now ? "inputs" : "the inputs");
  add_head(d, o, "orders.new", o.inputs - aside, wide, now ? "moved" : "in their new order");
  if (d.figure.width >= kFills)
    add_hint(d, "orders.hint", "drag to reorder", {o.inputs + o.card / 2 - 44, o.rows.bottom() + 4}, 120);
  const std::size_t heads = d.figure.elements.size();
  add_head(d, o, "orders.out", o.outputs - aside, wide, now ? "outputs" : "the outputs");
  show_since(d.figure, heads, smoothstep(0, 0.3F, o.made));
  add_head(d, o, "orders.last", o.last - aside, wide, std::string(now ? o.last_brief : o.last_said));
  d.figure.elements.back().opacity = o.known();
}

}  // namespace limelight::scenes::layer
