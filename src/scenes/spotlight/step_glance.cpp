// The last step: the lamp, the sentence, and the map of weights below it, a column under each word where words stand
// side by side.
#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/marks.h"
#include "figure/order.h"
#include "figure/ribbon.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/steps.h"
#include "scenes/spotlight/weight_map.h"

namespace limelight::scenes::spotlight {
namespace {

// A weight of another word's row, from it to what it looks at: purple where it asks, amber where its light falls.
void add_word_arc(Drawing& d, const LitStage& stage, int i, int j) {
  const float weight = d.trace.at("weights").values(i, j);
  const Source source{"weights", i, j};
  const bool looked_at = cell_id(source) == d.view.focus();
  const auto foot = [&](int word) {
    const std::string& letters = d.key(word);
    const float length = text::measure(text::Face::display, stage.slots.size, letters);
    const float y = stage.slots.upright ? stage.baseline - std::min(length, stage.room) - 6 : stage.arcs;
    return Point{stage.slots.centre(word), y};
  };
  const Point from_at = foot(i), to_at = foot(j);
  const float from = from_at.x, to = to_at.x, y = std::min(from_at.y, to_at.y);
  // Below the lamp's mouth, as far as a curve is high, 3/4 of its rise.
  const float mouth = std::max((y - stage.lamp.bulb.y - 26 * stage.lamp.scale) / 0.75F, 40 * stage.scale);
  const float rise = std::min({mouth, 26 * stage.scale + 0.2F * std::abs(to - from), 1.25F * (y - 4)});
  const Curve curve{.from = from_at,
                    .control_from = {from, y - rise},
                    .control_to = {to, y - rise},
                    .to = to_at,
                    .width = 1 + 5 * weight};
  // Of a long sentence the heaviest have little.
  const float least = static_cast<int>(d.keys.size()) > kMostOnStage ? 0.3F : 0.06F;
  const float seen = looked_at ? 1.3F : std::min(least + 0.6F * weight, 1.F);
  const std::string id = "stage.arc." + std::to_string(i) + "." + std::to_string(j);
  const std::string share = share_text(weight);
  const float top = y - 0.75F * rise;  // of the curve
  d.figure.add({.id = id,
                .role = Role::cell,
                .rect = Rect{std::min(from, to), top, std::abs(to - from), y - top}.inset(-6),
                .label = d.query(i) + " to " + d.key(j) + ": " + share,
                .source = source,
                .shape = along(curve, {{.at = 0, .colour = d.colours.query_fill.faded(0.75F * seen)},
                                       {.at = 0.5F, .colour = d.colours.amber.faded(0.75F * seen)},
                                       {.at = 1, .colour = d.colours.amber.faded(0.75F * seen)}})});
  if (!looked_at) return;
  // Above the arc, or under it where there is no room or the lamp.
  const float middle = (from + to) / 2;
  const bool above = top > 40 && std::abs(middle - stage.lamp.bulb.x) > 130 * stage.scale;
  add_weight_card(d, i, j, {middle, top}, above ? Side::above : Side::below);
}

// The lightest first, so that the heaviest are on top, and over them the one that is looked at with its card. Of a long
// sentence only the heaviest, or nothing could be told apart.
void add_word_arcs(Drawing& d, const LitStage& stage) {
  if (d.state.given()) return;  // its queries are no words of the sentence
  const Matrix& weights = d.trace.at("weights").values;
  std::vector<std::pair<int, int>> arcs;
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  const auto is_looked_at = [&](int i, int j) { return focus == Source{"weights", i, j}; };
  for (int i = stage.slots.first; i < stage.slots.first + stage.slots.count; ++i)
    for (int j = stage.slots.first; j < stage.slots.first + stage.slots.count; ++j)
      if (i != j && (i != d.row || is_looked_at(i, j)) && weights(i, j) > 0 &&
          weights(i, j) >= static_cast<float>(d.state.threshold))
        arcs.emplace_back(i, j);
  std::vector<float> keys;
  for (const auto& [i, j] : arcs) keys.push_back(is_looked_at(i, j) ? 2 : weights(i, j));
  std::vector<int> order = smallest_first(std::move(keys));
  constexpr std::size_t kMostArcs = 16, kFew = 9;  // words of whom all arcs are told apart
  if (d.keys.size() > kFew && order.size() > kMostArcs) order.erase(order.begin(), order.end() - kMostArcs);
  for (const int arc : order) {
    const auto& [i, j] = arcs[static_cast<std::size_t>(arc)];
    add_word_arc(d, stage, i, j);
  }
}

// What came of it: in the upper corner that the lamp leaves free.
void add_conclusion(Drawing& d, float lamp) {
  const float k = stage_scale(d), width = d.figure.width;
  if (d.scrolls() || k < 0.8F) return;  // its numbers would be too small
  const float w = std::min(54 * k * static_cast<float>(d.trace.at(kOutput).columns()), 0.3F * width);
  const float name =
      std::min(text::measure(text::Face::semibold, 12.5F * label_scale(d), "of " + d.query()), 100 * k) + 46 * k;
  add_output(d, {lamp < width / 2 ? width - w - 24 : name, 22 * k, w, 30 * k}, 1);
}

// The map on a phone, and below it what came of it.
float add_map_and_output(Drawing& d, float top) {
  constexpr float kStrip = 36, kUnder = 66;  // px of the output; of it with its names
  add_output(d, {d.margin(), add_narrow_map(d, top, kUnder), d.inner(), kStrip}, 1);
  return d.bottom();
}

float draw_narrow(Drawing& d) {
  // Close, so that the map below is seen as well.
  constexpr float kAround = 88, kRow = 23;            // px beside column and map; of a map's row
  constexpr float kMostInColumn = 9, kMostTold = 24;  // words; more are a text; of still more no percentages are told
  constexpr float kText = 130, kApart = 8;            // px that a text takes, and below it
  const auto words = static_cast<float>(d.keys.size()), rows = static_cast<float>(d.queries.size());
  const float room = d.view.height - kAround - narrow_map_header(d) - kRow * rows;
  if (words > kMostInColumn && !d.state.given())
    if (const std::optional<float> bottom = add_narrow_text(d, kText, true, words <= kMostTold))
      return add_map_and_output(d, *bottom + kApart);
  constexpr float kUnderColumn = 20;  // px of its light that the columns' words may stand in
  const float pitch = std::clamp(room / std::max(words - 1, 1.F), 22.F, 52.F);
  return add_map_and_output(d, add_lit_column(d, -4, pitch, Beside::nothing) - kUnderColumn);
}

// Where lamp, words and floor are, `spare` px shared out between them. Returns the map's top.
float set_stage(LitStage& stage, float spare) {
  const float k = stage.scale;
  stage.baseline = std::round(220 * k + 0.6F * spare);
  stage.floor = stage.baseline + 26 * k;
  stage.shares = stage.floor + 19 * k;
  stage.arcs = stage.baseline - 38 * k;
  stage.lamp = {.bulb = {0, std::round(57 * k + 0.3F * spare)}, .cable_from = 0, .scale = k};
  return stage.floor + 44 * k;
}

// The same with upright words, for those that have no room side by side.
float set_upright_stage(LitStage& stage, float k) {
  stage.room = 104 * k;
  stage.baseline = std::round(212 * k);
  stage.floor = stage.baseline + 9 * k;
  stage.shares = stage.floor + 16 * std::max(k, 0.85F);
  stage.arcs = stage.baseline - stage.room - 2;
  stage.lamp = {.bulb = {0, std::round(46 * k)}, .cable_from = 0, .scale = 0.8F * k};
  return stage.shares + 16 * std::max(k, 0.85F);
}

// More words than stand side by side as a text, and the map below it. False where they have no room for it.
bool draw_text(Drawing& d, float k) {
  const float width = d.figure.width, height = d.height(), side = 96 * k, top = 84 * k;
  LitText text{.stage = {.slots = {}, .lamp = {.bulb = {0, 44 * k}, .cable_from = 0, .scale = 0.8F * k}, .scale = k},
               .place = {side, top, width - 2 * side, 0.5F * height - top},
               .largest = std::max(28 * k, 20.F),
               .smallest = 18 * k,
               .air = std::max(30 * k, 22.F)};
  std::optional<TextEnd> end = add_lit_text(d, text);
  text.air = 0;
  if (!end) end = add_lit_text(d, text);
  if (!end) return false;
  add_named_map(d, stage_room(d, 0, 0), end->bottom + 8);
  add_conclusion(d, end->asks.x);
  return true;
}

float draw_all(Drawing& d) {
  if (d.view.compact()) return draw_narrow(d);
  const CellRange shown = shown_of(d);
  const float k = stage_scale(d), width = d.figure.width, height = d.height();
  const auto rows = static_cast<float>(shown.rows);
  const float caption = map_caption(d);
  LitStage stage{.slots = {}, .lamp = {}, .scale = k, .columns = true};
  const Room across = stage_room(d, 33 * k, 33 * k / 2);
  stage.slots = slots_over(d, shown, across);
  float map_y = 0, row_h = 0;
  if (!stage.slots.upright) {
    const float room = height - 290 * k - 20 - caption;
    // Where the view scrolls anyway, rows are as high as their numbers need.
    row_h = std::max(std::min(room / rows, (rows < 6 ? 44 : 30) * std::max(k, 1.F)), d.scrolls() ? 22.F : 0.F);
    map_y = set_stage(stage, std::max(room - row_h * rows, 0.F));
  } else {
    if (!d.state.given() && draw_text(d, k)) return height - kBelow;
    map_y = set_upright_stage(stage, k);
    row_h = std::max((height - map_y - 16 - caption) / rows, 4.F);
  }
  const float end = across.left + across.width;
  stage.lamp.bulb.x = d.state.given()             ? width / 2
                      : d.row < stage.slots.first ? across.left - 0.4F * across.left
                      : !stage.slots.shows(d.row) ? end + 0.4F * (width - end)
                                                  : stage.slots.centre(d.row);
  add_lit_stage(d, stage, add_word_arcs);
  add_conclusion(d, stage.lamp.bulb.x);
  const Rect map{across.left, map_y, stage.slots.pitch * static_cast<float>(stage.slots.count), row_h * rows};
  // Where the query is no word, or one beyond what is zoomed into.
  if (d.state.given() || !stage.slots.shows(d.row)) add_lamp_note(d, stage);
  return add_weight_map(d, map) + 4;
}

}  // namespace

float draw_glance(Drawing& d) {
  const float bottom = draw_all(d);
  if (d.view.t < 1) come_down(d, d.view.t);
  return bottom;
}

}  // namespace limelight::scenes::spotlight
