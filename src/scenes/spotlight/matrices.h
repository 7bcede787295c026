// A matrix on the stage: its name, its cells, and the words of its rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/matrix.h"
#include "scenes/spotlight/parts.h"

namespace limelight::scenes::spotlight {

// What a matrix of this scene is: how it is written, and the colours of its role.
struct MatrixRole : recipes::Symbol {
  Colour Palette::* fill;
  std::string_view name;  // in words
};
const MatrixRole& role_of(std::string_view tensor);  // any of the trace

enum class Lies { upright, on_its_side };  // transposed: its rows run to the right

// Its title, with what is said of it.
void add_matrix_title(Drawing& d, std::string_view tensor, Point at, float width, const std::string& said,
                      Lies lies = Lies::upright);
// All of its numbers in the rect, with as many digits as there is room for.
void add_matrix(Drawing& d, std::string_view tensor, Rect cells, Lies lies = Lies::upright);
void add_arriving(Drawing& d, std::string_view tensor, Rect cells, const Arriving& now);
// Each row an element of its own, as a word's numbers are in the sentence.
void add_matrix_rows(Drawing& d, std::string_view tensor, Rect cells);
// The names of its columns below it, where they have some. And how high these are.
void add_feature_names(Drawing& d, std::string_view tensor, Rect cells);
float feature_names_height(const Drawing& d, std::string_view tensor, float column_w);
float most_digits(const Drawing& d);  // px
// Whether its numbers can be changed: the weights, the embeddings and the matrices, or where an example gives them Q, K
// and V.
bool is_editable(const State& state, std::string_view tensor);
// The words of its rows, of all without a count: where they are queries a click makes one ask. beside: the matrix that
// they go with; empty: this one.
void add_row_names(Drawing& d, std::string_view tensor, RowNames names, std::string_view beside = {});

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
