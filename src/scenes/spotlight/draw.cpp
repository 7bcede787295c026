#include <optional>

#include "figure/marks.h"
#include "io/numbers.h"
#include "scenes/common/missing.h"
#include "scenes/spotlight/matrices.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

using namespace figure;

// ---- what a number comes from, outlined ----

void add_origins(Drawing& d) {
  const std::optional<Source> focus = [&]() -> std::optional<Source> {
    if (const Element* element = d.figure.find(d.view.focus()); element != nullptr && element->source)
      return element->source;
    return parse_cell_id(d.view.focus());
  }();
  if (!focus) {
    if (const Row& step = row_at(d.view.place); step.mark != nullptr) step.mark(d);
    return;
  }
  if (d.trace.cell(focus->tensor, focus->row, focus->column) != nullptr)
    recipes::add_outlines(d.figure, recipes(d.state, d.trace), *focus, d.colours);
}

}  // namespace

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state, query_words(state), key_words(state), looked_at(state, view)};
  // One word must not be wider than the stage.
  for (std::vector<std::string>* list : {&d.queries, &d.keys})
    for (std::string& word : *list) word = text::fit(text::Face::semibold, 14, word, d.inner() - 60);
  if (trace.find(kQ) == nullptr) {
    d.figure.height = add_missing(d, view.missing.value_or(Missing{.label = std::string(kAwaited)}), 24) + kBelow;
    return std::move(d.figure);
  }
  const Row& step = row_at(view.place);
  const bool detail = view.place.part > 0 && view.place.part < std::ssize(step.step.parts);
  Draw* own = detail ? step.draw_part : step.draw;
  const float bottom = state.given() && step.given ? draw_given(d) : own(d);
  add_origins(d);
  d.figure.height = bottom + kBelow;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::spotlight
