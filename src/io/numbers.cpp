#include "io/numbers.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <system_error>
#include <type_traits>

#include "io/utf8.h"

namespace limelight::io {
namespace {

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kInfinity = "\u221E";
constexpr std::string_view kPercent = "\u202F%";

// What a reader may paste: the true minus sign that format_fixed writes counts as '-'.
std::string trimmed_ascii(std::string_view text) {
  constexpr std::string_view kAsciiBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kAsciiBlanks);
  if (first == std::string_view::npos) return {};
  text = text.substr(first, text.find_last_not_of(kAsciiBlanks) + 1 - first);
  if (text.starts_with(kMinus)) return '-' + std::string(text.substr(kMinus.size()));
  return std::string(text);
}

// Takes the digits at the front of `rest` away and returns them.
std::string_view take_digits(std::string_view& rest) {
  const std::string_view digits = rest.substr(0, std::min(rest.find_first_not_of("0123456789"), rest.size()));
  rest.remove_prefix(digits.size());
  return digits;
}

bool take_sign(std::string_view& rest) {
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  return negative;
}

struct Decimal {
  bool negative;
  std::string digits;      // before and after the point
  long long power_of_ten;  // that the digits, read as a whole number, are multiplied by
};

// False when the text is not [sign] digits [point digits] [e [sign] digits], with digits on at least one side of the
// point.
bool read_decimal(std::string_view rest, Decimal& decimal) {
  decimal.negative = take_sign(rest);
  decimal.digits = take_digits(rest);
  std::size_t decimals = 0;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::string_view fraction = take_digits(rest);
    decimals = fraction.size();
    decimal.digits += fraction;
  }
  if (decimal.digits.empty()) return false;
  long long exponent = 0;
  if (rest.starts_with('e') || rest.starts_with('E')) {
    rest.remove_prefix(1);
    const bool negative = take_sign(rest);
    const std::string_view digits = take_digits(rest);
    if (digits.empty()) return false;
    constexpr long long kHuge = 1'000'000'000'000;  // past any double, whatever digits stand before it
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (read.ec != std::errc{}) exponent = kHuge;
    exponent = std::min(exponent, kHuge) * (negative ? -1 : 1);
  }
  decimal.power_of_ten = exponent - static_cast<long long>(decimals);
  return rest.empty();
}

// std::snprintf and std::strtod rather than std::to_chars, whose tables for floating point add 60 kB, gzipped, to the
// page. No locale is ever set, so the decimal point is a point.
std::string print(const char* format, int decimals, double value) {
  std::array<char, 400> buffer;  // the largest double has 309 digits before the point
  const int length = std::snprintf(buffer.data(), buffer.size(), format, decimals, value);
  assert(length > 0 && static_cast<std::size_t>(length) < buffer.size());
  return {buffer.data(), static_cast<std::size_t>(length)};
}

template <class Float>
bool reads_back(const std::string& text, Float value) {
  return static_cast<Float>(std::strtod(text.c_str(), nullptr)) == value;  // as parse_float reads it
}

// The digits of "d.ddde±dd" with the last one raised by one.
std::string raised(std::string text) {
  std::size_t at = text.find('e');
  while (at-- > 0) {
    if (text[at] == '.') continue;
    if (text[at]++ != '9') return text;
    text[at] = '0';
  }
  return {};  // 9.99: the text of fewer digits has been tried
}

// A number n / 10^k as its digits in full, "0.25", and how many of them count: "25".
struct FewDigits {
  std::string full;
  int count = 0;
};

FewDigits digits_of(long long n, int decimals) {
  std::string full = std::to_string(n);
  const int count = static_cast<int>(full.find_last_not_of('0')) + 1;
  if (decimals == 0) return {full, count};
  const auto behind = static_cast<std::size_t>(decimals);
  if (full.size() <= behind) full.insert(0, behind + 1 - full.size(), '0');
  full.insert(full.size() - behind, 1, '.');
  return {full, count};
}

