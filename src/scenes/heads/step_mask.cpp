// The step Mask: its cells are pressed to hide and to show, and beside it, row by row, is what a head's weights become.
#include "scenes/common/explain.h"
#include "scenes/common/matrix.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

constexpr Type kWord{text::Face::regular, 12.5F};
constexpr float kAbove = 66, kTitle = 28;  // px over the columns for their words, and over these
// Then a causal one is shown as a line, above which it would hide all.
bool unmasked(const State& state) { return state.mask == Masking::none && state.M.cells.empty() && !state.crossed(); }
float names_of(const Drawing& d) { return d.narrow() ? 66.F : 96.F; }

// Words before the rows, which ask, and over the columns; the title over these.
void add_frame(Drawing& d, float cell, const Tensor& tensor, Rect cells, const std::string& title) {
  const float titles = cells.y - kAbove - 26, x = cells.x + symbol_width(tensor.name, 17) + 10;
  add_symbol(d, tensor.name + ".title", {cells.x, titles}, tensor.name, d.colours.ink, 17);
  add_words(d, tensor.name + ".said", {x, titles + 3, cells.right() + (d.narrow() ? 4 : 40) - x, 18}, title,
            {d.colours.muted});
  add_row_names(d, {.id = tensor.name + ".row.",
                    .words = tensor.row_labels,
                    .count = tensor.rows(),
                    .rect = {cells.x - names_of(d), cells.y, names_of(d) - 6, cells.h},
                    .align = Align::right,
                    .type = kWord,
                    .asks = d.row,
                    .field = "query"});
  for (int j = 0; j < tensor.columns(); ++j)
    add_words(d, tensor.name + ".column." + std::to_string(j) + ".text",
              {cells.x + cell * static_cast<float>(j), cells.y - kAbove, cell, kAbove - 5},
              text::fit(kWord.face, kWord.size, tensor.column_labels[static_cast<std::size_t>(j)], kAbove - 6),
              {d.colours.muted, {kWord.face, std::min(kWord.size, cell)}, Align::left, true});
  const Rect asks{cells.x - 2, cells.y + cell * static_cast<float>(d.row) - 1, cells.w + 4, cell + 2};
  d.figure.add({.id = tensor.name + ".asks",
                .rect = asks,
                .shape = Rectangle{.stroke = d.colours.query, .stroke_width = 2, .radius = 5}});
  if (!unmasked(d.state)) return;
  Line stairs{.points = {},
              .colour = tensor.name == "M" ? Colour{0x12, 0x14, 0x1b} : Colour{0xff, 0xff, 0xff},
              .width = 2,
              .dashed = true};
  for (int i = 0; i < tensor.rows(); ++i)
    for (const int down : {0, 1})
      stairs.points.push_back(
          {cells.x + cell * static_cast<float>(i + 1), cells.y + cell * static_cast<float>(i + down)});
  d.figure.add({.id = tensor.name + ".causal", .rect = cells, .shape = std::move(stairs)});
}

// A cell that is seen is lit, one that is hidden is not; a press changes that.
void add_mask_cell(Drawing& d, Rect rect, int i, int j) {
  const Tensor& M = d.trace.at("M");
  const bool seen = M.values(i, j) != 0, painted = d.state.M.cells.contains({i, j});
  const bool later = unmasked(d.state) && j > i;  // what a causal mask would hide
  const Source source{"M", i, j};
  // What comes back to the mask's own choice is no longer painted.
  const std::string value = allowed_unpainted(d.state, i, j) != seen ? "" : seen ? "0" : "1";
  d.figure.add({.id = cell_id(source),
                .role = Role::button,
                .rect = rect,
                .label = label_apart(M.row_labels, i) + (seen ? " sees " : " does not see ") +
                         label_apart(M.column_labels, j) + (seen ? ": hide it" : ": show it"),
                .source = source,
                .edit = Edit{.field = "M", .value = std::to_string(i) + "." + std::to_string(j) + ":" + value},
                .shape = Rectangle{
                    .fill = seen ? mix(d.colours.surface, d.colours.lamp, later ? 0.25F : 0.82F) : Colour{0, 0, 0, 0},
                    .stroke = painted ? d.colours.accent : Colour{0, 0, 0, 0},
                    .stroke_width = 2,
                    .radius = 4}});
}

}  // namespace

