// Where a scene's numbers come from, in a word or two behind the scene's question, on a phone in the head of the bottom
// sheet; the whole sentence shows when a mouse rests on it, and stands in the inspector.
#pragma once

#include <string_view>

#include "app/app.h"
#include "figure/figure.h"

namespace limelight::app {

// "by hand", "trained" … of the sentence that a scene says of its numbers; empty where it has none of the usual words.
std::string_view origin_in_short(std::string_view sentence);

// At the left of `room`, in its middle. False where that is too narrow, or there is nothing to say.
bool add_origin(figure::Figure& figure, const App& app, figure::Rect room);
// How wide it is; 0 where there is nothing to say.
float origin_width(const App& app);

}  // namespace limelight::app
