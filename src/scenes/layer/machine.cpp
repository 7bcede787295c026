#include "scenes/layer/machine.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "figure/lamp.h"
#include "figure/order.h"
#include "figure/ribbon.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/chips.h"
#include "scenes/common/explain.h"
#include "scenes/common/sentence.h"
#include "scenes/common/strips.h"
#include "scenes/layer/films.h"
#include "scenes/layer/pipes.h"
#include "scenes/layer/plan.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

constexpr float kMuch = 0.1F;  // a weight that is told large

// What is drawn: the form, where its parts stand, and the row of the query that is looked at.
struct Machine {
  const Form& form;
  Plan plan;
  int row;                     // of the weights
  int asking;                  // its query's place
  std::vector<float> weights;  // one for each input
  Light light{};
};

const Tensor& tensor_of(const Drawing& d, std::string_view name) { return d.trace.at(name); }
std::string shape_of(const Tensor& tensor) {
  return std::to_string(tensor.rows()) + "×" + std::to_string(tensor.columns());
}
float small_text(const Machine& m) { return std::max(11.F, 11.5F * std::min(m.plan.scale, 1.25F)); }
Source weight_at(const Machine& m, int j) { return {std::string(m.form.names.weights), m.row, j}; }

// "Q ask": a letter of the formula and what it is, its left edge at a point.
void add_caption(Drawing& d, const Machine& m, const std::string& id, const Formula& letter, Colour colour,
                 const std::string& words, Point at, float width) {
  const float size = 18 * std::min(m.plan.scale, 1.25F), used = set_formula(letter, size).width;
  d.figure.add({.id = id + ".letter",
                .rect = {at.x, at.y, used + 1, 22},
                .shape = FormulaBox{.formula = letter, .size = size, .colour = colour}});
  add_words(d, id + ".words", {at.x + used + 9, at.y + 2, width - used - 9, 20}, words,
            {d.colours.faint, {text::Face::regular, small_text(m)}});
}

// A word with its numbers: below it where there is room, else beside it.
struct Card {
  std::string id{};
  Rect rect{};
  std::string words{};
  Rectangle look{};
  Colour ink{};
  bool strong = false;
  CellRange cells{};
  Colour tint{};
  std::string label{};  // of the cells
  std::optional<Edit> edit{};
};
void add_card(Drawing& d, const Machine& m, const Card& card) {
  constexpr float kStacked = 32, kAir = 8;  // px of height from which numbers stand below; at the sides
  const Rect& r = card.rect;
  d.figure.add({.id = card.id, .rect = r, .shape = card.look});
  const bool stacked = r.h >= kStacked;
  const float size = stacked ? std::min(13 * m.plan.scale, 16.F) : std::clamp(0.62F * r.h, 9.F, 13.F);
  const float air = std::min(kAir, 0.08F * r.w);
  const text::Face face = card.strong ? text::Face::semibold : text::Face::regular;
  Rect words = stacked ? Rect{r.x + 4, r.y + 2, r.w - 8, r.h - 14} : Rect{r.x + air, r.y, 0.54F * r.w - air, r.h};
  Rect cells = stacked ? Rect{r.x + air, r.bottom() - 13, r.w - 2 * air, 8}
                       : Rect{words.right() + 3, r.y + 0.2F * r.h, r.right() - air - words.right() - 3, 0.6F * r.h};
  const TextStyle style{card.ink, {face, size}, stacked ? Align::centre : Align::left};
  const std::size_t space = card.words.find(' ');
  if (stacked && space != std::string::npos && text::measure(face, size, card.words) > words.w) {
    TextStyle small = style;  // in two lines
    small.type.size = 11;
    add_words(d, card.id + ".words", {words.x, words.y, words.w, words.h / 2}, card.words.substr(0, space), small);
    add_words(d, card.id + ".words.2", {words.x, words.y + words.h / 2 - 1, words.w, words.h / 2},
              card.words.substr(space + 1), small);
  } else {
    add_words(d, card.id + ".words", words, card.words, style);
  }
  const float cell = cells.w / static_cast<float>(card.cells.columns);
  const float most = std::min(cell, stacked ? 22 * m.plan.scale : cell) * static_cast<float>(card.cells.columns);
  if (stacked) cells = {r.centre().x - most / 2, cells.y, most, cells.h};
  d.figure.add({.id = card.id + ".cells",
                .role = Role::cell,
                .rect = cells,
                .label = card.label,
                .edit = card.edit,
                .shape = small_cells(card.cells, std::min(cell, cells.h), card.tint, d.view.theme)});
}

// Where a press lets another query ask.
void add_choice(Drawing& d, const std::string& id, Rect rect, std::string label, int query) {
  d.figure.add({.id = id,
                .role = Role::token,
                .rect = rect,
                .label = std::move(label),
                .edit = Edit{.field = "query", .value = std::to_string(query)},
                .furniture = true});
}

// ---- the sequences ------------------------------------------------------------------------------------------------

