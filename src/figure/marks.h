// What marks numbers that a figure shows: outlines and tints.
#pragma once

#include <string>
#include <string_view>

#include "figure/figure.h"

namespace limelight::figure {

// A line along a rect's edges, its rim black or white, whichever stands out from it: seen on a cell of any colour.
void add_ring(Figure& figure, const std::string& id, Rect rect, Colour colour, float width = 2);

// Such a line around a row (column −1), a column (row −1) or a cell of a tensor, wherever the figure shows it.
void add_outline(Figure& figure, std::string_view tensor, int row, int column, Colour colour, float width = 2);

// Rows of arrowheads at both sides of a middle, `half` away from it, fading as they lead away to the left and to the
// right; at scale 1 they are 8 px high. Their ids begin with `id`.
void add_arrowheads(Figure& figure, const std::string& id, Point middle, float half, float scale, Colour colour);

}  // namespace limelight::figure
