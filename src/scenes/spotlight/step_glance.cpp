// The last step: the lamp, the sentence, and the whole map of weights below it, a column under each word.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "figure/marks.h"
#include "figure/panel_sizes.h"
#include "figure/ribbon.h"
#include "scenes/common/strips.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/matrices.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr float kTold = 0.1F;  // smaller weights are not written, but in the row that is looked at
constexpr std::array<std::string_view, 3> kBareWords = {"0", ".5", "1"};  // as the map's own numbers

// What the map shows: all, or where words are too many for numbers in its cells what the reader zooms into.
CellRange shown_of(const Drawing& d) {
  const auto& [tensor, row, column, rows, columns] = d.view.zoom;
  if (tensor == "weights" && rows > 0 && static_cast<int>(d.keys.size()) > kMostOnStage)
    return {tensor, row, column, rows, columns};
  return {"weights", 0, 0, static_cast<int>(d.queries.size()), static_cast<int>(d.keys.size())};
}

// "over → dog 26 %", centred there.
void add_weight_card(Drawing& d, int i, int j, Point centre) {
  const auto name = [](const std::string& word) { return text::fit(text::Face::semibold, 12.5F, word, 140); };
  const std::string words =
      name(d.queries[static_cast<std::size_t>(i)]) + " → " + name(d.keys[static_cast<std::size_t>(j)]);
  const std::string share = share_text(d.trace.at("weights").values(i, j));
  const float words_w = text::measure(text::Face::semibold, 12.5F, words);
  const float width = words_w + text::measure(text::Face::mono_bold, 13, share) + 30;
  const float x = std::clamp(centre.x - width / 2, 4.F, std::max(d.figure.width - width - 4, 4.F));
  const Rect card{x, centre.y - 11, width, 22};
  d.figure.add({.id = "weights.looked.card",
                .rect = card,
                .shape = Rectangle{.fill = d.colours.surface, .stroke = d.colours.track, .radius = 11},
                .furniture = true});
  add_words(d, "weights.looked.words", {card.x + 11, card.y, words_w + 1, card.h}, words,
            {d.colours.ink, {text::Face::semibold, 12.5F}});
  add_words(d, "weights.looked.share", {card.x, card.y, card.w - 11, card.h}, share,
            {d.colours.amber_text, {text::Face::mono_bold, 13}, Align::right});
}

// Above the cell of the map that is looked at, where neither an arc nor the lamp's row tells its weight.
void add_looked_at(Drawing& d, Rect map) {
  const std::optional<Source> cell = parse_cell_id(d.view.focus());
  if (!cell || cell->tensor != "weights" || d.figure.find("weights.looked.card") != nullptr) return;
  const CellRange shown = shown_of(d);
  const int i = cell->row - shown.row, j = cell->column - shown.column;
  if (i < 0 || j < 0 || i >= shown.rows || j >= shown.columns || cell->row == d.row) return;
  const float cell_w = map.w / static_cast<float>(shown.columns), cell_h = map.h / static_cast<float>(shown.rows);
  add_weight_card(d, cell->row, cell->column,
                  {map.x + cell_w * (static_cast<float>(j) + 0.5F), map.y + cell_h * static_cast<float>(i) - 15});
}

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
  const float seen = looked_at ? 1.3F : std::min(0.12F + 0.75F * weight, 1.F);
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
  add_weight_card(d, i, j, {(from + to) / 2, std::max(top, 13.F)});
}

// The lightest first, so that the heaviest are on top, and over them the one that is looked at with its card.
void add_word_arcs(Drawing& d, const LitStage& stage) {
  if (d.state.given()) return;  // its queries are no words of the sentence
  const Matrix& weights = d.trace.at("weights").values;
  std::vector<std::pair<int, int>> arcs;
  for (int i = stage.slots.first; i < stage.slots.first + stage.slots.count; ++i)
    for (int j = stage.slots.first; j < stage.slots.first + stage.slots.count; ++j)
      if (i != j && i != d.row && weights(i, j) > 0 && weights(i, j) >= static_cast<float>(d.state.threshold))
        arcs.emplace_back(i, j);
  const std::optional<Source> looked_at = parse_cell_id(d.view.focus());
  std::ranges::sort(arcs, {}, [&](const auto& arc) {
    const bool last = looked_at && looked_at->row == arc.first && looked_at->column == arc.second;
    return std::tuple(last ? 2.F : weights(arc.first, arc.second), arc);
  });
  for (const auto& [i, j] : arcs) add_word_arc(d, stage, i, j);
}

