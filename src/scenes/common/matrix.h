// Matrices on a stage: a name with what is said of it, cells with as many digits as have room, rows on their way, and
// the words of rows and columns.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/text.h"

namespace limelight::scenes {

// px of the widest of some words, `most` at most.
float widest(std::span<const std::string> words, text::Face face, float size, float most);
// Where one of so many rows and columns lies; of 1 column, a whole row.
figure::Rect cell_of(const figure::Rect& cells, int rows, int columns, int row, int column);

// "Q 9×6 what it looks for", from a point on, its middle there; at most `width` wide, and with no width the name alone.
struct MatrixTitle {
  std::string id{};
  std::string label{};  // in words
  figure::Formula name{};
  figure::Colour ink{};
  std::string shape{}, said{};
  float letters = 1;  // their scale
};
void add_matrix_title(Frame& frame, const MatrixTitle& title, figure::Point at, float width);

inline constexpr float kLeastDigits = 9.5F;  // px of digits: smaller ones are left out
// px of digits that have room in cells of this size, `most` at most.
float number_size(const Matrix& numbers, int decimals, float cell_w, float cell_h, float most);

// How all of a tensor's numbers are shown.
struct MatrixLook {
  std::string tensor{};
  std::string name{};  // for the mirror
  figure::Colour tint{};
  float digits = 15;                 // px at most
  int most_decimals = 2, least = 2;  // where cells are narrow one may be enough
  bool turned = false;               // its rows run to the right
  bool editable = false;
};
figure::Element matrix_element(const Frame& frame, const MatrixLook& look, figure::Rect cells);
// Each row an element of its own: "X.0", "X.1" …
void add_matrix_rows(Frame& frame, const MatrixLook& look, figure::Rect cells);
// The rows of it that have come, `others` of all; while its `first` numbers, a row's or one, are on their way, these
// where they are, with the cells of `flies`: of this tensor, or still of the one that they are made from.
struct Arriving {
  float others = 1;
  figure::CellRange first{};
  std::optional<figure::Rect> at{};
};
void add_arriving(Frame& frame, const MatrixLook& look, const MatrixLook& flies, figure::Rect cells,
                  const Arriving& now);

// Where a tensor's numbers are to come.
void add_empty_cells(Frame& frame, std::string_view tensor, figure::Rect rect);

// The words of so many rows in the rect, from the first one on: all, or where they are lower than their letters as many
// as can be read, that of the row that asks and that of the one that is looked at among them.
struct RowNames {
  std::string id{};                      // "Q.row." and the row
  std::span<const std::string> words{};  // of all rows
  int first = 0, count = 0;
  figure::Rect rect{};
  figure::Align align = figure::Align::left;
  Type type = type::label;
  int asks = -1, looked_at = -1;  // rows; −1: none
  std::string_view field{};       // that a click on a word sets; empty: none does
  bool of_sentence = false;       // their letters are the sentence's, which come here from another step
};
void add_row_names(Frame& frame, const RowNames& names);

// Names of columns below a matrix: side by side, or where columns are narrow upright. letters: their scale.
float names_below_height(std::span<const std::string> names, float column_w, float letters);
void add_names_below(Frame& frame, const std::string& id, std::span<const std::string> names, figure::Rect cells,
                     float letters);

// A name and below it a note, "one lamp" and "Σ = 1", to the left of what they name, as small as they need to be.
void add_names_beside(Frame& frame, const std::string& id, figure::Point end, const std::string& name,
                      const std::string& note, float letters);

}  // namespace limelight::scenes
