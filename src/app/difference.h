// The difference of two tensors as a picture of its own.
#pragma once

#include <string>

#include "core/trace.h"
#include "figure/figure.h"

namespace limelight::app {

// Its cells in colours on both sides of 0, with digits where there is room; its rows' and its columns' names; its
// colour bar, as large as has room in the area. Ids begin with the tensor's name. Returns the bottom.
float add_difference_map(figure::Figure& figure, const Tensor& difference, const std::string& title, figure::Rect area,
                         figure::Theme theme);

}  // namespace limelight::app
