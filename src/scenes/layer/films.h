// The four videos of the search as drawn pictures, and what a mix of them looks like.
#pragma once

#include <span>
#include <string>

#include "figure/figure.h"

namespace limelight::scenes::layer {

inline constexpr float kFilmShape = 16 / 9.F;  // width by height

// Video number `film` of video_X, its elements' ids beginning with `id`.
void add_film(figure::Figure& figure, const std::string& id, int film, figure::Rect rect, float opacity = 1);
// All of them over each other, each as strong as its weight; weights: one for each film, their sum above 0.
void add_mix(figure::Figure& figure, const std::string& id, std::span<const float> weights, figure::Rect rect);

}  // namespace limelight::scenes::layer
