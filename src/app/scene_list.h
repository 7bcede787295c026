// The menu of scenes, for windows without a rail, and what both have below the scenes: what opens dialogs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/app.h"
#include "app/widgets.h"
#include "figure/figure.h"

namespace limelight::app {

// Window widths from which on the top bar has these buttons.
inline constexpr float kExportInBar = 600, kCompareInBar = 900;

// In as many columns as the height of the area asks for, its width shared between them.
void add_scene_list(figure::Figure& figure, const App& app, figure::Rect area);
// How wide the menu's is that is as high as this.
float scene_list_width(const App& app, float height);

// The button of a scene, without its words.
void add_scene_button(figure::Figure& figure, const App& app, const scenes::SceneDef& scene, figure::Rect rect);
std::string in_capitals(std::string_view text);

// What opens dialogs, in lines from the left. Returns the height.
float add_dialog_buttons(figure::Figure& figure, const App& app, figure::Point top_left, float width);
float dialog_buttons_height(const App& app, float width);
// One below the other, each as wide as that, centred. Returns the height.
float add_dialog_column(figure::Figure& figure, const App& app, figure::Point top_left, float width);
float dialog_column_height(const App& app);

}  // namespace limelight::app
