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

using Asked = Pointed<State>;

inline Formula sub(const char* name, const char* below) { return script(symbol(name), symbol(below)); }
inline Formula sum_over(const char* index) { return large("∑", symbol(index)); }
inline Formula V(const Asked& a) { return coloured(symbol("V"), a.colours.value); }
inline Formula y(const Asked& a) { return coloured(symbol("y"), a.colours.output); }

// exp(own − top) over the sum of the same of `all`.
void softmax_lines(const Asked& a, const Matrix& all, double own, double divisor, const char* index);

// Of the numbers of the claims.
void explain_given(const Asked& a);
void explain_removal(const Asked& a);
void explain_agreement(const Asked& a);
void explain_even(const Asked& a);
void explain_angle(const Asked& a);
void explain_certain(const Asked& a);
void explain_square(const Asked& a);
void explain_identical(const Asked& a);

}  // namespace limelight::scenes::limits
