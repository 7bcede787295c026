// A recipe says what a tensor of a trace is: an operation on other tensors, a mask, what was set by hand, a note. All
// that tells how a number came about is read from it: the formula with the numbers in it, the step's own formula, the
// outlines of what it comes from, the code for NumPy and PyTorch, and, for the law that the trace is what the recipe
// says, its value. A scene's compute() is not made of recipes: its kernels stay what they are.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace.h"
#include "figure/formula.h"
#include "io/fields.h"
#include "scenes/common/code.h"
#include "scenes/scene.h"

namespace limelight::scenes::recipes {

// How a tensor and its numbers are written: a row of each scene's one table.
struct Symbol {
  std::string_view tensor;
  std::string_view letter, index;  // of the matrix: W, Q
  std::string_view cell;           // of its numbers: w; empty: they are written as what they are computed from
  figure::Colour figure::Palette::* ink = &figure::Palette::ink;  // of its role: query, key, value, input, output
  bool by_words = false;     // its numbers' indices are the words of their row and column, not their places
  std::string_view title{};  // what one of its numbers is, in words; {row} and {column} stand for the names of these
};

enum class Operation {
  given,
  product,      // left · right, or left · rightᵀ
  same,         // each number of left; what follows may scale and mask it
  maximum,      // of each row: [T, S] → [T, 1]
  difference,   // of each number and that of its row in right, [T, 1]; turned: and that in its place, [T, S]
  exponential,  // of each number
  total,        // of each row: [T, S] → [T, 1], or of each column: → [1, S]
  quotient,     // of each number and the one of its row in right, [T, 1]
  softmax,      // of each row, or of each column
  reordered,    // the rows of left in another order
  one_row,      // of left
  columns,      // of left: as many as `size_of_part`, from `first` on
  beside,       // `many` side by side, each with `size_of_part` columns
  sum_of,       // `many` of one shape, added up
  largest_gap,  // the largest difference of left and right anywhere: [1, 1]
  cosine,       // of the angle between each row of left and each of right
  general,      // left · W · rightᵀ (Luong et al. 2015)
  additive,     // v · tanh(left W_1 + right W_2) of each two rows (Bahdanau et al. 2015); without W_1 and W_2 of those
                // that have gone through them
  sinusoidal,   // left + the encodings of the places (Vaswani et al. 2017, section 3.5)
  rotary,       // left, its pairs of columns turned by place (Su et al. 2021)
};

struct Recipes;
// A number of a tensor that is in the trace.
struct Asked {
  const Recipes& recipes;
  const Trace& trace;
  const figure::Palette& colours;
  figure::Source at;
};

struct Recipe {
  std::string_view tensor{};
  Operation operation = Operation::given;
  std::array<std::string_view, 5> operands{};  // left, right and, of general and additive, what is learned: tensors
  bool turned = false;  // a product's right one lies on its side; softmax and total go along the columns; what is
                        // taken off a tensor, or divides it, is a whole one instead of one number for each row
  const io::Order* order = nullptr;      // of reordered
  int row = 0;                           // of one_row
  int first = 0;                         // of columns; of a product: the row of right that meets left's first column
  int size_of_part = 0;                  // of columns and beside
  int rows = 0;                          // of a product: so many of left, from the first on; 0: all
  std::vector<std::string_view> many{};  // of beside and sum_of
  std::string_view bias{};               // [1, S], added to each row
  // Each number of the operation is multiplied by `factor` and divided by √size and by `temperature`; then `slope`
  // times the distance of its row and column is taken off; then the causal mask makes −∞ of it where the column comes
  // later.
  double factor = 1;
  std::string_view size_name{};  // "d_k": they are divided by the root of this size
  int size = 1;
  double temperature = 1;
  double slope = 0;
  bool causal = false;
  std::string_view mask{};      // a tensor: where it is 0 the number becomes −∞
  std::string_view exponent{};  // of a quotient of exponentials: the tensor of scores that it is the softmax of
  // Cells that were set by hand; the others of such a row share what is left of 1 in their proportions.
  const io::CellEdits* set = nullptr;
  std::string_view named{};  // "f_att": symbolically it is this function of its operands
  std::string_view note{};   // a few words, for the code's comment
  std::string_view said{};   // sentences, for the callout; {row} and {column} stand for the names of these

  [[nodiscard]] std::string_view left() const { return operands[0]; }
  [[nodiscard]] std::string_view right() const { return operands[1]; }
  [[nodiscard]] bool scales() const { return factor != 1 || !size_name.empty() || temperature != 1; }
  [[nodiscard]] int old_place(int new_row) const {
    return order->places.empty() ? new_row : order->places[static_cast<std::size_t>(new_row)];
  }