std::string said_of(const Drawing& d, int input) {
  const Tensor& X = tensor_of(d, "X");
  std::string said;
  for (int j = 0; j < X.columns(); ++j)
    if (X.values(input, j) != 0)
      said += (said.empty() ? ": " : ", ") + label_of(X.column_labels, j) + " " +
              io::format_short(static_cast<double>(X.values(input, j)));
  return X.row_labels[static_cast<std::size_t>(input)] + said;
}

void add_sequence(Drawing& d, const std::string& id, Rect rect, std::optional<Edit> edit, const std::string& label) {
  const float fill = is_dark(d.view.theme) ? 0.16F : 0.26F;
  d.figure.add({.id = id + ".place",
                .rect = rect,
                .shape = Rectangle{.fill = d.colours.input_fill.faded(fill),
                                   .stroke = d.view.hovered == id ? d.colours.query : d.colours.input_fill.faded(0.9F),
                                   .stroke_width = d.view.hovered == id ? 2.6F : 1.6F,
                                   .radius = 12}});
  if (edit)
    d.figure.add(
        {.id = id, .role = Role::button, .rect = rect, .label = label, .edit = std::move(edit), .furniture = true});
}

void add_inputs(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  const Tensor& X = tensor_of(d, "X");
  std::optional<Edit> edit;
  if (m.form.queries == QueriesFrom::second || (m.form.lenses && m.form.queries == QueriesFrom::own))
    edit = Edit{.field = "step", .value = "self", .place = 1};
  add_sequence(d, "X.strip", plan.strip, edit, "The inputs: let the queries come from here as well");
  for (int i = 0; i < X.rows(); ++i) {
    const Rect at = plan.input(i);
    const std::string id = "X.input." + std::to_string(i);
    const std::string& name = X.row_labels[static_cast<std::size_t>(i)];
    if (d.video()) {
      add_film(d.figure, id, i, at);
      d.figure.add({.id = id, .role = Role::image, .rect = at, .label = said_of(d, i)});
      add_words(d, id + ".name", {at.x - 8, at.bottom() + 2, at.w + 16, 18}, name,
                {d.colours.input, {text::Face::regular, small_text(m)}, Align::centre});
    } else {
      add_card(d, m,
               {.id = id,
                .rect = at,
                .words = name,
                .look = {.fill = d.colours.surface.faded(0.7F), .radius = 6},
                .ink = d.colours.input,
                .cells = {"X", i, 0, 1, X.columns()},
                .tint = d.colours.input_fill,
                .label = "Embedding of " + name,
                .edit = Edit{"X", {}}});
    }
  }
  if (!plan.phone)
    add_caption(d, m, "X.caption", symbol("X"), d.colours.input,
                shape_of(X) + (d.video() ? "  the inputs, four videos" : "  the inputs"),
                {plan.strip.x, plan.strip.bottom() + 4}, plan.query.x + plan.query.w - plan.strip.x);
}

void add_second_words(Drawing& d, const Machine& m, Rect rect) {
  const Tensor& Z = tensor_of(d, "Z");
  const float k = std::min(m.plan.scale, 1.25F), head = 76 * k, gap = 6;
  add_caption(d, m, "Z.caption", symbol("Z"), d.colours.input, shape_of(Z), {rect.x + 12, rect.centre().y - 11}, head);
  const float each = std::min((rect.w - head - 12) / static_cast<float>(Z.rows()), 120 * k);
  for (int i = 0; i < Z.rows(); ++i) {
    const Rect at{rect.x + head + each * static_cast<float>(i), rect.y + 9, each - std::min(gap, 0.15F * each),
                  rect.h - 18};
    const bool asks = i == m.row;
    const std::string id = "Z.input." + std::to_string(i);
    d.figure.add({.id = id + ".place",
                  .rect = at,
                  .shape = Rectangle{.fill = d.colours.surface,
                                     .stroke = asks ? d.colours.ink : d.colours.input_fill,
                                     .stroke_width = asks ? 2.F : 1.2F,
                                     .radius = std::min(6.F, 0.2F * at.w)}});
    add_choice(d, id, at, Z.row_labels[static_cast<std::size_t>(i)] + ": let it ask", i);
    if (at.w > 16)
      add_words(d, id + ".words", at.inset(2), Z.row_labels[static_cast<std::size_t>(i)],
                {asks ? d.colours.ink : d.colours.muted,
                 {asks ? text::Face::semibold : text::Face::regular, std::max(11.F, 12 * k)},
                 Align::centre});
  }
}

// A place where there is nothing yet.
void add_empty(Drawing& d, const Machine& m, Rect r) {
  const std::size_t from = d.figure.elements.size();
  d.figure.add({.id = "Z.empty",
                .role = Role::button,
                .rect = r,
                .label = "A second sequence: let the queries come from there",
                .edit = Edit{.field = "step", .value = "cross", .place = 2}});
  d.figure.add(
      {.id = "Z.empty.edge",
       .shape = Line{.points = {{r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}, {r.x, r.y}},
                     .colour = d.view.hovered == "Z.empty" ? d.colours.query : d.colours.faint,
                     .width = d.view.hovered == "Z.empty" ? 2.4F : 1.4F,
                     .dashed = true}});
  add_words(d, "Z.empty.words", {r.x + 16, r.y, r.w - 24, r.h},
            m.plan.phone ? "drag the purple tap here" : "drag the purple tap here: a second sequence asks",
            {d.colours.faint, {text::Face::regular, 13 * std::min(m.plan.scale, 1.25F)}});
  mark_furniture(d.figure, from);
}

