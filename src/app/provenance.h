// Where a scene's numbers come from, in a word or two at the stage's upper right; the whole sentence shows when a mouse
// rests on it, and stands in the inspector.
#pragma once

#include <string_view>

#include "app/app.h"
#include "figure/figure.h"

namespace limelight::app {

// "by hand", "trained" … of the sentence that a scene says of its numbers; empty where it has none of the usual words.
std::string_view origin_in_short(std::string_view sentence);

// Where the scene's figure, which is in the page's already, leaves room for it. `seen`: what is seen of that.
void add_origin(figure::Figure& figure, const App& app, figure::Rect seen);

}  // namespace limelight::app
