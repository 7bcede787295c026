// Code that reproduces a step's numbers, in NumPy or PyTorch: written from the trace and a table of equations that
// each scene has of its own tensors.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace.h"
#include "io/error.h"
#include "io/fields.h"

namespace limelight::scenes::code {

enum class Language { numpy, pytorch };
inline constexpr io::Choice kLanguages[] = {{"numpy", "NumPy"}, {"pytorch", "PyTorch"}};
// Errors: a sentence that names those there are.
Result<Language> read_language(std::string_view text);

// How one value comes from others. In a text "{Q}" stands for the value Q, a tensor of the trace or one that only the
// code has, and "{{" and "}}" for braces; behind the expression more lines may follow, which change the value.
struct Equation {
  std::string name;
  std::string numpy;      // "{Q} @ {K}.T"; empty: the tensor is given
  std::string note;       // what it is, a few words
  std::string pytorch{};  // where PyTorch says it otherwise than by other names for the same functions
};

struct Equations {
  std::vector<Equation> list{};
  std::string result{};     // what the code ends with; empty: the step's principal tensor
  int columns = 0;          // of the result, the first that are computed; 0: all
  std::string remark{};     // sentences: what of the figure is not reproduced, and why
  double tolerance = 1e-5;  // how far from the figure's numbers the result may be, beside 1e-4 of it
  bool precise = false;     // computed in double precision, as the trace is

  void add(std::string name, std::string numpy, std::string note, std::string pytorch = {}) {
    list.push_back({std::move(name), std::move(numpy), std::move(note), std::move(pytorch)});
  }
};

// A number, and a list of numbers, as Python reads them.
std::string number(double value);
std::string list_of(const std::vector<int>& values);
// Lines that set cells of a value by hand, for behind its expression; empty without any. Only cells inside of
// rows × columns count.
std::string set_cells(std::string_view name, const io::CellEdits& edits, int rows, int columns);
// A line that sets some weights of a row by hand (as core's set_weights); the others of `seen` share what is left.
std::string set_by_hand(std::string_view name, int row, const std::vector<std::pair<int, float>>& given,
                        const std::vector<int>& seen);
// The same for the edited cells of every row, where all columns are seen.
std::string set_all_by_hand(std::string_view name, const io::CellEdits& edits, int rows, int columns);

// A tensor's name as a Python identifier: letters of A to Z, Greek ones, digits and underscores
// stay, all else becomes an underscore, and
// what is a word of Python's own gets one at its end.
std::string identifier(std::string_view name);

// Beyond so many numbers a tensor is read from a file instead of written out; of a result with more numbers than the
// square of the second, so many rows and columns are compared.
inline constexpr int kMostWritten = 16384;
inline constexpr int kMostCompared = 64;

struct Subject {
  std::string title;  // "Spotlight, step 7 of 9: Softmax"
  std::string link;   // "scene=spotlight&step=7"
  const Trace& trace;
  std::string_view principal;
  Language language = Language::numpy;
};
// Errors: there are no numbers yet.
Result<std::string> write(const Subject& subject, const Equations& equations);

}  // namespace limelight::scenes::code
