// The steps: named ticks with their parts between them, and a lamp where one is; on a phone only the name of that one,
// and two buttons.
#pragma once

#include <string_view>

#include "app/app.h"
#include "app/regions.h"
#include "figure/figure.h"

namespace limelight::app {

inline constexpr std::string_view kGiven = "Given directly in this example.";
// A step's, counted from 1: of what is given, and of what comes before it, that it is.
std::string_view caption_of(const App& app, int step);

void add_timeline(figure::Figure& figure, const App& app, const Regions& regions);

// The playhead goes to this x of the page's timeline: to a step or a part, or on the way to it.
void drag_playhead(App& app, const figure::Figure& page, float x);

}  // namespace limelight::app
