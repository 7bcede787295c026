#include "scenes/layer/machine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/choreography.h"
#include "figure/lamp.h"
#include "figure/marks.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/matrix.h"
#include "scenes/common/sentence.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

// Of one's turn: how far it has gone, and how much of it has changed once it is nearly there.
float way_of(float turn) { return std::min(turn / 0.8F, 1.F); }
float changed_in(float turn) { return smoothstep(0.7F, 1, turn); }

float turn_of(const Machine& m, float of_all, int j) { return in_turn(of_all, j, static_cast<int>(m.weights.size())); }

// How much of an input's light is there: one input's comes after the other's, but where query after query asks.
float come(const Machine& m, int j) { return m.answered.empty() ? turn_of(m, m.shown.light, j) : m.shown.light; }
float light_on(const Machine& m, int j) {
  const float on = come(m, j);
  return m.pointed >= 0 && m.pointed != j ? 0.2F * on : on;
}

// How far the last key has become one, and whether keys are what is compared by now.
float keys_changed(const Machine& m) { return changed_key(m, static_cast<int>(m.weights.size()) - 1); }
bool has_keys(const Machine& m) { return m.form.lenses && keys_changed(m) > 0.5F; }

constexpr float kUnplugged = 0.35F;  // of the queries while their tap is on its way
constexpr float kOthers = 0.16F;     // of the light of queries that are not looked at

float lit_of(const Machine& m, int j) {
  return light_on(m, j) * std::clamp(1.3F * m.weights[static_cast<std::size_t>(j)], 0.F, 1.F);
}

// A key or a value in words: what the matrix has made of an input, before that the input itself.
void add_side_card(Drawing& d, const Machine& m, int j, bool is_key) {
  const bool changed = m.form.lenses && changed_key(m, j) > 0.5F;
  const std::string_view tensor = !changed ? kX : is_key ? m.form.names.key : m.form.names.value;
  const Tensor& T = d.trace.at(tensor);
  const std::string& name = T.row_labels[static_cast<std::size_t>(j)];
  const Colour role = colour_of_side(d, m, j, is_key ? d.colours.key_fill : d.colours.value_fill);
  const Colour fill = mix(d.colours.surface, role, 0.16F + 0.64F * std::pow(lit_of(m, j), 0.7F));
  const Rect at = is_key ? m.plan.key_card(j) : m.plan.value_card(j);
  const std::string what = !changed ? "" : is_key ? "Key of " : "Value of ";
  add_card(d, m,
           {.id = (is_key ? "key." : "value.") + std::to_string(j),
            .rect = at,
            .words = name,
            .look = {.fill = fill, .stroke = role, .stroke_width = 1.5F, .radius = std::min(8.F, 0.25F * at.h)},
            .ink = ink_on(fill),
            .strong = is_key,
            .cells = {std::string(tensor), j, 0, 1, T.columns()},
            .tint = role,
            .label = (changed ? what : "Embedding of ") + name,
            .said = what + said_of(T, j) + ". It gets " + share_text(m.weights, j)});
  // Its numbers, drawn last, become others.
  show_since(d.figure, d.figure.elements.size() - 1, std::abs(2 * changed_key(m, j) - 1));
}

void add_value(Drawing& d, const Machine& m, int j) {
  if (!d.video()) return add_side_card(d, m, j, false);
  const Rect at = m.plan.value_card(j);
  const std::string id = "value." + std::to_string(j);
  films::add_film(d.figure, id, j, at);
  const Colour dark = is_dark(d.view.theme) ? Colour{0x07, 0x08, 0x0d} : Colour{0xc3, 0xcb, 0xda};
  add_box(d, id + ".dim", at, {.fill = dark.faded(0.72F * (1 - std::pow(lit_of(m, j), 0.55F)))});
  add_part(d, id, Role::cell, at.inset(-1.5F), said_of(d.trace.at(kX), j),
           Rectangle{.stroke = colour_of_side(d, m, j, d.colours.value_fill), .stroke_width = 2, .radius = 4})
      .source = weight_at(m, j);  // pointing at it looks at what it gets
  if (!m.form.lenses || m.plan.phone) return;
  // It is these numbers, which are mixed as the films are.
  add_seen(d, changed_key(m, j), [&] {
    const float high = m.plan.below();
    MatrixCells cells =
        small_cells({std::string(m.form.names.value), j, 0, 1, 2}, high, d.colours.value_fill, d.view.theme);
    cells.text_size = 0.8F * high, cells.decimals = 0, cells.largest = kEachColumn;
    add_part(d, id + ".cells", Role::cell, {at.x, at.bottom() + 3, at.w, high},
             "Value of " + d.trace.at(kX).row_labels[static_cast<std::size_t>(j)], cells);
  });
}

