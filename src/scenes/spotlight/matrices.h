// A matrix on the stage: its name, its cells, and the words of its rows.
#pragma once

#include <string>
#include <string_view>

#include "scenes/common/text.h"
#include "scenes/spotlight/parts.h"

namespace limelight::scenes::spotlight {

// What a matrix of this scene is: its letter, its index, and the colours of its role.
struct MatrixRole {
  std::string_view tensor;
  std::string_view letter;
  std::string_view index;
  Colour Palette::* ink;
  Colour Palette::* fill;
};
const MatrixRole& role_of(std::string_view tensor);  // X, W_q, W_k, W_v, Q, K, V or output

// "Q 9×6 what it looks for", from `at` on, its middle there; at most `width` wide. Ids begin with the tensor's name.
void add_matrix_title(Drawing& d, std::string_view tensor, Point at, float width, const std::string& said);
// All of its numbers in the rect, with as many digits as there is room for.
void add_matrix(Drawing& d, std::string_view tensor, Rect cells);
// The words of rows in the rect, one below the other: all, or where they are low as many as can be read, that of the
// query among them. A click on one sets the query where `asks`.
struct RowNames {
  std::string_view tensor{};
  Rect rect{};
  Align align = Align::left;
  Type type = type::label;
  bool asks = false;
};
void add_row_names(Drawing& d, const RowNames& names);

}  // namespace limelight::scenes::spotlight