// The second sequence, or where one may be; what is chosen there. Returns the bottom.
float add_second(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  Rect rest = plan.second;  // what stands beside it, or on a phone below
  const auto go_on = [&] {
    rest = plan.phone ? Rect{rest.x, rest.bottom() + 14, rest.w, 44}
                      : Rect{rest.right() + 20, rest.y, d.figure.width - d.margin() - rest.right() - 20, rest.h};
  };
  if (m.form.queries == QueriesFrom::inputs) {
    add_empty(d, m, plan.second);
    return plan.second.bottom();
  }
  if (m.form.queries == QueriesFrom::second) {
    add_sequence(d, "Z.strip", plan.second, {}, "");
    add_second_words(d, m, plan.second);
    go_on();
  }
  const std::vector<std::string> words = query_words(d.state);
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : d.state.by_rule() ? " " : " · ") + word;
  const bool typed = m.form.queries == QueriesFrom::own || rest.w > 180;
  if (typed) {
    const float height = d.press_height();
    rest = {rest.x, rest.centre().y - height / 2, rest.w, height};
    add_text_input(d,
                   {.field = "other",
                    .name = m.form.queries == QueriesFrom::own ? "queries" : "typed",
                    .label = "The second sequence",
                    .text = text,
                    .ink = d.colours.query},
                   {rest.x, rest.y, std::min(rest.w, 448 * plan.scale), height});
  }
  if (m.form.lenses) return rest.bottom();
  go_on();
  if (!plan.phone) rest.x = plan.second.x + std::min(plan.second.w, 448 * plan.scale) + 24;
  return add_chips(d, {chips_of("similarity", "f_att", kSimilarities, static_cast<int>(d.state.similarity))},
                   {rest.x, rest.y}, d.figure.width - d.margin() - rest.x, d.press_height());
}

// ---- pipes and taps -----------------------------------------------------------------------------------------------

Edit to_matrices() { return {.field = "numbers", .value = "on"}; }

void add_ways(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  const float k = plan.scale, width = (plan.phone ? 8 : 9 * k);
  const Theme theme = d.view.theme;
  const bool inputs = m.form.queries == QueriesFrom::inputs, second = m.form.queries == QueriesFrom::second;
  add_pipe(d.figure, "pipe.value", {.corners = plan.way(Tap::value), .colour = d.colours.value_fill, .width = width},
           theme);
  add_pipe(d.figure, "pipe.key", {.corners = plan.way(Tap::key), .colour = d.colours.key_fill, .width = width}, theme);
  if (inputs || m.form.lenses)
    add_pipe(d.figure, inputs ? "pipe.query" : "pipe.query.from",
             {.corners = plan.way(Tap::query), .colour = d.colours.query_fill, .width = width, .dry = !inputs}, theme);
  if (second)
    add_pipe(d.figure, "pipe.query",
             {.corners = plan.way_from_second(), .colour = d.colours.query_fill, .width = width}, theme);
  const float tap = plan.phone ? 0.9F : k, glass = plan.phone ? 13 : 17 * k;
  add_tap(d.figure, "tap.value", plan.port(Tap::value), d.colours.value_fill, tap, theme);
  add_tap(d.figure, "tap.key", plan.port(Tap::key), d.colours.key_fill, tap, theme);
  if (!m.form.lenses) return;
  const auto lens = [&](const char* id, const char* index, Point at, Colour ring, Colour ink, const char* made) {
    add_glass(d.figure, id,
              {.centre = at,
               .radius = glass,
               .index = index,
               .ring = ring,
               .ink = ink,
               .label = std::string("The matrix that makes ") + made + ": show all numbers",
               .edit = to_matrices()},
              theme);
  };
  lens("lens.key", "K", plan.glass(Tap::key), d.colours.key_fill, d.colours.key, "keys");
  lens("lens.value", "V", plan.glass(Tap::value), d.colours.value_fill, d.colours.value, "values");
  const Point at = inputs ? plan.port(Tap::query) : second ? plan.second_port() : plan.loose_tap();
  if (inputs || second)
    lens("lens.query", "Q", inputs ? plan.glass(Tap::query) : plan.second_glass(), d.colours.query_fill,
         d.colours.query, "queries");
  add_tap(d.figure, "tap.query", at, d.colours.query_fill, tap, theme);
  const bool held = d.view.hovered == "tap.query";
  const float ring = 19 * tap;
  d.figure.add({.id = "tap.query.ring",
                .rect = {at.x - ring, at.y - ring, 2 * ring, 2 * ring},
                .shape = Rectangle{.stroke = d.colours.ink, .stroke_width = held ? 3.F : 2.F, .radius = ring},
                .furniture = true});
  const float reach = std::max(ring, 22.F);
  d.figure.add(
      {.id = "tap.query",
       .role = Role::token,
       .rect = {at.x - reach, at.y - reach, 2 * reach, 2 * reach},
       .label = inputs ? "The queries’ tap: drag it to a second sequence" : "The queries’ tap: drag it to the inputs",
       .edit = Edit{.field = "step",
                    .value = inputs ? "cross" : "self",
                    .place = inputs   ? 1
                             : second ? 2
                                      : 3}});
  if (!inputs) {
    const Point port = plan.port(Tap::query);
    d.figure.add({.id = "tap.query.free",
                  .rect = {port.x - 8, port.y - 8, 16, 16},
                  .shape = Rectangle{.stroke = d.colours.query_fill, .stroke_width = 1.6F, .radius = 8}});
  }
}

