// Playing: the step or the word that comes next.
#pragma once

#include "app/app.h"

namespace limelight::app {

// The next moment of playing.
void play_on(App& app);

}  // namespace limelight::app
