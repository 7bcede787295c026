// How far two words are from each other: what is suggested in place of an unknown one.
#pragma once

#include <string_view>

namespace limelight::io {

// The smallest number of letters to insert, delete, replace or swap with their neighbour that makes `to` of `from`
// (optimal string alignment: Damerau 1964).
int distance(std::string_view from, std::string_view to);

}  // namespace limelight::io
