// Formulas, read from recipes: of one number with the numbers in it, and of a step.
#include <cmath>

#include "core/sort.h"
#include "figure/order.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/explain.h"
#include "scenes/common/recipe.h"

namespace limelight::scenes::recipes {
namespace {

using namespace figure;

Formula in_colour(const Recipes& recipes, std::string_view tensor, const Palette& colours, Formula of) {
  return coloured(std::move(of), colours.*recipes.symbol_of(tensor).ink);
}

// "q", of the rows of Q.
Formula a_row_of(const Recipes& recipes, std::string_view tensor, const Palette& colours) {
  std::string letter(recipes.symbol_of(tensor).letter);
  if (letter[0] >= 'A' && letter[0] <= 'Z') letter[0] = static_cast<char>(letter[0] - 'A' + 'a');
  return in_colour(recipes, tensor, colours, symbol(letter));
}

// The indices of a number: letters as i and j, places as 1 and 2, or what the row and the column are called.
struct Index {
  std::string row{}, column{};
  bool words = false;

  [[nodiscard]] Formula formula(const std::string& text) const {
    return !words && text[0] >= 'a' && text[0] <= 'z' ? symbol(text) : word(text);
  }
  // "1 2", "1 k"; after the index of the matrix, where it has one.
  [[nodiscard]] Formula both(std::string_view before, bool has_column) const {
    std::vector<Formula> parts;
    if (!before.empty()) parts.push_back(word(std::string(before) + " "));
    const std::string behind = words ? ", " : " ";
    if (!has_column) {
      parts.push_back(formula(row));
    } else if (formula(row)->kind == formula(column)->kind) {
      parts.push_back(formula(row + behind + column));
    } else {
      parts.push_back(formula(row + behind));
      parts.push_back(formula(column));
    }
    return figure::row(parts);
  }
};

// ---- symbols ----

// What its numbers are multiplied with, divided by and lessened by, around what it is computed from: `distance` of row
// and column; the root of the size and the temperature as letters, or as the numbers that they are.
Formula around(const Recipe& recipe, Formula core, const Formula& distance, bool numbers) {
  if (recipe.factor != 1) core = row({number(io::format_short(recipe.factor)), operation("·"), core});
  std::vector<Formula> below;
  if (!recipe.size_name.empty())
    below.push_back(root(numbers ? number(std::to_string(recipe.size)) : name_of_tensor(recipe.size_name)));
  if (recipe.temperature != 1) {
    if (numbers && !below.empty()) below.push_back(operation("·"));
    below.push_back(numbers ? number(io::format_short(recipe.temperature)) : symbol("T"));
  }
  if (!below.empty()) core = fraction(core, row(below));
  if (recipe.slope == 0 || distance == nullptr) return core;
  return row({core, operation("−"), number(io::format_short(recipe.slope)), operation("·"), distance});
}

class Symbols {
 public:
  Symbols(const Recipes& recipes, const Palette& colours) : recipes_(recipes), colours_(colours) {}

  // One of its numbers: its letter and indices, or without a letter what it is computed from.
  [[nodiscard]] Formula cell(std::string_view tensor, const Index& index) const {
    const Symbol written = recipes_.symbol_of(tensor);
    const Recipe* recipe = recipes_.find(tensor);
    if (written.cell.empty()) return made_of(*recipe, index);
    const bool has_column = recipe == nullptr || recipe->operation != Operation::maximum;
    return coloured(script(symbol(written.cell), index.both(written.index, has_column)), colours_.*written.ink);
  }

  [[nodiscard]] Formula made_of(const Recipe& recipe, const Index& index) const {
    Formula made = around(
        recipe, core(recipe, index),
        row({word("|"), index.formula(index.row), operation("−"), index.formula(index.column), word("|")}), false);
    return recipe.bias.empty() ? made : row({made, operation("+"), matrix_of(recipes_, recipe.bias, colours_)});
  }

