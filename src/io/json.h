// JSON out. Numbers round-trip; non-finite numbers are written as the strings
// "-Infinity", "Infinity", "NaN", since JSON has none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"

namespace limelight::io {

// Writes one JSON value, piece by piece; commas and quotes are its business. Nesting is asserted.
class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(float number);
  JsonWriter& value(int number);
  JsonWriter& value(std::int64_t number);  // all its digits, where a double may be written as 4e+05
  JsonWriter& value(bool truth);
  JsonWriter& null();
  JsonWriter& value(const std::vector<std::string>& texts);
  // Two members of the object that is open: "shape": [rows, columns], "data": [...row-major...]
  JsonWriter& tensor(ConstMatrixRef matrix);
  template <class T>
  JsonWriter& member(std::string_view name, const T& v) {
    return key(name).value(v);
  }
  [[nodiscard]] std::string take();

 private:
  void separate();
  std::string text_;
  std::string open_;  // the stack of open brackets
  bool needs_comma_ = false;
};

}  // namespace limelight::io