// Of the middle of a percentage: above its beam where there is room.
float share_height(const Machine& m, int j) {
  const bool above = m.plan.rows.pitch >= 44 * m.plan.text();
  return m.plan.rows.at(j) - (above ? (12 + 22 * m.weights[static_cast<std::size_t>(j)]) * m.plan.scale : 0);
}

void add_share(Drawing& d, const Machine& m, int j) {
  const Plan& plan = m.plan;
  const float weight = m.weights[static_cast<std::size_t>(j)], k = plan.text();
  const bool much = weight >= kTold;
  const float room = plan.value.x - plan.key.right() - (plan.phone ? 0 : 11 * plan.scale);  // beside the rail
  float size = std::min(much ? (plan.phone ? 14.F : 16 * k) : plan.phone ? 11 : 12 * k, 0.8F * plan.rows.pitch);
  const float y = share_height(m, j);
  const std::string& name = d.trace.at(m.form.names.key).row_labels[static_cast<std::size_t>(j)];
  const std::string words = share_text(m.weights, j);
  const text::Face face = much ? text::Face::mono_bold : text::Face::mono;
  size = std::min(size, size * (room - (plan.phone ? 10 : 8)) / text::measure(face, size, words));
  const float width = text::measure(face, size, words);
  const Rect at{plan.key.right() + (room - width) / 2, y - 0.6F * size, width, 1.2F * size};
  const LitWords lit{.theme = d.view.theme,
                     .light = m.light,
                     .ground = stage_ground(d.colours, std::max(d.view.height, plan.second.bottom()))};
  add_told(d, weight_at(m, j), at, words,
           {readable(lit, much ? d.colours.amber_text : d.colours.muted, at, false), {face, size}, Align::centre},
           name + " gets " + words);
  // Of one query it comes where the score has gone.
  d.figure.elements.back().opacity = m.form.names.query == kOneQuery ? std::max(2 * come(m, j) - 1, 0.F) : come(m, j);
}

Formula focus_of(const Drawing& d, const Machine& m) {
  const Formula q = coloured(symbol("q"), d.colours.query);
  const Formula k = has_keys(m) ? coloured(symbol("k"), d.colours.key) : coloured(symbol("x"), d.colours.input);
  const int size = has_keys(m) ? sizes(d.state).key : sizes(d.state).first;
  const bool divides = has_keys(m) || d.state.similarity == Similarity::scaled;
  const Formula inside = divides || d.state.similarity == Similarity::dot
                             ? row({q, word("·"), k, divides ? row({word(" / "), root(symbol("d"))}) : word("")})
                             : row({word(kSimilarities[static_cast<int>(d.state.similarity)].value),
                                    parenthesised(row({q, word(","), k}))});
  return row({word("softmax"), parenthesised(inside), word(divides ? "   d = " + std::to_string(size) : "")});
}

}  // namespace

std::string size_text(const Tensor& tensor) {
  return std::to_string(tensor.rows()) + "×" + std::to_string(tensor.columns());
}
float small_text(const Machine& m) { return m.plan.phone ? 12.5F : std::max(13.F, 13 * m.plan.text()); }
Source weight_at(const Machine& m, int j) { return {std::string(m.form.names.weights), m.row, j}; }

void add_caption(Drawing& d, const Machine& m, const std::string& id, const Formula& letter, Colour colour,
                 const std::string& words, Point at, float width) {
  const float size = 18 * m.plan.text(), used = set_formula(letter, size).width;
  add_formula(d, id + ".letter", {at.x, at.y, used + 1, 22}, letter, size, colour);
  const float room = width - used - 9;
  add_words(d, id + ".words", {at.x + used + 9, at.y + 2, room, 20}, words,
            fitted({d.colours.muted, {text::Face::regular, small_text(m)}}, words, room));
}

