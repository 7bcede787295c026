// Pictures that are computed: a gradient, and a landscape that looks like a photograph.
#pragma once

#include "core/matrix.h"

namespace limelight::scenes::patches {

// [side², 3]: red, green and blue, from 0 to 1, row by row from the top.
Matrix gradient(int side);
// The sun above the sea, clouds, two ridges of hills, and all of it on the water.
Matrix landscape(int side);

}  // namespace limelight::scenes::patches
