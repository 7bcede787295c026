// Formulas of numbers that are no sum along a row and a column: similarities of two rows, what places make of a row,
// and how far two matrices are apart.
#include <cmath>

#include "scenes/common/explain.h"
#include "scenes/common/recipe.h"

namespace limelight::scenes::recipes {
namespace {

using namespace figure;

struct Compared {
  const Asked& asked;
  const Recipe& recipe = asked.recipes.of(asked.at.tensor);
  Formula number = scenes::cell_of(asked.at.tensor, asked.at.row, asked.at.column);

  [[nodiscard]] const Matrix& operand(std::size_t which) const { return asked.trace.at(recipe.operands[which]).values; }
  [[nodiscard]] Matrix left() const { return operand(0).row(asked.at.row); }
  [[nodiscard]] Matrix right() const { return operand(1).row(asked.at.column); }
  [[nodiscard]] Colour ink(std::size_t which) const {
    return asked.colours.*asked.recipes.symbol_of(recipe.operands[which]).ink;
  }
  // "q", a row of Q.
  [[nodiscard]] Formula a_row(std::size_t which) const {
    std::string letter(asked.recipes.symbol_of(recipe.operands[which]).letter);
    letter[0] = static_cast<char>(std::tolower(letter[0]));
    return coloured(symbol(letter), ink(which));
  }
  [[nodiscard]] Formula name(std::size_t which) const { return name_of_tensor(recipe.operands[which]); }
  [[nodiscard]] Formula sum(const Matrix& of, const Matrix& with, Colour one, Colour other) const {
    std::vector<Term> terms;
    for (Eigen::Index k = 0; k < of.size(); ++k) terms.push_back({of.data()[k], with.data()[k]});
    return sum_of_products(terms, 2, one, other);
  }
};

void explain_cosine(Inspection& made, const Compared& c) {
  const Formula q = c.a_row(0), x = c.a_row(1), bar = word("|");
  const std::vector<Term> terms = terms_of(c.asked.trace.at(c.recipe.left()), c.asked.at.row,
                                           c.asked.trace.at(c.recipe.right()), c.asked.at.column, true);
  made.lines = {
      row({c.number, operation("="), fraction(row({q, operation("·"), x}), row({bar, q, word("| |"), x, bar}))}),
      row({q, operation("·"), x, operation("="), c.sum(c.left(), c.right(), c.ink(0), c.ink(1))}),
      row({c.number, operation("="),
           fraction(sum_of_terms(terms),
                    row({value_of(c.left().norm()), operation("·"), value_of(c.right().norm())}))})};
}

void explain_general(Inspection& made, const Compared& c) {
  made.lines = {
      row({c.number, operation("="), parenthesised(row({c.a_row(0), c.name(2)})), operation("·"), c.a_row(1)}),
      row({operation("="), c.sum(c.left() * c.operand(2), c.right(), c.ink(0), c.ink(1))})};
}

void explain_additive(Inspection& made, const Compared& c) {
  const Matrix hidden = (c.left() * c.operand(2) + c.right() * c.operand(3)).array().tanh();
  const Colour ink = c.asked.colours.ink;
  made.lines = {row({c.number, operation("="), symbol("v"), operation("·"), word("tanh"),
                     parenthesised(row({c.a_row(0), c.name(2), operation("+"), c.a_row(1), c.name(3)}))}),
                row({operation("="), c.sum(c.operand(4), hidden, ink, ink)})};
}

// Of a number and, beside it in its pair, another one; beside an odd last column stands a 0.
void explain_placed(Inspection& made, const Compared& c) {
  const auto [tensor, i, j] = std::tuple(c.recipe.left(), c.asked.at.row, c.asked.at.column);
  const Matrix& placed = c.asked.trace.at(c.asked.at.tensor).values;
  const auto entry = [&](int column) {
    return column < c.operand(0).cols() ? static_cast<double>(c.operand(0)(i, column)) : 0;
  };
  const Formula plain = scenes::cell_of(tensor, i, j);
  if (c.recipe.operation == Operation::sinusoidal) {
    made.lines = {row({c.number, operation("="), plain, operation("+"), symbol("p")}),
                  row({operation("="), value_of(entry(j)), operation("+"),
                       factor_of(static_cast<double>(placed(i, j)) - entry(j))})};
    return;
  }
  const bool even = j % 2 == 0;
  const Formula angle = parenthesised(value_of(angle_of(i, j, static_cast<int>(placed.cols()))));
  made.lines = {
      row({c.number, operation("="), word("cos"), angle, operation("·"), factor_of(entry(j)),
           operation(even ? "−" : "+"), word("sin"), angle, operation("·"), factor_of(entry(even ? j + 1 : j - 1))})};
}

void explain_gap(Inspection& made, const Compared& c) {
  const Formula one = matrix_of(c.asked.recipes, c.recipe.left(), c.asked.colours),
                other = matrix_of(c.asked.recipes, c.recipe.right(), c.asked.colours);
  Eigen::Index i = 0, j = 0;
  (c.operand(0) - c.operand(1)).cwiseAbs().maxCoeff(&i, &j);
  made.lines = {row({word("max |"), one, operation("−"), other, word("|")}),
                row({operation("="), word("|"), value_of(c.operand(0)(i, j)), operation("−"),
                     factor_of(c.operand(1)(i, j)), word("|")})};
}

}  // namespace

double angle_of(int place, int column, int columns) {
  return place / std::pow(10000, static_cast<double>(column - column % 2) / columns);
}

bool explain_compared(const Asked& asked, Inspection& made) {
  using Explain = void(Inspection&, const Compared&);
  static constexpr std::pair<Operation, Explain*> kExplained[] = {
      {Operation::cosine, explain_cosine},     {Operation::general, explain_general},
      {Operation::additive, explain_additive}, {Operation::sinusoidal, explain_placed},
      {Operation::rotary, explain_placed},     {Operation::largest_gap, explain_gap}};
  const Recipe& recipe = asked.recipes.of(asked.at.tensor);
  for (const auto& [operation, explain] : kExplained) {
    // Without what is learned an additive score is told as a number alone.
    if (recipe.operation != operation || (operation == Operation::additive && recipe.operands[2].empty())) continue;
    explain(made, {asked});
    if (operation != Operation::largest_gap) add_origins(asked, made);
    result_line(made, asked.trace.at(asked.at.tensor).values(asked.at.row, asked.at.column));
    made.note = recipe.said;
    return true;
  }
  return false;
}

}  // namespace limelight::scenes::recipes
