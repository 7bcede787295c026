// Cells that are too small for their numbers, and numbers that are short enough for little room.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "figure/figure.h"

namespace limelight::figure {

// As MatrixCells::largest: the fullest cell of each column is that of the column's own largest number, where columns
// count in different units.
inline constexpr float kEachColumn = -1;

// Tinted cells without numbers. side: px of a cell; the smaller, the less of a gap is between two.
inline MatrixCells small_cells(const CellRange& range, float side, Colour tint, Theme theme) {
  return {.range = range,
          .gap = side >= 8   ? 1.5F
                 : side >= 4 ? 1.F
                             : 0.F,
          .radius = std::min(2.5F, 0.2F * side),
          .text_size = 0,
          .tint = tint,
          .theme = theme};
}

// "0.38" becomes ".38", "−0.5" "−.5".
inline std::string without_zero(std::string number) {
  constexpr std::string_view kMinus = "−";
  const std::size_t at = number.starts_with(kMinus) ? kMinus.size() : 0;
  if (number.substr(at).starts_with("0.")) number.erase(at, 1);
  return number;
}

}  // namespace limelight::figure
