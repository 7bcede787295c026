// What the two halves of Limits' inspector share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "figure/formula.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/limits/parts.h"

namespace limelight::scenes::limits {

inline Formula short_of(double value) {
  const Formula text = number(io::format_short(value, 4));
  return value < 0 ? parenthesised(text) : text;
}

// What is asked about, and what is said of it.
struct Asked {
  const State& state;
  const Trace& trace;
  const Palette& colours;
  Source source;
  Inspection made;

  [[nodiscard]] const Matrix& of(std::string_view tensor) const { return trace.at(tensor).values; }
  [[nodiscard]] double at(std::string_view tensor, int i, int j) const { return static_cast<double>(of(tensor)(i, j)); }
  [[nodiscard]] double value() const { return at(source.tensor, source.row, source.column); }
  void line(std::vector<Formula> parts) { made.lines.push_back(row(std::move(parts))); }
  void result(bool exact = false) { line({operation(exact ? "=" : "≈"), number(whole(value()))}); }
  void origin(std::string_view tensor, int i, Colour colour) { add_origin(made, trace, tensor, i, false, colour); }
};

inline Formula exp_of(Formula inside) { return row({word("exp"), parenthesised(std::move(inside))}); }
inline Formula size_of(Formula inside) { return row({word("|"), std::move(inside), word("|")}); }
inline Formula sub(const char* name, const char* below) { return script(symbol(name), symbol(below)); }
inline Formula sum_over(const char* index) { return large("∑", symbol(index)); }
inline Formula V(const Asked& a) { return coloured(symbol("V"), a.colours.value); }
inline Formula y(const Asked& a) { return coloured(symbol("y"), a.colours.output); }

// exp(own − top) over the sum of the same of `all`.
void softmax_lines(Asked& a, const Matrix& all, double own, double divisor, const char* index);

// Of the numbers of the claims.
void explain_given(Asked& a);
void explain_removal(Asked& a);
void explain_agreement(Asked& a);
void explain_even(Asked& a);
void explain_angle(Asked& a);
void explain_certain(Asked& a);
void explain_square(Asked& a);
void explain_identical(Asked& a);

}  // namespace limelight::scenes::limits
