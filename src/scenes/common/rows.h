// A scene's steps are rows of a table in its steps.cpp: what the timeline calls a step, the functions that draw, tell
// and explain it, and the tensor that its file holds. Behind the table stand row_at(place), the scene's steps(), and
// its principal(), which says that tensor. In all scenes a Drawing is what is drawn on; Told, where that is more than
// state and trace, is what the narration reads; Asked is the number that the inspector explains.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "scenes/scene.h"

namespace limelight::scenes {

// What shows a step: what draws it and tells it, what its formulas are called, which are there while no number is
// looked at, or what makes them; and the tensor that the CSV holds.
template <class Draw, class Tell, class Formulas = std::string_view>
struct Shows {
  Draw* draw;
  Tell* tell;
  Formulas title;
  std::string_view result{};
};

// A step by what the timeline calls it and what it says, with what else there is of it.
constexpr Step step_named(std::string_view id, std::string_view name, std::string_view caption, Step step = {}) {
  step.id = id, step.name = name, step.caption = caption;
  return step;
}

// The step of each row, for the timeline.
template <class Row, std::size_t count>
constexpr std::array<Step, count> steps_of(const Row (&rows)[count]) {
  std::array<Step, count> steps{};
  for (std::size_t i = 0; i < count; ++i) steps[i] = rows[i].step;
  return steps;
}

}  // namespace limelight::scenes
