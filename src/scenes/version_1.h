// What links of version 1 said in other words: steps by their numbers, and no preset for the one that a scene then
// began with. Later links name both, so that steps and examples can change their order.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/fields.h"

namespace limelight::scenes {

// The id of the step that "7" was, or of the part that "7.2" was, as "softmax.exp"; nothing where there was none.
std::optional<std::string> id_of_number(std::string_view scene, std::string_view number);

// The number that a step had then; nothing where it had none.
std::optional<int> number_of_id(std::string_view scene, std::string_view step);

// A link with the preset of its day, where it is of version 1, or of none, names no preset and no sentence of its own,
// and the scene begins with another one now.
// What could once be chosen is left out: the heads drawn beside Sentence's one. `scene`: of a link that names none.
io::Patch with_preset_of_its_day(io::Patch link, std::string_view scene);

}  // namespace limelight::scenes
