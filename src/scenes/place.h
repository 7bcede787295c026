// A place as links and the command write it: "softmax", or "softmax.exp" for a part of a step.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenes/scene.h"

namespace limelight::scenes {

const Step& step_at(const SceneDef& scene, Place place);
// The numbers of version 1 are read, too: "7", "7.2". Errors: not a step, not a part of it.
Result<Place> read_place(const SceneDef& scene, std::string_view text);
std::string write_place(const SceneDef& scene, Place place);
// Of the step of this id, as the timeline counts them, from 1.
int number_of(std::span<const Step> steps, std::string_view id);
// For names of files, which stand in the steps' order: "7", "7.2".
std::string number_of(Place place);
// "Spotlight, step 7 of 9: Softmax (Exponential)"
std::string title_of(const SceneDef& scene, Place place);

// Playing, where `step` shows what is written word after word: it comes there with the first word, stays until the
// last, and leaves with the example's own. For a field named "word". `step`: its id.
struct PlayedWords {
  int at;     // that is looked at, from 0
  int count;  // all that are written
  int own;    // that the example begins with
};
io::Patch play_words(std::span<const Step> steps, Place place, std::string_view step, PlayedWords words);

}  // namespace limelight::scenes
