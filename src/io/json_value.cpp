#include "io/json_value.h"

#include <algorithm>
#include <utility>

#include "io/json_reader.h"

namespace limelight::io {
namespace {

using Kind = JsonValue::Kind;

constexpr int kDeepest = 100;

bool read_value(JsonReader& json, JsonValue& value, int depth) {
  if (depth > kDeepest) return false;
  switch (json.peek()) {
    case '{':
      value.kind = Kind::object;
      return json.object([&](std::string name) {
        value.names.push_back(std::move(name));
        return read_value(json, value.values.emplace_back(), depth + 1);
      });
    case '[':
      value.kind = Kind::list;
      return json.list([&] { return read_value(json, value.values.emplace_back(), depth + 1); });
    case '"': {
      value.kind = Kind::text;
      std::optional<std::string> text = json.text();
      if (text) value.text = std::move(*text);
      return text.has_value();
    }
    case 't':
    case 'f': {
      value.kind = Kind::truth;
      const std::optional<bool> truth = json.truth();
      value.truth = truth.value_or(false);
      return truth.has_value();
    }
    case 'n':
      return json.null();
    default: {
      value.kind = Kind::number;
      const std::optional<std::string_view> number = json.number();
      value.text = number.value_or("");
      return number.has_value();
    }
  }
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : &values[static_cast<std::size_t>(found - names.begin())];
}

std::optional<JsonValue> read_json(std::string_view text) {
  JsonReader json(text);
  JsonValue value;
  if (!read_value(json, value, 0) || !json.ends()) return std::nullopt;
  return value;
}

}  // namespace limelight::io
