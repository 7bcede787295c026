// Words compared: capitals or not, and how far two are from each other, for what is suggested in place of an unknown
// one.
#pragma once

#include <string>
#include <string_view>

namespace limelight::io {

// ASCII only: other letters stay as they are.
std::string lower_case(std::string_view word);

// The smallest number of letters to insert, delete, replace or swap with their neighbour that makes `to` of `from`
// (optimal string alignment: Damerau 1964).
int distance(std::string_view from, std::string_view to);

}  // namespace limelight::io
