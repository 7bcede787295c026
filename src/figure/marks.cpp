#include "figure/marks.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace limelight::figure {
namespace {

// The places of a row (column −1), a column (row −1) or a cell of a tensor, and the elements that show it.
std::vector<std::pair<std::string, Rect>> places_of(const Figure& figure, std::string_view tensor, int row,
                                                    int column) {
  std::vector<std::pair<std::string, Rect>> places;
  for (const Element& cells : figure.elements) {
    const CellRange* range = nullptr;
    if (const auto* matrix = std::get_if<MatrixCells>(&cells.shape)) range = &matrix->range;
    if (const auto* heatmap = std::get_if<Heatmap>(&cells.shape)) range = &heatmap->range;
    if (range == nullptr || range->tensor != tensor) continue;
    const int first_row = row < 0 ? range->row : row;
    const int last_row = row < 0 ? range->row + range->rows - 1 : row;
    const int first_column = column < 0 ? range->column : column;
    const int last_column = column < 0 ? range->column + range->columns - 1 : column;
    const std::optional<Rect> from = cell_rect(cells, first_row, first_column);
    const std::optional<Rect> to = cell_rect(cells, last_row, last_column);
    if (!from || !to) continue;
    const float x = std::min(from->x, to->x);
    const float y = std::min(from->y, to->y);
    const Rect around{x, y, std::max(from->right(), to->right()) - x, std::max(from->bottom(), to->bottom()) - y};
    places.emplace_back(cells.id + "." + std::to_string(row) + "." + std::to_string(column), around);
  }
  return places;
}

}  // namespace

void add_ring(Figure& figure, const std::string& id, Rect rect, Colour colour, float width) {
  figure.add({.id = id + ".rim",
              .rect = rect.inset(-1),
              .shape = Rectangle{.stroke = ink_on(colour), .stroke_width = width + 2, .radius = 6}});
  figure.add({.id = id, .rect = rect, .shape = Rectangle{.stroke = colour, .stroke_width = width, .radius = 5}});
}

void add_outline(Figure& figure, std::string_view tensor, int row, int column, Colour colour, float width) {
  for (const auto& [id, place] : places_of(figure, tensor, row, column))
    add_ring(figure, "outline." + id, place.inset(-2), colour, width);
}

void add_arrowheads(Figure& figure, const std::string& id, Point middle, float half, float scale, Colour colour) {
  constexpr int kHeads = 4;
  for (const float side : {-1.F, 1.F})
    for (int i = 0; i < kHeads; ++i) {
      const float x = middle.x + side * (half + (18 + 9 * static_cast<float>(i)) * scale), back = x - side * 2 * scale;
      figure.add(
          {.id = id + (side < 0 ? "left." : "right.") + std::to_string(i),
           .shape = Line{
               .points = {{back, middle.y - 4 * scale}, {x + side * 2 * scale, middle.y}, {back, middle.y + 4 * scale}},
               .colour = colour.faded(1 - 0.22F * static_cast<float>(i)),
               .width = 1.8F * scale}});
    }
}

}  // namespace limelight::figure