void add_card(Drawing& d, const Machine& m, const Card& card) {
  constexpr float kStacked = 32, kAir = 8;  // px of height from which numbers stand below; at the sides
  const Rect& r = card.rect;
  add_part(d, card.id, card.said.empty() ? Role::none : Role::image, r, card.said, card.look);
  const bool stacked = r.h >= kStacked;
  const float size = stacked ? std::clamp(13 * m.plan.scale, 13.F, 16.F) : std::clamp(0.62F * r.h, 11.F, 13.F);
  const float air = std::min(kAir, 0.08F * r.w), side = std::min(5.F, 0.05F * r.w);
  const text::Face face = card.strong ? text::Face::semibold : text::Face::regular;
  Rect words =
      stacked ? Rect{r.x + side, r.y + 2, r.w - 2 * side, r.h - 14} : Rect{r.x + air, r.y, 0.54F * r.w - air, r.h};
  Rect cells = stacked ? Rect{r.x + air, r.bottom() - 13, r.w - 2 * air, 8}
                       : Rect{words.right() + 3, r.y + 0.2F * r.h, r.right() - air - words.right() - 3, 0.6F * r.h};
  const TextStyle style{card.ink, {face, size}, stacked ? Align::centre : Align::left};
  const std::size_t space = card.words.find(' ');
  constexpr float kTwoLines = 11;  // px of letters in two lines, rather than smaller ones in one
  if (stacked && space != std::string::npos && fitted(style, card.words, words.w, 0).type.size < kTwoLines + 1) {
    TextStyle small = style;
    small.type.size = kTwoLines;
    add_words(d, card.id + ".words", {words.x, words.y, words.w, words.h / 2}, card.words.substr(0, space), small);
    add_words(d, card.id + ".words.2", {words.x, words.y + words.h / 2 - 1, words.w, words.h / 2},
              card.words.substr(space + 1), small);
  } else {
    add_words(d, card.id + ".words", words, card.words, fitted(style, card.words, words.w));
  }
  const float cell = cells.w / static_cast<float>(card.cells.columns);
  const float most = std::min(cell, stacked ? 22 * m.plan.scale : cell) * static_cast<float>(card.cells.columns);
  if (stacked) cells = {r.centre().x - most / 2, cells.y, most, cells.h};
  // On a ground of their own, so that a fuller cell is always the one of the larger number.
  MatrixCells shown = small_cells(card.cells, std::min(cell, cells.h), card.tint, d.view.theme);
  if (d.video()) shown.largest = kEachColumn;  // minutes and laughs are no more than topics are
  if (stacked) add_box(d, card.id + ".tray", cells.inset(-2), {.fill = d.colours.surface.faded(0.85F), .radius = 3});
  add_part(d, card.id + ".cells", Role::cell, cells, card.label, shown).edit = card.edit;
}

float way_of_key(const Machine& m, int j) { return way_of(turn_of(m, m.shown.keys, j)); }
float changed_key(const Machine& m, int j) { return changed_in(turn_of(m, m.shown.keys, j)); }
float way_of_query(const Machine& m, int i) { return way_of(in_turn(m.shown.queries, i, m.plan.query_count)); }
float changed_query(const Machine& m, int i) { return changed_in(in_turn(m.shown.queries, i, m.plan.query_count)); }
Colour colour_of_side(const Drawing& d, const Machine& m, int j, Colour made) {
  return mix(d.colours.input_fill, made, m.form.lenses ? changed_key(m, j) : 0);
}
float run_of_stream(const Machine& m, int j) { return std::min(turn_of(m, m.shown.streams, j) / 0.6F, 1.F); }

void add_choice(Drawing& d, const std::string& id, Rect rect, std::string label, int query) {
  add_press(d, id, Role::token, rect, std::move(label), {"query", std::to_string(query)});
}

