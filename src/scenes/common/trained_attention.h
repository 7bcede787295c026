// The attention of one layer of the trained encoder (learn/encoder.h), as scenes show it that do without the rest of
// it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "scenes/scene.h"

namespace limelight::scenes::trained {

// Of the encoder that the page has.
inline constexpr int kLayers = 3;
inline constexpr int kHeads = 8;      // of each layer
inline constexpr int kSize = 96;      // D, numbers of a word
inline constexpr int kHeadSize = 12;  // of them for each head

// A 1 behind each word's numbers meets a last row of each matrix, so that products have the biases in them.
struct Attention {
  Matrix X;              // [T, D + 1] LayerNorm of what enters the layer
  Matrix W_Q, W_K, W_V;  // [D + 1, D], heads side by side
  Matrix W_O;            // [D + 1, D]
};

// Functions behind pointers, so that the first scene does not bring them into the first load (tools/split.mjs); that of
// the file's `read`, too.
struct Reader {
  const Resource* file;
  // The words as the encoder reads them: [START], then those of learn::english::read, and its errors.
  Result<std::vector<std::string>> (*words)(std::string_view text);
  // words: such ones  layer: from 1. Nothing while the file has not come, or where it has other sizes.
  std::optional<Attention> (*attention)(const Inputs& inputs, const std::vector<std::string>& words, int layer);
  // Among these words, signs aside, the row of the one that gives another one the largest weight, where a weight of or
  // on a word of grammar such as "the", or on the word beside it, counts for less. Nothing while the file has not come,
  // or where there are no two words.
  std::optional<int> (*most_telling)(const Inputs& inputs, const std::vector<std::string>& words, int layer, int head);
};
extern const Reader kReader;

}  // namespace limelight::scenes::trained
