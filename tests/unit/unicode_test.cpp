#include "io/unicode.h"

#include <doctest/doctest.h>

#include <string>

using namespace limelight::io::unicode;

namespace {

std::u32string lower(char32_t c) {
  std::u32string text;
  append_lower(text, c);
  return text;
}
std::u32string unmarked(char32_t c) {
  std::u32string text;
  append_without_marks(text, c);
  return text;
}

// FNV-1a over what Unicode says of every code point: tools/unicode.py prints the same number from Python's tables.
class Sum {
 public:
  void add(char32_t value) {
    for (int shift = 0; shift < 24; shift += 8) {
      sum_ ^= value >> shift & 0xFFU;
      sum_ *= 1099511628211ULL;
    }
  }
  void add(const std::u32string& text) {
    for (const char32_t c : text) add(c);
    add(0xFFFFFF);
  }
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 14695981039346656037ULL;
};

}  // namespace

TEST_CASE("unicode: categories, lower case and decompositions of all code points are those of Unicode 14.0") {
  Sum sum;
  for (char32_t c = 0; c < 0x110000; ++c) {
    sum.add(static_cast<char32_t>(is_letter(c) << 4 | is_number(c) << 3 | is_punctuation(c) << 2 |
                                  is_nonspacing_mark(c) << 1 | static_cast<int>(is_control(c))));
    sum.add(lower(c));
    sum.add(unmarked(c));
  }
  CHECK(sum.value() == 0x4AB6DF8F012089E3ULL);
}

TEST_CASE("unicode: what accents and capitals become") {
  CHECK(unmarked(U'é') == U"e");
  CHECK(unmarked(U'Ệ') == U"E");
  CHECK(unmarked(0x301).empty());
  CHECK(unmarked(U'각') == U"\u1100\u1161\u11A8");
  CHECK(unmarked(U'가') == U"\u1100\u1161");
  CHECK(unmarked(U'豈') == U"豈");
  CHECK(unmarked(0x2F800) == U"丽");
  CHECK(unmarked(0x9CB) == U"\u09C7\u09BE");
  CHECK(unmarked(U'ø') == U"ø");
  CHECK(lower(U'Σ') == U"σ");
  CHECK(lower(U'İ') == U"i\u0307");
  CHECK(lower(U'ẞ') == U"ß");
  CHECK(lower(U'Ꭰ') == U"ꭰ");
  CHECK(lower(0x10FFFF) == std::u32string(1, 0x10FFFF));
}

TEST_CASE("unicode: white space and ideographs") {
  for (const char32_t c : {U' ', U'\t', U'\v', U'\x85', U'\xA0', U'\u2003', U'\u3000'}) CHECK(is_white_space(c));
  for (const char32_t c : {U'a', U'\x1C', U'\u180E', U'\u200B', U'\uFEFF'}) CHECK_FALSE(is_white_space(c));
  for (const char32_t c : {U'注', U'㐀', U'豈', U'\U00020000', U'\U0002B820'}) CHECK(is_ideograph(c));
  for (const char32_t c : {U'か', U'한', U'。', U'\U0002A6E0'}) CHECK_FALSE(is_ideograph(c));
}
