#include "io/matrix_text.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::io {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";
constexpr std::string_view kByteOrderMark = "\uFEFF";

using Numbers = std::vector<std::vector<float>>;  // a list for each row
using Cells = std::vector<std::vector<std::string>>;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// "Row 2, column 3"
std::string place(std::size_t row, std::size_t column) {
  return "Row " + std::to_string(row) + ", column " + std::to_string(column);
}

// Row and column count from 1.
Result<float> read_cell(std::string_view text, std::size_t row, std::size_t column) {
  if (trimmed(text).empty()) return fail(place(row, column) + " is empty; every cell of a matrix is a number.");
  const Result<float> number = parse_float(text);
  if (!number) return fail(place(row, column) + ": " + number.error().message);
  return number;
}

Result<Matrix> matrix_of(const Numbers& rows) {
  if (rows.empty() || rows.front().empty())
    return fail("There is no number in it; a matrix is written [[1, 2], [3, 4]].");
  const std::size_t columns = rows.front().size();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].size() != columns)
      return fail("Row " + std::to_string(i + 1) + " has " + count_of(std::ssize(rows[i]), "number") +
                  " and row 1 has " + std::to_string(columns) + "; all rows of a matrix are as long.");
  Matrix matrix(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], &matrix(static_cast<Eigen::Index>(i), 0));
  return matrix;
}

// ---- in brackets ----

// "array(" and the like before the first bracket, and what ends that after the last one.
Result<void> check_around(std::string_view before, std::string_view after) {
  const std::size_t equals = before.find('=');  // as in "W_q = np.array("
  const std::string_view call = trimmed(equals == std::string_view::npos ? before : before.substr(equals + 1));
  static constexpr std::string_view calls[] = {"",        "array(",        "np.array(",     "numpy.array(",
                                               "tensor(", "torch.tensor(", "torch.Tensor(", "jnp.array("};
  if (std::ranges::find(calls, call) == std::end(calls))
    return fail("Before the first bracket stands " + quote(before) + "; a matrix begins with [[ or array([[.");
  after = trimmed(after);
  const bool closes = call.empty() ? after.empty() || after == "," || after == ";"
                                   : after == ")" || (after.starts_with(',') && after.ends_with(')'));
  if (closes) return {};
  if (after.empty()) return fail("The parenthesis after " + quote(call) + " is not closed; the matrix ends with ).");
  return fail("After the last bracket stands " + quote(after) + "; the matrix ends there.");
}

Result<Matrix> parse_brackets(std::string_view text) {
  const std::size_t first = text.find('[');
  Numbers rows;
  int depth = 0, deepest = 0;
  std::size_t at = first;
  for (bool closed = false; at < text.size() && !closed;) {
    const char c = text[at];
    const std::string row = "Row " + std::to_string(std::max<std::size_t>(rows.size(), 1));
    if (c == '[') {
      if (++depth > 2) return fail(row + " has a bracket too many; a matrix has two, as in [[1, 2], [3, 4]].");
      if (depth == 2 && deepest == 1 && !rows.empty())
        return fail(row + " has a bracket in the middle; a matrix is written [[1, 2], [3, 4]].");
      if (depth == 2) rows.emplace_back();
      deepest = std::max(deepest, depth);
      ++at;
    } else if (c == ']') {
      closed = --depth == 0;
      ++at;
    } else if (c == ',') {
      if (depth == 2 || deepest < 2) {
        const std::size_t next = text.find_first_not_of(kBlanks, at + 1);
        const std::size_t count = rows.empty() ? 0 : rows.back().size();
        const bool leads = trimmed(text.substr(0, at)).ends_with('[');
        if (leads || (next != std::string_view::npos && text[next] == ','))
          return std::unexpected(read_cell("", std::max<std::size_t>(rows.size(), 1), count + 1).error());
      }
      ++at;
    } else if (kBlanks.find(c) != std::string_view::npos) {
      ++at;
    } else {
      const std::size_t end = std::min(text.find_first_of("[], \t\r\n\f\v", at), text.size());
      const std::string_view word = text.substr(at, end - at);
      if (word == "...")
        return fail("The numbers after row " + std::to_string(rows.size()) +
                    " are left out as \"...\"; NumPy prints all of them after "
                    "np.set_printoptions(threshold=1000000).");
      if (depth == 1 && deepest == 2)
        return fail("After row " + std::to_string(rows.size()) + " stands " + quote(word) +
                    "; only rows in brackets stand there.");
      if (rows.empty()) rows.emplace_back();  // a vector
      const Result<float> number = read_cell(word, rows.size(), rows.back().size() + 1);
      if (!number) return std::unexpected(number.error());
      rows.back().push_back(*number);
      at = end;
    }
  }
  if (depth > 0)
    return fail("A bracket is not closed after row " + std::to_string(std::max<std::size_t>(rows.size(), 1)) +
                "; a matrix ends with ]].");
  if (const Result<void> around = check_around(trimmed(text.substr(0, first)), text.substr(at)); !around)
    return std::unexpected(around.error());
  return matrix_of(rows);
}

