#include "io/numbers.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

using limelight::io::format_exact;
using limelight::io::format_fixed;
using limelight::io::format_percent;
using limelight::io::format_short;
using limelight::io::format_signed;
using limelight::io::parse_integer;
using limelight::io::parse_number;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double number(std::string_view text) { return parse_number(text).value_or(kNan); }
bool refused(std::string_view text) { return !parse_number(text); }
std::string complaint(std::string_view text) {
  const auto result = parse_number(text);
  return result ? "" : result.error().message;
}

// The number that a percent text shows, as a share; and half of its last digit.
struct Shown {
  double share;
  double half_digit;
};
Shown shown(std::string text) {
  text.erase(text.find("\u202F%"));
  return {number(text) / 100, text.find('.') == std::string::npos ? 0.005 : 0.0005};
}

}  // namespace

TEST_CASE("numbers: a decimal comma has a sentence of its own") {
  for (const char* text : {"-0,5", "0,5", "1,000"}) {
    const auto read = limelight::io::parse_number(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().message.find("with a point") != std::string::npos);
  }
}

TEST_CASE("parse_number: a decimal number is the double that the compiler reads, to the last bit") {
  CHECK(number("0") == 0);
  CHECK(number("-0.5") == -0.5);
  CHECK(number("1e-3") == 1e-3);
  CHECK(number("+2.5E+2") == 2.5E+2);
  CHECK(number(".5") == .5);
  CHECK(number("5.") == 5.);
  CHECK(number("0.1") == 0.1);
  CHECK(number("123456789.123456789") == 123456789.123456789);
  CHECK(number("1.7976931348623157e308") == 1.7976931348623157e308);
  CHECK(number("5e-324") == 5e-324);
  CHECK(number("0.000000000000000000000000000001e30") == 1);
  CHECK(number("0e999999999999999999999") == 0);
  CHECK(std::signbit(number("-0")));
}

TEST_CASE("parse_number: spaces around are allowed, and the true minus sign counts as minus") {
  CHECK(number("  7\t\n") == 7);
  CHECK(number("\u22120.25") == -0.25);
  CHECK(refused("\u2212-1"));
}

TEST_CASE("parse_number: what is not one whole finite decimal number is refused with a sentence that quotes it") {
  for (const char* text : {"",  "   ", "x",   "1,5", "1 2", "1.2.3",     "0x10", "1e", "1e+",   "e5",
                           ".", "-",   "+-1", "--1", "inf", "-Infinity", "nan",  "1f", "1_000", "\u0661"}) {
    CAPTURE(text);
    CHECK(refused(text));
    CHECK(complaint(text).ends_with('.'));
  }
  CHECK(complaint("1,5") == "\"1,5\" has a comma; numbers are written with a point, as in -0.5.");
  CHECK(complaint("1e") == "\"1e\" is not a number; write one like -0.5 or 1e-3.");
  CHECK(complaint("") == "A number is missing; write one like -0.5 or 1e-3.");
  CHECK(refused(std::string_view("1\0", 2)));
}

TEST_CASE("parse_number: a number that a double cannot hold is refused, never made infinity or zero in silence") {
  CHECK(complaint("1e309") == "\"1e309\" is too large; numbers reach up to 1.7e308.");
  CHECK(refused("-1e999999999999999999999"));
  CHECK(complaint("1e-400") == "\"1e-400\" is too close to zero; numbers reach down to 5e-324, then 0.");
  CHECK(refused("1e-999999999999999999999"));
}

