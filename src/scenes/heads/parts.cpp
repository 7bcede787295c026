#include "scenes/heads/parts.h"

#include <cmath>
#include <optional>

#include "core/analysis.h"
#include "figure/panels.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/chips.h"
#include "scenes/common/explain.h"
#include "scenes/common/strips.h"

namespace limelight::scenes::heads {
namespace {

ChipGroup kinds(const Drawing& d) {
  return chips_of("attention", "attention", kKinds, static_cast<int>(d.state.attention));
}

// The head counts that divide the model size.
ChipGroup head_counts(const Drawing& d) {
  ChipGroup group{"heads", "heads", {}};
  for (int heads = 1; heads <= kMostHeads; ++heads)
    if (d.state.d_model % heads == 0)
      group.chips.push_back({std::to_string(heads), std::to_string(heads), heads == d.state.heads, {}});
  return group;
}

ChipGroup which_head(const Drawing& d) {
  ChipGroup group{"head", "head", {}};
  for (int h = 0; h < d.state.heads; ++h)
    group.chips.push_back({std::to_string(h + 1), std::to_string(h + 1), h == chosen_head(d.state), {}});
  return group;
}

// The second sentence, there to be typed. Returns its bottom.
float add_other(Drawing& d, float y) {
  const float height = d.press_height();
  const std::string name = "keys, values";
  const float name_width = text::measure(text::Face::regular, 12, name) + 12;
  const Rect pill{d.margin() + name_width, y, std::min(d.inner() - name_width, 360.F), height};
  const std::size_t from = d.figure.elements.size();
  add_words(d, "other.name", {d.margin(), y, name_width, height}, name, {d.colours.muted});
  const std::string shown(d.state.preset == Preset::own ? std::string_view(d.state.other) : d.state.other_sentence());
  d.figure.add({.id = "other",
                .role = Role::text_input,
                .rect = pill,
                .label = "The second sentence: " + shown,
                .edit = Edit{.field = "other"},
                .shape = Rectangle{.fill = d.colours.surface, .stroke = d.colours.hairline, .radius = height / 2}});
  add_words(d, "other.text", pill.moved(14, 0), text::fit(text::Face::regular, 13, shown, pill.w - 28),
            {d.colours.key, type::body});
  mark_furniture(d.figure, from);
  return y + height;
}

// The cells of an element, and which of a tensor's they are.
const CellRange* range_of(const Element& element) {
  if (const auto* matrix = std::get_if<MatrixCells>(&element.shape)) return &matrix->range;
  if (const auto* heatmap = std::get_if<Heatmap>(&element.shape)) return &heatmap->range;
  return nullptr;
}

// The label of a head; the chosen one stands out.
void add_band(Drawing& d, const std::string& id, Rect rect, int head, bool upright, bool chosen) {
  const std::string number = std::to_string(head + 1);
  const std::string words = "head " + number;
  const float length = upright ? rect.h : rect.w;
  d.figure.add({.id = id,
                .rect = rect,
                .shape = Rectangle{.fill = chosen ? d.colours.accent : d.colours.sunken,
                                   .stroke = chosen ? d.colours.accent : d.colours.hairline,
                                   .radius = 3}});
  // As wide as any of them, so that bands side by side say the same.
  const bool whole = !upright && text::measure(text::Face::semibold, 11, "head 4") + 6 <= length;
  if (whole || text::measure(text::Face::semibold, 11, number) + 1 <= (upright ? rect.w : length))
    add_words(d, id + ".text", rect, whole ? words : number,
              {chosen ? d.colours.on_accent : d.colours.ink, {text::Face::semibold, 11}, Align::centre});
}

// Pressed, it brings its head up.
void make_button(Drawing& d, const std::string& id, int head, std::string label) {
  const auto found = std::ranges::find(d.figure.elements, id, &Element::id);
  found->role = Role::button;
  found->label = std::move(label);
  found->edit = Edit{.field = "head", .value = std::to_string(head + 1)};
}

void add_bands(Drawing& d, const std::string& id, bool rows, Bands how) {
  const Element* found = d.figure.find(id);
  const CellRange* range = found == nullptr ? nullptr : range_of(*found);
  if (range == nullptr) return;
  const Element cells = *found;
  const CellRange window = *range;
  const std::string labels = id + (rows ? ".row." : ".column.");
  std::erase_if(d.figure.elements, [&](const Element& element) { return element.id.starts_with(labels); });
  constexpr float thick = 14, gap = 4;
  const int size = sizes(d.state).head;
  const int begin = rows ? window.row : window.column, end = begin + (rows ? window.rows : window.columns);
  for (int h = 0; h < d.state.heads; ++h) {
    const int first = std::max(h * size, begin), last = std::min((h + 1) * size, end) - 1;
    if (first > last) continue;
    const std::optional<Rect> from =
        rows ? cell_rect(cells, first, window.column) : cell_rect(cells, window.row, first);
    const std::optional<Rect> to = rows ? cell_rect(cells, last, window.column) : cell_rect(cells, window.row, last);
    if (!from || !to) continue;
    const Rect rect = rows ? Rect{cells.rect.x - gap - thick, from->y, thick, to->bottom() - from->y}
                           : Rect{from->x, cells.rect.y - gap - thick, to->right() - from->x, thick};
    const std::string band = "band." + id + "." + std::to_string(h);
    add_band(d, band, rect, h, rows, h == chosen_head(d.state) && how != Bands::plain);
    if (how != Bands::buttons) continue;
    make_button(d, band, h, "Look at head " + std::to_string(h + 1) + " of " + id);
    if (h == chosen_head(d.state))
      d.figure.add({.id = band + ".block",
                    .rect = Rect{from->x, cells.rect.y, to->right() - from->x, cells.rect.h}.inset(-2),
                    .shape = Rectangle{.stroke = d.colours.accent, .stroke_width = 2, .radius = 5}});
  }
}

}  // namespace

std::string pattern_name(const State& state, int head) {
  const std::size_t source = state.alike ? 0 : static_cast<std::size_t>(head);
  std::string name(kPatterns[static_cast<int>(pattern_of(state, head))].label);
  return state.weights[source].cells.empty() || pattern_of(state, head) == Pattern::hand ? name : name + ", edited";
}

float add_kinds(Drawing& d, float y, bool counts) {
  if (d.state.trained) return y;
  std::vector<ChipGroup> groups{kinds(d)};
  if (counts) groups.push_back(head_counts(d));
  y = add_chips(d, groups, y, d.press_height());
  if (d.state.crossed()) y = add_other(d, y + 6);
  return y + 8;
}

float add_patterns(Drawing& d, float y) {
  if (d.state.trained) return y;
  const int head = d.state.alike ? 0 : chosen_head(d.state);
  const std::string field = of_head("head", head),
                    name = d.state.alike ? "all heads" : "head " + std::to_string(head + 1);
  return add_chips(d, {chips_of(field, name, kPatterns, static_cast<int>(pattern_of(d.state, head)))}, y,
                   d.press_height()) +
         10;
}

float add_heads(Drawing& d, float y) { return add_chips(d, {which_head(d)}, y, d.press_height()) + 8; }

float add_mixings(Drawing& d, float y) {
  if (d.state.trained) return y;
  return add_chips(d, {chips_of("mixing", "output matrix", kMixings, static_cast<int>(d.state.mixing))}, y,
                   d.press_height()) +
         8;
}

float add_masks(Drawing& d, float y) {
  std::vector<ChipGroup> groups{chips_of("mask", "mask", kMasks, static_cast<int>(d.state.mask))};
  if (d.low()) groups.push_back(which_head(d));  // else they stand below
  return add_chips(d, groups, y, d.press_height()) + 8;
}

float add_likeness(Drawing& d, float y) {
  if (d.state.heads == 1) return y;
  return add_chips(d,
                   {{"alike",
                     "weights",
                     {{"each its own", "off", !d.state.alike, {}}, {"all like head 1", "on", d.state.alike, {}}}}},
                   y, d.press_height()) +
         10;
}

void add_column_bands(Drawing& d, const std::string& id, Bands how) { add_bands(d, id, false, how); }
void add_row_bands(Drawing& d, const std::string& id) { add_bands(d, id, true, Bands::plain); }

void split_concatenation(Drawing& d, float gap) {
  const auto found = std::ranges::find(d.figure.elements, "C", &Element::id);
  if (found == d.figure.elements.end()) return;
  const Element whole = *found;
  const CellRange* range = range_of(whole);
  const int size = sizes(d.state).head;
  if (range == nullptr || range->columns != sizes(d.state).model || range->rows != d.trace.at("C").rows()) return;
  const float width = whole.rect.w / static_cast<float>(d.state.heads);
  std::vector<Element> parts;
  for (int h = 0; h < d.state.heads; ++h) {
    const std::string name = of_head("O", h);
    Element part = whole;
    part.id = d.figure.find(name) == nullptr ? name : name + "#2";
    part.rect = {whole.rect.x + width * static_cast<float>(h) + gap / 2, whole.rect.y, width - gap, whole.rect.h};
    part.label = name + " " + std::to_string(range->rows) + "×" + std::to_string(size);
    const CellRange of_part{name, 0, 0, range->rows, size};
    if (auto* matrix = std::get_if<MatrixCells>(&part.shape)) matrix->range = of_part;
    if (auto* heatmap = std::get_if<Heatmap>(&part.shape)) heatmap->range = of_part;
    parts.push_back(std::move(part));
  }
  const auto at = d.figure.elements.erase(found);
  d.figure.elements.insert(at, parts.begin(), parts.end());
}

// ---- all heads' maps ----

float add_grid(Drawing& d, Rect area, int columns) {
  constexpr float gap = 12;
  const float title = d.press_height() >= 44 ? 44 : 22;  // a button
  const Sizes size = sizes(d.state);
  const int rows = (d.state.heads + columns - 1) / columns;
  const float pitch_w = (area.w + gap) / static_cast<float>(columns);
  const float room_h = (area.h + gap) / static_cast<float>(rows) - gap - title;
  const float cell = std::clamp(
      std::min((pitch_w - gap) / static_cast<float>(size.keys), room_h / static_cast<float>(size.queries)), 3.F, 26.F);
  const float w = cell * static_cast<float>(size.keys), h = cell * static_cast<float>(size.queries);
  for (int head = 0; head < d.state.heads; ++head) {
    const std::string name = of_head("A", head), number = std::to_string(head + 1);
    const float x = area.x + pitch_w * static_cast<float>(head % columns);
    const float y = area.y + (title + h + gap) * static_cast<float>(head / columns);
    const bool chosen = head == chosen_head(d.state);
    const std::string id = "grid." + name;
    const std::string words = pattern_name(d.state, head);
    d.figure.add({.id = id + ".choose",
                  .role = Role::button,
                  .rect = {x, y, pitch_w - gap, title - 2},
                  .label = "Look at head " + number + ", " + words,
                  .edit = Edit{.field = "head", .value = number}});
    add_band(d, id + ".number", {x, y + title / 2 - 8, 16, 14}, head, false, chosen);
    const text::Face face = chosen ? text::Face::semibold : text::Face::regular;
    const float room = pitch_w - 20 - 4;
    add_words(d, id + ".name", {x + 20, y, room, title - 2}, text::fit(face, 12, words, room),
              {chosen ? d.colours.ink : d.colours.muted, {face, 12}});
    if (chosen)
      d.figure.add({.id = id + ".frame",
                    .rect = Rect{x, y + title, w, h}.inset(-3),
                    .shape = Rectangle{.stroke = d.colours.accent, .stroke_width = 2, .radius = 5}});
    d.figure.add({.id = id,
                  .role = Role::cell,
                  .rect = {x, y + title, w, h},
                  .label = name + " " + std::to_string(size.queries) + "×" + std::to_string(size.keys) + ", " + words,
                  .shape = Heatmap{.range = {name, 0, 0, size.queries, size.keys},
                                   .normalise = d.state.normalise,
                                   .gap = cell >= 10 ? 1.F : 0.F,
                                   .mask = of_head("S", head),
                                   .theme = d.view.theme}});
  }
  return area.y + (title + h + gap) * static_cast<float>(rows) - gap;
}

void add_grid_bar(Drawing& d, float x) {
  const Rect maps = d.figure.find("grid." + of_head("A", 0))->rect;
  ColourBar bar{.ink = d.colours.muted, .theme = d.view.theme};
  if (d.state.normalise == Normalise::row) bar.words = {"0", "half", "row max"};
  d.figure.add({.id = "grid.bar", .rect = {x, maps.y, kColourBarSize, std::max(maps.h, 36.F)}, .shape = bar});
}

float strips_height(const Drawing& d) { return 34 + 24 * static_cast<float>(d.state.heads); }

float add_strips(Drawing& d, float y) {
  const Element* found = d.figure.find(of_head("A", chosen_head(d.state)));
  const CellRange* range = found == nullptr ? nullptr : range_of(*found);
  if (range == nullptr) return y;
  const Rect cells = found->rect;
  const CellRange window = *range;
  const int row = query_row(d.state);
  const std::string word = label_of(query_words(d.state), row);
  const float width = cells.w / static_cast<float>(window.columns);
  add_paragraph(d.figure, "strips.title", "**" + word + "**, as each head sees it", {cells.x, y}, d.inner(), 13,
                d.colours.muted, d.colours.query);
  y += 26;
  for (int h = 0; h < d.state.heads; ++h) {
    const std::string id = "strip." + of_head("A", h);
    const Rect rect{cells.x, y, cells.w, 20};
    add_band(d, id + ".number", {cells.x - 24, y + 3, 16, 14}, h, false, h == chosen_head(d.state));
    d.figure.add({.id = id,
                  .role = Role::cell,
                  .rect = rect,
                  .label = word + " in head " + std::to_string(h + 1),
                  .shape = Heatmap{.range = {of_head("A", h), row, window.column, 1, window.columns},
                                   .normalise = d.state.normalise,
                                   .gap = 2,
                                   .text_size = width >= 34 ? 11.F : 0.F,
                                   .decimals = 2,
                                   .mask = of_head("S", h),
                                   .theme = d.view.theme}});
    y += 24;
  }
  return y + 8;
}

// ---- the mask ----

void add_mask_buttons(Drawing& d) {
  const auto found = std::ranges::find(d.figure.elements, "M", &Element::id);
  if (found == d.figure.elements.end()) return;
  found->role = Role::none;
  // What shows of the cells below the buttons is the hatching of those that are hidden.
  if (auto* heatmap = std::get_if<Heatmap>(&found->shape)) heatmap->high = is_dark(d.view.theme) ? 8.F : 1.F;
  const Element cells = *found;
  const CellRange* range = range_of(cells);
  const Tensor& M = d.trace.at("M");
  for (int i = range->row; i < range->row + range->rows; ++i)
    for (int j = range->column; j < range->column + range->columns; ++j) {
      const std::optional<Rect> rect = cell_rect(cells, i, j);
      if (!rect) continue;
      const bool seen = M.values(i, j) != 0;
      const bool painted = d.state.M.cells.contains({i, j});
      const std::string key = std::to_string(i) + "." + std::to_string(j) + ":";
      const char* other = seen ? "0" : "1";
      const Source source{"M", i, j};
      d.figure.add({.id = cell_id(source),
                    .role = Role::button,
                    .rect = *rect,
                    .label = label_of(M.row_labels, i) + (seen ? " sees " : " does not see ") +
                             label_of(M.column_labels, j) + (seen ? ": hide it" : ": show it"),
                    .source = source,
                    // What comes back to the mask's own choice is no longer painted.
                    .edit = Edit{.field = "M", .value = key + (allowed_unpainted(d.state, i, j) != seen ? "" : other)},
                    .shape = Rectangle{.fill = seen ? mix(d.colours.surface, d.colours.good, 0.3F) : Colour{0, 0, 0, 0},
                                       .stroke = painted ? d.colours.accent : Colour{0, 0, 0, 0},
                                       .stroke_width = 2,
                                       .radius = 4}});
      if (seen && rect->w >= 12)
        add_words(d, cell_id(source) + ".text", *rect, "1", {d.colours.ink, type::number, Align::centre});
    }
}

float add_mask_words(Drawing& d, float y) {
  const Tensor& A = d.trace.at(of_head("A", chosen_head(d.state)));
  const std::vector<int> blind = fully_masked_rows(A.values);
  std::string words = "A hidden score becomes −∞ before the softmax, in every head.";
  std::string hint = std::string(d.view.touch ? " Tap" : " Click") + " a cell of M to hide or show it.";
  if (!blind.empty()) {
    std::string names;
    constexpr std::size_t most = 3;
    for (std::size_t i = 0; i < std::min(blind.size(), most); ++i)
      names += (i == 0                  ? ""
                : i + 1 == blind.size() ? " and "
                                        : ", ") +
               ("**" + label_of(A.row_labels, blind[i])) + "**";
    if (blind.size() > most) names += " and " + std::to_string(blind.size() - most) + " more";
    words = names + (blind.size() == 1 ? " sees" : " see") +
            " nothing: the whole row is hidden, and softmax would divide 0 by 0. Here weights and output are 0.";
    hint.clear();
  }
  y += add_paragraph(d.figure, "mask.words", words + hint, {d.margin(), y}, d.inner(), 13, d.colours.ink,
                     d.colours.warning);
  mark_hint(d.figure, hint);
  return y;
}

// ---- the switches ----

namespace {

void add_switch(Drawing& d, const std::string& id, Rect rect, int head) {
  const bool on = !d.state.off[static_cast<std::size_t>(head)];
  const std::string number = std::to_string(head + 1);
  d.figure.add({.id = id,
                .role = Role::toggle,
                .rect = rect,
                .label = "Head " + number + (on ? " is on: switch it off" : " is off: switch it on"),
                .edit = Edit{.field = of_head("off", head), .value = on ? "on" : "off"}});
  const Rect track{rect.x, rect.centre().y - 8, 30, 16};
  d.figure.add({.id = id + ".track",
                .rect = track,
                .shape = Rectangle{.fill = on ? d.colours.accent : d.colours.track, .radius = 8}});
  d.figure.add({.id = id + ".knob",
                .rect = {on ? track.right() - 14 : track.x + 2, track.y + 2, 12, 12},
                .shape = Rectangle{.fill = d.colours.surface, .radius = 6}});
  mark_furniture(d.figure, d.figure.elements.size() - 3);
  add_words(d, id + ".name", {rect.x + 38, rect.y, 56, rect.h}, "head " + number,
            {on ? d.colours.ink : d.colours.muted, type::subtitle});
}

}  // namespace

float add_switches(Drawing& d, float y) {
  const Tensor& part = d.trace.at("part");
  const float most = std::max(part.values.maxCoeff(), 1e-6F);
  const float row = d.view.compact() ? 44 : 28;
  const bool narrow = d.view.compact();
  const float first = 98, pattern = narrow ? 0 : 116, number = 52;
  const float x = d.margin() + first + pattern;
  const float longest = d.inner() - first - pattern - number;
  const float left = narrow ? d.margin() : x;
  y += add_paragraph(d.figure, "part.title", "how far the output moves without this head, ‖Y − Y without it‖",
                     {left, y}, d.margin() + d.inner() - left, 12, d.colours.muted, d.colours.muted) +
       4;
  for (int h = 0; h < d.state.heads; ++h) {
    const Source source{"part", 0, h};
    const float value = part.values(0, h);
    const bool on = !d.state.off[static_cast<std::size_t>(h)];
    add_switch(d, "switch." + std::to_string(h + 1), {d.margin(), y, first - 8, row - 2}, h);
    if (!narrow)
      add_words(d, "switch.pattern." + std::to_string(h + 1), {d.margin() + first, y, pattern - 8, row - 2},
                text::fit(text::Face::regular, 12, pattern_name(d.state, h), pattern - 8), {d.colours.muted});
    const float bar = 14;
    d.figure.add({.id = cell_id(source) + ".track",
                  .rect = {x, y + (row - 2 - bar) / 2, longest, bar},
                  .shape = Rectangle{.fill = d.colours.sunken, .radius = 3}});
    d.figure.add({.id = cell_id(source),
                  .role = Role::cell,
                  .rect = {x, y + (row - 2 - bar) / 2, std::max(longest * value / most, 3.F), bar},
                  .label = "Without head " + std::to_string(h + 1) + " the output moves by " +
                           io::format_short(static_cast<double>(value)),
                  .source = source,
                  .shape = Rectangle{.fill = d.colours.output.faded(on ? 1 : 0.4F), .radius = 3}});
    add_words(d, cell_id(source) + ".value", {x + longest + 8, y, number - 8, row - 2},
              io::format_short(static_cast<double>(value)), {d.colours.ink, type::number, Align::right});
    y += row;
  }
  return y;
}

namespace {

// A number of the trace with words behind it. Returns its bottom.
float add_number(Drawing& d, std::string_view tensor, const std::string& words, float y) {
  const Source source{std::string(tensor), 0, 0};
  const double value = static_cast<double>(d.trace.at(tensor).values(0, 0));
  const std::string number = io::format_short(value);
  const float width = text::measure(text::Face::semibold, 13, number) + 16, height = 26;
  d.figure.add({.id = cell_id(source),
                .role = Role::cell,
                .rect = {d.margin(), y, width, height},
                .label = number + " " + without_marks(words),
                .source = source,
                .shape = Rectangle{.fill = d.colours.accent.faded(0.16F), .radius = 6}});
  add_words(d, cell_id(source) + ".text", {d.margin() + 8, y, width - 16, height}, number,
            {on_tint(d.colours, d.colours.accent), type::subtitle});
  const float x = d.margin() + width + 10;
  return y + std::max(height, add_paragraph(d.figure, cell_id(source) + ".words", words, {x, y + 3},
                                            d.margin() + d.inner() - x, 13, d.colours.ink, d.colours.ink));
}

}  // namespace

float sizes_height(const Drawing& d) { return d.view.compact() ? 2 * 66 : d.narrow() ? 2 * 46 : 2 * 32; }

float add_sizes(Drawing& d, float y) {
  const double size = static_cast<double>(d.trace.at("size").values(0, 0));
  const auto share = [&](std::string_view tensor) {
    return io::format_percent(size > 0 ? static_cast<double>(d.trace.at(tensor).values(0, 0)) / size : 0);
  };
  y = add_number(d, "change", "is how far the output has moved, ‖Y now − Y‖: **" + share("change") + "** of ‖Y‖", y) +
      6;
  return add_number(
      d, "apart", "is how far one head would be off that has the mean of their weights: **" + share("apart") + "**", y);
}

}  // namespace limelight::scenes::heads
