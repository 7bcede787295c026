
#include "figure/panels.h"
#include "scenes/caption/steps.h"
#include "scenes/common/missing.h"

namespace limelight::scenes::caption {
namespace {

// The cell that the reader looks at, else the one that is in hand.
int shown_cell(const State& state, const Trace& trace, const View& view) {
  const int count = state.side() * state.side();
  const std::optional<Source> focus = parse_cell_id(view.focus());
  static constexpr std::string_view by_column[] = {"channel",      "scores", "weights", "weights_soft",
                                                   "weights_hard", "gold",   "glimpses"};
  static constexpr std::string_view by_row[] = {"features", "keys", "sum", "tanh", "terms", "weighted"};
  const auto is_of = [&](std::span<const std::string_view> tensors) {
    return focus && trace.find(focus->tensor) != nullptr && std::ranges::find(tensors, focus->tensor) != tensors.end();
  };
  if (is_of(by_column)) return std::min(focus->column, count - 1);
  if (is_of(by_row)) return std::min(focus->row, count - 1);
  return std::clamp(state.cell, 0, count - 1);
}

float add_waiting(Drawing& d, float y) {
  if (d.view.missing) return add_missing(d, *d.view.missing, y);
  return add_note(d, "waiting", "The trained models are not here.", {d.margin(), y}, d.inner());
}

void outline_focus(Drawing& d) {
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  if (!focus || d.trace.find(focus->tensor) == nullptr || showing(d.figure, *focus) == nullptr) return;
  add_outline(d.figure, focus->tensor, focus->row, focus->column, d.colours.ink);
}

}  // namespace

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state, scene_of(state), word_row(state, trace), shown_cell(state, trace, view)};
  const Row& step = row_at(view.place);
  float y = view.compact() ? 10 : 14;
  if (!is_captioned(trace)) y = add_waiting(d, y) + 14;
  // On a narrow page the film lies far below.
  if (is_captioned(trace) && d.narrow() && step.of_one_word)
    y = add_stepper(d, {"word", "word", words_in(trace, "chosen"), d.t}, {d.margin(), y}, d.inner()) + 12;
  if (is_captioned(trace) || step.without_model) y = step.draw(d, y);
  outline_focus(d);
  for (const Element& element : d.figure.elements)
    if (!element.clip) y = std::max(y, element.rect.bottom());
  return sunk(d, y, view.height - 12, 0.3F);
}

}  // namespace limelight::scenes::caption
