// What the words of scenes have in common: numbers in sentences and in formulas, names of tensors, products written
// out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"
#include "figure/formula.h"
#include "scenes/scene.h"

namespace limelight::scenes {

// Of scores up to here powers of e can still be read; larger ones are told with their row's largest taken away.
inline constexpr float kReadablePower = 9;

std::string bold(std::string_view text);
std::string quoted(std::string_view text);             // “so”
std::string percent(double share);                     // "36 %"
std::string brief(double value, int significant = 3);  // "0.125", "1.5e+09"
// So many digits after the point. What is not 0 is not written as 0, however small it is: "3.2×10⁻⁷".
std::string fixed(double value, int decimals = 3);
// Six digits after the point, without the zeros at their end; what is smaller as `fixed` writes it.
std::string whole(double value);
// Whether these decimals say it all, to single precision.
bool is_exact(double value, int decimals);
// A word of a reader's in a sentence of ours: its beginning, where it is very long.
std::string in_sentence(std::string_view word);
// Of a number that is typed into the figure.
inline constexpr const char* kTyped = " Double-click to type another number, or drag it up and down.";
// In words: a label in a sentence of ours, its number where it has none.
std::string label_of(const std::vector<std::string>& labels, int index);
// The same, with its number among labels that are alike: "the (2)".
std::string label_apart(const std::vector<std::string>& labels, int index);

// "scores[dot, fox]": what the inspector calls a number.
std::string title_of(const Trace& trace, const figure::Source& at);

// A row of a tensor in words, without what is 0 in it: "piano cat: cat 2, music 2".
std::string said_of(const Tensor& tensor, int row);
// "row 3, column 5": a cell of a grid over a picture, by its number, row by row from 0.
std::string place_of(int cell, int side);

// Which of the words are not in the longest sequence that both have in common, in this order.
std::vector<bool> differing(const std::vector<std::string>& words, const std::vector<std::string>& other);

figure::Formula value_of(double value, int decimals = 3);  // −∞ when not finite
// As a factor or behind a sign: in parentheses when negative.
figure::Formula factor_of(double value);
// "Y_self" is set as Y with a subscript.
figure::Formula name_of_tensor(std::string_view name, std::string_view indices = "");
figure::Formula cell_of(std::string_view name, int row, int column);
figure::Formula exp_of(figure::Formula inside);   // exp(x)
figure::Formula size_of(figure::Formula inside);  // |x|
// The first of these numbers with + between them, then how many more there are.
std::vector<figure::Formula> listed(const Matrix& numbers, int shown);

// "= 0.25" or "≈ 0.364284": what an explanation ends in.
void result_line(Inspection& made, double value, bool exact = false);

// The terms of a product of a row and a column (or, transposed, a row) of two tensors.
std::vector<figure::Term> terms_of(const Tensor& left, int i, const Tensor& right, int j, bool transposed);
// Whether the numbers that a sum of products shows are all there is.
bool are_exact(const std::vector<figure::Term>& terms);
bool has_whole_root(int size);

// What they sum to, for a fraction: no line breaks inside one, so that a long sum stands in a line of its own.
figure::Formula sum_of_terms(const std::vector<figure::Term>& terms);

// A row of a tensor, or a column, as where a number comes from.
void add_origin(Inspection& made, const Trace& trace, std::string_view name, int index, bool column,
                figure::Colour colour);
// tensor = left · right, with the numbers.
struct Factors {
  std::string_view left, right;
  figure::Colour left_colour, right_colour;
};
void explain_product(Inspection& made, const Trace& trace, const figure::Source& at, const Factors& of);

// What a scene's words are told from.
template <class State>
struct Facts {
  const State& state;
  const Trace& trace;

  [[nodiscard]] double at(std::string_view tensor, int row = 0, int column = 0) const {
    return static_cast<double>(trace.at(tensor).values(row, column));
  }
};

// A number that the inspector explains.
template <class State>
struct Pointed : Facts<State> {
  figure::Source at;
  const figure::Palette& colours;
  Inspection& made;

  [[nodiscard]] double of(std::string_view tensor, int row, int column) const {
    return Facts<State>::at(tensor, row, column);
  }
  [[nodiscard]] const Matrix& of(std::string_view tensor) const { return this->trace.at(tensor).values; }
  [[nodiscard]] double value() const { return of(at.tensor, at.row, at.column); }
  [[nodiscard]] figure::Formula cell() const { return cell_of(at.tensor, at.row, at.column); }
  void line(std::vector<figure::Formula> parts) const { made.lines.push_back(figure::row(std::move(parts))); }
  void result(bool exact = false) const { result_line(made, value(), exact); }
  void origin(std::string_view tensor, int row, figure::Colour colour) const {
    add_origin(made, this->trace, tensor, row, false, colour);
  }
  // It is made of nothing that is seen.
  void given(figure::Formula name, std::string note) const {
    made.lines = {figure::row({std::move(name), figure::operation("="), figure::number(whole(value()))})};
    made.note = std::move(note);
  }
  void given(std::string note) const { given(cell(), std::move(note)); }
};

}  // namespace limelight::scenes
