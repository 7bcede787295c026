#include "io/table.h"

#include <algorithm>
#include <utility>

#include "io/json.h"
#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::io::table {
namespace {

std::string label_of(const std::vector<std::string>& labels, int index) {
  const auto at = static_cast<std::size_t>(index);
  return at < labels.size() ? labels[at] : std::to_string(index + 1);
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

// What LaTeX would take for a command, as the character that it is.
std::string latex_text(std::string_view text) {
  static constexpr std::pair<char, std::string_view> escapes[] = {
      {'\\', "\\textbackslash{}"}, {'~', "\\textasciitilde{}"}, {'^', "\\textasciicircum{}"},
      {'<', "\\textless{}"},       {'>', "\\textgreater{}"},    {'"', "\\textquotedbl{}"},
  };
  constexpr std::string_view kBackslashed = "&%$#_{}";
  std::string out;
  for (const char c : normalise_spaces(text)) {
    const auto* const found = std::ranges::find(escapes, c, &std::pair<char, std::string_view>::first);
    if (found != std::end(escapes))
      out += found->second;
    else if (kBackslashed.find(c) != std::string_view::npos)
      out += {'\\', c};
    else
      out += c;
  }
  return out;
}

// format_short's signs as LaTeX's commands: "−3.2×10⁻⁷" is $-3.2 \times 10^{-7}$.
std::string latex_number(float value) {
  static constexpr std::pair<char32_t, std::string_view> signs[] = {
      {U'\u2212', "-"}, {U'\u221E', "\\infty"}, {U'\u00D7', " \\times "}};
  static constexpr std::u32string_view superscripts = U"\u2070\u00B9\u00B2\u00B3\u2074\u2075\u2076\u2077\u2078\u2079";
  std::string out = "$";
  bool raised = false;
  for (const char32_t c : decode_utf8(format_short(static_cast<double>(value), 4))) {
    const std::size_t digit = superscripts.find(c);
    const bool is_raised = digit != std::u32string_view::npos || c == U'\u207B';
    if (is_raised && !raised) out += "^{";
    raised = raised || is_raised;
    const auto* const sign = std::ranges::find(signs, c, &std::pair<char32_t, std::string_view>::first);
    if (sign != std::end(signs))
      out += sign->second;
    else if (c == U'\u207B')
      out += '-';
    else if (is_raised)
      out += static_cast<char>('0' + digit);
    else
      append_utf8(out, c);
  }
  return out + (raised ? "}$" : "$");
}

}  // namespace

std::string csv(const Tensor& tensor) {
  std::string text = csv_field(tensor.name);
  for (int j = 0; j < tensor.columns(); ++j) text += "," + csv_field(label_of(tensor.column_labels, j));
  text += "\r\n";
  for (int i = 0; i < tensor.rows(); ++i) {
    text += csv_field(label_of(tensor.row_labels, i));
    for (int j = 0; j < tensor.columns(); ++j) text += "," + format_exact(tensor.values(i, j));
    text += "\r\n";
  }
  return text;
}

std::string latex(const Tensor& tensor) {
  std::string text = "% \\usepackage{booktabs}\n\\begin{tabular}{l" +
                     std::string(static_cast<std::size_t>(tensor.columns()), 'r') + "}\n  \\toprule\n  " +
                     latex_text(tensor.name);
  for (int j = 0; j < tensor.columns(); ++j) text += " & " + latex_text(label_of(tensor.column_labels, j));
  text += " \\\\\n  \\midrule\n";
  for (int i = 0; i < tensor.rows(); ++i) {
    // A bracket after the end of the row before would be taken for its argument.
    const std::string label = latex_text(label_of(tensor.row_labels, i));
    text += "  " + (label.starts_with('[') || label.starts_with('*') ? "{}" + label : label);
    for (int j = 0; j < tensor.columns(); ++j) text += " & " + latex_number(tensor.values(i, j));
    text += " \\\\\n";
  }
  return text + "  \\bottomrule\n\\end{tabular}\n";
}

std::string json(const Tensor& tensor) {
  JsonWriter json;
  json.begin_object().member("name", std::string_view(tensor.name));
  json.member("rows", tensor.row_labels);
  json.member("columns", tensor.column_labels);
  return json.tensor(tensor.values).end_object().take() + "\n";
}

}  // namespace limelight::io::table
