// The scenes under their groups' headings: the rail, and the menu where there is no room for one.
#pragma once

#include "app/app.h"
#include "figure/figure.h"

namespace limelight::app {

// Of all of them in one column.
float scene_list_height();
// In as many columns as the height of the area asks for, its width shared between them.
void add_scene_list(figure::Figure& figure, const App& app, figure::Rect area);
// How many those are.
int scene_list_columns(float height);

}  // namespace limelight::app
