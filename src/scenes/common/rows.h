// A scene's steps are rows of a table in its steps.cpp: what the timeline calls a step, and the functions that draw it,
// tell it and explain it. In all scenes a Drawing is what is drawn on, Told is what the narration is told from, and
// Asked is the number that the inspector explains.
#pragma once

#include <array>
#include <cstddef>

#include "scenes/scene.h"

namespace limelight::scenes {

// What of a table of rows the timeline shows.
template <class Row, std::size_t count>
constexpr std::array<Step, count> steps_of(const Row (&rows)[count]) {
  std::array<Step, count> steps{};
  for (std::size_t i = 0; i < count; ++i) steps[i] = rows[i].step;
  return steps;
}

}  // namespace limelight::scenes
