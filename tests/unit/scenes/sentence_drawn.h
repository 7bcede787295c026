// What the tests of Sentence share: the encoder that is shipped, states from links, and the figure's places.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <any>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "app/app.h"
#include "scenes/moment.h"
#include "scenes/place.h"
#include "scenes/sentence/parts.h"
#include "scenes/sentence/read.h"
#include "scenes/sentence/runs.h"
#include "scenes/sentence/sentence.h"
#include "unit/models.h"

namespace limelight::test::reading {

using namespace limelight::scenes;
using namespace limelight::scenes::sentence;

inline const trained::Encoder& encoder() {
  static const trained::Encoder made = [] {
    Result<std::any> read = trained::kEncoder.read(test::model_bytes("sentence.safetensors"), "sentence.safetensors");
    REQUIRE(read);
    return *std::any_cast<trained::Encoder>(&*read);
  }();
  return made;
}

struct Trained {
  std::map<std::string, std::any, std::less<>> resources{{std::string(trained::kEncoder.name), encoder()}};
  [[nodiscard]] Inputs inputs(const JobSnapshot* job = nullptr) const { return {.job = job, .resources = &resources}; }
};

inline State state_of(const char* patch) {
  State state;
  const SceneDef& scene = *find("sentence");
  std::any held = state;
  const Result<io::Patch> parsed = io::parse_patch(patch);
  REQUIRE(parsed);
  const Result<void> changed = scene.change(held, *parsed);
  REQUIRE_MESSAGE(changed, changed.error().message);
  return state_in<State>(held);
}

inline std::string refusal_of(const char* patch) {
  std::any held = State{};
  const Result<void> changed = find("sentence")->change(held, *io::parse_patch(patch));
  REQUIRE_FALSE(changed);
  return changed.error().message;
}

inline JobSnapshot run(const State& state, const Inputs& inputs) {
  const std::unique_ptr<Job> made = job(state, inputs);
  REQUIRE(made);
  while (!made->snapshot.finished()) made->step(made->snapshot);
  return made->snapshot;
}

inline float largest_difference(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

inline Place at(std::string_view step) { return {number_of(steps(), step), 0}; }

// Whether it has such a text.
inline bool has(const figure::Figure& figure, std::string_view id) {
  return std::ranges::any_of(figure.elements, [&](const auto& element) { return element.id.starts_with(id); });
}

// The place where most of a light falls.
inline figure::Point brightest_end(const figure::Figure& figure) {
  const figure::Element* element = figure.find(kLightId);
  REQUIRE(element);
  const auto& beams = std::get<figure::Light>(element->shape).beams;
  REQUIRE_FALSE(beams.empty());
  return std::ranges::max_element(beams, {}, &figure::Light::Beam::half_to)->to;
}

inline figure::Point middle_of(const figure::Figure& figure, std::string_view id) {
  const figure::Element* element = figure.find(id);
  REQUIRE_MESSAGE(element, id);
  return element->rect.centre();
}

}  // namespace limelight::test::reading
