#include "io/json.h"

#include <cassert>
#include <cmath>
#include <utility>

#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::io {
namespace {

// Broken UTF-8 is repaired. U+2028 and U+2029 are escaped, since scripts took them for line ends before ECMAScript
// 2019.
void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (char32_t c : decode_utf8(text)) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c < 0x20 || c == 0x7F || c == 0x2028 || c == 0x2029) {
      out += "\\u";
      for (unsigned shift = 16; shift > 0; shift -= 4) out += kHex[c >> (shift - 4) & 0xF];
    } else {
      append_utf8(out, c);
    }
  }
  out += '"';
}

template <class Float>
std::string number_text(Float number) {
  if (std::isnan(number)) return "\"NaN\"";
  if (std::isinf(number)) return number < 0 ? "\"-Infinity\"" : "\"Infinity\"";
  return format_exact(number);
}

}  // namespace

// Before a value: it needs a key in an object, none in an array, and stands alone at the top.
void JsonWriter::separate() {
  assert(open_.empty() ? text_.empty() : open_.back() == '[' || text_.back() == ':');
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
}

JsonWriter& JsonWriter::begin_object() {
  separate();
  text_ += '{';
  open_ += '{';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  assert(open_.ends_with('{') && text_.back() != ':');
  text_ += '}';
  open_.pop_back();
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  separate();
  text_ += '[';
  open_ += '[';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  assert(open_.ends_with('['));
  text_ += ']';
  open_.pop_back();
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(open_.ends_with('{') && text_.back() != ':');
  if (needs_comma_) text_ += ',';
  append_quoted(text_, name);
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  append_quoted(text_, text);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  separate();
  text_ += number_text(number);
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) {
  separate();
  text_ += std::to_string(number);
  return *this;
}

JsonWriter& JsonWriter::value(float number) {
  separate();
  text_ += number_text(number);
  return *this;
}

JsonWriter& JsonWriter::value(int number) {
  separate();
  text_ += std::to_string(number);
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  separate();
  text_ += truth ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  text_ += "null";
  return *this;
}

JsonWriter& JsonWriter::value(const std::vector<std::string>& texts) {
  begin_array();
  for (const std::string& text : texts) value(std::string_view(text));
  return end_array();
}

JsonWriter& JsonWriter::tensor(ConstMatrixRef matrix) {
  key("shape").begin_array();
  value(static_cast<int>(matrix.rows())).value(static_cast<int>(matrix.cols()));
  end_array();
  key("data").begin_array();
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    for (Eigen::Index column = 0; column < matrix.cols(); ++column) value(matrix(row, column));
  }
  return end_array();
}

std::string JsonWriter::take() {
  assert(open_.empty() && !text_.empty());
  needs_comma_ = false;
  return std::exchange(text_, {});
}

}  // namespace limelight::io
