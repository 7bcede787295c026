// Sentence's figure: of the step that is looked at, or of what is waited for.
#include "io/numbers.h"
#include "scenes/common/missing.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {

// The words alone, while no model has read them.
float add_unread(Drawing& d, float y) {
  std::string text;
  for (const std::string& word : d.words()) text += (text.empty() ? "" : " ") + word;
  return add_note(d, "unread", text, {d.margin(), y}, d.inner(), d.narrow() ? 18 : 24);
}

float add_waiting(Drawing& d, float y) {
  if (d.view.missing) return add_missing(d, *d.view.missing, y);
  if (const Tensor* refused = d.trace.find("refused"); refused != nullptr)
    return add_own(d, {d.margin(), add_note(d, "refused", refused->row_labels[0], {d.margin(), y}, d.inner()) + 20},
                   std::min(d.inner(), 640.F));
  if (const Tensor* label = d.trace.find("label"); label != nullptr)
    return add_note(d, "reading",
                    "**" + label->row_labels[0] + "** reads the text" +
                        (d.view.working >= 0 ? ": " + io::format_percent(static_cast<double>(d.view.working)) : "") +
                        " …",
                    {d.margin(), y}, d.inner());
  if (!d.state.own.empty()) {
    y = add_hint(
            d, "away",
            "The model that this link was made with is not here: it never left the machine that it was dropped on. "
            "**Drop its folder here**, or read with the trained encoder.",
            {d.margin(), y}, d.inner()) +
        12;
    return add_own(d, {d.margin(), y + 8}, std::min(d.inner(), 640.F));
  }
  return add_note(d, "waiting", "The trained encoder is not here.", {d.margin(), y}, d.inner());
}

void outline_focus(Drawing& d) {
  const std::optional<figure::Source> focus = parse_cell_id(d.view.focus());
  if (!focus || d.trace.find(focus->tensor) == nullptr || showing(d.figure, *focus) == nullptr) return;
  add_outline(d.figure, focus->tensor, focus->row, focus->column, d.colours.ink);
}

}  // namespace

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state};
  float y = 14;
  if (trace.find("kinds") == nullptr) {
    if (trace.find("tokens") != nullptr) y = add_unread(d, y) + 14;
    y = add_waiting(d, y);
  } else {
    d.layers = trace.at("raw").rows();
    d.heads = trace.at("kinds").rows() / d.layers;
    d.head = chosen_head(state, d.layers, d.heads);
    const Tensor& A = trace.at(d.tensor("A"));
    d.query = asking(state, view, A.rows());
    d.key = std::min(state.key, A.columns() - 1);
    const Row& row = row_at(view.place);
    y = row.needs_model && !d.is_read() ? add_without_model(d, y) : row.draw(d);
    outline_focus(d);
  }
  d.figure.height = y + 12;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::sentence
