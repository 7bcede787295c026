// Free painting: strokes of a brush over the picture, and as text "red 5 10,20 12,24; black 3 40,40".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/caption/caption.h"

namespace limelight::scenes::caption {

struct Stroke {
  struct At {
    int x = 0, y = 0;  // pixels from the left and from the top, 0 to 64
    bool operator==(const At&) const = default;
  };
  Ink ink = Ink::red;
  int width = 5;  // pixels
  std::vector<At> points{};
};

inline constexpr int kWidest = 16;

std::string write(const std::vector<Stroke>& strokes);
// Errors: what is no colour, no width from 1 to 16, no point within the picture.
Result<std::vector<Stroke>> read_strokes(std::string_view text);

// Over a picture [64², 3]: every pixel whose middle lies within half the width of the line through the points.
void paint_over(Matrix& picture, const std::vector<Stroke>& strokes);

figure::Colour colour_of(Ink ink);

}  // namespace limelight::scenes::caption
