// JSON in: a text of it as a tree of values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limelight::io {

struct JsonValue {
  enum class Kind { null, truth, number, text, list, object };
  Kind kind = Kind::null;
  bool truth = false;
  std::string text;                // of a text, decoded; of a number, as it is written
  std::vector<std::string> names;  // of an object's values, one each, in the order of the file, one given twice too
  std::vector<JsonValue> values;   // of a list or an object

  // The first of an object's values with this name; nothing where there is none, or no object.
  [[nodiscard]] const JsonValue* find(std::string_view name) const;
};

// Nothing where the whole text is not one JSON value (RFC 8259), or where lists and objects are nested deeper than 100.
std::optional<JsonValue> read_json(std::string_view text);

}  // namespace limelight::io