void add_queries(Drawing& d, const Machine& m) {
  // Queries of their own have as many numbers as what they are compared with.
  const bool with_keys = m.form.lenses && m.form.queries == QueriesFrom::own;
  // When the last key is made its numbers become as many as those of keys.
  const float become = with_keys && sizes(d.state).first != sizes(d.state).key ? keys_changed(m) : 1;
  const Tensor& Q = d.trace.at(become < 0.5F ? kQ : m.form.names.query);
  const bool one = Q.rows() == 1 && m.form.names.query == "q", dark = is_dark(d.view.theme);
  Rect all{};
  for (int row = 0; row < Q.rows(); ++row) {
    const int i = one ? m.asking : row;
    const Rect at = m.plan.query_card(i);
    // While the lamp goes from one to the other nobody asks.
    const float asks = i != m.asking ? 0 : m.answered.empty() ? 1 : m.shown.light, filled = changed_query(m, i);
    const std::string_view tensor = one ? kQ : Q.name;
    const std::string& name = d.trace.at(tensor).row_labels[static_cast<std::size_t>(i)];
    all = row == 0 ? at : Rect{all.x, all.y, all.w, at.bottom() - all.y};
    const std::size_t frame = d.figure.elements.size();
    const Colour fill = mix(d.colours.surface, d.colours.query_fill, mix(0.12F, dark ? 0.5F : 0.3F, asks));
    add_card(d, m,
             {.id = "query." + std::to_string(i),
              .rect = at,
              .words = name,
              .look = {.fill = fill,
                       .stroke = mix(d.colours.query_fill.faded(0.55F), d.colours.ink, asks),
                       .stroke_width = mix(1.2F, 2, asks),
                       .radius = std::min(8.F, 0.25F * at.h)},
              .ink = asks > 0.5F ? ink_on(fill) : on_tint(d.colours, d.colours.query),
              .strong = asks > 0.5F,
              // The one query is a row of all, which is what a change of it sets.
              .cells = {std::string(tensor), i, 0, 1, d.trace.at(tensor).columns()},
              .tint = d.colours.query_fill,
              .label = "Query of " + name,
              .edit = m.form.queries == QueriesFrom::own ? std::optional(Edit{"Z", {}}) : std::nullopt});
    show_since(d.figure, d.figure.elements.size() - 1, std::abs(2 * become - 1));
    add_choice(d, word_id(i), {at.x, at.y, at.w, at.h > 32 ? at.h - 14 : at.h}, name + " asks", i);
    d.figure.elements[frame].opacity = mix(kUnplugged, 1, filled);
    show_since(d.figure, frame + 1, filled);
  }
  if (m.form.queries != QueriesFrom::own || one) return;
  add_box(d, "query.own", all.inset(-9), {.stroke = d.colours.query_fill, .stroke_width = 1.4F, .radius = 12});
}

void add_light(Drawing& d, Machine& m) {
  const Plan& plan = m.plan;
  const float k = plan.phone ? 0.72F : plan.scale, gain = is_dark(d.view.theme) ? 2.8F : 1.65F;
  const Point bulb = m.bulb;
  const bool alone = m.answered.empty();
  // No wider than what it falls on, with its soft edge.
  const float most = std::min(0.46F * plan.rows.pitch + 2, 0.37F * plan.key_h);
  const auto n = static_cast<float>(m.weights.size());
  const float strength = n > kCrowd ? strength_of(*std::ranges::max_element(m.weights)) : 1;
  Light light{.tensor = std::string(m.form.names.weights), .theme = d.view.theme};
  const auto beam = [&](int row, int j, Point from, Point to, float half_from, float half_to, float intensity) {
    Light::Beam one{.from = from, .to = to, .half_from = half_from * k, .row = row, .column = j, .floor = {0, 1}};
    one.half_to = std::min(half_to * k, most), one.intensity = intensity * gain;
    light.beams.push_back(straight(one));
  };
  for (std::size_t i = 0; i < m.weights.size(); ++i) {
    const int j = static_cast<int>(i);
    const float w = std::clamp(m.weights[i], 0.F, 1.F), y = plan.rows.at(j);
    const float seen = noticed(w, static_cast<int>(n));
    // Many beams lie over each other: those that are no more than an even share are faint.
    const float told = (n > kCrowd ? 0.2F + 0.8F * above_even(m.weights, j) : 1) * light_on(m, j);
    const float bright = strength * w;
    const float into = 4 * k, through = 3 + 24 * w, read_in = plan.phone && is_dark(d.view.theme) ? 0.5F : 1.25F;
    beam(m.row, j, bulb, {plan.key.x + into, y}, 3 + 5 * w, 4 + 30 * w, (0.1F * seen + 1.5F * bright) * told);
    beam(m.row, j, {plan.key.right() - 4, y}, {plan.value.x + into, y}, std::min(through, most / k), 1.1F * through,
         (0.08F * seen + read_in * bright) * told);
    light.spots.push_back(haze({plan.value.middle(), y}, 0.78F * plan.value.w, 0.82F * plan.value_h,
                               (0.06F * seen + 0.75F * bright) * light_on(m, j) * gain));
  }
  // All at once: where the other queries look, each as bright to the asking one's as kOthers says.
  const Matrix& all = d.trace.at(m.form.names.weights).values;
  for (int i = 0; !alone && all.rows() <= kCrowd && i < all.rows(); ++i) {
    const float share = kOthers * m.answered[static_cast<std::size_t>(i)] * (i == m.row ? 1 - m.shown.light : 1);
    for (int j = 0; share > 0 && j < all.cols(); ++j) {
      const float w = std::clamp(all(i, j), 0.F, 1.F);
      beam(i, j, {plan.query.right(), plan.queries.at(i)}, {plan.key.x + 4 * k, plan.rows.at(j)}, 3 + 5 * w, 4 + 30 * w,
           share * 1.5F * w);
    }
  }
  light.spots.push_back(haze({bulb.x + 4 * k, bulb.y}, 30 * k, 34 * k, 0.8F * gain * (alone ? 1 : m.shown.light)));
  m.light = Brightness(light);
  add_part(d, std::string(kLightId), Role::cell,
           {plan.query.right(), plan.rows.at(0) - most, plan.value.x - plan.query.right(),
            plan.rows.at(static_cast<int>(m.weights.size()) - 1) - plan.rows.at(0) + 2 * most},
           "The light of " + d.trace.at(m.form.names.weights).row_labels[static_cast<std::size_t>(m.row)], light)
      .opacity = alone ? smoothstep(0, 0.25F, m.shown.light) : 1;
  add_seen(d, m.shown.lamp, [&] {
    add_lamp(d.figure, std::string(kLampId),
             {.bulb = bulb,
              .cable_from = plan.query.right(),
              .scale = std::min(plan.phone ? 0.6F : 0.82F * k, std::max(0.017F * plan.queries.pitch, 0.4F)),
              .hung = Hung::left},
             d.view.theme);
  });
  if (m.form.names.query == "q") return;
  const float reach = std::max(28 * k, 22.F);
  Element& lamp =
      add_part(d, std::string(kLampId), Role::handle, {bulb.x - reach, bulb.y - reach, 1.4F * reach, 2 * reach},
               "The lamp: drag it along the queries");
  lamp.edit = Edit{.field = "query"}, lamp.opacity = m.shown.lamp;
}

