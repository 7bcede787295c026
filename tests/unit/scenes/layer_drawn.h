// Layer's examples, and its figures as they are drawn.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "figure/light.h"
#include "scenes/common/sentence.h"
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

// Of the machine.
inline const figure::Light& light_of(const figure::Figure& figure) {
  const auto found = std::ranges::find_if(figure.elements, [](const figure::Element& element) {
    return element.id == scenes::kLightId && std::holds_alternative<figure::Light>(element.shape);
  });
  REQUIRE(found != figure.elements.end());
  return std::get<figure::Light>(found->shape);
}

inline std::vector<figure::Point> points_of(const figure::Figure& figure, const std::string& id) {
  for (const figure::Element& element : figure.elements)
    if (const auto* line = std::get_if<figure::Line>(&element.shape); line != nullptr && element.id == id)
      return line->points;
  return {};
}

}  // namespace limelight::test