  Recipe& of_first(int left_rows) { return rows = left_rows, *this; }
  Recipe& times(double by) { return factor = by, *this; }
  Recipe& over_root(std::string_view name, int of) { return size_name = name, size = of, *this; }
  Recipe& over(double by) { return temperature = by, *this; }
  Recipe& less_distance(double by) { return slope = by, *this; }
  Recipe& masked(bool hides_later) { return causal = hides_later, *this; }
  Recipe& masked_by(std::string_view by) { return mask = by, *this; }
  Recipe& plus(std::string_view row_vector) { return bias = row_vector, *this; }
  Recipe& softmax_of(std::string_view scores) { return exponent = scores, *this; }
  Recipe& by_hand(const io::CellEdits& cells) { return set = &cells, *this; }
  Recipe& called(std::string_view function) { return named = function, *this; }
  Recipe& noted(std::string_view words) { return note = words, *this; }
  Recipe& says(std::string_view sentences) { return said = sentences, *this; }
};

// ---- operations, as a scene writes them ----

struct Transposed {
  std::string_view tensor;
};
constexpr Transposed transposed(std::string_view tensor) { return {tensor}; }

inline Recipe made_by(Operation operation, std::string_view left = {}, std::string_view right = {}) {
  Recipe made;
  made.operation = operation;
  made.operands = {left, right};
  return made;
}
inline Recipe given() { return {}; }
// Each number of a tensor: what follows scales and masks it.
inline Recipe same(std::string_view tensor) { return made_by(Operation::same, tensor); }
inline Recipe product(std::string_view left, std::string_view right) {
  return made_by(Operation::product, left, right);
}
inline Recipe product(std::string_view left, Transposed right) {
  Recipe made = made_by(Operation::product, left, right.tensor);
  made.turned = true;
  return made;
}
inline Recipe row_maximum(std::string_view of) { return made_by(Operation::maximum, of); }
inline Recipe minus_column(std::string_view from, std::string_view column) {
  return made_by(Operation::difference, from, column);
}
inline Recipe exp_of(std::string_view tensor) { return made_by(Operation::exponential, tensor); }
inline Recipe over_column(std::string_view numbers, std::string_view column) {
  return made_by(Operation::quotient, numbers, column);
}
enum class Along { rows, columns };
inline Recipe softmax(std::string_view scores, Along along = Along::rows) {
  Recipe made = made_by(Operation::softmax, scores);
  made.turned = along == Along::columns;
  return made;
}
inline Recipe total(std::string_view of, Along along = Along::rows) {
  Recipe made = made_by(Operation::total, of);
  made.turned = along == Along::columns;
  return made;
}
inline Recipe reordered(std::string_view rows, const io::Order& order) {
  Recipe made = made_by(Operation::reordered, rows);
  made.order = &order;
  return made;
}
inline Recipe row_of(std::string_view tensor, int row) {
  Recipe made = made_by(Operation::one_row, tensor);
  made.row = row;
  return made;
}

inline Recipe columns_of(std::string_view tensor, int first, int count) {
  Recipe made = made_by(Operation::columns, tensor);
  made.first = first;
  made.size_of_part = count;
  return made;
}
// left · `count` rows of right, from `first` on.
inline Recipe product_from(std::string_view left, std::string_view right, int first, int count) {
  Recipe made = product(left, right);
  made.first = first;
  made.size_of_part = count;
  return made;
}
inline Recipe beside(std::vector<std::string_view> tensors, int columns_each) {
  Recipe made = made_by(Operation::beside);
  made.many = std::move(tensors);
  made.size_of_part = columns_each;
  return made;
}
inline Recipe sum_of(std::vector<std::string_view> tensors) {
  Recipe made = made_by(Operation::sum_of);
  made.many = std::move(tensors);
  return made;
}

// Of one state, which must outlive them, as the names and sentences in them must: these are constants.
struct Recipes {
  Symbol (*symbol_of)(std::string_view tensor);
  std::vector<Recipe> list{};

  void add(std::string_view tensor, const Recipe& recipe);
  // Null where a tensor has none.
  [[nodiscard]] const Recipe* find(std::string_view tensor) const;
  // The tensor must have one.
  [[nodiscard]] const Recipe& of(std::string_view tensor) const;
};

// ---- what is read from them ----

// Numbers that another comes from: one cell, a row (column −1) or a column (row −1) of a tensor.
struct Part {
  std::string_view tensor;
  int row, column;
};
// Of a number: its operands; and where the first of these is one cell, as with a scaled score, what that comes from.
// The nearest first.
std::vector<Part> parts_of(const Recipes& recipes, std::string_view tensor, int row, int column);
// Whether one of the row's numbers was set by hand, so that none of it comes from its operands.
bool set_in_row(const Recipe& recipe, int row);
bool set_in_row(const io::CellEdits& set, int row);
// Of its role; grey where it has none.
figure::Colour colour_of(const Recipes& recipes, std::string_view tensor, const figure::Palette& colours);
// A ring around each of its parts, wherever the figure has it, and around the number. It must be in the trace.
void add_outlines(figure::Figure& figure, const Recipes& recipes, const figure::Source& of,
                  const figure::Palette& colours);

// The formula with the numbers in it, the note, and where it comes from.
void explain(const Asked& asked, Inspection& made);
// Its part for similarities of rows, positions and gaps. False: it is none of these.
bool explain_compared(const Asked& asked, Inspection& made);
// The angle that a place has in the pair of columns that this one is of; of so many columns.
double angle_of(int place, int column, int columns);
// The whole rows and columns that it comes from.
void add_origins(const Asked& asked, Inspection& made);

// "Z", in its colour.
figure::Formula matrix_of(const Recipes& recipes, std::string_view tensor, const figure::Palette& colours);
// "z" with the indices i and j.
figure::Formula cell_of(const Recipes& recipes, std::string_view tensor, const figure::Palette& colours);
// Matrix = what it is made of: Z = Q Kᵀ over the root of d. Depth::all: operands without a colour of their own, as
// scores, are written as what they are made of in turn.
enum class Depth { one, all };
figure::Formula equation(const Recipes& recipes, std::string_view tensor, const figure::Palette& colours, Depth depth);
// What a number in row i, column j is made of: exp(z_ij − m_i) over their sum.
figure::Formula cells_in(const Recipes& recipes, std::string_view tensor, const figure::Palette& colours);

// What it is when it is computed from the trace's tensors: element by element in double precision, without the kernels.
Matrix evaluate(const Recipe& recipe, const Trace& trace);

// How code computes them. The trace says how large they are.
code::Equations equations(const Recipes& recipes, const Trace& trace);

}  // namespace limelight::scenes::recipes