float draw_mask(Drawing& d, float y, float bottom) {
  const int head = d.alone >= 0 ? d.alone : masked_head(d.state, d.trace);
  ChipGroup heads{"head", "head", {}};
  for (int h = 0; h < d.state.heads; ++h)
    heads.chips.push_back({std::to_string(h + 1), std::to_string(h + 1), h == head, {}});
  const std::vector<ChipGroup> groups{chips_of("mask", "mask", kMasks, static_cast<int>(d.state.mask)), heads};
  const bool narrow = d.narrow();
  if (narrow)  // the grids may be higher than the view
    y = add_chips(d, groups, y, d.press_height()) + 8;
  else
    bottom = add_choices(d, groups, bottom);
  const Tensor &M = d.trace.at("M"), &A = d.trace.at(of_head("A", head));
  const auto rows = static_cast<float>(M.rows()), columns = static_cast<float>(M.columns());
  constexpr float kBar = 62, kNote = 26, kMost = 56;
  const float beside = narrow ? 0 : kBar, grids = narrow ? 1 : 2, names = names_of(d);
  float cell = std::min((d.inner() - beside) / grids - names, kMost * columns) / columns;
  if (!narrow) cell = std::min(cell, std::max((bottom - y - kTitle - kAbove - kNote) / rows, 11.F));
  const float width = names + cell * columns, apart = narrow ? 0 : (d.inner() - beside - 2 * width) / 3;
  const Rect first{d.margin() + apart + names, y + kTitle + kAbove, cell * columns, cell * rows};
  const Rect second = narrow ? first.moved(0, first.h + kTitle + kAbove + 12) : first.moved(width + apart, 0);
  Heatmap hatching{.range = {"M", 0, 0, M.rows(), M.columns()},
                   .map = ColourMap::grey,
                   .high = is_dark(d.view.theme) ? 8.F : 1.F,
                   .mask = of_head("S", head),
                   .theme = d.view.theme};
  const std::size_t begin = d.figure.elements.size();
  d.figure.add({.id = "M", .rect = first, .label = "The mask", .shape = hatching});
  for (int i = 0; i < M.rows(); ++i)
    for (int j = 0; j < M.columns(); ++j)
      add_mask_cell(
          d, Rect{first.x + cell * static_cast<float>(j), first.y + cell * static_cast<float>(i), cell, cell}.inset(1),
          i, j);
  Heatmap light = hatching;
  light.range.tensor = A.name;
  light.map = ColourMap::viridis;
  light.normalise = d.state.normalise;
  light.high = 1;
  light.text_size = cell > 38 ? 11.5F : 0;
  light.decimals = 2;
  Element weights{.id = A.name,
                  .role = Role::cell,
                  .rect = second,
                  .label = "The weights of head " + std::to_string(head + 1),
                  .shape = light};
  if (!d.state.alike || head == 0) weights.edit = Edit{.field = A.name};
  d.figure.add(std::move(weights));
  for (std::size_t i = begin; i < d.figure.elements.size() && d.view.t < 1; ++i) {  // row after row
    Element& element = d.figure.elements[i];
    element.clip = element.id == A.name ? second : first;
    element.clip->h *= std::ceil(d.view.t * rows) / rows;
  }
  add_frame(d, cell, M, first,
            unmasked(d.state) ? "all is seen; pale: what comes later" : "yellow is seen, hatched is hidden");
  add_frame(d, cell, A, second, "what is seen shares all the light");
  if (!narrow && d.state.normalise == Normalise::zero_one)
    d.figure.add({.id = A.name + ".bar",
                  .rect = {second.right() + 14, second.y, kColourBarSize, second.h},
                  .shape = ColourBar{.ink = d.colours.muted, .theme = d.view.theme}});
  return add_hint(d, "mask.hint", std::string(d.view.touch ? "Tap" : "Press") + " a cell of M to hide or show it.",
                  {d.margin(), std::max(second.bottom() + 6, narrow ? 0 : bottom - kNote + 4)}, d.inner());
}

}  // namespace limelight::scenes::heads
