#include "scenes/common/bars.h"

#include <algorithm>

#include "figure/small_cells.h"
#include "scenes/common/text.h"

namespace limelight::scenes {

using namespace figure;

void add_bar(Frame& d, const Bar& bar) {
  const Tensor& tensor = d.trace.at(bar.tensor);
  const int columns = std::min(tensor.columns() - bar.first, bar.count);
  const bool few = columns <= kFew;
  const float along = bar.flat ? bar.rect.w : bar.rect.h;
  const CellRange range{bar.tensor, bar.row, bar.first, 1, columns};
  Element element{.id = bar.tensor + "." + std::to_string(bar.row) + (bar.first > 0 ? ".rest" : ""),
                  .role = Role::cell,
                  .rect = bar.rect,
                  .label = bar.label};
  d.figure.add({.id = element.id + ".glass",
                .rect = bar.rect.inset(-2),
                .shape = Rectangle{.fill = d.colours.surface.faded(0.5F), .stroke = d.colours.track, .radius = 4}});
  if (few) {
    if (bar.editable) element.edit = Edit{bar.tensor, {}};
    const float cell = along / static_cast<float>(columns);
    element.shape = MatrixCells{
        .range = range,
        .gap = 2,
        .radius = 3,
        .text_size = std::clamp(
            std::min(0.62F * (bar.flat ? bar.rect.h : cell), 0.24F * (bar.flat ? cell : bar.rect.w)), 11.F, 14.F),
        .decimals = 2,
        .tint = fill_of(d.colours, bar.colour),
        .theme = d.view.theme,
        .transposed = !bar.flat};
  } else {
    MatrixCells cells =
        small_cells(range, along / static_cast<float>(columns), fill_of(d.colours, bar.colour), d.view.theme);
    cells.transposed = !bar.flat;
    element.shape = std::move(cells);
  }
  d.figure.add(std::move(element));
}

std::string shown_of(int columns) {
  const std::string all = std::to_string(columns);
  return columns <= kShown ? all + (columns == 1 ? " number" : " numbers")
                           : std::to_string(kShown) + " of " + all + " numbers";
}

void add_row_name(Frame& d, const std::string& id, Point at, const std::string& name, Colour colour,
                  const std::string& note) {
  const float scale = std::clamp(d.view.width / 1208, 1.F, 1.2F);
  const float size = 12.5F * scale;
  add_words(d.figure, id, {at.x, at.y - size, 200, 2 * size - 8}, name, {colour, {text::Face::semibold, size}});
  if (!note.empty())
    add_words(d.figure, id + ".note", {at.x, at.y + size - 6, 200, 15 * scale}, note,
              {d.colours.muted, {text::Face::regular, 11 * scale}});
}

}  // namespace limelight::scenes
