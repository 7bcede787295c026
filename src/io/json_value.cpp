#include "io/json_value.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include "io/utf8.h"

namespace limelight::io {
namespace {

constexpr int kDeepest = 100;

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  // False where the text is none.
  bool read_all(JsonValue& value) {
    if (!read(value, 0)) return false;
    skip_spaces();
    return rest_.empty();
  }

 private:
  using Kind = JsonValue::Kind;

  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool take(std::string_view word) {
    skip_spaces();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool read(JsonValue& value, int depth) {
    if (depth > kDeepest) return false;
    skip_spaces();
    if (rest_.starts_with('"')) {
      value.kind = Kind::text;
      return read_text(value.text);
    }
    if (take("{")) {
      value.kind = Kind::object;
      return read_members(value, "}", depth);
    }
    if (take("[")) {
      value.kind = Kind::list;
      return read_members(value, "]", depth);
    }
    if (take("null")) return true;
    value.truth = take("true");
    if (value.truth || take("false")) {
      value.kind = Kind::truth;
      return true;
    }
    value.kind = Kind::number;
    return read_number(value.text);
  }

  // After the bracket that opens.
  bool read_members(JsonValue& value, std::string_view closes, int depth) {
    if (take(closes)) return true;
    do {
      skip_spaces();
      if (value.kind == Kind::object && (!read_text(value.names.emplace_back()) || !take(":"))) return false;
      if (!read(value.values.emplace_back(), depth + 1)) return false;
    } while (take(","));
    return take(closes);
  }

  std::size_t count_digits(std::size_t from) const {
    return std::min(rest_.find_first_not_of("0123456789", from), rest_.size()) - from;
  }

  bool read_number(std::string& text) {
    std::size_t end = rest_.starts_with('-') ? 1 : 0;
    const std::size_t whole = count_digits(end);
    if (whole == 0 || (whole > 1 && rest_[end] == '0')) return false;
    end += whole;
    if (end < rest_.size() && rest_[end] == '.') {
      const std::size_t digits = count_digits(end + 1);
      if (digits == 0) return false;
      end += 1 + digits;
    }
    if (end < rest_.size() && (rest_[end] == 'e' || rest_[end] == 'E')) {
      ++end;
      if (end < rest_.size() && (rest_[end] == '+' || rest_[end] == '-')) ++end;
      const std::size_t digits = count_digits(end);
      if (digits == 0) return false;
      end += digits;
    }
    text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return true;
  }

  std::optional<char32_t> read_code_unit() {
    unsigned unit = 0;
    if (rest_.size() < 4) return std::nullopt;
    const auto read = std::from_chars(rest_.data(), rest_.data() + 4, unit, 16);
    if (read.ec != std::errc() || read.ptr != rest_.data() + 4) return std::nullopt;
    rest_.remove_prefix(4);
    return unit;
  }

  // After "\u": one unit of UTF-16, or two that belong together.
  std::optional<char32_t> read_escaped_character() {
    const std::optional<char32_t> first = read_code_unit();
    if (!first || *first < 0xD800 || *first > 0xDFFF) return first;
    if (*first > 0xDBFF || !rest_.starts_with("\\u")) return std::nullopt;
    rest_.remove_prefix(2);
    const std::optional<char32_t> second = read_code_unit();
    if (!second || *second < 0xDC00 || *second > 0xDFFF) return std::nullopt;
    return 0x10000 + ((*first - 0xD800) << 10U) + (*second - 0xDC00);
  }

  bool read_text(std::string& text) {
    static constexpr std::pair<char, char> kEscapes[] = {{'"', '"'},  {'\\', '\\'}, {'/', '/'},  {'b', '\b'},
                                                         {'f', '\f'}, {'n', '\n'},  {'r', '\r'}, {'t', '\t'}};
    if (!take("\"")) return false;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        text += c;
        continue;
      }
      if (rest_.empty()) return false;
      const char kind = rest_.front();
      rest_.remove_prefix(1);
      if (kind == 'u') {
        const std::optional<char32_t> character = read_escaped_character();
        if (!character) return false;
        append_utf8(text, *character);
        continue;
      }
      const auto* const escape = std::ranges::find(kEscapes, kind, &std::pair<char, char>::first);
      if (escape == std::end(kEscapes)) return false;
      text += escape->second;
    }
    return false;
  }

  std::string_view rest_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : &values[static_cast<std::size_t>(found - names.begin())];
}

std::optional<JsonValue> read_json(std::string_view text) {
  JsonValue value;
  if (!Reader(text).read_all(value)) return std::nullopt;
  return value;
}

}  // namespace limelight::io