  // The same without the scale.
  [[nodiscard]] Formula core(const Recipe& recipe, const Index& at) const {
    const std::string_view left = recipe.left(), right = recipe.right();
    const Formula k = symbol("k");
    const Index in_row{at.row, "k"}, in_column{"k", at.column};
    const Index& along = recipe.turned ? in_column : in_row;
    switch (recipe.operation) {
      case Operation::product:
        if (!recipe.turned) return row({large("∑", k), cell(left, in_row), cell(right, in_column)});
        return row({a_row(left, at, at.row), operation("·"), a_row(right, at, at.column)});
      case Operation::same:
        return cell(left, at);
      case Operation::maximum:
        return row({script(word("max"), k), cell(left, in_row)});
      case Operation::difference:
        return row({cell(left, at), operation("−"), cell(right, at)});
      case Operation::exponential:
        return exponential(left, at);
      case Operation::total:
        return row({large("∑", k), cell(left, along)});
      case Operation::quotient:
        return fraction(cell(left, at), cell(right, at));
      case Operation::softmax:
        return fraction(exponential(left, at), row({large("∑", k), exponential(left, along)}));
      case Operation::columns:
        return cell(left,
                    {at.row, at.column[0] > '9' ? at.column : std::to_string(std::stoi(at.column) + recipe.first)});
      case Operation::sum_of:
        return row({large("∑", symbol("h")), cell(recipe.many.front(), at)});
      default:  // told by its matrices, or explained by its scene
        return matrix_of(recipes_, left, colours_);
    }
  }

  // What a score is made of, down to the rows of queries and keys.
  [[nodiscard]] Formula whole(const Recipe& recipe) const {
    const bool further = recipe.operation == Operation::same;
    return around(recipe, further ? whole(recipes_.of(recipe.left())) : core(recipe, {}), nullptr, false);
  }

 private:
  [[nodiscard]] Formula exponential(std::string_view of, const Index& at) const {
    return row({word("exp"), parenthesised(cell(of, at))});
  }
  [[nodiscard]] Formula a_row(std::string_view tensor, const Index& at, const std::string& name) const {
    if (!at.words) return a_row_of(recipes_, tensor, colours_);
    return in_colour(recipes_, tensor, colours_, script(symbol(recipes_.symbol_of(tensor).letter), word(name)));
  }

  const Recipes& recipes_;
  const Palette& colours_;
};

// ---- numbers ----

// What a number is computed from, and whether the digits that are shown are all of it.
struct Numbers {
  Formula formula;
  bool exact = true;
};

bool is_shown(double value) { return !std::isfinite(value) || is_exact(value, 3); }

// "0.3 + 1 + …": past eight terms the four largest "+ 60 more".
Numbers sum_of(const Matrix& terms) {
  constexpr int kAll = 8, kLargest = 4;
  const int count = static_cast<int>(terms.size());
  std::vector<int> shown = largest_first(std::span(terms.data(), static_cast<std::size_t>(count)));
  if (count > kAll) shown.resize(kLargest);
  heap_sort(shown);
  Numbers made;
  std::vector<Formula> parts{operation("=")};
  for (const int k : shown) {
    if (parts.size() > 1) parts.push_back(operation("+"));
    parts.push_back(value_of(terms.data()[k]));
  }
  if (count > kAll) {
    parts.push_back(operation("+"));
    parts.push_back(word(std::to_string(count - kLargest) + " more"));
  }
  for (const float term : terms.reshaped()) made.exact = made.exact && is_shown(static_cast<double>(term));
  made.formula = row(parts);
  return made;
}

Matrix row_or_column(const Matrix& of, int row, int column, bool turned) {
  return turned ? Matrix(of.col(column).transpose()) : Matrix(of.row(row));
}

class Explanation {
 public:
  Explanation(const Asked& asked, const Recipe& recipe, Inspection& made)
      : asked_(asked),
        recipe_(recipe),
        made_(made),
        symbols_(asked.recipes, asked.colours),
        value_(number_in(asked.at.tensor, asked.at.column)) {
    const Tensor& tensor = asked.trace.at(asked.at.tensor);
    row_name_ = label_of(tensor.row_labels, asked.at.row);
    column_name_ = label_of(tensor.column_labels, asked.at.column);
  }

  void write() {
    const Symbol written = asked_.recipes.symbol_of(asked_.at.tensor);
    if (!written.title.empty()) made_.title = titled(std::string(written.title));
    index_ = written.by_words ? Index{io::ellipsize(row_name_, 12), io::ellipsize(column_name_, 12), true}
                              : Index{std::to_string(asked_.at.row + 1), std::to_string(asked_.at.column + 1)};
    if (!written.cell.empty()) equals_ = {symbols_.cell(asked_.at.tensor, index_), operation("=")};
    const bool set = set_in_row(recipe_, asked_.at.row);
    const bool hidden = (recipe_.causal || !recipe_.mask.empty()) && !std::isfinite(value_);
    if (recipe_.operation == Operation::given || set || hidden) {
      line({number(std::isfinite(value_) ? whole(value_) : "−∞")});
    } else {
      explain();
      add_origins(asked_, made_);
    }
    made_.note = set                               ? how_it_was_set()
                 : hidden && !recipe_.mask.empty() ? "Hidden by the mask, so its weight is 0."
                 : hidden ? "Masked: " + column_name_ + " comes after " + row_name_ + ", so its weight will be 0."
                          : said();
  }