// ---- queries, light, keys, values ---------------------------------------------------------------------------------

void add_queries(Drawing& d, const Machine& m) {
  const Tensor& Q = tensor_of(d, m.form.names.query);
  const bool one = Q.rows() == 1 && m.form.names.query == "q", dark = is_dark(d.view.theme);
  Rect all{};
  for (int row = 0; row < Q.rows(); ++row) {
    const int i = one ? m.asking : row;
    const Rect at = m.plan.query_card(i);
    const bool asks = i == m.asking;
    const std::string& name = Q.row_labels[static_cast<std::size_t>(row)];
    all = row == 0 ? at : Rect{all.x, all.y, all.w, at.bottom() - all.y};
    const Colour fill = asks ? mix(d.colours.surface, d.colours.query_fill, dark ? 0.5F : 0.3F)
                             : mix(d.colours.surface, d.colours.query_fill, 0.12F);
    add_card(d, m,
             {.id = "query." + std::to_string(i),
              .rect = at,
              .words = name,
              .look = {.fill = fill,
                       .stroke = asks ? d.colours.ink : d.colours.query_fill.faded(0.55F),
                       .stroke_width = asks ? 2.F : 1.2F,
                       .radius = std::min(8.F, 0.25F * at.h)},
              .ink = asks ? ink_on(fill) : on_tint(d.colours, d.colours.query),
              .strong = asks,
              .cells = {std::string(m.form.names.query), row, 0, 1, Q.columns()},
              .tint = d.colours.query_fill,
              .label = "Query of " + name,
              .edit = m.form.queries == QueriesFrom::own ? std::optional(Edit{"Z", {}}) : std::nullopt});
    add_choice(d, word_id(i), {at.x, at.y, at.w, at.h > 32 ? at.h - 14 : at.h}, name + " asks", i);
  }
  if (m.form.queries != QueriesFrom::own) return;
  d.figure.add({.id = "query.own",
                .rect = all.inset(-9),
                .shape = Rectangle{.stroke = d.colours.ink, .stroke_width = 1.8F, .radius = 12}});
}

void add_light(Drawing& d, Machine& m) {
  const Plan& plan = m.plan;
  const float k = plan.phone ? 0.72F : plan.scale, gain = is_dark(d.view.theme) ? 1.5F : 1.4F;
  const Point bulb = plan.bulb(m.asking);
  const float most = 0.46F * plan.rows.pitch + 2;
  const auto n = static_cast<float>(m.weights.size());
  Light light{.tensor = std::string(m.form.names.weights), .theme = d.view.theme};
  for (std::size_t i = 0; i < m.weights.size(); ++i) {
    const int j = static_cast<int>(i);
    const float w = std::clamp(m.weights[i], 0.F, 1.F), y = plan.rows.at(j);
    const float seen = std::min(1.F, 9 / n) * smoothstep(0.002F, 0.012F, w);
    const auto beam = [&](Point from, Point to, float half_from, float half_to, float intensity) {
      light.beams.push_back({.from = from,
                             .control_from = mix(from, to, 1 / 3.F),
                             .control_to = mix(from, to, 2 / 3.F),
                             .to = to,
                             .half_from = half_from * k,
                             .half_to = std::min(half_to * k, most),
                             .intensity = intensity * gain,
                             .row = m.row,
                             .column = j,
                             .floor = {0, 1}});
    };
    const float into = 14 * k, through = 3 + 24 * w;
    beam(bulb, {plan.key.x + into, y}, 3 + 5 * w, 4 + 30 * w, 0.1F * seen + 1.5F * w);
    beam({plan.key.right() - 4, y}, {plan.value.x + into, y}, std::min(through, most / k), 1.1F * through,
         0.08F * seen + 1.25F * w);
    light.spots.push_back({.glow = Light::Glow::haze,
                           .centre = {plan.value.middle(), y},
                           .radius_x = 0.78F * plan.value.w,
                           .radius_y = 0.82F * plan.value_h,
                           .intensity = (0.06F * seen + 0.75F * w) * gain});
  }
  light.spots.push_back({.glow = Light::Glow::haze,
                         .centre = {bulb.x + 4 * k, bulb.y},
                         .radius_x = 30 * k,
                         .radius_y = 34 * k,
                         .intensity = 0.8F * gain});
  d.figure.add(
      {.id = std::string(kLightId),
       .role = Role::cell,
       .rect = {plan.query.right(), plan.rows.at(0) - most, plan.value.x - plan.query.right(),
                plan.rows.at(static_cast<int>(m.weights.size()) - 1) - plan.rows.at(0) + 2 * most},
       .label = "The light of " + tensor_of(d, m.form.names.weights).row_labels[static_cast<std::size_t>(m.row)],
       .shape = light});
  m.light = std::move(light);
  add_lamp(d.figure, std::string(kLampId),
           {.bulb = bulb,
            .cable_from = plan.query.right(),
            .scale = std::min(plan.phone ? 0.6F : 0.82F * k, std::max(0.017F * plan.queries.pitch, 0.4F)),
            .hung = Hung::left},
           d.view.theme);
  if (m.form.names.query == "q") return;
  const float reach = std::max(28 * k, 22.F);
  d.figure.add({.id = std::string(kLampId),
                .role = Role::handle,
                .rect = {bulb.x - reach, bulb.y - reach, 1.4F * reach, 2 * reach},
                .label = "The lamp: drag it along the queries",
                .edit = Edit{.field = "query"}});
}

