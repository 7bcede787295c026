// The scenes at the window's left edge: a miniature and a name each, in wide windows the question, too.
#pragma once

#include "app/app.h"
#include "figure/figure.h"

namespace limelight::app {

// How wide the rail is that is as high as this; 0 where the scenes are in a menu instead.
float rail_width(const App& app, float height);

// In an area as wide as that. Returns the height of all its scenes: where they have less room, app.rail_scroll of them
// are above.
float add_rail(figure::Figure& figure, const App& app, figure::Rect area);

// Where the scenes are seen in it.
figure::Rect rail_window(const App& app, figure::Rect area);

// Scrolls so that the open scene is seen.
void show_in_rail(App& app, figure::Rect area);

}  // namespace limelight::app