 private:
  [[nodiscard]] double number_in(std::string_view tensor, int column) const {
    return static_cast<double>(asked_.trace.at(tensor).values(asked_.at.row, column));
  }
  [[nodiscard]] double left() const { return number_in(recipe_.left(), asked_.at.column); }
  [[nodiscard]] double right() const { return number_in(recipe_.right(), recipe_.turned ? asked_.at.column : 0); }
  [[nodiscard]] Formula scaled(Formula core) const {
    return around(recipe_, std::move(core), number(std::to_string(std::abs(asked_.at.row - asked_.at.column))), true);
  }

  // A line that begins with the number's symbol.
  void line(const std::vector<Formula>& parts) {
    std::vector<Formula> all = equals_;
    all.insert(all.end(), parts.begin(), parts.end());
    made_.lines.push_back(row(all));
  }

  // Behind the last line.
  void result(bool exact) {
    const Formula computed = made_.lines.back();
    made_.lines.pop_back();
    result_line(made_, value_, exact);
    made_.lines.back() = row({computed, made_.lines.back()});
  }

  void explain() {
    if (!recipe_.exponent.empty()) return explain_softmax_in_parts();
    if (recipe_.operation == Operation::softmax) return explain_softmax();
    const Formula symbols = symbols_.made_of(recipe_, index_);
    switch (recipe_.operation) {
      case Operation::product:
        return explain_product(symbols);
      case Operation::same:
        line({symbols, operation("="), scaled(value_of(left()))});
        return result(is_exact(left(), 3));
      case Operation::difference:
        line({symbols, operation("="), value_of(left()), operation("−"), factor_of(right())});
        return result(is_exact(left(), 3) && is_exact(right(), 3));
      case Operation::exponential:
        line({symbols, operation("="), word("exp"), parenthesised(value_of(left()))});
        return result(is_shown(left()));
      case Operation::total: {
        const Numbers sum = sum_of(
            row_or_column(asked_.trace.at(recipe_.left()).values, asked_.at.row, asked_.at.column, recipe_.turned));
        line({symbols});
        made_.lines.push_back(sum.formula);
        return result(sum.exact);
      }
      case Operation::reordered:
      case Operation::one_row: {
        const int from = recipe_.operation == Operation::reordered ? recipe_.old_place(asked_.at.row) : recipe_.row;
        line({symbols_.cell(recipe_.left(), {std::to_string(from + 1), index_.column})});
        return result(true);
      }
      case Operation::maximum:
      case Operation::columns:
        line({symbols});
        return result(true);
      case Operation::beside: {
        const Part part = parts_of(asked_.recipes, asked_.at.tensor, asked_.at.row, asked_.at.column).front();
        line({symbols_.cell(part.tensor, {index_.row, std::to_string(part.column + 1)})});
        return result(true);
      }
      case Operation::sum_of:
        return explain_sum();
      default:
        return line({number(whole(value_))});
    }
  }

  // Number by number, each in its tensor.
  void explain_sum() {
    Matrix terms(1, static_cast<Eigen::Index>(recipe_.many.size()));
    for (std::size_t i = 0; i < recipe_.many.size(); ++i)
      terms(0, static_cast<Eigen::Index>(i)) = asked_.trace.at(recipe_.many[i]).values(asked_.at.row, asked_.at.column);
    const Numbers sum = sum_of(terms);
    line({symbols_.made_of(recipe_, index_)});
    if (recipe_.factor != 1)
      made_.lines.push_back(row({operation("="), number(io::format_short(recipe_.factor)), operation("·"),
                                 value_of(static_cast<double>(terms.sum()))}));
    else
      made_.lines.push_back(with_bias(sum.formula));
    result(recipe_.factor == 1 && sum.exact && (recipe_.bias.empty() || is_shown(bias())));
  }

  [[nodiscard]] double bias() const {
    return static_cast<double>(asked_.trace.at(recipe_.bias).values(0, asked_.at.column));
  }
  [[nodiscard]] Formula with_bias(Formula sum) const {
    return recipe_.bias.empty() ? sum : row({std::move(sum), operation("+"), factor_of(bias())});
  }

