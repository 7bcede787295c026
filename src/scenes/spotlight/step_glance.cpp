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
    const std::string& letters = d.keys[static_cast<std::size_t>(word)];
    const float length = text::measure(text::Face::display, stage.slots.size, letters);
    const float y = stage.slots.upright ? stage.baseline - std::min(length, stage.room) - 6 : stage.arcs;
    return Point{stage.slots.centre(word), y};
  };
  const Point from_at = foot(i), to_at = foot(j);
  const float from = from_at.x, to = to_at.x, y = std::min(from_at.y, to_at.y);
  const float rise = std::min({150 * stage.scale, 26 * stage.scale + 0.2F * std::abs(to - from), 1.25F * (y - 4)});
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
  d.figure.add(
      {.id = id,
       .role = Role::cell,
       .rect = Rect{std::min(from, to), top, std::abs(to - from), y - top}.inset(-6),
       .label = d.queries[static_cast<std::size_t>(i)] + " to " + d.keys[static_cast<std::size_t>(j)] + ": " + share,
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

// On a phone.
float draw_narrow(Drawing& d) {
  // Close, so that the map below is seen as well.
  constexpr float kAround = 88, kRow = 23;            // px beside column and map; of a map's row
  constexpr float kMostInColumn = 9, kMostTold = 24;  // words; more are a text; of still more no percentages are told
  constexpr float kText = 130, kApart = 8;            // px that a text takes, and below it
  const auto words = static_cast<float>(d.keys.size()), rows = static_cast<float>(d.queries.size());
  const float room = d.view.height - kAround - narrow_map_header(d) - kRow * rows;
  if (words > kMostInColumn && !d.state.given())
    if (const std::optional<float> bottom = add_narrow_text(d, kText, true, words <= kMostTold))
      return add_narrow_map(d, *bottom + kApart);
  constexpr float kUnderColumn = 20;  // px of its light that the columns' words may stand in
  const float pitch = std::clamp(room / std::max(words - 1, 1.F), 26.F, 34.F);
  return add_narrow_map(d, add_lit_column(d, -4, pitch, Beside::nothing) - kUnderColumn);
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
  const Rect map{across.left, map_y, stage.slots.pitch * static_cast<float>(stage.slots.count), row_h * rows};
  if (!d.state.given() && !stage.slots.shows(d.row))
    add_lamp_note(d, stage, lit_note(d));  // the query is beyond what is zoomed into
  add_caps(d, map);
  return add_weight_map(d, map) + 4;
}

// The lamp's row opens below the words and comes down; from behind it each other row slides to its place, the nearest
// first, with its name and its arcs. A row has its digits once no other lies over it, and no colour is faded, or it
// would mean another number.
void come_down(Drawing& d, float t) {
  constexpr float kOpen = 0.06F, kDown = 0.22F;               // moments: it is open, is down
  constexpr float kSets = 0.1F, kAll = 0.95F, kTakes = 0.4F;  // the first other sets out, all are there; each takes
  constexpr float kBelow = 6, kLow = 12;                      // px from the words to it, of its height at first
  constexpr float kGap = 2;                                   // px
  constexpr float kClear = 0.9F;                              // of a row's height: beside the row before it
  const Element map = *d.figure.find("weights");
  const CellRange shown = std::get<Heatmap>(map.shape).range;
  const std::optional<Rect> lamp = figure::cell_rect(map, d.row, shown.column);
  if (!lamp) return;  // the query is beyond what is zoomed into
  const int first = shown.row, last = shown.row + shown.rows - 1;
  const int most = std::max(d.row - first, last - d.row);  // rows on one side of it
  const float down = smoothstep(0, kDown, t), high = mix(std::min(kLow, lamp->h), lamp->h, smoothstep(0, kOpen, t));
  const auto out = [&](int row) {
    const float sets = mix(kSets, kAll - kTakes,
                           static_cast<float>(std::abs(row - d.row) - 1) / static_cast<float>(std::max(most - 1, 1)));
    return row == d.row ? 1.F : smoothstep(sets, sets + kTakes, t);
  };
  float words = 0;  // where they end
  for (const Element& element : d.figure.elements)
    if (element.id.starts_with("stage.share.") || element.id.ends_with(".text"))
      words = std::max(words, element.rect.bottom());
  const auto place = [&](int row) {
    const float away = figure::cell_rect(map, row, shown.column)->y - lamp->y;
    return Rect{map.rect.x, mix(words + kBelow, lamp->y, down) + away * out(row), map.rect.w, high};
  };
  const auto beside = [&](int row) { return row + (row < d.row) - (row > d.row); };  // the row that it comes after
  const auto clear = [&](int row) {
    if (row == d.row) return t >= kDown;
    const float apart = place(row).y - place(beside(row)).y;
    return (row < d.row ? -apart : apart) >= kClear * high;
  };

  float top = place(d.row).y, bottom = top + high;  // the colour bar opens with the rows
  for (int row = first; row <= last; ++row) {
    top = std::min(top, place(row).y);
    bottom = std::max(bottom, place(row).bottom());
  }
  const float all = out(d.row > first && d.row - first == most ? first : last);
  for (Element& element : d.figure.elements) {
    const std::string_view id = element.id;
    if (id.starts_with("stage.arc.")) element.opacity *= out(element.source->row);
    if (!id.starts_with("weights") && !id.starts_with("outline.weights")) continue;
    if (const std::optional<int> row = map_row_at(id)) {
      element.rect.y = place(*row).centre().y - element.rect.h / 2;
      if (!clear(*row)) element.opacity = 0;
      element.role = Role::none;  // on its way it is not pressed
    } else if (std::holds_alternative<Heatmap>(element.shape)) {
      if (element.id != "weights.row" || t < kDown) element.clip = Rect{};
    } else if (id == "weights.bar") {
      // All out, its numbers may stand beyond its ends.
      const float beyond = all >= 1 ? element.rect.h : 0;
      element.clip = Rect{element.rect.x, top - beyond, kBarRoom, t > kSets ? bottom - top + 2 * beyond : 0};
    } else {
      element.opacity *= smoothstep(kSets, kAll, t);
    }
  }

  std::vector<Element> elements;
  const auto add = [&](int row) {
    if (row < first || row > last || out(row) == 0) return;
    Element coming = map;
    coming.id = "weights.coming." + std::to_string(row);
    coming.role = Role::none;
    coming.rect = place(row);
    if (row != d.row) {  // what is not under the row before it, a little apart
      const float under = std::max(high - std::abs(coming.rect.y - place(beside(row)).y), 0.F),
                  hidden = under + std::min(under, kGap);
      coming.clip =
          Rect{coming.rect.x, coming.rect.y + (row > d.row ? hidden : 0), coming.rect.w, std::max(high - hidden, 0.F)};
    }
    auto& cells = std::get<Heatmap>(coming.shape);
    cells.range.row = row;
    cells.range.rows = 1;
    if (!clear(row)) cells.text_size = 0;
    elements.push_back(std::move(coming));
  };
  for (Element& element : d.figure.elements) {
    const bool is_map = element.id == map.id;
    elements.push_back(std::move(element));
    if (!is_map) continue;
    for (int away = most; away > 0; --away) {
      add(d.row - away);
      add(d.row + away);
    }
    add(d.row);
  }
  d.figure.elements = std::move(elements);
}

}  // namespace

float draw_glance(Drawing& d) {
  const float bottom = draw_all(d);
  if (d.view.t < 1) come_down(d, d.view.t);
  return bottom;
}

}  // namespace limelight::scenes::spotlight