float lit_of(float weight) { return std::clamp(1.3F * weight, 0.F, 1.F); }

void add_key(Drawing& d, const Machine& m, int j) {
  const Tensor& K = tensor_of(d, m.form.names.key);
  const std::string& name = K.row_labels[static_cast<std::size_t>(j)];
  const float weight = m.weights[static_cast<std::size_t>(j)];
  const Colour dim = mix(d.colours.surface, d.colours.key_fill, 0.18F);
  const Colour fill = mix(dim, d.colours.key_fill, 0.75F * std::pow(lit_of(weight), 0.7F));
  const Rect at = m.plan.key_card(j);
  add_card(d, m,
           {.id = "key." + std::to_string(j),
            .rect = at,
            .words = name,
            .look = {.fill = fill,
                     .stroke = d.colours.key_fill.faded(0.9F),
                     .stroke_width = 1.4F,
                     .radius = std::min(8.F, 0.25F * at.h)},
            .ink = ink_on(fill),
            .strong = true,
            .cells = {std::string(m.form.names.key), j, 0, 1, K.columns()},
            .tint = m.form.lenses ? d.colours.key_fill : d.colours.input_fill,
            .label = (m.form.lenses ? "Key of " : "Embedding of ") + name});
}

void add_value(Drawing& d, const Machine& m, int j) {
  const Tensor& V = tensor_of(d, m.form.names.value);
  const std::string& name = V.row_labels[static_cast<std::size_t>(j)];
  const float weight = m.weights[static_cast<std::size_t>(j)];
  const Rect at = m.plan.value_card(j);
  const std::string id = "value." + std::to_string(j);
  if (!d.video()) {
    const Colour fill = mix(d.colours.surface, d.colours.value_fill, 0.14F + 0.6F * std::pow(lit_of(weight), 0.7F));
    add_card(d, m,
             {.id = id,
              .rect = at,
              .words = name,
              .look = {.fill = fill,
                       .stroke = d.colours.value_fill,
                       .stroke_width = 1.6F,
                       .radius = std::min(8.F, 0.25F * at.h)},
              .ink = ink_on(fill),
              .cells = {std::string(m.form.names.value), j, 0, 1, V.columns()},
              .tint = m.form.lenses ? d.colours.value_fill : d.colours.input_fill,
              .label = (m.form.lenses ? "Value of " : "Embedding of ") + name});
    return;
  }
  add_film(d.figure, id, j, at);
  const Colour dark = is_dark(d.view.theme) ? Colour{0x07, 0x08, 0x0d} : Colour{0xc3, 0xcb, 0xda};
  d.figure.add({.id = id + ".dim",
                .rect = at,
                .shape = Rectangle{.fill = dark.faded(0.72F * (1 - std::pow(lit_of(weight), 0.55F)))}});
  d.figure.add({.id = id,
                .role = Role::image,
                .rect = at.inset(-1.5F),
                .label = said_of(d, j),
                .shape = Rectangle{.stroke = d.colours.value_fill, .stroke_width = 2, .radius = 4}});
}

