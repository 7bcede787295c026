// A long sentence as a text: in lines, which are easier to read than words that stand upright.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "scenes/common/sentence.h"

namespace limelight::scenes {

// In lines of about the same width, in the middle of `rect` and as large as they have room there, at most `most`. Each
// has `below` under its letters. All lengths are CSS pixels. Nothing where even the smallest letters have no room.
std::optional<Slots> lines_of(std::span<const std::string> words, figure::Rect rect, float most, float below);

}  // namespace limelight::scenes
