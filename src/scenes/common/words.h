// Embeddings for words that no model has seen, other matrices that scenes begin with, and words that point.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "scenes/scene.h"

namespace limelight::scenes {

// A row for each word: the sum of one seeded normal vector for every run of one to three letters of "<word>" in lower
// case, as Bojanowski et al. 2017 build words from their parts, scaled to length √size and rounded to
// 0.01. So spellings that share letters lie near each other; it knows nothing of meaning. words: n of them  size: at
// least 1  result: [n, size]
Matrix embed_words(const std::vector<std::string>& words, int size);

// 0.9 on the diagonal and 0.4 / rows elsewhere, rounded to 0.01: with 4 × 4, the matrix of the seed article.
Matrix identity_like(int rows, int columns);
inline Matrix identity_like(int size) { return identity_like(size, size); }

// Whether a text of so many words can be shown. what: "The sentence"; role: "its words ask"; among: what counts as a
// word, too, ", [START] among them".
struct TextLimits {
  int words = 0;
  std::size_t bytes = 0;
  std::string_view among{};
};
Result<void> check_words(std::string_view what, std::string_view role, std::string_view text, std::size_t count,
                         const TextLimits& limits);

// **Words** that mean the element of this id in the figure: hovering them hovers it, pressing them presses or pins it.
std::string pointing(std::string_view words, std::string_view id, MeansA role);
// A sentence that tells what can be done next; the last one.
std::string hint(std::string_view sentence);

// One number. [1, 1]
Matrix single(double value);

// Normal entries of variance 1 / rows, rounded to 0.01.
Matrix random_weights(int rows, int columns, int seed, std::string_view name);
inline Matrix random_weights(int size, int seed, std::string_view name) {
  return random_weights(size, size, seed, name);
}

}  // namespace limelight::scenes
