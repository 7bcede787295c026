#include "scenes/common/code.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/code_functions.h"

namespace limelight::scenes::code {
namespace {

// What a tensor must not be called: words of Python's, and what the code itself calls or imports.
constexpr std::string_view kReserved[] = {
    "False", "None",  "True",   "and",      "as",        "assert",  "async", "await", "break",  "class", "continue",
    "def",   "del",   "elif",   "else",     "except",    "finally", "for",   "from",  "global", "if",    "import",
    "in",    "is",    "lambda", "nonlocal", "not",       "or",      "pass",  "raise", "return", "try",   "while",
    "with",  "yield", "abs",    "dict",     "enumerate", "float",   "int",   "len",   "list",   "math",  "max",
    "min",   "np",    "print",  "range",    "round",     "shown",   "sum",   "torch"};

// NumPy's words in PyTorch's; the first that fits counts.
struct Word {
  std::string_view numpy, pytorch;
};
constexpr Word kWords[] = {{"-np.sort(-x, axis=1)", "torch.sort(x, dim=1, descending=True).values"},
                           {"np.linspace(0, top, 4001)", "torch.linspace(0, top, 4001, dtype=torch.float64)"},
                           {"np.take_along_axis", "torch.take_along_dim"},
                           {"np.concatenate", "torch.cat"},
                           {"np.array(", "torch.tensor("},
                           {"np.", "torch."},
                           {"axis=", "dim="},
                           {"keepdims=", "keepdim="},
                           {"kind=\"stable\"", "stable=True"},
                           {".copy()", ".clone()"},
                           {".astype(int)", ".long()"}};

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string in_pytorch(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const auto* const found =
        std::ranges::find_if(kWords, [&](const Word& word) { return text.starts_with(word.numpy); });
    const bool whole = made.empty() || !is_word(made.back());
    if (found != std::end(kWords) && (whole || !is_word(found->numpy.front()))) {
      made += found->pytorch;
      text.remove_prefix(found->numpy.size());
    } else {
      made += text.front();
      text.remove_prefix(1);
    }
  }
  return made;
}

// One line, whatever a reader has typed.
std::string comment(std::string_view text) {
  std::string line = io::without_directions(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return line;
}

// Whether a function is called in this text.
bool calls(std::string_view text, std::string_view function) {
  for (std::size_t at = text.find(function); at != std::string_view::npos; at = text.find(function, at + 1)) {
    const std::size_t end = at + function.size();
    if ((at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.')) && end < text.size() && text[end] == '(')
      return true;
  }
  return false;
}

class Writer {
 public:
  Writer(const Subject& subject, const Equations& equations) : subject_(subject), equations_(equations) {}

  // Writes what this value comes from, and then itself.
  void reach(const std::string& name) {
    if (names_.contains(name)) return;
    names_[name] = {};  // on the way
    const Equation* const equation = equation_of(name);
    if (equation == nullptr || equation->numpy.empty()) {
      name_it(name);
      give(subject_.trace.at(name), equation == nullptr ? std::string_view() : std::string_view(equation->note));
      return;
    }
    const std::string& text = is_numpy() || equation->pytorch.empty() ? equation->numpy : equation->pytorch;
    for (const std::string& other : references(text))
      if (other != name) reach(other);
    name_it(name);
    computed_ += "\n# " + comment(name) + shape_of(name) + (equation->note.empty() ? "" : ": " + equation->note) +
                 "\n" + names_[name] + " = " +
                 (is_numpy() || !equation->pytorch.empty() ? resolved(text) : in_pytorch(resolved(text))) + "\n";
  }

  std::string finish(const std::string& result) {
    std::string body;
    if (!given_.empty()) body += "\n\n# ---- what is given ----\n" + given_;
    if (!computed_.empty()) body += "\n\n# ---- what is computed ----\n" + computed_;
    body += "\n" + ending(result);
    const std::string functions = functions_for(body);
    const std::string all = functions + body;
    std::string text = "# Limelight: " + comment(subject_.title) + "\n# " + comment(subject_.link) + "\n# It needs " +
                       (is_numpy() ? "NumPy: pip install numpy" : "PyTorch: pip install torch") + "\n";
    if (!equations_.remark.empty()) text += "#\n# " + comment(equations_.remark) + "\n";
    if (all.find("math.") != std::string::npos) text += "import math\n\n";
    if (all.find("np.") != std::string::npos) text += "import numpy as np\n";
    if (!is_numpy()) text += "import torch\n";
    if (!is_numpy() && equations_.precise) text += "\ntorch.set_default_dtype(torch.float64)\n";
    return text + functions + body;
  }

 private:
  [[nodiscard]] bool is_numpy() const { return subject_.language == Language::numpy; }
  [[nodiscard]] const Equation* equation_of(const std::string& name) const {
    const auto found = std::ranges::find(equations_.list, name, &Equation::name);
    return found == equations_.list.end() ? nullptr : &*found;
  }

  // An identifier that no other value has.
  void name_it(const std::string& name) {
    const std::string plain = identifier(name);
    std::string made = plain;
    const auto taken = [&] {
      return std::ranges::any_of(names_, [&](const auto& other) { return other.second == made; });
    };
    for (int i = 2; taken(); ++i) made = plain + "_" + std::to_string(i);
    names_[name] = made;
  }

  static std::vector<std::string> references(std::string_view text) {
    std::vector<std::string> found;
    each_piece(text, [](std::string_view) {}, [&](std::string_view name) { found.emplace_back(name); });
    return found;
  }
  [[nodiscard]] std::string resolved(std::string_view text) const {
    std::string made;
    each_piece(
        text, [&](std::string_view plain) { made += plain; },
        [&](std::string_view name) { made += names_.at(std::string(name)); });
    return made;
  }
  template <class Plain, class Name>
  static void each_piece(std::string_view text, const Plain& plain, const Name& name) {
    while (!text.empty()) {
      const std::size_t brace = std::min(text.find_first_of("{}"), text.size());
      plain(text.substr(0, brace));
      text.remove_prefix(brace);
      if (text.empty()) return;
      if (text.substr(0, 2) == "{{" || text.substr(0, 2) == "}}") {
        plain(text.substr(0, 1));
        text.remove_prefix(2);
        continue;
      }
      const std::size_t end = std::min(text.find('}'), text.size());
      name(text.substr(1, end - 1));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  [[nodiscard]] std::string shape_of(const std::string& name) const {
    const Tensor* const tensor = subject_.trace.find(name);
    if (tensor == nullptr) return {};
    return " [" + std::to_string(tensor->rows()) + ", " + std::to_string(tensor->columns()) + "]";
  }

  [[nodiscard]] std::string entry(float value) const {
    const std::string library = is_numpy() ? "np." : "torch.";
    if (std::isnan(value)) return library + "nan";
    if (std::isinf(value)) return (value < 0 ? "-" : "") + library + "inf";
    return io::format_exact(value);
  }
  // The first rows and columns of a tensor, every number read back as the same float.
  [[nodiscard]] std::string literal(const Tensor& tensor, int rows, int columns, bool labelled) const {
    std::string text = is_numpy() ? "np.array([\n" : "torch.tensor([\n";
    for (int i = 0; i < rows; ++i) {
      text += "    [";
      for (int j = 0; j < columns; ++j) text += (j > 0 ? ", " : "") + entry(tensor.values(i, j));
      text += "],";
      if (labelled && static_cast<std::size_t>(i) < tensor.row_labels.size())
        text += "  # " + comment(tensor.row_labels[static_cast<std::size_t>(i)]);
      text += "\n";
    }
    return text + precision();
  }
  [[nodiscard]] std::string precision() const {
    if (is_numpy()) return equations_.precise ? "], dtype=np.float32).astype(np.float64)" : "], dtype=np.float32)";
    return equations_.precise ? "], dtype=torch.float32).double()" : "], dtype=torch.float32)";
  }

  void give(const Tensor& tensor, std::string_view note) {
    const std::string& name = names_.at(tensor.name);
    given_ +=
        "\n# " + comment(tensor.name) + shape_of(tensor.name) + (note.empty() ? "" : ": " + std::string(note)) + "\n";
    if (tensor.values.size() > kMostWritten) {
      given_ += "# These are " + std::to_string(tensor.values.size()) + " numbers: save the tensor " +
                comment(tensor.name) + " of this figure as " + name + ".npy beside this file.\n" + name + " = ";
      const std::string load = "np.load(\"" + name + ".npy\")";
      given_ += is_numpy() ? load : "torch.from_numpy(" + load + ")";
      if (equations_.precise) given_ += is_numpy() ? ".astype(np.float64)" : ".double()";
      given_ += "\n";
      return;
    }
    if (!tensor.column_labels.empty()) {
      std::string labels;
      for (const std::string& label : tensor.column_labels) labels += (labels.empty() ? "" : ", ") + comment(label);
      given_ += "# columns: " + labels + "\n";
    }
    given_ += name + " = " + literal(tensor, tensor.rows(), tensor.columns(), true) + "\n";
  }

  // The result, and that it is what the figure shows.
  std::string ending(const std::string& result) {
    const std::string& name = names_.at(result);
    std::string text = "print(" + name + ")\n";
    const Equation* const equation = equation_of(result);
    if (equation == nullptr || equation->numpy.empty())
      return text + "# Up to this step nothing is computed from other numbers of the figure.\n";
    const Tensor& tensor = subject_.trace.at(result);
    const int wanted = equations_.columns > 0 ? equations_.columns : tensor.columns();
    const int most = tensor.rows() * wanted > kMostCompared * kMostCompared ? kMostCompared : kMostWritten;
    const int rows = std::min(tensor.rows(), most), columns = std::min(wanted, most);
    const bool part = rows < tensor.rows() || columns < wanted;
    const std::string compared =
        name + (part ? "[:" + std::to_string(rows) + ", :" + std::to_string(columns) + "]" : std::string());
    text += "\n# The numbers of the figure" +
            std::string(part ? ", the first " + io::count_of(rows, "row") + " and " + io::count_of(columns, "column")
                             : "") +
            ":\nshown = " + literal(tensor, rows, columns, false) + "\n";
    return text + (is_numpy() ? "np.testing.assert_allclose(" + compared +
                                    ", shown, rtol=1e-4, atol=" + number(equations_.tolerance) + ")\n"
                              : "torch.testing.assert_close(" + compared + ", shown, rtol=1e-4, atol=" +
                                    number(equations_.tolerance) + ", equal_nan=True, check_dtype=False)\n");
  }

  // Those that are called in `body`, and those that they call.
  [[nodiscard]] std::string functions_for(std::string_view body) const {
    std::vector<std::string> found;
    std::string text(body);
    for (const Function& function : std::views::reverse(kFunctions)) {
      if (!calls(text, function.name)) continue;
      const std::string source = is_numpy() ? std::string(function.numpy) : in_pytorch(function.numpy);
      text += source;
      found.push_back("\n\n" + source);
    }
    std::string made;
    for (const std::string& one : std::views::reverse(found)) made += one;
    return made;
  }

  const Subject& subject_;
  const Equations& equations_;
  std::map<std::string, std::string> names_{};  // of what was reached: its identifier
  std::string given_{}, computed_{};
};

}  // namespace

Result<Language> read_language(std::string_view text) {
  const auto* const found = std::ranges::find(kLanguages, text, &io::Choice::value);
  if (found == std::end(kLanguages))
    return fail("The language is " + io::quote(text) + "; it can be " +
                io::one_of(kLanguages | std::views::transform(&io::Choice::value)) + ".");
  return static_cast<Language>(found - kLanguages);
}

std::string number(double value) { return io::format_exact(value); }

std::string list_of(const std::vector<int>& values) {
  std::string text;
  for (const int value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return "[" + text + "]";
}

std::string set_cells(std::string_view name, const io::CellEdits& edits, int rows, int columns) {
  std::string lines;
  for (const auto& [cell, value] : edits.cells)
    if (cell.first < rows && cell.second < columns)
      lines += "\n{" + std::string(name) + "}[" + std::to_string(cell.first) + ", " + std::to_string(cell.second) +
               "] = " + io::format_exact(value);
  return lines;
}

std::string set_by_hand(std::string_view name, int row, const std::vector<std::pair<int, float>>& given,
                        const std::vector<int>& seen) {
  std::string values;
  for (const auto& [column, weight] : given)
    values += (values.empty() ? "" : ", ") + std::to_string(column) + ": " + io::format_exact(weight);
  const std::string value = "{" + std::string(name) + "}";
  return "\n" + value + " = set_by_hand(" + value + ", " + std::to_string(row) + ", {{" + values + "}}, " +
         list_of(seen) + ")";
}

std::string set_all_by_hand(std::string_view name, const io::CellEdits& edits, int rows, int columns) {
  std::map<int, std::vector<std::pair<int, float>>> by_row;
  for (const auto& [cell, weight] : edits.cells)
    if (cell.first < rows && cell.second < columns) by_row[cell.first].emplace_back(cell.second, weight);
  std::vector<int> seen;
  for (int j = 0; j < columns; ++j) seen.push_back(j);
  std::string lines;
  for (const auto& [row, given] : by_row) lines += set_by_hand(name, row, given, seen);
  return lines;
}

std::string identifier(std::string_view name) {
  std::string made;
  for (const char32_t c : io::decode_utf8(name)) {
    const bool greek = c >= 0x391 && c <= 0x3C9 && c != 0x3A2;
    if (greek || (c < 0x80 && is_word(static_cast<char>(c))))
      io::append_utf8(made, c);
    else
      made += '_';
  }
  if (made.empty() || (made.front() >= '0' && made.front() <= '9')) made.insert(0, "_");
  const bool taken = std::ranges::find(kReserved, made) != std::end(kReserved) ||
                     std::ranges::find(kFunctions, made, &Function::name) != std::end(kFunctions);
  return taken ? made + "_" : made;
}

Result<std::string> write(const Subject& subject, const Equations& equations) {
  const std::string result = equations.result.empty() ? std::string(subject.principal) : equations.result;
  if (subject.trace.find(result) == nullptr)
    return fail("There are no numbers yet: what they are computed from is still to come.");
  Writer writer(subject, equations);
  writer.reach(result);
  return writer.finish(result);
}

}  // namespace limelight::scenes::code
