// From step to step.
#pragma once

#include "app/app.h"

namespace limelight::app {

// The next moment of playing.
void play_on(App& app);

}  // namespace limelight::app