  void explain_product(const Formula& symbols) {
    const Tensor& other = asked_.trace.at(recipe_.right());
    const Tensor& own = asked_.trace.at(recipe_.left());
    Tensor met = other;
    if (!recipe_.turned) met.values = other.values.middleRows(recipe_.first, own.columns());
    const std::vector<Term> terms = terms_of(own, asked_.at.row, met, asked_.at.column, recipe_.turned);
    const Formula sum = sum_of_products(terms, 2, asked_.colours.*asked_.recipes.symbol_of(recipe_.left()).ink,
                                        asked_.colours.*asked_.recipes.symbol_of(recipe_.right()).ink);
    line({symbols});
    if (recipe_.scales() || recipe_.slope != 0) {
      made_.lines.push_back(row({symbols_.core(recipe_, index_), operation("="), sum}));
      line({scaled(sum_of_terms(terms))});
    } else {
      made_.lines.push_back(with_bias(row({operation("="), sum})));
    }
    if (sum->text == "0" && recipe_.bias.empty() && !recipe_.scales() && recipe_.slope == 0) return;  // that is it
    result(are_exact(terms) && (has_whole_root(recipe_.size) || value_ == 0) &&
           (recipe_.bias.empty() || is_exact(bias(), 3)));
  }

  // The exponent is looked up where the trace has it.
  void explain_softmax_in_parts() {
    const Recipe& scores = asked_.recipes.of(recipe_.exponent);
    const double exponent = number_in(recipe_.exponent, asked_.at.column);
    line({word("softmax"), parenthesised(symbols_.whole(scores))});
    if (std::isfinite(exponent) && scores.scales() && scores.operation == Operation::same) {
      const double score = number_in(scores.left(), asked_.at.column);
      made_.lines.push_back(
          row({symbol(asked_.recipes.symbol_of(recipe_.exponent).cell), operation("="),
               around(scores, value_of(score), nullptr, true),
               operation(is_exact(score, 3) && is_exact(exponent, 3) ? "=" : "≈"), value_of(exponent)}));
    }
    const double shifted = number_in(asked_.recipes.of(recipe_.left()).left(), asked_.at.column);
    // As it is said where its powers can be read; else with the largest subtracted, as it is computed.
    const double most = std::abs(exponent - shifted) <= kReadablePower ? exponent - shifted : 0;
    const double sum = right() * std::exp(most);
    made_.lines.push_back(
        row({symbol(asked_.recipes.symbol_of(asked_.at.tensor).cell), operation("="),
             fraction(row({word("exp"), parenthesised(value_of(shifted + most))}), value_of(sum, most == 0 ? 6
                                                                                                 : sum < 1 ? 4
                                                                                                           : 2))}));
    result(!std::isfinite(shifted) ||
           (most == 0 && is_exact(left(), 3) && is_exact(right(), 3) && is_exact(shifted, 3)));
  }

  void explain_softmax() {
    const Matrix scores =
        row_or_column(asked_.trace.at(recipe_.left()).values, asked_.at.row, asked_.at.column, recipe_.turned);
    const double most = static_cast<double>(scores.maxCoeff());
    if (!std::isfinite(most)) {
      line({number("0")});
      nothing_seen_ = true;
      return;
    }
    double sum = 0;
    for (const float score : scores.reshaped()) sum += std::exp(static_cast<double>(score) - most);
    line({symbols_.made_of(recipe_, index_)});
    made_.lines.push_back(row({operation("="), fraction(value_of(std::exp(left() - most)), value_of(sum))}));
    result(!std::isfinite(left()));
    made_.note = "The sum runs along the " + std::string(recipe_.turned ? "column" : "row") + "; the largest score, " +
                 fixed(most) + ", was subtracted first, which changes no weight.";
  }

  [[nodiscard]] std::string how_it_was_set() const {
    return recipe_.set->cells.contains({asked_.at.row, asked_.at.column})
               ? "Set by hand; the others of its row were rescaled so that they sum to 1."
               : "Rescaled, because another weight of this row was set by hand.";
  }

