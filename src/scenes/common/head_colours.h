// Heads beside each other, of which there are up to eight: their colours, and what wears them.
#pragma once

#include <string>

#include "scenes/common/text.h"

namespace limelight::scenes {

// head: from 0
figure::Colour head_colour(int head, figure::Theme theme);
// For words about it on paper or a card.
figure::Colour head_ink(int head, figure::Theme theme);
// Its number in a disc of its colour.
void add_disc(Frame& frame, const std::string& id, figure::Point middle, int head, float radius = 9);
// A plain rectangle.
void add_fill(Frame& frame, const std::string& id, figure::Rect rect, figure::Colour fill, float radius = 0,
              float opacity = 1);

}  // namespace limelight::scenes
