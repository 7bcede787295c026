// Which of many values are the largest.
#pragma once

#include <span>
#include <vector>

namespace limelight::figure {

// The places of the values, the largest value's first; of equal ones the first one's first. What is not a number counts
// as the largest.
std::vector<int> largest_first(std::span<const float> values);
// The same, the smallest value's first.
std::vector<int> smallest_first(std::vector<float> values);
// Which of them are taken where the largest is first, then the next largest, and none within `reach` places of one that
// is taken.
std::vector<bool> largest_apart(std::span<const float> values, int reach);

}  // namespace limelight::figure
