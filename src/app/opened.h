// Whether the inspector is open beside the figure. On a phone it is a sheet, which has its own way.
#pragma once

#include <optional>

#include "app/app.h"

namespace limelight::app {

// What is asked here: at the end, when everything has been seen.
std::optional<scenes::Question> question_of(const App& app);

// The reader's choice; else while a number is pinned, whose explanation it has.
bool inspector_open(const App& app);
// Whether it is, or would be without the pin.
bool open_unpinned(const App& app);
// Opens it, or folds it up.
void toggle_inspector(App& app);

}  // namespace limelight::app