TEST_CASE("parse_number: a complaint about a very long text stays one short line") {
  const std::string digits(100'000, 'x');
  CHECK(complaint(digits).size() < 120);
  CHECK(complaint("a\nb").starts_with("\"a b\""));
}

TEST_CASE("parse_integer: whole numbers of the type's range, and nothing else") {
  CHECK(parse_integer("0").value_or(1) == 0);
  CHECK(parse_integer(" +64 ").value_or(0) == 64);
  CHECK(parse_integer("\u22123").value_or(0) == -3);
  CHECK(parse_integer("2147483647").value_or(0) == 2147483647);
  CHECK(parse_integer("-2147483648").value_or(0) == std::numeric_limits<int>::min());
  for (const char* text :
       {"", " ", "2147483648", "-2147483649", "99999999999999999999999", "3.0", "1e3", "0x1", "- 1", "a"}) {
    CAPTURE(text);
    CHECK(!parse_integer(text));
  }
}

TEST_CASE("format_exact: what it writes reads back to the same bits") {
  std::mt19937_64 random(1);
  int wrong = 0;
  for (int i = 0; i < 20'000; ++i) {
    const double wide = std::bit_cast<double>(random());
    if (std::isfinite(wide)) wrong += number(format_exact(wide)) != wide;
    const float narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(narrow)) wrong += static_cast<float>(number(format_exact(narrow))) != narrow;
  }
  CHECK(wrong == 0);
}

TEST_CASE("format_exact: the text is the shortest, and a float is not dressed up as a double") {
  CHECK(format_exact(0.1) == "0.1");
  CHECK(format_exact(0.1f) == "0.1");
  CHECK(format_exact(1.0) == "1");
  CHECK(format_exact(-0.0) == "-0");
  CHECK(format_exact(1e300) == "1e+300");
  CHECK(format_exact(5e-324) == "5e-324");
  CHECK(format_exact(kInfinity) == "inf");
  CHECK(format_exact(-kInfinity) == "-inf");
  CHECK(format_exact(-kNan) == "nan");
}

TEST_CASE("format_exact: numbers of few and of many digits are written as std::to_chars writes them") {
  const auto written = [](auto value) {
    std::array<char, 64> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return std::string(buffer.data(), end);
  };
  for (const double n : {1., 2., 9., 10., 100., 120., 1024., 99999., 100000., 999999., 1e6, 1234567., 16777216.,
                         123456789., 1e15 - 1, 1e15, 1e15 + 1, 9007199254740992.})
    for (int decimals = 0; decimals <= 12; ++decimals) {
      const double value = n / std::pow(10., decimals);
      CHECK(format_exact(value) == written(value));
      CHECK(format_exact(-value) == written(-value));
      CHECK(format_exact(static_cast<float>(value)) == written(static_cast<float>(value)));
    }
  for (int power = -60; power <= 60; ++power) {
    CHECK(format_exact(std::ldexp(1., power)) == written(std::ldexp(1., power)));
    CHECK(format_exact(std::ldexp(1.F, power)) == written(std::ldexp(1.F, power)));
  }
}

TEST_CASE("format_signed: a plus before what is more than 0 as it is written, and before nothing else") {
  CHECK(format_signed(1.04, 1) == "+1.0");
  CHECK(format_signed(-1.5, 1) == "\u22121.5");
  for (const double nothing : {0., 0.04, -0.04}) CHECK(format_signed(nothing, 1) == "0.0");
}

TEST_CASE("format_fixed: as many decimals as asked for, with a true minus sign") {
  CHECK(format_fixed(3.14159, 2) == "3.14");
  CHECK(format_fixed(-1.5, 1) == "\u22121.5");
  CHECK(format_fixed(2, 3) == "2.000");
  CHECK(format_fixed(0.9999, 2) == "1.00");
  CHECK(format_fixed(1234567, 0) == "1234567");
  CHECK(format_fixed(kInfinity, 2) == "\u221E");
  CHECK(format_fixed(-kInfinity, 2) == "\u2212\u221E");
  CHECK(format_fixed(kNan, 2) == "NaN");
  CHECK(format_fixed(-std::numeric_limits<double>::max(), 60).size() == 3 + 309 + 1 + 60);
}

TEST_CASE("format_fixed: what rounds to zero has no sign") {
  CHECK(format_fixed(-0.001, 2) == "0.00");
  CHECK(format_fixed(-0.0, 0) == "0");
  CHECK(format_fixed(-0.006, 2) == "\u22120.01");
}

