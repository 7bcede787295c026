// Reads the JSON of tests/golden: well-formed, and no text in it has an escape.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/numbers.h"

namespace limelight::test {

// Of the four, the one that the file has; false and null are the number 0, true is 1.
struct Json {
  double number = 0;
  std::string text;
  std::vector<Json> items;
  std::vector<std::pair<std::string, Json>> members;

  [[nodiscard]] const Json* find(std::string_view name) const {
    const auto found = std::ranges::find(members, name, &std::pair<std::string, Json>::first);
    return found == members.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const Json& at(std::string_view name) const {
    const Json* found = find(name);
    REQUIRE(found != nullptr);
    return *found;
  }
  // All numbers in it, in the order of the file, however deep the lists.
  [[nodiscard]] std::vector<double> numbers() const {
    if (items.empty()) return {number};
    std::vector<double> all;
    for (const Json& item : items) {
      const std::vector<double> inner = item.numbers();
      all.insert(all.end(), inner.begin(), inner.end());
    }
    return all;
  }
};

class JsonReader {
 public:
  explicit JsonReader(std::span<const unsigned char> bytes)
      : rest_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {}

  Json read() {
    skip_separators();
    REQUIRE(!rest_.empty());
    Json json;
    if (take('{')) {
      for (skip_separators(); !take('}'); skip_separators()) {
        std::string name = read_text();
        json.members.emplace_back(std::move(name), read());
      }
    } else if (take('[')) {
      for (skip_separators(); !take(']'); skip_separators()) json.items.push_back(read());
    } else if (rest_.front() == '"') {
      json.text = read_text();
    } else {
      const std::string_view word = rest_.substr(0, rest_.find_first_of(" ,]}\n\r\t"));
      rest_.remove_prefix(word.size());
      if (word == "true") json.number = 1;
      if (word == "true" || word == "false" || word == "null") return json;
      const Result<double> number = io::parse_number(word);
      REQUIRE(number);
      json.number = *number;
    }
    return json;
  }

 private:
  void skip_separators() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n\r\t,:"), rest_.size())); }
  bool take(char c) {
    REQUIRE(!rest_.empty());
    if (rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string read_text() {
    const std::size_t end = rest_.find('"', 1);
    REQUIRE(end != std::string_view::npos);
    std::string inside(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return inside;
  }

  std::string_view rest_;
};

}  // namespace limelight::test
