// Playing: the step or the word that comes next.
#pragma once

#include "app/app.h"

namespace limelight::app {

// No step or part comes after this one.
bool at_last(const App& app);
// … none of the story: playing begins again.
bool story_ends(const App& app);
// The next moment of playing.
void play_on(App& app);
// Where a scene was come to that begins by itself: once, to the end of its first step.
void play_at_once(App& app);
// What plays goes on from the moment that is shown.
void move_from_here(App& app);
// … within its step, to where that stands.
void move_on(App& app);

}  // namespace limelight::app
