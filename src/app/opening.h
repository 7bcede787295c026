// What a first visit begins with: the first scene's sentence under the lamp, and three doors. It lies over everything
// and is dark in both themes. It is no state: links, undo and messages know nothing of it, and what changes the state
// ends it.
#pragma once

#include <string>
#include <string_view>

#include "app/input.h"
#include "app/page.h"

namespace limelight::app {

void open_opening(App& app);
void end_opening(App& app);
// What its buttons and keys do: "words" (the first scene, with the word that was chosen), "skip" and "play" (what there
// was, or the same where a word was chosen), "next" and "previous" (the lamp goes on to that word). False for all else.
bool act_in_opening(App& app, std::string_view name);
// A press on a word makes it ask. False for all else.
bool press_in_opening(App& app, const figure::Edit& edit);
// The arrows move the lamp, Enter goes in, any other key skips.
void key_in_opening(App& app, Key key);

// As large as the window.
figure::Figure draw_opening(const App& app);
Page opening_page(const App& app, const figure::Figure& drawn);
std::string narrate_opening(const App& app);

}  // namespace limelight::app
