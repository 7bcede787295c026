// Heads' figure: a step's drawing, and around the numbers that are looked at where they come from.
#include <algorithm>
#include <optional>

#include "figure/marks.h"
#include "scenes/common/missing.h"
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d = drawing_for(state, trace, view);
  if (trace.find("Q") == nullptr) {
    d.figure.height = add_missing(d, view.missing.value_or(Missing{.label = std::string(kAwaited)}), 24) + 12;
    return std::move(d.figure);
  }
  const float y = row_at(view.place).draw(d, 8, view.height - 10);
  const std::optional<Source> focus = parse_cell_id(view.focus());
  if (focus && trace.cell(focus->tensor, focus->row, focus->column) != nullptr) {
    recipes::add_outlines(d.figure, recipes(state, trace), *focus, d.colours);
    const Element* own = d.figure.find(cell_id(*focus));  // a number that stands by itself
    if (own != nullptr && own->role == Role::cell)
      add_ring(d.figure, "outline." + own->id, own->rect.inset(-2), d.colours.ink);
  }
  d.figure.height = std::max(y, d.bottom()) + 10;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::heads
