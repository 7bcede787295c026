// The detail step Weights: each score's share of one light.
#include "scenes/translate/stage.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {

float draw_weights(Drawing& d, float y) {
  const Stage s = stage_of(d, y, d.view.height - (d.narrow() ? 66.F : 14.F));
  add_stage(d, s, {.numbers = !s.column, .context = false});
  if (!s.column && !d.low())
    add_heading(d, "shares.title", {s.context.x, s.context.y}, d.figure.width - s.context.x - 8, "one light",
                d.colours.amber_text, "shared out by exp of each score, divided by their sum");
  return d.narrow() ? add_steps_through(d, s.bottom + 8) : s.bottom;
}

std::string tell_weights(const Told& told) {
  const std::string how = is_set_by_hand(told) ? "Set by hand, the weights of "
                          : told.state.gaze == Gaze::hard
                              ? "Hard attention gives all to the largest score: the weights of "
                              : "Softmax makes shares of the scores: the weights of ";
  return how + told.word() + " lie " + gaze(told) + "; all " + std::to_string(told.trace.at("weights").columns()) +
         " sum to 1." + change_of(told);
}

}  // namespace limelight::scenes::translate
