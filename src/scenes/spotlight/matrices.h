// A matrix on the stage: its name, its cells, and the words of its rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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
const MatrixRole& role_of(std::string_view tensor);  // X, W_q, W_k, W_v, Q, K, V, scores or output

enum class Lies { upright, on_its_side };  // transposed: its rows run to the right

// "Q 9×6 what it looks for", from `at` on, its middle there; at most `width` wide. Ids begin with the tensor's name.
void add_matrix_title(Drawing& d, std::string_view tensor, Point at, float width, const std::string& said,
                      Lies lies = Lies::upright);
// All of its numbers in the rect, with as many digits as there is room for.
void add_matrix(Drawing& d, std::string_view tensor, Rect cells, Lies lies = Lies::upright);
inline constexpr float kLeastDigits = 8.5F;  // px of digits: smaller ones are left out
// px of digits that have room in cells of this size.
float number_size(const Drawing& d, const Matrix& numbers, int decimals, float cell_w, float cell_h);
// Whether its numbers can be changed: the embeddings and the matrices, or where an example gives them Q, K and V.
bool is_editable(const State& state, std::string_view tensor);
// px of the widest of some words, `most` at most.
float widest(const std::vector<std::string>& words, text::Face face, float size, float most);
// The words of so many rows in the rect, from the first one on, each of which a click makes the query: all, or where
// they are lower than their letters as many as can be read, that of the query among them.
struct RowNames {
  std::string_view tensor{};
  int first = 0, count = 0;
  Rect rect{};
  Align align = Align::left;
  Type type = type::label;
};
void add_row_names(Drawing& d, const RowNames& names);

}  // namespace limelight::scenes::spotlight