TEST_CASE("format_fixed: is never further from the value than half of its last digit") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000; ++i) {
    const double value = static_cast<double>(static_cast<std::int64_t>(random())) / 9.3e15;  // within ±1000
    const int decimals = i % 7;
    CAPTURE(value);
    // 1e-12: the text itself is read back to a double, exact to about 1e-13 at this size.
    CHECK(std::abs(number(format_fixed(value, decimals)) - value) <= 0.5 * std::pow(10.0, -decimals) + 1e-12);
  }
}

TEST_CASE("format_short: little room, no trailing zeros, and the part before the point is whole") {
  CHECK(format_short(0) == "0");
  CHECK(format_short(-0.0) == "0");
  CHECK(format_short(1.5) == "1.5");
  CHECK(format_short(0.364283) == "0.364");
  CHECK(format_short(0.999996) == "1");
  CHECK(format_short(99.96) == "100");
  CHECK(format_short(4096) == "4096");
  CHECK(format_short(-123456.7) == "\u2212123457");
  CHECK(format_short(0.00012345) == "0.000123");
  CHECK(format_short(2.0 / 3.0, 1) == "0.7");
  CHECK(format_short(2.0 / 3.0, 6) == "0.666667");
}

TEST_CASE("format_short: a power of ten from a million and below a ten thousandth") {
  CHECK(format_short(3.2e-7) == "3.2×10⁻⁷");
  CHECK(format_short(-3.2e-7) == "\u22123.2×10⁻⁷");
  CHECK(format_short(1e6) == "1×10⁶");
  CHECK(format_short(999999.4) == "999999");
  CHECK(format_short(999999.6) == "1×10⁶");
  CHECK(format_short(1.234e45) == "1.23×10⁴⁵");
  CHECK(format_short(1e-4) == "0.0001");
  CHECK(format_short(9e-5) == "9×10⁻⁵");
  CHECK(format_short(5e-324) == "4.94×10⁻³²⁴");
  CHECK(format_short(kInfinity) == "\u221E");
  CHECK(format_short(kNan) == "NaN");
}

TEST_CASE("format_percent: whole percent, one decimal near the ends, and a bound past that") {
  CHECK(format_percent(0.364283) == "36\u202F%");
  CHECK(format_percent(0.0042) == "0.4\u202F%");
  CHECK(format_percent(0.0004) == "<0.1\u202F%");
  CHECK(format_percent(0.0099) == "1\u202F%");
  CHECK(format_percent(0.0149) == "1\u202F%");
  CHECK(format_percent(0.98) == "98\u202F%");
  CHECK(format_percent(0.995) == "99.5\u202F%");
  CHECK(format_percent(0.999) == "99.9\u202F%");
  CHECK(format_percent(0.9996) == ">99.9\u202F%");
  CHECK(format_percent(1.0000001) == "100\u202F%");
  CHECK(format_percent(-1e-9) == "0\u202F%");
  CHECK(format_percent(kNan) == "NaN");
}

TEST_CASE("format_percent: between 0 and 1, only these two themselves are shown as 0 % and 100 %") {
  CHECK(format_percent(0) == "0\u202F%");
  CHECK(format_percent(1) == "100\u202F%");
  for (double tiny = 1e-300; tiny < 0.2; tiny *= 3) CHECK(format_percent(tiny) != "0\u202F%");
  for (double tiny = 1e-16; tiny < 0.2; tiny *= 3) CHECK(format_percent(1 - tiny) != "100\u202F%");
}

TEST_CASE(
    "format_percent: is never further from the share than half of its last digit, and never falls as the share grows") {
  double previous = 0;
  for (int i = 10; i <= 9990; ++i) {
    const double share = i / 10'000.0;
    CAPTURE(share);
    const Shown text = shown(format_percent(share));
    // 1e-12: 100 × share and the division back each round in the last place of a double.
    CHECK(std::abs(text.share - share) <= text.half_digit + 1e-12);
    CHECK(text.share >= previous);
    previous = text.share;
  }
}
