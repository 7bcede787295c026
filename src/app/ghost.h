// The hand that shows, once whenever the opening begins, on the opening's sentence, how the lamp is moved; until the
// reader does anything.
#pragma once

#include "app/app.h"

namespace limelight::app {

// Time goes on: the lamp goes with the hand. True while it should be called again soon.
bool advance_ghost(App& app);
void end_ghost(App& app);
// The hand with copies where it just was; nothing before it sets out. `figure` has the words; `y`: of its finger's tip,
// where they stand side by side; 0: they stand below each other.
void add_ghost(figure::Figure& figure, const App& app, float y);

}  // namespace limelight::app
