// How a draft becomes what is shown.
#pragma once

#include "app/draft.h"

namespace limelight::app {

// Shows the draft: its scene, state, place and settings, and what follows from them.
void take(App& app, Draft draft);
// As change() of app/app.h; dragged: by a hand whose changes are undone as one.
Result<void> change_state(App& app, const io::Patch& patch, bool dragged);

}  // namespace limelight::app