void add_share(Drawing& d, const Machine& m, int j) {
  const Plan& plan = m.plan;
  const float weight = m.weights[static_cast<std::size_t>(j)], k = std::min(plan.scale, 1.25F);
  const bool much = weight >= kMuch;
  const float room = plan.value.x - plan.key.right();
  const float size = std::min(much ? (plan.phone ? 14.F : 16 * k) : 12 * k, 0.8F * plan.rows.pitch);
  const bool above = plan.rows.pitch >= 44 * k;
  const float y = plan.rows.at(j) - (above ? (12 + 22 * weight) * plan.scale : 0);
  const Source source = weight_at(m, j);
  const std::string& name = tensor_of(d, m.form.names.key).row_labels[static_cast<std::size_t>(j)];
  const std::string words = share_text(weight);
  const text::Face face = much ? text::Face::mono_bold : text::Face::mono;
  const float width = text::measure(face, size, words);
  const Rect at{plan.key.right() + (room - width) / 2, y - 0.6F * size, width, 1.2F * size};
  const LitWords lit{.theme = d.view.theme,
                     .light = m.light,
                     .ground = d.colours.stage_top,
                     .ground_to = d.colours.stage_bottom,
                     .ground_height = std::max(d.view.height, plan.second.bottom())};
  d.figure.add({.id = cell_id(source),
                .role = Role::cell,
                .rect = at,
                .label = name + " gets " + io::format_percent(static_cast<double>(weight)),
                .source = source,
                .shape = Text{.text = words,
                              .face = face,
                              .size = size,
                              .colour = readable(lit, much ? d.colours.amber_text : d.colours.muted, at, false),
                              .align = Align::centre}});
}

void add_sides(Drawing& d, const Machine& m) {
  for (int j = 0; j < static_cast<int>(m.weights.size()); ++j) {
    add_key(d, m, j);
    add_value(d, m, j);
    add_share(d, m, j);
  }
}

// ---- the output ---------------------------------------------------------------------------------------------------

std::vector<Ribbon::Stop> stops_of(const Drawing& d, float weight) {
  const float seen = std::pow(std::clamp(weight, 0.F, 1.F), 0.5F), from = 0.25F + 0.45F * seen,
              to = 0.3F + 0.55F * seen;
  const Colour pale = is_dark(d.view.theme) ? Colour{0x5a, 0x5f, 0x70} : Colour{0xf6, 0xf3, 0xf8};
  return {{0, d.colours.value_fill.faded(from)},
          {0.54F, pale.faded(0.85F * (from + to) / 2)},
          {1, d.colours.output_fill.faded(to)}};
}

// On a phone streams run down at the right edge first, the first one outermost.
void add_streams(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  const Rect& out = plan.output;
  constexpr float kLanes = 14, kFan = 46;  // px of all lanes; above the output, where they spread
  float down = out.y, lane = d.figure.width - 5, right = out.right();
  for (int j = 0; j < static_cast<int>(m.weights.size()); ++j) {
    const float weight = std::max(m.weights[static_cast<std::size_t>(j)], 0.F), y = plan.rows.at(j);
    if (weight == 0) continue;
    Ribbon ribbon;
    if (plan.phone) {
      const float thick = std::max(kLanes * weight, 0.8F), x = lane - thick / 2, end = out.y - kFan;
      d.figure.add({.id = "lane." + std::to_string(j),
                    .shape = Line{.points = {{plan.value.right() + 2, y},
                                             {std::max(x - 5, plan.value.right() + 2), y},
                                             {x, y + 6},
                                             {x, end}},
                                  .colour = d.colours.value_fill.faded(0.8F),
                                  .width = thick}});
      ribbon = flowing({{x - thick / 2, end}, {x + thick / 2, end}},
                       {{right - std::max(weight * out.w, 1.4F), out.y - 3}, {right, out.y - 3}}, Flow::upright,
                       {{0, d.colours.value_fill.faded(0.8F)}, {1, d.colours.output_fill.faded(0.9F)}});
      lane -= thick + 0.6F;
      right -= weight * out.w;
    } else {
      const float half = std::max(2.F, weight * plan.value_h) / 2, end = std::max(1.2F, weight * out.h);
      ribbon = flowing({{plan.value.right() + 3, y - half}, {plan.value.right() + 3, y + half}},
                       {{out.x - 5, down}, {out.x - 5, down + end}}, Flow::level, stops_of(d, weight));
      down += weight * out.h;
    }
    const Rect reach{std::min(ribbon.one.front().x, ribbon.one.back().x), std::min(y, out.y),
                     std::abs(ribbon.one.back().x - ribbon.one.front().x), std::abs(out.bottom() - y)};
    d.figure.add({.id = "pour." + std::to_string(j),
                  .role = Role::cell,
                  .rect = reach,
                  .label = tensor_of(d, m.form.names.value).row_labels[static_cast<std::size_t>(j)] + ": " +
                           io::format_percent(static_cast<double>(weight)) + " of it",
                  .source = weight_at(m, j),
                  .shape = std::move(ribbon)});
  }
}

// "70 % of piano cat + 26 % of piano class + …"
std::string mix_of(const Drawing& d, const Machine& m) {
  const std::vector<int> order = largest_first(m.weights);
  std::string said;
  for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 2); ++i)
    said += (i > 0 ? " + " : "") + io::format_percent(m.weights[static_cast<std::size_t>(order[i])]) + " of " +
            tensor_of(d, m.form.names.value).row_labels[static_cast<std::size_t>(order[i])];
  return said + (order.size() > 2 ? " + …" : "");
}

