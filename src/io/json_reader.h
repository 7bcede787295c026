// JSON in, one value after another: whoever reads says what should come next. A text is UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/error.h"

namespace limelight::io {

// Each function takes the next value and its separators. Where another kind of value comes, or none, it takes nothing
// and says so (false, none); the reader then gives up, and failure() tells where.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text), rest_(text) {}

  // Calls member(std::string key) for each key, which takes the value and returns whether it could.
  template <class Member>
  bool object(Member&& member) {
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      std::optional<std::string> key = text();
      if (!key || !take(':') || !member(std::move(*key))) return false;
    } while (take(','));
    return take('}');
  }
  // Calls item() for each item, which takes it and returns whether it could.
  template <class Item>
  bool list(Item&& item) {
    if (!take('[')) return false;
    if (take(']')) return true;
    do {
      if (!item()) return false;
    } while (take(','));
    return take(']');
  }
  std::optional<std::string> text();
  std::optional<std::int64_t> whole_number();
  std::optional<std::string_view> number();  // as it is written
  std::optional<bool> truth();
  bool null();
  // Any value; false where it is broken or more than 64 deep.
  bool skip() { return skip(0); }
  // How the next value begins: '{', '[', '"', a digit, 't' … ; 0 at the end of the text.
  char peek();
  // True when nothing but white space is left.
  bool ends() { return peek() == 0; }

  // "FILE is truncated …" or "FILE is broken at byte 17, line 2: EXPECTED is needed there."
  [[nodiscard]] Error failure(std::string_view file, std::string_view expected) const;

 private:
  bool take(char c);
  bool take_word(std::string_view word);
  bool skip(int depth);
  std::optional<char32_t> code_unit();
  std::optional<char32_t> escaped_character();

  std::string_view text_, rest_;
};

}  // namespace limelight::io