// ---- a table ----

char separator_of(std::string_view text) {
  for (const char separator : {'\t', ';', ','})
    if (text.find(separator) != std::string_view::npos) return separator;
  return ' ';
}

// RFC 4180, with any separator; of spaces, several are one. Empty lines are left out.
Result<Cells> split_table(std::string_view text, char separator) {
  Cells rows;
  std::vector<std::string> row;
  std::string cell;
  bool quoted = false, was_quoted = false;
  const auto end_cell = [&] {
    if (separator != ' ' || !cell.empty() || was_quoted) row.push_back(std::move(cell));
    cell.clear();
    was_quoted = false;
  };
  const auto end_row = [&] {
    const bool empty = row.empty() && trimmed(cell).empty() && !was_quoted;
    end_cell();
    if (!empty) rows.push_back(std::move(row));
    row.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        cell += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"' && trimmed(cell).empty() && !was_quoted) {
      quoted = was_quoted = true;
      cell.clear();
    } else if (c == separator || (separator == ' ' && c == '\t')) {
      end_cell();
    } else if (c == '\n' || c == '\r') {
      end_row();
    } else {
      cell += c;
    }
  }
  if (quoted) return fail("A quotation mark in row " + std::to_string(rows.size() + 1) + " is not closed.");
  end_row();
  return rows;
}

// What means a number, also one that a matrix here cannot have ("nan", "-inf", "0x10", "1e999"), names nothing.
bool is_name(std::string_view text) {
  std::string word(trimmed(text));
  std::ranges::transform(word, word.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const std::string_view sign : {"-", "+", "\u2212"})
    if (word.starts_with(sign)) {
      word.erase(0, sign.size());
      break;
    }
  static constexpr std::string_view kWords[] = {"nan", "inf", "infinity", "\u221E"};
  if (std::ranges::find(kWords, word) != std::end(kWords)) return false;
  const std::string_view digits = std::string_view(word).starts_with("0x") ? "0123456789abcdefx" : "0123456789.e+-";
  const bool begins = !word.empty() && (word[0] == '.' || (word[0] >= '0' && word[0] <= '9'));
  return !begins || word.find_first_not_of(digits) != std::string::npos;
}

// Of the first row: it names the columns where none of it is a number, or where after a name they are 1, 2, 3 …, as our
// own CSV has them, and the next row begins with a name too.
bool names_columns(const Cells& rows) {
  if (rows.size() < 2 || rows.front().empty() || rows[1].empty()) return false;
  const std::vector<std::string>& first = rows.front();
  if (std::ranges::all_of(first, is_name)) return true;
  if (!is_name(first.front()) || !is_name(rows[1].front())) return false;
  for (std::size_t j = 1; j < first.size(); ++j)
    if (trimmed(first[j]) != std::to_string(j)) return false;
  return true;
}

Result<Matrix> parse_table(std::string_view text) {
  const char separator = separator_of(text);
  Result<Cells> cells = split_table(text, separator);
  if (!cells) return std::unexpected(cells.error());
  if (separator == '\t' || separator == ';')
    for (std::vector<std::string>& row : *cells)
      for (std::string& cell : row)
        if (std::ranges::count(cell, ',') == 1 && cell.find('.') == std::string::npos)
          std::ranges::replace(cell, ',', '.');
  const std::size_t first_row = names_columns(*cells) ? 1 : 0;
  const auto is_named = [](const std::vector<std::string>& row) {
    return row.size() > 1 && !trimmed(row.front()).empty() && is_name(row.front());
  };
  const bool names_rows =
      std::all_of(cells->begin() + static_cast<std::ptrdiff_t>(first_row), cells->end(), is_named) &&
      (first_row == 1 || cells->size() > 1);
  Numbers rows;
  for (std::size_t i = first_row; i < cells->size(); ++i) {
    rows.emplace_back();
    for (std::size_t j = names_rows ? 1 : 0; j < (*cells)[i].size(); ++j) {
      const Result<float> number = read_cell((*cells)[i][j], i + 1, j + 1);
      if (!number) return std::unexpected(number.error());
      rows.back().push_back(*number);
    }
  }
  return matrix_of(rows);
}

}  // namespace

Result<Matrix> parse_matrix(std::string_view text) {
  if (text.size() > kLongestMatrixText)
    return fail("The text has " + std::to_string(text.size()) + " bytes; a pasted matrix has up to " +
                std::to_string(kLongestMatrixText) + ".");
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (text.find('[') != std::string_view::npos) return parse_brackets(text);
  return parse_table(text);
}

}  // namespace limelight::io