// Of a positive number n / 10^k whose n has at most digits10 digits. No other text of so few digits reads back as that
// number, so these are the fewest. None of any other number.
template <class Float>
FewDigits few_digits(Float value) {
  constexpr int kMostDecimals = 8;  // 2^25 · 10^8 < 2^53: n / 10^k is rounded to a float as the text would be
  double power = 1;
  for (int decimals = 0; decimals <= kMostDecimals; ++decimals, power *= 10) {
    const double whole = std::round(static_cast<double>(value) * power);
    if (whole >= (std::is_same_v<Float, float> ? 1e6 : 1e15)) break;
    if (whole == 0 || static_cast<Float>(whole / power) != value) continue;
    return digits_of(static_cast<long long>(whole), decimals);
  }
  return {};
}

// The fewest digits that read back as a positive number, as "d.ddde±dd", if it is not known how many they are: halving,
// since what reads back with some digits does with more. Only a power of two lies nearer to the number below it than to
// the one above, so that the nearest text may fail where the one above it does not; there all are tried.
template <class Float>
std::string shortest_scientific(Float value, int few) {
  const auto with = [value](int decimals) { return print("%.*e", decimals, value); };
  if (few > 0) return with(few - 1);

  int low = 0, high = std::numeric_limits<Float>::max_digits10 - 1, exponent = 0;
  if (std::frexp(value, &exponent) == Float(0.5)) {
    for (; low < high; ++low) {
      std::string text = with(low);
      if (reads_back(text, value)) return text;
      if (std::string above = raised(text); reads_back(above, value)) return above;
    }
    return with(high);
  }
  while (low < high) {
    const int middle = (low + high) / 2;
    if (reads_back(with(middle), value))
      high = middle;
    else
      low = middle + 1;
  }
  return with(high);
}

// As std::to_chars(value) lays it out: of "1e+300" and its digits in full, the shorter one; in full if they are equal.
template <class Float>
std::string format_shortest(Float value) {
  if (std::isnan(value)) return "nan";
  const std::string sign = std::signbit(value) ? "-" : "";
  const Float size = std::abs(value);
  if (std::isinf(value)) return sign + "inf";
  if (size == 0) return sign + "0";
  constexpr int kExponent = 4;  // "e-05"
  const FewDigits few = few_digits(size);
  if (few.count > 0 && std::ssize(few.full) <= few.count + (few.count > 1 ? 1 : 0) + kExponent) return sign + few.full;
  const std::string scientific = shortest_scientific(size, few.count);

  const std::size_t e = scientific.find('e');
  const int exponent = std::atoi(scientific.c_str() + e + 1);
  const int decimals = std::max(0, static_cast<int>(e) - (e > 1 ? 2 : 1) - exponent);
  const std::string full = print("%.*f", decimals, size);
  return sign + (full.size() <= scientific.size() ? full : scientific);
}

// "1.50" → "1.5", "2.0" → "2", "100" stays.
void drop_trailing_zeros(std::string& digits) {
  if (digits.find('.') == std::string::npos) return;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
}

std::string with_sign(bool negative, std::string digits) {
  const bool zero = digits.find_first_of("123456789") == std::string::npos;
  return negative && !zero ? std::string(kMinus) + digits : digits;
}

std::string superscript(std::string_view exponent) {
  constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string raised;
  for (char c : exponent) raised += c == '-' ? "⁻" : kDigits[static_cast<std::size_t>(c - '0')];
  return raised;
}

// What is not a finite number, for eyes.
std::string format_other(double value) {
  if (std::isnan(value)) return "NaN";
  return (value < 0 ? std::string(kMinus) : std::string()) + std::string(kInfinity);
}