// The row of the output, and what its columns are called. Returns the bottom.
float add_result(Drawing& d, const Machine& m, Rect rect) {
  const Tensor& Y = tensor_of(d, m.form.names.output);
  const int columns = Y.columns();
  const float cell = rect.w / static_cast<float>(columns), k = std::min(m.plan.scale, 1.25F);
  d.figure.add({.id = std::string(m.form.names.output),
                .role = Role::cell,
                .rect = rect,
                .label = "Output of " + Y.row_labels[static_cast<std::size_t>(m.row)],
                .shape = MatrixCells{.range = {std::string(m.form.names.output), m.row, 0, 1, columns},
                                     .radius = 4,
                                     .text_size = cell < 26 ? 0 : std::min(0.34F * cell, 15 * k),
                                     .decimals = cell < 60 ? 1 : 2,
                                     .tint = d.colours.output_fill,
                                     .theme = d.view.theme}});
  if (!d.video() || cell < 30) return rect.bottom();
  for (int j = 0; j < columns; ++j)
    add_words(d, "output.column." + std::to_string(j),
              {rect.x + cell * static_cast<float>(j), rect.bottom() + 3, cell, 16}, label_of(Y.column_labels, j),
              {d.colours.muted, {text::Face::regular, std::min(small_text(m), 0.28F * cell)}, Align::centre});
  return rect.bottom() + 19;
}

// What every query gets, the one that is looked at marked; a press lets another one ask.
void add_all_outputs(Drawing& d, const Machine& m, Point at, float width) {
  const Tensor& Y = tensor_of(d, m.form.names.output);
  const float k = m.plan.scale;
  if (Y.rows() == 1) return;
  add_caption(d, m, "output.all.caption", symbol("Y"), d.colours.output, shape_of(Y) + "  a row for each query", at,
              width);
  const Rect rect{at.x, at.y + 26, width, d.video() ? 40 * k : std::min(18.F * static_cast<float>(Y.rows()), 100 * k)};
  if (rect.bottom() > m.plan.second.y + (m.form.lenses ? m.plan.second.h : -8)) return;
  if (!d.video()) {
    const float cell = rect.h / static_cast<float>(Y.rows());
    d.figure.add({.id = "output.all",
                  .role = Role::cell,
                  .rect = rect,
                  .label = "All outputs",
                  .shape = small_cells({std::string(m.form.names.output), 0, 0, Y.rows(), Y.columns()}, cell,
                                       d.colours.output_fill, d.view.theme)});
    return;
  }
  const Matrix& A = tensor_of(d, m.form.names.weights).values;
  const float gap = 8 * k, each = std::min((width - gap * 3) / 4, 60 * k), height = each / kFilmShape;
  for (int i = 0; i < Y.rows(); ++i) {
    const Rect one{rect.x + (each + gap) * static_cast<float>(i), rect.y, each, height};
    const std::string id = "output.all." + std::to_string(i);
    add_mix(d.figure, id, std::span(A.row(i).data(), static_cast<std::size_t>(A.cols())), one);
    d.figure.add({.id = id + ".edge",
                  .rect = one.inset(-2),
                  .shape = Rectangle{.stroke = i == m.row ? d.colours.ink : d.colours.output_fill,
                                     .stroke_width = i == m.row ? 2.4F : 1.4F,
                                     .radius = 5}});
    add_choice(d, id, one, "What " + Y.row_labels[static_cast<std::size_t>(i)] + " gets", i);
  }
}

void add_output(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  const Rect& out = plan.output;
  const Tensor& Y = tensor_of(d, m.form.names.output);
  const float k = std::min(plan.scale, 1.25F);
  const std::string& name = Y.row_labels[static_cast<std::size_t>(m.row)];
  add_streams(d, m);
  const float edge = 3.2F;
  d.figure.add({.id = "output.box",
                .rect = out.inset(-edge),
                .shape = Rectangle{
                    .fill = d.colours.surface, .stroke = d.colours.output_fill, .stroke_width = edge, .radius = 8}});
  const Rect said = plan.phone ? Rect{plan.said.x, plan.said.y, plan.said.w, 0} : Rect{out.x, out.y - 32, out.w, 0};
  const float letter = 21 * k, used = set_formula(symbol("y"), letter).width;
  d.figure.add({.id = "output.letter",
                .rect = {said.x, said.y, used + 1, 24},
                .shape = FormulaBox{.formula = symbol("y"), .size = letter, .colour = d.colours.output}});
  add_words(d, "output.name", {said.x + used + 9, said.y + 2, said.w - used - 9, 22}, "of " + name,
            {d.colours.query, {text::Face::semibold, 13.5F * k}});
  float y = plan.phone ? said.y + 26 : out.bottom() + 10;
  if (d.video()) {
    add_mix(d.figure, "output.mix", m.weights, out);
    y = add_result(d, m, {said.x, y, plan.phone ? said.w : out.w, 30 * k}) + 4;
  } else {
    const float height = std::min(48 * k, out.h - 16);
    add_result(d, m, Rect{out.x + 8, out.centre().y - height / 2, out.w - 16, height});
  }
  y = add_note(d, "output.said", mix_of(d, m), {said.x, y}, plan.phone ? said.w : d.figure.width - said.x - 8,
               small_text(m)) +
      6;
  if (!plan.phone) add_all_outputs(d, m, {out.x, y}, out.w);
}

