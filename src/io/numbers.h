// The one number parser and the one number formatter. Neither depends on a locale.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"

namespace limelight::io {

// The whole text must be one finite decimal number ("-0.5", "1e-3"); spaces around it are allowed.
// A sign of either kind is allowed, and the true minus sign that format_fixed writes.
// Errors: empty, trailing characters, hexadecimal, infinity, not a number, out of the type's range (also too close to
// zero).
Result<double> parse_number(std::string_view text);
// The same, rounded to a float; what is too close to zero for one is 0.
Result<float> parse_float(std::string_view text);
Result<int> parse_integer(std::string_view text);

// The shortest text that parse_number reads back to the same float or double; "-inf", "inf", "nan" otherwise.
std::string format_exact(float value);
std::string format_exact(double value);

// The nearest multiple of a power of ten, as exactly as its decimal text: round_to(1.4000001, 0.1) is 1.4.
double round_to(double value, double power);

// For eyes: `decimals` digits after the point, a true minus sign (U+2212), "−∞" and "∞" for infinities.
// What rounds to zero has no sign.
std::string format_fixed(double value, int decimals);
// The same with "+" before what is more than 0.
std::string format_signed(double value, int decimals);

// For eyes, in little room: at most `significant` digits, but never a wrong digit before the point ("4096"); trailing
// zeros dropped, a power of ten from 1e6 and below 1e-4 ("3.2×10⁻⁷"); a true minus sign.
std::string format_short(double value, int significant = 3);

// "36 %", "0.4 %", "<0.1 %", ">99.9 %": a share of one in percent, with a narrow no-break space before the sign. "0 %"
// is exactly 0 and "100 %" exactly 1; a softmax that overshoots 1 by a rounding is 100 % too.
std::string format_percent(double share);

}  // namespace limelight::io