// `holds` says whether the type has room for what was read; `most` is its largest number.
Result<double> parse_decimal(std::string_view text, bool (*holds)(double), std::string_view most) {
  const std::string trimmed = trimmed_ascii(text);
  if (trimmed.empty()) return fail("A number is missing; write one like -0.5 or 1e-3.");
  Decimal decimal;
  if (!read_decimal(trimmed, decimal)) {
    std::string pointed = trimmed;
    std::ranges::replace(pointed, ',', '.');
    if (pointed != trimmed && read_decimal(pointed, decimal))
      return fail(quote(text) + " has a comma; numbers are written with a point, as in -0.5.");
    return fail(quote(text) + " is not a number; write one like -0.5 or 1e-3.");
  }

  // Without a decimal point strtod gives the same in every locale.
  const std::string pointless = decimal.digits + 'e' + std::to_string(decimal.power_of_ten);
  const double size = std::strtod(pointless.c_str(), nullptr);
  if (!holds(size)) return fail(quote(text) + " is too large; numbers reach up to " + std::string(most) + ".");
  if (size == 0 && decimal.digits.find_first_not_of('0') != std::string::npos)
    return fail(quote(text) + " is too close to zero; numbers reach down to 5e-324, then 0.");
  return decimal.negative ? -size : size;
}

}  // namespace

Result<double> parse_number(std::string_view text) {
  return parse_decimal(text, [](double size) { return std::isfinite(size); }, "1.7e308");
}

Result<float> parse_float(std::string_view text) {
  const Result<double> number =
      parse_decimal(text, [](double size) { return std::isfinite(static_cast<float>(size)); }, "3.4e38");
  if (!number) return std::unexpected(number.error());
  return static_cast<float>(*number);
}

Result<int> parse_integer(std::string_view text) {
  const std::string trimmed = trimmed_ascii(text);
  if (trimmed.empty()) return fail("A whole number is missing; write one like 8.");
  std::string_view rest = trimmed;
  const bool negative = take_sign(rest);
  const std::string_view digits = take_digits(rest);
  if (digits.empty() || !rest.empty()) return fail(quote(text) + " is not a whole number; write one like 8.");
  long long value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (negative) value = -value;
  using Limits = std::numeric_limits<int>;
  if (read.ec != std::errc{} || value < Limits::min() || value > Limits::max())
    return fail(quote(text) + " is out of range; whole numbers go from -2147483648 to 2147483647.");
  return static_cast<int>(value);
}

std::string format_exact(float value) { return format_shortest(value); }
std::string format_exact(double value) { return format_shortest(value); }

std::string format_fixed(double value, int decimals) {
  assert(decimals >= 0 && decimals <= 60);
  if (!std::isfinite(value)) return format_other(value);
  return with_sign(value < 0, print("%.*f", decimals, std::abs(value)));
}

std::string format_signed(double value, int decimals) {
  const std::string text = format_fixed(value, decimals);
  return value > 0 && text != format_fixed(0, decimals) ? "+" + text : text;
}

std::string format_short(double value, int significant) {
  assert(significant >= 1 && significant <= 17);
  if (!std::isfinite(value)) return format_other(value);
  const double size = std::abs(value);
  if (size == 0) return "0";
  const std::string scientific = print("%.*e", significant - 1, size);  // "3.20e-07"
  const std::size_t e = scientific.find('e');
  const int exponent = std::atoi(scientific.c_str() + e + 1);

  const bool large = size >= 1e6 - 0.5;  // would round to seven digits
  if (large || size < 1e-4) {
    std::string mantissa = scientific.substr(0, e);
    drop_trailing_zeros(mantissa);
    return with_sign(value < 0, mantissa + "×10" + superscript(std::to_string(exponent)));
  }
  std::string digits = print("%.*f", std::max(0, significant - 1 - exponent), size);
  drop_trailing_zeros(digits);
  return with_sign(value < 0, digits);
}

std::string format_percent(double share) {
  if (std::isnan(share)) return "NaN";
  std::string number;
  if (share > 0 && share < 0.001) {
    number = "<0.1";
  } else if (share > 0.999 && share < 1) {
    number = ">99.9";
  } else {
    // One decimal where a whole number would say 0 or 100 of what is neither.
    const bool near_an_end = (share > 0 && share < 0.01) || (share > 0.99 && share < 1);
    number = format_fixed(100 * share, near_an_end ? 1 : 0);
    drop_trailing_zeros(number);
  }
  return number + std::string(kPercent);
}

double round_to(double value, double power) {
  const double multiple = std::round(value / power) * power;
  const int decimals = std::max(0, static_cast<int>(std::lround(-std::log10(power))));
  return parse_number(format_fixed(multiple, decimals)).value_or(multiple);
}

}  // namespace limelight::io
