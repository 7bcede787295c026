// Four drawn films, which are what people search for among videos, and what a mix of them looks like.
#pragma once

#include <span>
#include <string>

#include "figure/figure.h"

namespace limelight::figure::films {

inline constexpr float kShape = 16 / 9.F;  // width by height

// From 0: a cat at the piano, a piano class, a cake like a cat, a cup final. Its elements' ids begin with `id`.
void add_film(Figure& figure, const std::string& id, int film, Rect rect, float opacity = 1);
// All of them over each other, each as strong as its weight; weights: one for each film, their sum above 0.
void add_mix(Figure& figure, const std::string& id, std::span<const float> weights, Rect rect);

}  // namespace limelight::figure::films
