// The steps: named ticks with their parts between them; on a phone, where one is and two buttons.
#pragma once

#include <string_view>

#include "app/app.h"
#include "app/regions.h"
#include "figure/figure.h"

namespace limelight::app {

// Why a step is not there.
inline constexpr std::string_view kGiven = "Given directly in this example.";

void add_timeline(figure::Figure& figure, const App& app, const Regions& regions);

}  // namespace limelight::app