void add_sides(Drawing& d, const Machine& m) {
  for (int j = 0; j < static_cast<int>(m.weights.size()); ++j) {
    add_side_card(d, m, j, true);
    add_value(d, m, j);
    add_share(d, m, j);
  }
}

void add_scores(Drawing& d, const Machine& m) {
  if (m.form.names.query != kOneQuery || m.shown.scores <= 0 || m.shown.light >= 1) return;
  const Plan& plan = m.plan;
  const Tensor* P = d.trace.find(kProducts);
  const RowTimesColumn first = row_times_column(m.shown.scores);
  const ShareLight shared = share_light(m.shown.shared);
  const int count = static_cast<int>(m.weights.size()), numbers = P == nullptr ? 0 : P->columns();
  const float k = plan.text(), gap = plan.value.x - plan.key.right(), wide = std::min(gap - 8, 52 * k),
              high = std::min(22 * k, 0.8F * plan.rows.pitch);
  // The first one is made large, below the query or above it.
  const Rect card = plan.query_card(m.asking);
  const float side = std::min(26 * k, (plan.key.x - 20 * k - card.x) / static_cast<float>(std::max(numbers, 1)) - 2),
              line = side + 3, from_y = m.asking == 0 ? card.bottom() + 70 * k : card.y - 3 * line - 16;
  for (int j = 0; j < count; ++j) {
    const bool large = j == 0 && !plan.phone && side >= 12;
    const float turn = j == 0 ? 0 : 0.74F * in_turn(first.others, j - 1, count - 1);
    const RowTimesColumn now = j == 0 ? first : row_times_column(turn);
    const std::string id = "made." + std::to_string(j) + ".";
    const auto cells = [&](const std::string& of) { return d.figure.find(of + ".cells")->rect; };
    const Rect asks = cells("query." + std::to_string(m.asking)), answers = cells("key." + std::to_string(j));
    const float weight = m.weights[static_cast<std::size_t>(j)], on = come(m, j),
                y = mix(plan.rows.at(j) - 14 * k * (1 - now.drop), share_height(m, j), std::min(2 * on, 1.F));
    const Rect tile{plan.key.right() + (gap - wide) / 2, y - high / 2, wide, high};
    const float below = plan.phone ? 0 : plan.key_card(j).bottom() + 4 - answers.y;
    for (int i = 0; i < numbers && now.lift > 0 && now.drop < 1; ++i) {
      const float made = in_turn(now.multiply, i, numbers), falls = in_turn(now.add, i, numbers);
      const auto cell = [&](const Rect& of) { return scenes::cell_of(of, 1, numbers, 0, i); };
      const Rect key = cell(answers), beside{key.x, key.y + below, key.w, plan.phone ? key.h : 13 * k};
      const auto there = [&](int row) {
        return large ? Rect{card.x + (side + 2) * static_cast<float>(i), from_y + line * static_cast<float>(row), side,
                            side}
                     : beside;
      };
      const auto add = [&](const char* name, const Source& at, Rect rect, Colour tint, float seen) {
        if (seen <= 0) return;
        MatrixCells one = small_cells({at.tensor, at.row, i, 1, 1}, key.h, tint, d.view.theme);
        if (large || (d.video() && !plan.phone && tint == d.colours.score_fill))
          one.decimals = d.video() ? 0 : 1, one.text_size = !large ? 10 * k : (d.video() ? 0.52F : 0.36F) * side;
        d.figure.add({.id = id + name + std::to_string(i), .rect = rect, .shape = one, .opacity = seen});
      };
      const float left = 1 - (large ? smoothstep(0, 0.5F, now.add) : made), comes = large ? now.turn : made;
      add("asks.", {std::string(kOneQuery), 0, i}, mix(cell(asks), there(0), now.turn), d.colours.query_fill,
          now.lift * left);
      add("key.", {std::string(kX), j, i}, mix(key, there(1), std::min(2 * comes, 1.F)), d.colours.input_fill,
          comes > 0 ? left : 0);
      add("product.", {P->name, j, i}, mix(there(2), tile, falls), d.colours.score_fill,
          std::min(3 * made, 1.F) * (1 - smoothstep(0.7F, 1, falls)));
    }
    if (large && d.state.similarity == Similarity::scaled)
      add_seen(d, smoothstep(0, 0.2F, now.drop) * (1 - smoothstep(0.6F, 0.8F, first.others)), [&] {
        const auto fixed = [](float number) { return io::format_fixed(static_cast<double>(number), 2); };
        add_words(d, id + "divided", {card.x, from_y + line, plan.key.x - card.x, 22 * k},
                  fixed(P->values.row(j).sum()) + " ÷ √" + std::to_string(numbers) + " = " +
                      fixed(d.trace.at(m.form.names.scores).values(m.row, j)),
                  {d.colours.ink, {text::Face::mono_bold, 16 * k}});
      });
    add_seen(d, smoothstep(0.5F, 1, now.add) * std::min(2 - 2 * on, 1.F), [&] {
      const auto value = static_cast<double>(  // first the sum of products, undivided
          numbers > 0 && now.drop < 0.5F ? P->values.row(j).sum() : d.trace.at(m.form.names.scores).values(m.row, j));
      const bool is_share = shared.name >= 0.5F;
      const Source of{std::string(m.form.names.scores), m.row, j};
      const std::string told = is_share ? share_text(m.weights, j) : io::format_fixed(value, 2);
      const float full = mix(1, weight, shared.open);
      add_box(d, id + "tile", tile, {.fill = mix(d.colours.surface, d.colours.score_fill, 0.2F), .radius = 5});
      add_box(d, id + "tile.full", {tile.x, tile.y, tile.w * full, tile.h},
              {.fill = d.colours.score_fill, .radius = 5});
      const TextStyle style{
          full > 0.5F ? ink_on(d.colours.score_fill) : d.colours.ink, {text::Face::mono_bold, 14 * k}, Align::centre};
      add_told(d, of, tile, told, fitted(style, told, tile.w - 4, 9), (is_share ? "The weight " : "The score ") + told);
    });
  }
}

