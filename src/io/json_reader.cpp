#include "io/json_reader.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "io/utf8.h"

namespace limelight::io {
namespace {

constexpr int kMostDepth = 64;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

char JsonReader::peek() {
  while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
  return rest_.empty() ? '\0' : rest_.front();
}

bool JsonReader::take(char c) {
  if (peek() != c || rest_.empty()) return false;
  rest_.remove_prefix(1);
  return true;
}

bool JsonReader::take_word(std::string_view word) {
  peek();
  if (!rest_.starts_with(word)) {
    if (word.starts_with(rest_)) rest_ = {};  // truncated
    return false;
  }
  rest_.remove_prefix(word.size());
  return true;
}

std::optional<std::int64_t> JsonReader::whole_number() {
  peek();
  std::int64_t number = 0;
  const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  const auto digits = static_cast<std::size_t>(read.ptr - rest_.data());
  if (digits < rest_.size() && std::string_view(".eE").contains(rest_[digits])) return std::nullopt;
  rest_.remove_prefix(digits);
  return number;
}

std::optional<std::string_view> JsonReader::number() {
  peek();
  std::size_t end = rest_.starts_with('-') ? 1 : 0;
  // How many digits follow; they are passed over.
  const auto digits = [&] {
    const std::size_t begin = end;
    end = std::min(rest_.find_first_not_of("0123456789", begin), rest_.size());
    return end - begin;
  };
  const std::size_t first = end, whole = digits();
  if (whole == 0 || (whole > 1 && rest_[first] == '0')) return std::nullopt;
  if (end < rest_.size() && rest_[end] == '.') {
    ++end;
    if (digits() == 0) return std::nullopt;
  }
  if (end < rest_.size() && (rest_[end] == 'e' || rest_[end] == 'E')) {
    ++end;
    if (end < rest_.size() && (rest_[end] == '+' || rest_[end] == '-')) ++end;
    if (digits() == 0) return std::nullopt;
  }
  const std::string_view read = rest_.substr(0, end);
  rest_.remove_prefix(end);
  return read;
}

std::optional<bool> JsonReader::truth() {
  const char first = peek();
  if (first == 't' && take_word("true")) return true;
  if (first == 'f' && take_word("false")) return false;
  return std::nullopt;
}

bool JsonReader::null() { return peek() == 'n' && take_word("null"); }

bool JsonReader::skip(int depth) {
  if (depth > kMostDepth) return false;
  switch (peek()) {
    case '{':
      return object([&](const std::string&) { return skip(depth + 1); });
    case '[':
      return list([&] { return skip(depth + 1); });
    case '"':
      return text().has_value();
    case 't':
    case 'f':
      return truth().has_value();
    case 'n':
      return null();
    default:
      return number().has_value();
  }
}

std::optional<char32_t> JsonReader::code_unit() {
  constexpr std::size_t kDigits = 4;
  unsigned unit = 0;
  if (rest_.size() < kDigits) {
    rest_ = {};  // truncated
    return std::nullopt;
  }
  const auto read = std::from_chars(rest_.data(), rest_.data() + kDigits, unit, 16);
  if (read.ec != std::errc() || read.ptr != rest_.data() + kDigits) return std::nullopt;
  rest_.remove_prefix(kDigits);
  return unit;
}

// After "\u": one unit of UTF-16, or two that belong together.
std::optional<char32_t> JsonReader::escaped_character() {
  const std::optional<char32_t> first = code_unit();
  if (!first || *first < 0xD800 || *first > 0xDFFF) return first;
  if (*first > 0xDBFF || !rest_.starts_with("\\u")) return std::nullopt;
  rest_.remove_prefix(2);
  const std::optional<char32_t> second = code_unit();
  if (!second || *second < 0xDC00 || *second > 0xDFFF) return std::nullopt;
  return 0x10000 + ((*first - 0xD800) << 10U) + (*second - 0xDC00);
}

std::optional<std::string> JsonReader::text() {
  static constexpr std::pair<char, char> kEscapes[] = {{'"', '"'},  {'\\', '\\'}, {'/', '/'},  {'b', '\b'},
                                                       {'f', '\f'}, {'n', '\n'},  {'r', '\r'}, {'t', '\t'}};
  if (!take('"')) return std::nullopt;
  std::string text;
  while (!rest_.empty()) {
    const char c = rest_.front();
    if (static_cast<unsigned char>(c) < 0x20) return std::nullopt;
    rest_.remove_prefix(1);
    if (c == '"') return text;
    if (c != '\\') {
      text += c;
      continue;
    }
    if (rest_.empty()) return std::nullopt;
    const char kind = rest_.front();
    if (kind == 'u') {
      rest_.remove_prefix(1);
      const std::optional<char32_t> character = escaped_character();
      if (!character) return std::nullopt;
      append_utf8(text, *character);
      continue;
    }
    const auto* const escape = std::ranges::find(kEscapes, kind, &std::pair<char, char>::first);
    if (escape == std::end(kEscapes)) return std::nullopt;
    rest_.remove_prefix(1);
    text += escape->second;
  }
  return std::nullopt;
}

Error JsonReader::failure(std::string_view file, std::string_view expected) const {
  if (rest_.empty())
    return {std::string(file) + " is truncated: its JSON is not complete after " + std::to_string(text_.size()) +
            " bytes."};
  const std::size_t at = text_.size() - rest_.size();
  const auto line = 1 + std::ranges::count(text_.substr(0, at), '\n');
  return {std::string(file) + " is broken at byte " + std::to_string(at) + " (line " + std::to_string(line) +
          "): " + std::string(expected) + " is needed there."};
}

}  // namespace limelight::io