Heatmap map_of(const Drawing& d, float cell_w, float cell_h) {
  const Tensor& weights = d.trace.at("weights");
  const bool whole_range = d.state.normalise == Normalise::zero_one;
  // On a phone the percentages tell the lamp's row, and other cells have two digits.
  const bool compact = d.view.compact();
  const float size = std::clamp(std::min(cell_h * 0.5F, cell_w * (compact ? 0.38F : 0.24F)), 0.F,
                                13 * std::max(stage_scale(d), 0.85F));
  return {.range = shown_of(d),
          .map = d.state.map,
          .normalise = d.state.normalise,
          .low = whole_range || d.state.normalise == Normalise::row ? 0 : weights.values.minCoeff(),
          .high = whole_range || d.state.normalise == Normalise::row ? 1 : weights.values.maxCoeff(),
          .gap = cell_h >= 12 ? 2.F : 1.F,
          .text_size = size >= 9 ? size : 0,
          .decimals = 2,
          .told_from = d.view.zoom.rows > 0 ? 0 : kTold,
          .told_row = compact ? static_cast<int>(d.queries.size()) : d.row,
          .mask = "scaled",
          .theme = d.view.theme,
          .zooms = static_cast<int>(d.keys.size()) > kMostOnStage};
}

constexpr float kColumnName = 11, kLongest = 52;  // px of letters above the map; as long as such a name may be

// How high the words above the map's columns are.
float column_names_height(const Drawing& d) {
  float height = 0;
  for (const std::string& word : d.keys)
    height = std::max(height, text::measure(text::Face::semibold, kColumnName, word) + 1);
  return std::min(height, kLongest);
}

// The columns' words above the map, read from bottom to top: as many as can be read.
void add_column_names(Drawing& d, Rect map) {
  const CellRange shown = shown_of(d);
  const float pitch = map.w / static_cast<float>(shown.columns), height = column_names_height(d);
  const int every = std::max(static_cast<int>(std::ceil((kColumnName + 1) / pitch)), 1);
  for (int i = 0; i < shown.columns; i += every) {
    const int column = shown.column + i;
    const bool asks = !d.state.given() && column == d.row;
    const text::Face face = asks ? text::Face::semibold : text::Face::regular;
    const std::string& word = d.keys[static_cast<std::size_t>(column)];
    d.figure.add({.id = "weights.column." + std::to_string(column),
                  .rect = {map.x + pitch * static_cast<float>(i), map.y - 5 - height, pitch, height},
                  .label = word,
                  .shape = Text{.text = text::fit(face, kColumnName, word, height),
                                .face = face,
                                .size = kColumnName,
                                .colour = asks ? d.colours.query : d.colours.muted,
                                .vertical = true}});
  }
}

constexpr float kTitle = 12, kTitleLeast = 44;  // px of its letters, and that it has to have above the rows' words
bool is_title_beside(Rect map) { return map.x - 12 >= kTitleLeast; }

// The map, its rows' words to its left, its colour bar to its right; its title `above` px higher than where nothing
// stands between them.
void add_weight_map(Drawing& d, Rect rect, float above = 0) {
  const CellRange shown = shown_of(d);
  const float cell_h = rect.h / static_cast<float>(shown.rows), cell_w = rect.w / static_cast<float>(shown.columns);
  const float label = std::clamp(0.46F * cell_h, 9.F, 13 * std::max(stage_scale(d), 1.F));
  const float names = rect.x - 12;
  add_row_names(d, {.tensor = "weights",
                    .first = shown.row,
                    .count = shown.rows,
                    .rect = {2, rect.y, names, rect.h},
                    .align = Align::right,
                    .type = {text::Face::regular, label}});
  const Heatmap map = map_of(d, cell_w, cell_h);
  const bool beside = is_title_beside(rect);
  const float title = text::measure(text::Face::semibold, kTitle, "weights");
  d.figure.add({.id = "weights.title",
                .rect = beside ? Rect{2, rect.y - 20 - above, names, 16} : Rect{rect.x, rect.y - 20 - above, 120, 16},
                .shape = Text{.text = "weights",
                              .face = text::Face::semibold,
                              .size = beside ? kTitle * std::min(names / title, 1.F) : kTitle,
                              .colour = d.colours.muted,
                              .align = beside ? Align::right : Align::left}});
  d.figure.add({.id = "weights",
                .role = Role::cell,
                .rect = rect,
                .label = "weights " + std::to_string(map.range.rows) + "×" + std::to_string(map.range.columns),
                .edit = Edit{"weights", {}},
                .shape = map});
  const bool by_row = d.state.normalise == Normalise::row, whole = d.state.normalise == Normalise::zero_one;
  d.figure.add({.id = "weights.bar",
                .rect = {rect.right() + 14, rect.y, kColourBarSize, std::max(rect.h, 60.F)},
                .shape = ColourBar{.map = map.map,
                                   .low = map.low,
                                   .high = map.high,
                                   .words = by_row  ? kRowWords
                                            : whole ? kBareWords
                                                    : std::array<std::string_view, 3>{},
                                   .decimals = map.high - map.low < 0.1F ? 3 : 2,
                                   .ink = d.colours.muted,
                                   .theme = d.view.theme}});
}