  // What the recipe says, with the names of the row and the column.
  [[nodiscard]] std::string said() const {
    if (nothing_seen_)
      return "The mask hides every key from " + row_name_ +
             ": the sum below the line would be 0, so the whole row is set to 0.";
    if (recipe_.operation == Operation::softmax && !std::isfinite(left())) return "Masked, so its weight is exactly 0.";
    return recipe_.said.empty() ? made_.note
                                : named(named(std::string(recipe_.said), "{row}", row_name_), "{column}", column_name_);
  }
  // What has no name is told by its place: "number 5". A row that is called a "query" is not the query of one.
  [[nodiscard]] std::string titled(std::string text) const {
    const Tensor& tensor = asked_.trace.at(asked_.at.tensor);
    if (const std::string kind = row_name_.substr(0, row_name_.find(' ')) + " of "; text.starts_with(kind))
      text.erase(0, kind.size());
    const auto place = [](const std::vector<std::string>& labels) { return labels.empty() ? "number " : ""; };
    text = named(std::move(text), "{row}", place(tensor.row_labels) + row_name_);
    return named(std::move(text), "{column}", place(tensor.column_labels) + column_name_);
  }
  static std::string named(std::string text, std::string_view mark, const std::string& name) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + name.size()))
      text.replace(at, mark.size(), name);
    return text;
  }

  const Asked& asked_;
  const Recipe& recipe_;
  Inspection& made_;
  Symbols symbols_;
  double value_;
  std::string row_name_{}, column_name_{};
  Index index_{};
  bool nothing_seen_ = false;
  std::vector<Formula> equals_{};
};

// ---- matrices ----

Formula matrices_in(const Recipes& recipes, std::string_view tensor, const Palette& colours, Depth depth) {
  const Recipe& recipe = recipes.of(tensor);
  const auto operand = [&](std::string_view name) {
    const Recipe* of = recipes.find(name);
    const bool further = depth == Depth::all && of != nullptr && of->operation != Operation::given &&
                         recipes.symbol_of(name).ink == &Palette::ink;
    return further ? matrices_in(recipes, name, colours, depth) : matrix_of(recipes, name, colours);
  };
  const std::string_view left = recipe.left(), right = recipe.right();
  if (!recipe.named.empty())
    return row({name_of_tensor(recipe.named), parenthesised(row({operand(left), word(","), operand(right)}))});
  const std::string_view exponent = recipe.operation == Operation::softmax ? left : recipe.exponent;
  if (!exponent.empty()) return row({word("softmax"), parenthesised(operand(exponent))});
  const auto of_many = [&] {
    if (recipe.operation == Operation::sum_of) return row({large("∑", symbol("h")), operand(recipe.many.front())});
    return row({word("["), operand(recipe.many.front()), word(" … "), operand(recipe.many.back()), word("]")});
  };
  Formula made = recipe.many.empty() ? operand(left) : of_many();
  if (recipe.operation == Operation::product) {
    const Formula other = operand(right);
    made = row({made, recipe.turned ? script(other, nullptr, word("T")) : other});
  }
  if (!recipe.bias.empty()) made = row({made, operation("+"), operand(recipe.bias)});
  made = around(recipe, made, nullptr, false);
  return recipe.causal ? row({made, operation("+"), symbol("M")}) : made;
}

}  // namespace

void explain(const Asked& asked, Inspection& made) {
  if (!explain_compared(asked, made)) Explanation(asked, asked.recipes.of(asked.at.tensor), made).write();
}

void add_origins(const Asked& asked, Inspection& made) {
  for (const Part& part : parts_of(asked.recipes, asked.at.tensor, asked.at.row, asked.at.column))
    if (part.row < 0 || part.column < 0)
      add_origin(made, asked.trace, part.tensor, part.row < 0 ? part.column : part.row, part.row < 0,
                 colour_of(asked.recipes, part.tensor, asked.colours));
}

Formula matrix_of(const Recipes& recipes, std::string_view tensor, const Palette& colours) {
  const Symbol written = recipes.symbol_of(tensor);
  const Formula letter = symbol(written.letter);
  return coloured(written.index.empty() ? letter : script(letter, word(written.index)), colours.*written.ink);
}

Formula cell_of(const Recipes& recipes, std::string_view tensor, const Palette& colours) {
  return Symbols(recipes, colours).cell(tensor, {"i", "j"});
}

Formula cells_in(const Recipes& recipes, std::string_view tensor, const Palette& colours) {
  return Symbols(recipes, colours).made_of(recipes.of(tensor), {"i", "j"});
}

Formula equation(const Recipes& recipes, std::string_view tensor, const Palette& colours, Depth depth) {
  return row({matrix_of(recipes, tensor, colours), operation("="), matrices_in(recipes, tensor, colours, depth)});
}

}  // namespace limelight::scenes::recipes
