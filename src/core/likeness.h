// How alike matrices of attention weights are, and what is left of a large one in a small picture.
#pragma once

#include <vector>

#include "core/matrix.h"

namespace limelight {

// Half the sum of the differences' sizes between two rows, averaged over the rows: 0, alike, to 1, nothing in common.
float total_variation(const Matrix& a, const Matrix& b);
// Heads in an order that has those next to each other that are alike: clustered from the bottom by mean distance
// (UPGMA; Sokal & Michener 1958).
std::vector<int> cluster(const Matrix& distances);
// The largest of each square of cells, so that at most `most` are left along each side.
Matrix pooled(const Matrix& weights, int most);

}  // namespace limelight
