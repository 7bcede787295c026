#include "scenes/spotlight/weight_map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "figure/marks.h"
#include "figure/order.h"
#include "figure/panel_sizes.h"
#include "scenes/common/strips.h"
#include "scenes/spotlight/matrices.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr std::array<std::string_view, 3> kBareWords = {"0", ".5", "1"};   // as the map's own numbers
constexpr std::array<std::string_view, 3> kRowBar = {"0", "half", "max"};  // in the room beside the bar

// Where words are too many for numbers in the map's cells.
bool can_zoom(const Drawing& d) { return static_cast<int>(d.keys.size()) > (d.view.compact() ? 12 : kMostOnStage); }

// Above the cell of the map that is looked at, where neither an arc nor the lamp's row tells its weight.
void add_looked_at(Drawing& d, Rect map) {
  const std::optional<Source> cell = parse_cell_id(d.view.focus());
  if (!cell || cell->tensor != "weights" || d.figure.find("weights.looked.box") != nullptr) return;
  const CellRange shown = shown_of(d);
  const int i = cell->row - shown.row, j = cell->column - shown.column;
  if (i < 0 || j < 0 || i >= shown.rows || j >= shown.columns || cell->row == d.row) return;
  const float cell_w = map.w / static_cast<float>(shown.columns), cell_h = map.h / static_cast<float>(shown.rows);
  // Above the first row are the words' percentages.
  const Side side = i == 0 ? Side::below : Side::above;
  add_weight_card(
      d, cell->row, cell->column,
      {map.x + cell_w * (static_cast<float>(j) + 0.5F), map.y + cell_h * static_cast<float>(i == 0 ? 1 : i)}, side);
}

constexpr float kNarrow = 37;  // px of a cell that has no room for all numbers

Heatmap map_of(const Drawing& d, float cell_w, float cell_h) {
  const Tensor& weights = d.trace.at("weights");
  const Normalise colours = normalise_of(d.state, d.view.compact());
  const bool up_to_most = colours == Normalise::min_max;
  // On a phone the percentages tell the lamp's row, and other cells have two digits.
  const bool compact = d.view.compact();
  const bool narrow = compact || cell_w < kNarrow;
  const float size = std::clamp(std::min(cell_h * (compact ? 0.7F : 0.5F), cell_w * (narrow ? 0.38F : 0.24F)), 0.F,
                                13 * std::max(stage_scale(d), 0.85F));
  return {.range = shown_of(d),
          .map = d.state.map,
          .normalise = colours,
          .low = up_to_most ? weights.values.minCoeff() : 0,
          .high = up_to_most ? weights.values.maxCoeff() : 1,
          .gap = cell_h >= 12  ? 2.F
                 : cell_h >= 7 ? 1.F
                               : 0.F,
          .text_size = size >= 9 ? size : 0,
          .decimals = 2,
          .told_from = d.view.zoom.rows > 0 ? 0 : kTold,
          .told_row = narrow ? static_cast<int>(d.queries.size()) : d.row,
          .mask = "scaled",
          .theme = d.view.theme,
          .zooms = can_zoom(d)};
}

constexpr float kColumnName = 11, kLongest = 52;  // px of letters above the map; as long as such a name may be

float longest_name(const Drawing& d) { return widest(d.keys, text::Face::semibold, kColumnName, 1000) - 1; }

// How high the words above the map's columns are, which stand upright.
float column_names_height(const Drawing& d) { return std::min(longest_name(d), kLongest); }

// The columns' words above the map, read from bottom to top: where not all have room, the query's and those of the
// heaviest. Side by side where they are `level`.
void add_column_names(Drawing& d, Rect map, bool level = false) {
  const CellRange shown = shown_of(d);
  const float pitch = map.w / static_cast<float>(shown.columns), height = level ? 14 : column_names_height(d);
  const std::vector<float> weights = weights_of(d);
  std::vector<float> first = weights;
  if (!d.state.given()) first[static_cast<std::size_t>(d.row)] = 2;
  const auto from = static_cast<std::size_t>(shown.column);
  const std::vector<bool> named = largest_apart(std::span(first).subspan(from, static_cast<std::size_t>(shown.columns)),
                                                level ? 0 : static_cast<int>(std::ceil((kColumnName + 1) / pitch)) - 1);
  for (int i = 0; i < shown.columns; ++i) {
    if (!named[static_cast<std::size_t>(i)]) continue;
    const int column = shown.column + i;
    const bool asks = !d.state.given() && column == d.row;
    const text::Face face = asks ? text::Face::semibold : text::Face::regular;
    const std::string& word = d.key(column);
    d.figure.add({.id = "weights.column." + std::to_string(column),
                  .rect = {map.x + pitch * static_cast<float>(i), map.y - 5 - height, pitch, height},
                  .label = word,
                  .shape = Text{.text = text::fit(face, kColumnName, word, level ? pitch : height),
                                .face = face,
                                .size = kColumnName,
                                .colour = asks                              ? d.colours.query
                                          : above_even(weights, column) > 0 ? d.colours.ink
                                                                            : d.colours.muted,
                                .align = level ? Align::centre : Align::left,
                                .vertical = !level}});
  }
}

