#include <algorithm>
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
  const auto [tensor, row, column] = *focus;
  const Tensor* known = d.trace.find(tensor);
  if (known == nullptr || row >= known->rows() || column >= known->columns()) return;
  const auto outline = [&](std::string_view name, int r, int c, Colour colour) {
    if (d.trace.find(name) != nullptr) add_outline(d.figure, name, r, c, colour);
  };
  struct Product {
    std::string_view result, left, right;
    Colour Palette::* left_colour;
    Colour Palette::* right_colour;
  };
  static constexpr Product products[] = {{"Q", "X", "W_q", &Palette::input, &Palette::query},
                                         {"K", "X", "W_k", &Palette::input, &Palette::key},
                                         {"V", "X", "W_v", &Palette::input, &Palette::value},
                                         {"output", "weights", "V", &Palette::ink, &Palette::value}};
  for (const Product& product : products)
    if (tensor == product.result) {
      outline(product.left, row, -1, d.colours.*product.left_colour);
      outline(product.right, -1, column, d.colours.*product.right_colour);
    }
  if (tensor == "scores" || tensor == "scaled" || tensor == "weights") {
    outline("Q", row, -1, d.colours.query);
    outline("K", column, -1, d.colours.key);
  }
  if (tensor == "scaled") outline("scores", row, column, d.colours.muted);
  if (tensor == "shifted" || tensor == "maximum")
    outline("scaled", row, tensor == "shifted" ? column : -1, d.colours.muted);
  if (tensor == "shifted") outline("maximum", row, 0, d.colours.muted);
  if (tensor == "exponentials") outline("shifted", row, column, d.colours.muted);
  if (tensor == "sum") outline("exponentials", row, -1, d.colours.muted);
  if (tensor == "weights") {
    outline("scaled", row, -1, d.colours.muted);
    outline("exponentials", row, column, d.colours.muted);
    outline("sum", row, 0, d.colours.muted);
  }
  outline(tensor, row, column, d.colours.ink);
}

}  // namespace

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state, query_words(state), key_words(state), looked_at(state, view)};
  // One word must not be wider than the stage.
  for (std::vector<std::string>* list : {&d.queries, &d.keys})
    for (std::string& word : *list) word = text::fit(text::Face::semibold, 14, word, d.inner() - 60);
  if (trace.find("Q") == nullptr) {
    d.figure.height = add_missing(d, view.missing.value_or(Missing{.label = std::string(kAwaited)}), 24) + kBelow;
    return std::move(d.figure);
  }
  const Row& step = row_at(view.place);
  Draw* own = view.place.part > 0 ? step.draw_part : step.draw;
  const float bottom = state.given() && step.given ? draw_given(d) : own(d);
  add_origins(d);
  d.figure.height = bottom + kBelow;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::spotlight
