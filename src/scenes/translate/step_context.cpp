// The step Look: what the translator lights up to write a word, and what of it runs into the context.
#include "scenes/translate/stage.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {

float draw_context(Drawing& d, float y) {
  const Stage stage = stage_of(d, y, d.view.height - (d.narrow() ? 66.F : 14.F));
  y = add_stage(d, stage, {});
  return d.narrow() ? add_steps_through(d, y + 8) : y;
}

std::string tell_context(const Told& told) {
  const bool set = is_set_by_hand(told), hard = told.state.gaze == Gaze::hard;
  return "To write " + told.word() + ", the translator " + (set ? "is made to light up " : "lights up ") +
         lit_words(told) + (hard ? " and nothing else" : "") + ". What the lit words know runs down into " +
         pointing("the context", cell_id({"context", told.t, 0}), MeansA::output) + ", and the word appears. " +
         hint("Point at another word.") + change_of(told);
}

}  // namespace limelight::scenes::translate