int pointed_at(const Drawing& d, const Machine& m) {
  const std::optional<Source> cell = parse_cell_id(d.view.focus());
  for (int i = 0; i < static_cast<int>(m.weights.size()); ++i) {
    const bool row = cell && cell->row == i &&
                     (cell->tensor == kX || cell->tensor == m.form.names.key || cell->tensor == m.form.names.value);
    if (row || cell == weight_at(m, i)) return i;
    for (const char* part : {"X.input.", "key.", "value."})
      if (d.view.hovered == part + std::to_string(i)) return i;
  }
  return -1;
}

void add_pointed(Drawing& d, const Machine& m) {
  if (m.pointed < 0 || d.view.hovered.empty()) return;
  for (const auto& [part, at] : {std::pair{"pointed.input", m.plan.input(m.pointed)},
                                 {"pointed.key", m.plan.key_card(m.pointed)},
                                 {"pointed.value", m.plan.value_card(m.pointed)}})
    add_ring(d.figure, part, at.inset(-3), d.colours.ink);
}

void add_captions(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  if (plan.phone) return;
  const bool keys = has_keys(m);
  const float k = plan.scale, y = plan.rows.at(static_cast<int>(m.weights.size()) - 1) + plan.value_h / 2 + 8 +
                                  (d.video() ? plan.below() : 0);
  const Rect asks = plan.query_card(m.form.names.query == "q" ? m.asking : d.trace.at(m.form.names.query).rows() - 1);
  const bool second = m.form.queries == QueriesFrom::second;
  const std::size_t first = d.figure.elements.size();
  const bool level = std::abs(asks.bottom() + 12 - y) < 12 * k;  // all captions on one line
  add_caption(d, m, "query.caption", symbol(m.form.names.query == "q" ? "q" : "Q"), d.colours.query, "asks",
              {second ? asks.centre().x + 24 * k : asks.x, level ? y : asks.bottom() + 12}, 150 * k);
  const float told = d.figure.elements.back().rect.x + text::measure(text::Face::regular, small_text(m), "asks");
  if (d.video() && m.form.names.query == "q")
    add_note(d, "query.holds", held(d.trace.at(kOneQuery), 0), {asks.x, asks.bottom() + 34}, plan.key.x - asks.x - 24,
             small_text(m) - 1);
  show_since(d.figure, first, std::min(m.shown.queries, m.shown.shared));  // where its numbers have flown
  add_caption(d, m, "key.caption", symbol(keys ? "K" : "X"), keys ? d.colours.key : d.colours.input,
              keys ? "found by" : "compared", {plan.key.x, y}, plan.value.x - plan.key.x - 8);
  std::string features;
  for (const std::string& name : d.trace.at(keys ? m.form.names.key : kX).column_labels)
    features += (features.empty() ? "" : " · ") + (name == "minutes" ? "min" : name);
  if (!features.empty())
    add_note(d, "key.features", features, {plan.key.x, y + 20}, plan.output.x - plan.key.x, small_text(m) - 1);
  add_caption(d, m, "value.caption", symbol(keys ? "V" : "X"), keys ? d.colours.value : d.colours.input,
              !keys       ? "mixed"
              : d.video() ? "passed on: minutes, laughs"
                          : "passed on",
              {plan.value.x, y}, plan.output.x - plan.value.x - 30 * k);
  const Formula focus = focus_of(d, m);
  constexpr float kLeast = 11;                    // px of letters
  const bool below = asks.bottom() + 40 * k < y;  // the last query, if not the pipe of a second sequence
  const float right = plan.key.x - 18 * k, room = right - (below ? asks.centre().x + 16 : told + 16),
              whole = 14 * plan.text(), size = std::min(whole, whole * room / set_formula(focus, whole).width),
              width = set_formula(focus, size).width;
  if (size >= kLeast) add_formula(d, "focus", {right - width, y, width + 1, 22}, focus, size, d.colours.muted);
  if (m.form.names.weights != "A") return;
  const Source sum{"row_sum", m.row, 0};
  const float value = d.trace.at("row_sum").values(m.row, 0);
  const std::string words = "= " + share_text(value);
  const float w = text::measure(text::Face::mono, 12 * plan.text(), words);
  add_told(d, sum, {(plan.key.right() + plan.value.x - w) / 2, y + 2, w + 1, 18}, words,
           {d.state.wrong_axis ? d.colours.warning : d.colours.ink, {text::Face::mono, 12 * plan.text()}},
           "The weights of this query together: " + share_text(value));
  d.figure.elements.back().opacity = m.shown.light;
}

const Form& form_at(Place place) {
  using enum QueriesFrom;
  static const Form kForms[] = {
      {kOne, own, false}, {kMany, own, false}, {kKeyed, own, true}, {kSelf, inputs, true}, {kCross, second, true}};
  return kForms[place.step - 1];
}

}  // namespace limelight::scenes::layer
