// A matrix on the stage: its name, its cells, and the words of its rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/text.h"
#include "scenes/spotlight/parts.h"

namespace limelight::scenes::spotlight {

// What a matrix of this scene is: how it is written, and the colours of its role.
struct MatrixRole : recipes::Symbol {
  Colour Palette::* fill;
  std::string_view name;  // in words
};
const MatrixRole& role_of(std::string_view tensor);  // any of the trace

enum class Lies { upright, on_its_side };  // transposed: its rows run to the right

// "Q 9×6 what it looks for", from `at` on, its middle there; at most `width` wide, and with no width the name alone.
// Ids begin with the tensor's name.
void add_matrix_title(Drawing& d, std::string_view tensor, Point at, float width, const std::string& said,
                      Lies lies = Lies::upright);
// All of its numbers in the rect, with as many digits as there is room for.
void add_matrix(Drawing& d, std::string_view tensor, Rect cells, Lies lies = Lies::upright);
// Where one of so many rows and columns lies; of 1 column, a whole row.
Rect cell_of(const Rect& cells, int rows, int columns, int row, int column);
// The rows of it that have come, `others` of all; while its `first` numbers, a row's or one, are on their way, these
// where they are: of this tensor, or still of the one that they are made from. They have the cells of the matrix.
void add_arriving(Drawing& d, std::string_view tensor, Rect cells, float others, const CellRange& first,
                  std::optional<Rect> at);
// A matrix, each row an element of its own, as a word's numbers are in the sentence: "X.0", "X.1" …
void add_matrix_rows(Drawing& d, std::string_view tensor, Rect cells);
// The names of its columns below it, where they have some: side by side, or where columns are narrow upright. And how
// high these are.
void add_feature_names(Drawing& d, std::string_view tensor, Rect cells);
float feature_names_height(const Drawing& d, std::string_view tensor, float column_w);
inline constexpr float kLeastDigits = 8.5F;  // px of digits: smaller ones are left out
// px of digits that have room in cells of this size.
float number_size(const Drawing& d, const Matrix& numbers, int decimals, float cell_w, float cell_h);
// Whether its numbers can be changed: the weights, the embeddings and the matrices, or where an example gives them Q, K
// and V.
bool is_editable(const State& state, std::string_view tensor);
// px of the widest of some words, `most` at most.
float widest(const std::vector<std::string>& words, text::Face face, float size, float most);
// The words of so many rows in the rect, from the first one on, each of which a click makes the query: all, or where
// they are lower than their letters as many as can be read, that of the query among them.
struct RowNames {
  std::string_view tensor{};
  std::string_view beside{};  // the matrix that they go with; empty: the tensor's
  int first = 0, count = 0;
  Rect rect{};
  Align align = Align::left;
  Type type = type::label;
  bool of_sentence = false;  // their letters are the sentence's, which come here from another step
  bool of_keys = false;      // keys that are not the queries' words: they do not ask
};
void add_row_names(Drawing& d, const RowNames& names);

// X with its title, its words and the names of its columns: the same elements in every step that shows it.
struct Input {
  Rect cells{};
  Rect names{};  // of the words, beside it
  Type type = type::label;
};
void add_input(Drawing& d, const Input& input);
// Where the step that multiplies it has it, and the one before.
Input input_of(const Drawing& d);

}  // namespace limelight::scenes::spotlight
