// Triangles that fill a polygon, for painters that can fill nothing else.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "figure/geometry.h"

namespace limelight::figure {

// Whether its corners run counterclockwise on a screen, whose y points down.
bool turns_left(std::span<const Point> polygon);

// Whether it turns the same way at every corner. Corners in either direction.
bool is_convex(std::span<const Point> polygon);

// Corners by index, n − 2 triangles for n ≥ 3 corners: ears are cut off one after the other (Meisters 1975). The
// polygon does not cross itself; where it touches itself the triangles still cover it.
std::vector<std::array<int, 3>> triangles_of(std::span<const Point> polygon);

}  // namespace limelight::figure
