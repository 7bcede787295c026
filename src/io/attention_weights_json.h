// Attention weights as JSON: lists in lists of numbers, read in one pass without a tree of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"

namespace limelight::io {

// As the file has them; empty: none.
struct TokenNames {
  std::vector<std::string> tokens;         // of queries and keys
  std::vector<std::string> queries, keys;  // which come before them
};

struct JsonWeights {
  std::vector<std::uint64_t> shape;  // one to five dimensions
  std::vector<float> numbers;
  TokenNames names;
};

// Errors, which name the file: no JSON, no lists of numbers in it, lists at one depth that differ in length, a number
// that is not finite in float32.
Result<JsonWeights> read_json_weights(std::string_view text, std::string_view file);

// A list of texts, at most kMostWeightTokens of them; false where it is something else.
bool read_token_names(std::string_view json, std::vector<std::string>& names);

}  // namespace limelight::io
