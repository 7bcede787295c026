// What was changed, as undo and redo bring it back.
#pragma once

#include "app/app.h"

namespace limelight::app {

// The state as it is now, before it changes. job_given_up: and its job with it, although it would hold for what comes
// instead.
void remember(App& app, bool job_given_up = false);

}  // namespace limelight::app
