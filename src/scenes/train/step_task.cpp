// The step What is learned: the network, unrolled over one example, and how many numbers each of its parts has.
#include <algorithm>

#include "figure/panels.h"
#include "scenes/train/steps.h"

namespace limelight::scenes::train {

using namespace figure;

float draw_task(Drawing& d, float y, float bottom) {
  const float m = d.margin(), table = d.narrow() ? d.inner() : 250,
              wide = d.narrow() ? d.inner() : d.inner() - table - 34;
  const float high = d.narrow() ? 240 : std::clamp(bottom - y - d.press_height() - 40, 260.F, 460.F);
  add_night(d, night_of(d, {m, y, wide, high}));
  const float end = add_input(d, {m, y + high + 8, wide, d.press_height()});
  const Panel parts{.tensor = "parts", .title = "weights, all learned", .colour = d.colours.ink};
  const Rect area = d.narrow() ? Rect{m, end + 14, table, 230} : Rect{m + wide + 34, y, table, high};
  return std::max(end, add_panels(d.figure, d.trace, {{parts}}, area, {.theme = d.view.theme, .sink = 0}));
}

std::string tell_task(const Told& t) {
  return "To be written: " + std::string(rule_of(t.state.task)) + ". From " + quoted(joined(t.source())) + " " +
         (t.known() ? "that is " + bold(quoted(joined(t.trace.at("target").column_labels))) + ". "
                    : "that is not known here. ") +
         (t.begun() ? "After " + batches(t.batch()) + " the model writes "
                    : std::string("Untrained, the model writes ")) +
         written_now(t) + ". It has " + bold(brief(t.summary(Summary::weights), 6)) +
         " weights to learn, and no rule among them.";
}

Inspection formula_task(const State&, const Palette& colours) {
  const Formula s = coloured(script(symbol("s"), word("t−1")), colours.query),
                h = coloured(script(symbol("h"), symbol("j")), colours.key),
                context = coloured(script(symbol("c"), symbol("t")), colours.output);
  return {
      .title = "encoder and decoder",
      .lines = {row({h, operation("="), word("[GRU→ | GRU←]"), parenthesised(script(symbol("x"), symbol("j")))}),
                row({script(symbol("s"), symbol("t")), operation("="), word("GRU"),
                     parenthesised(
                         row({word("["), script(symbol("y"), word("t−1")), word(" | "), context, word("], "), s}))})},
      .note =
          "A state is read from the source letter by letter, both ways, and the output is written letter by letter."};
}

}  // namespace limelight::scenes::train
