// What a page in a frame leaves out at its author's wish ("hide=timeline,temperature"): panels of the shell, and fields
// of the scene, which then have no control. What is drawn in the figure itself stays.
#pragma once

#include <any>
#include <string>
#include <string_view>
#include <vector>

#include "app/app.h"

namespace limelight::app {

// Names between commas; an empty text hides nothing. Errors: a name that is neither a panel's nor one of the scene's
// fields'.
Result<std::vector<std::string>> read_hidden(const scenes::SceneDef& scene, const std::any& state,
                                             std::string_view text);
// As read_hidden reads it in the present scene: the fields of the others are not among them.
std::string write_hidden(const App& app);

bool hides(const App& app, std::string_view name);
// The scene's fields but for the hidden ones.
std::vector<io::FieldInfo> shown_fields(const App& app);

}  // namespace limelight::app
