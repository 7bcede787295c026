// What a figure shows in place of what needs a file that has not come.
#pragma once

#include <string>

#include "scenes/common/frame.h"

namespace limelight::scenes {

// "The model with attention is on its way: 0.4 of 0.9 MB.", or why it cannot be had.
std::string words_of(const Missing& missing);

// A card across the frame with those words: how far it is, or a button that tries again. Returns its bottom.
float add_missing(Frame& frame, const Missing& missing, float y);

}  // namespace limelight::scenes
