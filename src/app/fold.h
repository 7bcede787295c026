// Where a figure is higher than its place in the window: a button at the lower edge says what is below, and shows it.
#pragma once

#include "app/app.h"
#include "figure/figure.h"

namespace limelight::app {

// How high the button is. 0: all is seen to the end when the figure is scrolled so far in this area, and there is none.
float fold_height(const App& app, const figure::Figure& stage, figure::Rect area, float scroll);

// The button at the foot of the area. What is above it is seen: the figure from `scroll` on.
void add_fold(figure::Figure& figure, const App& app, const figure::Figure& stage, figure::Rect area, float scroll);

}  // namespace limelight::app
