// The current step in one or two plain sentences, in one size of type whatever the step is.
#pragma once

#include "app/app.h"
#include "figure/figure.h"

namespace limelight::app {

// Of a line this wide, beside a stage this wide; it grows by whole lines, up to a share of the window's height.
float narration_height(const App& app, float width, float stage_width);

void add_narration(figure::Figure& figure, const App& app, figure::Rect area, float stage_width);

}  // namespace limelight::app
