// A place as links and the command write it: "7", or "7.2" for a part of a step.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenes/scene.h"

namespace limelight::scenes {

// Errors: not a step, not a part of it.
Result<Place> read_place(std::span<const Step> steps, std::string_view text);
std::string write_place(Place place);

}  // namespace limelight::scenes
