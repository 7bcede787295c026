// Time within a step: View's t, from the step before it (0) to the step as it stands (1).
#pragma once

#include <any>
#include <optional>
#include <string_view>

#include "scenes/scene.h"

namespace limelight::scenes {

// Where one comes from: the part before, or the step before at its last part; nothing before the first.
std::optional<Place> before(const SceneDef& scene, const std::any& state, Place place);
// As links and messages have it; what is below 0 or above 1 is clamped. Error: not a number.
Result<float> read_t(std::string_view text);
std::string write_t(float t);
// How one gets there from before.
const Motion& motion_at(const SceneDef& scene, Place place);
// How far its computation has come at t, from 0 to 1.
float computing(const Motion& motion, float t);
// The scene's figure at view.t: what this place shares with the one before goes from there to here, what it does not
// goes and comes.
figure::Figure draw_moment(const SceneDef& scene, const std::any& state, const Trace& trace, const View& view);

}  // namespace limelight::scenes
