// The lamp that is moved along the words by hand: by a press that goes on along them, by the lamp itself, by the wheel.
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
// Over a sentence of which a window is seen: the lamp goes on by a word a line, and the window with it. All lines until
// something else is pressed are undone as one. False where there is no such sentence.
bool turn_lamp(App& app, const Page& page, Pointer& pointer, float lines);

}  // namespace limelight::app
