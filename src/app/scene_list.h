// The scenes under their groups' headings, and below them what opens dialogs: the rail, and the menu where there is no
// room for one.
#pragma once

#include "app/app.h"
#include "figure/figure.h"

namespace limelight::app {

// Window widths from which on the top bar has these buttons.
inline constexpr float kExportInBar = 600, kCompareInBar = 900;

// Of all of them in one column, as close as can be.
float scene_list_height(const App& app);
// In as many columns as the height of the area asks for, its width shared between them.
void add_scene_list(figure::Figure& figure, const App& app, figure::Rect area);
// How wide the menu's is that is as high as this.
float scene_list_width(const App& app, float height);

}  // namespace limelight::app
