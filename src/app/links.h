// Opening and writing links, and what waits until the functions of the other scenes have come.
#pragma once

#include "app/app.h"

namespace limelight::app {

// Puts aside what leads to functions that have not come; whichever was wanted last.
bool waits(App& app, const io::Patch& patch, bool link);
// Said once, when the state becomes too long for an address.
void watch_length(App& app);

}  // namespace limelight::app
