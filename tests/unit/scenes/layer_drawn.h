// Layer's examples, and its figures as they are drawn.
#pragma once

#include <string>
#include <utility>

#include "scenes/layer/parts.h"

namespace limelight::test {

inline scenes::layer::State preset(scenes::layer::Preset which) {
  scenes::layer::State state;
  state.preset = which;
  return state.example();
}

inline figure::Figure drawn(const scenes::layer::State& state, int step, float width = 1180, float height = 576,
                            std::string hovered = {}) {
  return scenes::layer::draw(state, scenes::layer::compute(state, {}),
                             {.width = width, .height = height, .place = {step, 0}, .hovered = std::move(hovered)});
}

}  // namespace limelight::test
