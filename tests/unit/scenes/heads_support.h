// What the tests of Heads have in common.
#pragma once

#include <doctest/doctest.h>

#include <any>
#include <string>
#include <string_view>
#include <utility>

#include "scenes/heads/heads.h"
#include "scenes/place.h"

namespace limelight::test {

using namespace scenes;
using heads::of_head;
using heads::Preset;
using heads::State;

// Without the trained encoder (trained_attention_test has it).
inline constexpr Preset kPresetsOfAll[] = {Preset::cat, Preset::apple, Preset::crossed, Preset::own};

// An example with all heads on.
inline State preset(Preset which) {
  State state;
  REQUIRE(find("heads") != nullptr);
  std::any any = state;
  REQUIRE(find("heads")->change(any, {{"preset", std::string(heads::kPresets[static_cast<int>(which)].value)}}));
  state = state_in<State>(any);
  state.off = {};
  return state;
}

// As the page changes it.
inline Result<void> change(State& state, const io::Patch& patch) {
  std::any any = state;
  Result<void> changed = find("heads")->change(any, patch);
  state = state_in<State>(any);
  return changed;
}

inline State with(Preset which, const io::Patch& patch) {
  State state = preset(which);
  REQUIRE(change(state, patch));
  return state;
}

inline int step(std::string_view id) { return number_of(heads::steps(), id); }

inline const Matrix& values(const Trace& trace, std::string_view name) { return trace.at(name).values; }
inline double only(const Trace& trace, std::string_view name) { return static_cast<double>(values(trace, name)(0, 0)); }
inline double apart(const Matrix& a, const Matrix& b) { return static_cast<double>((a - b).cwiseAbs().maxCoeff()); }

inline figure::Figure drawn(const State& state, const char* id) {
  return heads::draw(state, heads::compute(state, {}), {.width = 1208, .height = 560, .place = {step(id), 0}});
}

// At a moment of the step.
inline figure::Figure drawn_at(const State& state, const Trace& trace, const char* id, float t, float width = 1208) {
  return heads::draw(state, trace, {.width = width, .height = 560, .place = {step(id), 0}, .t = t});
}

}  // namespace limelight::test