bool zoomed(const Drawing& d) { return d.view.zoom.tensor == "weights" && d.view.zoom.rows > 0 && can_zoom(d); }

constexpr float kTitle = 12, kTitleLeast = 44;  // px of its letters, and that it has to have above the rows' words
bool is_title_beside(Rect map) { return map.x - 12 >= kTitleLeast; }

// The map, its rows' words to its left, its colour bar to its right; its title `above` px higher than where nothing
// stands between them.
void add_map_alone(Drawing& d, Rect rect, float above) {
  const CellRange shown = shown_of(d);
  const float cell_h = rect.h / static_cast<float>(shown.rows), cell_w = rect.w / static_cast<float>(shown.columns);
  const float label = std::clamp(0.54F * cell_h, 9.5F, 13 * std::max(stage_scale(d), 1.F));
  const float names = rect.x - 12;
  add_row_names(d, kWeights,
                {.first = shown.row,
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
  const bool by_row = map.normalise == Normalise::row, whole = map.normalise == Normalise::zero_one;
  d.figure.add({.id = "weights.bar",
                .rect = {rect.right() + 14, rect.y, kColourBarSize, std::max(rect.h, 60.F)},
                .shape = ColourBar{.map = map.map,
                                   .low = map.low,
                                   .high = map.high,
                                   .words = by_row  ? kRowBar
                                            : whole ? kBareWords
                                                    : std::array<std::string_view, 3>{},
                                   .decimals = map.high - map.low < 0.1F ? 3 : 2,
                                   .ink = d.colours.muted,
                                   .theme = d.view.theme}});
}

// Below the map, where its colours do not go from 0 to 1.
float add_map_caption(Drawing& d, Point at, float width) {
  if (map_caption(d) == 0) return at.y;
  const std::string largest = share_text(d.trace.at("weights").values.maxCoeff());
  const Normalise colours = normalise_of(d.state, d.view.compact());
  std::string said = colours == Normalise::row ? "colours: each row has its own scale"
                                               : "colours end at the largest weight, " + largest;
  if (colours == Normalise::zero_one) said = "";
  if (const CellRange shown = shown_of(d); shown.rows < static_cast<int>(d.queries.size()))
    said = "rows " + std::to_string(shown.row + 1) + " to " + std::to_string(shown.row + shown.rows) + " of " +
           std::to_string(d.queries.size()) + (said.empty() ? "" : " · ") + said;
  if (text::measure(type::label.face, type::label.size, said) > width)
    said = colours == Normalise::row ? "scaled by row" : "largest: " + largest;
  add_words(d, "weights.caption", {at.x, at.y + 2, width, 16}, said, {d.colours.muted});
  return at.y + map_caption(d);
}

// The numbers of the query's row, down to faint ones, where its cells are too narrow for all. False where they are not.
bool add_row_numbers(Drawing& d, Rect map) {
  const CellRange shown = shown_of(d);
  const float row_h = map.h / static_cast<float>(shown.rows), cell_w = map.w / static_cast<float>(shown.columns);
  if (d.view.compact() || d.row < shown.row || d.row >= shown.row + shown.rows) return false;
  Heatmap row = map_of(d, cell_w, row_h);
  if (cell_w >= kNarrow && row.text_size > 0) return false;
  // In low rows as large as there is room for.
  constexpr float kOfRow = 0.82F, kReadable = 9;
  if (row.text_size == 0 && kOfRow * row_h >= kReadable && cell_w >= 3 * kReadable) row.text_size = kOfRow * row_h;
  row.range = {"weights", d.row, shown.column, 1, shown.columns};
  row.told_from = 0.03F;
  row.told_row = static_cast<int>(d.queries.size());  // none: not those below that
  row.zooms = false;
  const Rect rect{map.x, map.y + row_h * static_cast<float>(d.row - shown.row), map.w, row_h};
  d.figure.add({.id = "weights.row",
                .role = Role::cell,
                .rect = rect,
                .label = "Weights of " + d.query(),
                .edit = Edit{"weights", {}},
                .shape = row});
  add_ring(d.figure, "weights.row.ring", rect.inset(-2), d.colours.ink);
  return true;
}

// A cap of light on each of its columns whose word gets much.
void add_caps(Drawing& d, Rect map) {
  const CellRange shown = shown_of(d);
  const float pitch = map.w / static_cast<float>(shown.columns);
  const std::vector<float> weights = weights_of(d);
  for (int i = 0; i < shown.columns; ++i)
    if (const int j = shown.column + i; weights[static_cast<std::size_t>(j)] >= kTold)
      d.figure.add({.id = "weights.cap." + std::to_string(j),
                    .rect = {map.x + pitch * static_cast<float>(i) + 1, map.y - 4.5F, pitch - 2, 3},
                    .shape = Rectangle{.fill = d.colours.lamp, .radius = 1.5F}});
}

float finish(Drawing& d, Rect map, float caption_w) {
  if (!add_row_numbers(d, map)) add_outline(d.figure, "weights", d.row, -1, d.colours.ink);
  add_looked_at(d, map);
  return add_map_caption(d, {map.x, map.bottom()}, caption_w);
}

}  // namespace

CellRange shown_of(const Drawing& d) {
  const auto& [tensor, row, column, rows, columns] = d.view.zoom;
  if (zoomed(d)) return {tensor, row, column, rows, columns};
  return {"weights", 0, 0, static_cast<int>(d.queries.size()), static_cast<int>(d.keys.size())};
}

float map_caption(const Drawing& d) {
  constexpr float kCaption = 18;
  return !zoomed(d) && normalise_of(d.state, d.view.compact()) == Normalise::zero_one ? 0 : kCaption;
}

// The slots of what the map shows.
Slots slots_over(const Drawing& d, const CellRange& shown, Room across) {
  constexpr float kNear = 0.2F;  // pitches: a word stands over its column, if all can be read so
  const int words = static_cast<int>(d.keys.size());
  if (shown.columns == words) {
    Room near = across;
    near.beside = kNear;
    const Slots slots = word_slots(d, near);
    return slots.upright || slots.cut ? word_slots(d, across) : slots;
  }
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

// "over → dog 26 %", pointing there.
void add_weight_card(Drawing& d, int i, int j, Point tip, Side side) {
  const auto name = [](const std::string& word) { return text::fit(text::Face::semibold, 12.5F, word, 140); };
  const std::string words = name(d.query(i)) + " → " + name(d.key(j));
  const std::string share = share_text(d.trace.at("weights").values(i, j));
  const float words_w = text::measure(text::Face::semibold, 12.5F, words);
  const float width = words_w + text::measure(text::Face::mono_bold, 13, share) + 30;
  const Rect card = callout_rect(tip, side, width, 24, 4, d.figure.width - 4);
  add_callout(d.figure, "weights.looked", card, tip, d.view.theme);
  add_words(d, "weights.looked.words", {card.x + 11, card.y, words_w + 1, card.h}, words,
            {d.colours.ink, {text::Face::semibold, 12.5F}});
  add_words(d, "weights.looked.share", {card.x, card.y, card.w - 11, card.h}, share,
            {d.colours.amber_text, {text::Face::mono_bold, 13}, Align::right});
}

float add_weight_map(Drawing& d, Rect rect) {
  add_caps(d, rect);
  add_map_alone(d, rect, 0);
  return finish(d, rect, std::min(rect.w, 360.F));
}

void add_named_map(Drawing& d, Room across, float top) {
  const CellRange shown = shown_of(d);
  const auto fit = [&](float columns) { return longest_name(d) + 6 < across.width / columns; };
  // As high as the names of all columns, so that zooming does not move the map.
  const float y = top + (fit(static_cast<float>(d.keys.size())) ? 14 : column_names_height(d)) + 5;
  const Rect map{across.left, y, across.width, std::max(d.height() - y - 16 - map_caption(d), 60.F)};
  add_column_names(d, map, fit(static_cast<float>(shown.columns)));
  add_weight_map(d, map);
}

float narrow_map_header(const Drawing& d) { return column_names_height(d) + 5; }

float add_narrow_map(Drawing& d, float top, float below) {
  const float labels = widest(d.queries, text::Face::semibold, 13, 72) + 12, names = narrow_map_header(d);
  constexpr float kBeside = kBarRoom + 8;  // of a bar whose numbers are words, beside where the view scrolls
  Rect map{labels + 8, 0, d.figure.width - labels - 12 - kBeside, 0};
  const bool beside = is_title_beside(map);
  const float title = beside ? 0 : 20;
  const auto words = static_cast<float>(d.keys.size()), rows = static_cast<float>(d.queries.size());
  map.y = top + names + title;
  const float cell = std::min(map.w / words, 64.F), fits = (d.view.height - map.y - 44 - below) / rows;
  constexpr float kLeast = 12.5F;  // px of a row; where not all rows have so much, and the view scrolls, they have more
  const float high = fits < kLeast ? 22 : std::min(fits, 60.F);
  map.h = std::max(rows * std::min(cell, high), 60.F);
  add_column_names(d, map);
  add_map_alone(d, map, beside ? 0 : names + title - 20);
  // The buttons that lead back to all of it stand below it.
  const bool buttons = beside && zoomed(d);
  return finish(d, map, map.w - (buttons ? 100 : 0)) + (buttons ? 56 : 8);
}

}  // namespace limelight::scenes::spotlight