// ---- captions -----------------------------------------------------------------------------------------------------

Formula focus_of(const Drawing& d, const Machine& m) {
  const Formula q = coloured(symbol("q"), d.colours.query);
  const Formula k = m.form.lenses ? coloured(symbol("k"), d.colours.key) : coloured(symbol("x"), d.colours.input);
  const Formula product = row({q, word("·"), k});
  const int size = m.form.lenses ? sizes(d.state).key : sizes(d.state).first;
  Formula inside = row({product, word(" / √" + std::to_string(size))});
  if (!m.form.lenses && d.state.similarity != Similarity::scaled)
    inside = d.state.similarity == Similarity::dot
                 ? product
                 : row({word(d.state.similarity == Similarity::cosine    ? "cos"
                             : d.state.similarity == Similarity::general ? "general"
                                                                         : "additive"),
                        parenthesised(row({q, word(","), k}))});
  return row({word("softmax"), parenthesised(inside)});
}

void add_captions(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  if (plan.phone) return;
  const bool video = d.video(), lenses = m.form.lenses;
  const float k = plan.scale, y = plan.rows.at(static_cast<int>(m.weights.size()) - 1) + plan.value_h / 2 + 8;
  const Rect asks = plan.query_card(tensor_of(d, m.form.names.query).rows() - 1);
  const bool second = m.form.queries == QueriesFrom::second;
  add_caption(d, m, "query.caption", symbol(m.form.names.query == "q" ? "q" : "Q"), d.colours.query,
              m.form.queries != QueriesFrom::own ? "ask"
              : m.form.names.query == "q"        ? "of its own"
                                                 : "of their own",
              {second ? asks.centre().x + 24 * k : asks.x, asks.bottom() + 12}, 110 * k);
  add_caption(d, m, "key.caption", symbol(lenses ? "K" : "X"), lenses ? d.colours.key : d.colours.input,
              !lenses ? "compared"
              : video ? "found by: the title"
                      : "what it is found by",
              {plan.key.x, y}, 150 * k);
  add_caption(d, m, "value.caption", symbol(lenses ? "V" : "X"), lenses ? d.colours.value : d.colours.input,
              !lenses ? "mixed"
              : video ? "passed on: the video"
                      : "what it passes on",
              {plan.value.x, y}, 170 * k);
  const Formula focus = focus_of(d, m);
  const float size = 14 * std::min(k, 1.25F), width = set_formula(focus, size).width;
  const float right = plan.key.x - 18 * k;
  if (right - width > asks.right() - 40 * k && !second)
    d.figure.add({.id = "focus",
                  .rect = {right - width, y, width + 1, 22},
                  .shape = FormulaBox{.formula = focus, .size = size, .colour = d.colours.faint}});
  // What the weights of this query sum to, where that is asked.
  if (m.form.names.weights != "A") return;
  const Source sum{"row_sum", m.row, 0};
  const float value = d.trace.at("row_sum").values(m.row, 0);
  const std::string words = "Σ " + share_text(value);
  const float room = plan.value.x - plan.key.right(),
              w = text::measure(text::Face::mono, 12 * std::min(k, 1.25F), words);
  d.figure.add({.id = cell_id(sum),
                .role = Role::cell,
                .rect = {plan.key.right() + (room - w) / 2, y + 2, w, 18},
                .label = "The weights of this query together: " + io::format_percent(static_cast<double>(value)),
                .source = sum,
                .shape = Text{.text = words,
                              .face = text::Face::mono,
                              .size = 12 * std::min(k, 1.25F),
                              .colour = d.state.wrong_axis ? d.colours.warning : d.colours.good,
                              .align = Align::centre}});
}

}  // namespace

const Form& form_at(Place place) {
  using enum QueriesFrom;
  static const Form kForms[] = {{attentions()[0], own, false},
                                {attentions()[1], own, false},
                                {attentions()[2], own, true},
                                {attentions()[3], inputs, true},
                                {attentions()[4], second, true}};
  return kForms[place.step - 1];
}

float draw_machine(Drawing& d, float /*y*/, float /*bottom*/) {
  const Form& form = form_at(d.view.place);
  const Tensor& A = tensor_of(d, form.names.weights);
  const int row = A.rows() == 1 ? 0 : row_at(d.view.place).chosen_row(d.state);
  const auto weights = A.values.row(row);
  const int queries = form.names.query == "q" ? sizes(d.state).queries : tensor_of(d, form.names.query).rows();
  Machine m{.form = form,
            .plan = plan_of(d, A.columns(), queries),
            .row = row,
            .asking = row_at(d.view.place).chosen_row(d.state),
            .weights = {weights.begin(), weights.end()}};
  add_inputs(d, m);
  add_ways(d, m);
  add_light(d, m);
  add_queries(d, m);
  add_sides(d, m);
  add_output(d, m);
  add_captions(d, m);
  return std::max(add_second(d, m), d.bottom());
}

}  // namespace limelight::scenes::layer
