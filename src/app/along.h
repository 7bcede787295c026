// The lamp that is moved along the words by hand: by a press that goes on along them, or by the lamp itself.
#pragma once

#include "app/app.h"
#include "app/input.h"
#include "app/page.h"

namespace limelight::app {

// Whether what was pressed moves the lamp. A finger on a word scrolls, but in the opening.
bool moves_lamp(const App& app, const Pointer& pointer);
// The nearest word asks: in the view only, until it is let go.
void move_lamp(App& app, const Page& page, figure::Point at);
void let_go_of_lamp(App& app, const Page& page);

}  // namespace limelight::app
