// A weighted sum that is poured: each number of each value runs down into the number of the output that it adds to.
#pragma once

#include <span>
#include <vector>

#include "core/matrix.h"
#include "figure/figure.h"

namespace limelight::figure {

// What one number of a value adds, and where in the output's cell it lands.
struct Contribution {
  int row = 0, column = 0;           // of the value
  float adds = 0, x = 0, width = 0;  // below 0 where it takes away; the width is that of its size
};
// Of weights · values, row by row, the output's numbers side by side in the rect. In its fullest cell they are together
// as wide as the cell, in the others by the same measure.
std::vector<Contribution> contributions(const Matrix& values, std::span<const float> weights, const Rect& output);

// From a number of the value, which stand side by side in `value`, down into the output, there as wide as what it adds;
// grey where it takes away. stream: its id, and what it says when it is pointed at. seen: from 0 to 1.
void add_stream(Figure& figure, Element stream, const Contribution& part, const CellRange& value, const Rect& glass,
                float lands, float seen, Theme theme);

// How far the streams of one of `count` values have come, the last value's after the first's; fall: how far all have.
float fallen(float fall, int row, int count);
// What has come together by then in each of so many columns.
std::vector<float> gathered(std::span<const Contribution> parts, float fall, int count, int columns);

// How far the sums of products reach while they are added up, from 0.
struct Reach {
  float low = 0, high = 0;
};
// Of a query's row of Q: [T, D] with all keys K: [S, D], so that the bars of all its scores have one scale.
Reach reach_of(const Matrix& Q, int query, const Matrix& K);

}  // namespace limelight::figure