// Below the map, where its rows have colours of their own.
float add_row_caption(Drawing& d, Point at, float width) {
  if (d.state.normalise != Normalise::row) return at.y;
  add_words(d, "weights.caption", {at.x, at.y + 2, width, 16}, "colours: each row has its own scale",
            {d.colours.muted});
  return at.y + 18;
}

// Under each word that gets much light, at the head of its column.
void add_feet(Drawing& d, const LitStage& stage, float y) {
  const std::vector<float> weights = weights_of(d);
  for (int j = stage.slots.first; j < stage.slots.first + stage.slots.count; ++j) {
    if (weights[static_cast<std::size_t>(j)] < kTold) continue;
    const float x = stage.slots.middle(j) - stage.slots.pitch / 2;
    d.figure.add({.id = "weights.foot." + std::to_string(j),
                  .rect = {x + 1, y - 4.5F, stage.slots.pitch - 2, 3},
                  .shape = Rectangle{.fill = d.colours.lamp, .radius = 1.5F}});
  }
}

float draw_narrow(Drawing& d) {
  // Close, so that the map below is seen as well.
  constexpr float kAround = 68, kRow = 23, kButtons = 44;  // px beside column and map; of a map's row; above a map
  const auto words = static_cast<float>(d.keys.size()), rows = static_cast<float>(d.queries.size());
  const bool zooms = static_cast<int>(d.keys.size()) > kMostOnStage;  // by buttons beside the title
  float labels = 0;
  for (const std::string& word : d.queries)
    labels = std::max(labels, text::measure(text::Face::semibold, 13, word) + 14);
  labels = std::min(labels, 84.F);
  Rect map{labels + 8, 0, d.figure.width - labels - 12 - kBarRoom, 0};
  const float names = column_names_height(d) + 5;
  const float title = zooms ? names + 16 : is_title_beside(map) ? 0 : names;
  const float room = d.view.height - kAround - names - kRow * rows;
  map.y = add_lit_column(d, -4, std::clamp(room / std::max(words - 1, 1.F), 26.F, 34.F)) + names +
          (zooms       ? kButtons - 9
           : title > 0 ? 0
                       : -20);
  const float cell = std::min(map.w / words, 44.F), high = std::clamp((d.view.height - map.y - 44) / rows, 22.F, 40.F);
  map.h = std::max(rows * std::min(cell, high), 60.F);
  add_column_names(d, map);
  add_weight_map(d, map, title);
  add_outline(d.figure, "weights", d.row, -1, d.colours.ink);
  add_looked_at(d, map);
  return add_row_caption(d, {map.x, map.bottom()}, map.w) + 8;
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

// The slots of what the map shows.
Slots slots_over(const Drawing& d, const CellRange& shown, Room across) {
  const int words = static_cast<int>(d.keys.size());
  if (shown.columns == words) return word_slots(d, across);
  const Matrix& weights = d.trace.at("weights").values;
  Matrix seen(weights.rows(), shown.columns);
  for (int row = 0; row < static_cast<int>(weights.rows()); ++row)
    for (int column = 0; column < shown.columns; ++column) seen(row, column) = weights(row, shown.column + column);
  const std::span<const std::string> names(d.keys.data() + shown.column, static_cast<std::size_t>(shown.columns));
  Slots slots = slots_of(names, seen, false, across);
  slots.first = shown.column;
  slots.of = words;
  return slots;
}

}  // namespace

float draw_glance(Drawing& d) {
  if (d.view.compact()) return draw_narrow(d);
  const CellRange shown = shown_of(d);
  const float k = stage_scale(d), width = d.figure.width, height = d.height();
  const auto rows = static_cast<float>(shown.rows);
  const float caption = d.state.normalise == Normalise::row ? 18 : 0;
  LitStage stage{.slots = {}, .lamp = {}, .scale = k};
  const Room across = stage_room(d, 33 * k, 33 * k / 2);
  stage.slots = slots_over(d, shown, across);
  float map_y = 0, row_h = 0;
  if (!stage.slots.upright) {
    const float room = height - 290 * k - 20 - caption;
    // Where the view scrolls anyway, rows are as high as their numbers need.
    row_h = std::max(std::min(room / rows, (rows < 6 ? 44 : 30) * std::max(k, 1.F)), d.scrolls() ? 22.F : 0.F);
    map_y = set_stage(stage, std::max(room - row_h * rows, 0.F));
  } else {
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
    add_lamp_note(d, stage);  // the query is beyond what is zoomed into
  add_feet(d, stage, map_y);
  add_weight_map(d, map);
  add_outline(d.figure, "weights", d.row, -1, d.colours.ink);
  add_looked_at(d, map);
  return add_row_caption(d, {map.x, map.bottom()}, std::min(map.w, 360.F)) + 4;
}

}  // namespace limelight::scenes::spotlight
