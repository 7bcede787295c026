#include "scenes/common/explain.h"

#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::scenes {

using namespace figure;

std::string bold(std::string_view text) { return "**" + std::string(text) + "**"; }
std::string quoted(std::string_view text) { return "“" + std::string(text) + "”"; }

std::string percent(double share) { return io::format_percent(share); }
std::string brief(double value, int significant) { return io::format_short(value, significant); }

namespace {
bool vanishes(double value, int decimals) { return value != 0 && std::abs(value) * std::pow(10, decimals) < 0.5; }
}  // namespace

std::string fixed(double value, int decimals) {
  return vanishes(value, decimals) ? io::format_short(value, 2) : io::format_fixed(value, decimals);
}

std::string whole(double value) {
  if (vanishes(value, 6)) return io::format_short(value);
  std::string text = io::format_fixed(value, 6);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

bool is_exact(double value, int decimals) {
  if (vanishes(value, decimals)) return false;
  const double unit = std::pow(10, decimals);
  return std::abs(value * unit - std::round(value * unit)) <= 1e-6 * std::max(1.0, std::abs(value) * unit);
}

std::string in_sentence(std::string_view word) {
  constexpr int kLongest = 24;
  return io::ellipsize(io::without_directions(word), kLongest);
}

std::string label_of(const std::vector<std::string>& labels, int index) {
  if (static_cast<std::size_t>(index) >= labels.size()) return std::to_string(index + 1);
  return in_sentence(labels[static_cast<std::size_t>(index)]);
}

std::string label_apart(const std::vector<std::string>& labels, int index) {
  const std::string label = label_of(labels, index);
  const auto first = labels.begin(), here = first + std::min<std::ptrdiff_t>(index, std::ssize(labels));
  if (here == labels.end() || std::count(first, labels.end(), *here) == 1) return label;
  return label + " (" + std::to_string(std::count(first, here, *here) + 1) + ")";
}

std::string title_of(const Trace& trace, const Source& at) {
  const Tensor& tensor = trace.at(at.tensor);
  return at.tensor + "[" + label_of(tensor.row_labels, at.row) + ", " + label_of(tensor.column_labels, at.column) + "]";
}

std::string said_of(const Tensor& tensor, int row) {
  std::string said = label_of(tensor.row_labels, row);
  const char* before = ": ";
  for (int j = 0; j < tensor.columns(); ++j) {
    if (tensor.values(row, j) == 0) continue;
    said += before + label_of(tensor.column_labels, j) + " " +
            io::format_short(static_cast<double>(tensor.values(row, j)), 3);
    before = ", ";
  }
  return said;
}

std::string place_of(int cell, int side) {
  return "row " + std::to_string(cell / side + 1) + ", column " + std::to_string(cell % side + 1);
}

std::vector<bool> differing(const std::vector<std::string>& words, const std::vector<std::string>& other) {
  const std::size_t n = words.size(), m = other.size();
  std::vector<std::vector<int>> common(n + 1, std::vector<int>(m + 1, 0));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      common[i][j] = words[i] == other[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<bool> differs(n, true);
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    if (words[i] == other[j]) {
      differs[i] = false;
      ++i, ++j;
    } else if (common[i + 1][j] >= common[i][j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return differs;
}

Formula value_of(double value, int decimals) {
  return number(value == std::round(value) ? io::format_fixed(value, 0) : fixed(value, decimals));
}
Formula factor_of(double value) { return value < 0 ? parenthesised(value_of(value)) : value_of(value); }

Formula name_of_tensor(std::string_view name, std::string_view indices) {
  const std::size_t mark = name.find('_');
  std::string below(mark == std::string_view::npos ? "" : name.substr(mark + 1));
  std::ranges::replace(below, '_', ' ');
  if (!indices.empty()) below += (below.empty() ? "" : " ") + std::string(indices);
  const Formula letter = symbol(name.substr(0, mark));
  return below.empty() ? letter : script(letter, word(below));
}

Formula cell_of(std::string_view name, int row, int column) {
  return name_of_tensor(name, std::to_string(row + 1) + " " + std::to_string(column + 1));
}

Formula exp_of(Formula inside) { return row({word("exp"), parenthesised(std::move(inside))}); }
Formula size_of(Formula inside) { return row({word("|"), std::move(inside), word("|")}); }

std::vector<Formula> listed(const Matrix& numbers, int shown) {
  const Eigen::Index count = std::min<Eigen::Index>(numbers.size(), shown), more = numbers.size() - count;
  std::vector<Formula> parts;
  for (Eigen::Index i = 0; i < count; ++i) {
    if (i > 0) parts.push_back(operation("+"));
    parts.push_back(number(io::format_short(static_cast<double>(numbers.data()[i]), 4)));
  }
  if (more > 0) parts.insert(parts.end(), {operation("+"), word(std::to_string(more) + " more")});
  return parts;
}

void result_line(Inspection& made, double value, bool exact) {
  made.lines.push_back(
      row({operation(exact && is_exact(value, 6) ? "=" : "≈"), number(std::isfinite(value) ? whole(value) : "−∞")}));
}

std::vector<Term> terms_of(const Tensor& left, int i, const Tensor& right, int j, bool transposed) {
  std::vector<Term> terms;
  for (int k = 0; k < std::min(left.columns(), transposed ? right.columns() : right.rows()); ++k)
    terms.push_back({left.values(i, k), transposed ? right.values(j, k) : right.values(k, j)});
  return terms;
}

bool are_exact(const std::vector<Term>& terms) {
  return std::ranges::all_of(terms, [](const Term& t) { return is_exact(t.left, 2) && is_exact(t.right, 2); });
}

bool has_whole_root(int size) {
  const int root = static_cast<int>(std::lround(std::sqrt(size)));
  return root * root == size;
}

Formula sum_of_terms(const std::vector<Term>& terms) {
  double sum = 0;
  for (const Term& term : terms) sum += static_cast<double>(term.left) * static_cast<double>(term.right);
  return value_of(sum);
}

void add_origin(Inspection& made, const Trace& trace, std::string_view name, int index, bool column, Colour colour) {
  const Tensor& tensor = trace.at(name);
  const std::string at = label_of(column ? tensor.column_labels : tensor.row_labels, index);
  const CellRange cells = column ? CellRange{tensor.name, 0, index, tensor.rows(), 1}
                                 : CellRange{tensor.name, index, 0, 1, tensor.columns()};
  made.origins.push_back({std::string(name) + (column ? "[:, " : "[") + at + "]", colour, cells});
}

void explain_product(Inspection& made, const Trace& trace, const Source& at, const Factors& of) {
  const std::vector<Term> terms = terms_of(trace.at(of.left), at.row, trace.at(of.right), at.column, false);
  made.lines = {
      row({cell_of(at.tensor, at.row, at.column), operation("="), coloured(name_of_tensor(of.left), of.left_colour),
           operation("·"), coloured(name_of_tensor(of.right), of.right_colour)}),
      row({operation("="), sum_of_products(terms, 2, of.left_colour, of.right_colour)})};
  result_line(made, trace.at(at.tensor).values(at.row, at.column), are_exact(terms));
  add_origin(made, trace, of.left, at.row, false, of.left_colour);
  add_origin(made, trace, of.right, at.column, true, of.right_colour);
}

}  // namespace limelight::scenes
