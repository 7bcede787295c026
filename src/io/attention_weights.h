// Attention weights that any model computed, from the file that they were saved in: bytes in, value or error out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "io/error.h"

namespace limelight::io {

inline constexpr std::uint64_t kMostWeightLayers = 128, kMostWeightHeads = 256;
inline constexpr std::uint64_t kMostWeightTokens = 4096;                       // queries, and keys
inline constexpr std::uint64_t kMostWeights = std::uint64_t{1} << 28U;         // of all heads together: 1 GiB
inline constexpr std::uint64_t kLargestWeightsJson = std::uint64_t{1} << 28U;  // bytes

struct AttentionWeights {
  std::string label;                       // what it is called for eyes: the file's name
  std::vector<std::string> queries, keys;  // T and S names of tokens; "1", "2", … where the file has none
  int layers = 0, heads = 0;
  std::vector<Matrix> weights;  // layers · heads of them, layer by layer: [T, S]
};

// By the ending of `name`, which is what the messages call the file:
//   .npy          [T, S], [heads, T, S], [layers, heads, T, S] or, with a batch of one, [layers, 1, heads, T, S]
//   .safetensors  one tensor of such a shape, or one for each layer ("layer_0", "layer_1", …), [heads, T, S] or
//                 [1, heads, T, S]; tensors of whole numbers are passed over. Names of tokens are in the metadata, as
//                 a JSON list: "tokens", or "queries" and "keys"
//   .json         nested lists, or an object that has them as "attention", "attentions" or "weights", and the names as
//                 lists
// Errors: those of the formats; another shape, or a larger one than above; names that are not as many as the tokens; a
// weight that is not a finite number of 0 or more; a row that neither sums to 1, to within 1 in 100 as half precision
// does, nor is 0 throughout.
Result<AttentionWeights> read_attention_weights(std::span<const std::byte> bytes, std::string_view name);

// Names for the tokens of weights that are there, from one line: words between spaces or tabs, or a JSON list of texts.
// Where queries and keys have names of their own, those of the queries come first, then " | ". Errors: not as many as
// there are tokens; a list that is none.
struct TokenLine {
  std::vector<std::string> queries, keys;
};
Result<TokenLine> read_token_line(std::string_view line, const AttentionWeights& of);
// "4 tokens", or "2 queries and 3 keys"
std::string tokens_of(const AttentionWeights& of);

}  // namespace limelight::io
