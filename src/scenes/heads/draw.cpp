// Heads' figure: a step's drawing, and around the numbers that are looked at where they come from.
#include <algorithm>
#include <optional>

#include "figure/marks.h"
#include "scenes/common/missing.h"
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
namespace {

void outline(Drawing& d, const std::string& name, int row, int column, Colour colour) {
  const Tensor* tensor = d.trace.find(name);
  if (tensor != nullptr && row < tensor->rows() && column < tensor->columns())
    add_outline(d.figure, name, row, column, colour);
}

void outline_origins(Drawing& d, const Source& focus) {
  const auto& [tensor, row, column] = focus;
  const HeadTensor name = read_name(tensor);
  const int size = sizes(d.state).head;
  if (tensor == "Y" || tensor == "Y_now" || (name.one == "Y" && name.head >= 0)) {
    for (int h = 0; h < d.state.heads; ++h)
      if (name.head < 0 || name.head == h) outline(d, of_head("O", h), row, -1, d.colours.output);
    outline(d, "W_O", -1, column, d.colours.ink);
  } else if (tensor == "M") {
    outline(d, of_head("A", chosen_head(d.state)), row, column, d.colours.muted);
  } else if (name.one == "A" && name.head >= 0) {
    outline(d, "M", row, column, d.colours.muted);
  } else if (name.one == "Q" || name.one == "K" || name.one == "V") {
    const int whole = std::max(name.head, 0) * size + column;
    outline(d, name.one == "Q" || !d.state.crossed() ? "X" : "Z", row, -1, d.colours.input);
    outline(d, "W_" + std::string(name.one), -1, whole, d.colours.ink);
    if (name.head >= 0) outline(d, std::string(name.one), row, whole, d.colours.muted);
    for (int h = 0; h < d.state.heads && name.head < 0; ++h)
      if (column / size == h) outline(d, of_head(name.one, h), row, column % size, d.colours.muted);
  }
  outline(d, tensor, row, column, d.colours.ink);
  const Element* own = d.figure.find(cell_id(focus));  // a number that stands by itself
  if (own != nullptr && own->role == Role::cell)
    add_ring(d.figure, "outline." + own->id, own->rect.inset(-2), d.colours.ink);
}

}  // namespace

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d = drawing_for(state, trace, view);
  if (trace.find("Q") == nullptr) {
    d.figure.height = add_missing(d, view.missing.value_or(Missing{.label = std::string(kAwaited)}), 24) + 12;
    return std::move(d.figure);
  }
  const float y = row_at(view.place).draw(d, 8, view.height - 10);
  const std::optional<Source> focus = parse_cell_id(view.focus());
  if (focus && trace.cell(focus->tensor, focus->row, focus->column) != nullptr) outline_origins(d, *focus);
  d.figure.height = std::max(y, d.bottom()) + 10;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::heads
