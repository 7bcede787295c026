// GPT-2's byte-level byte pair encoding (Sennrich et al. 2016; Radford et al. 2019): a text is cut into words, a word
// into its bytes, and neighbours are joined in the order in which the vocabulary learned to join them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "io/vocabulary.h"

namespace limelight::io {

// A vocabulary writes each byte as a character that can be seen: printable ones of Latin-1 as themselves, the others as
// U+0100 and on, so that a space is "Ġ" and "é" is "Ã©".
std::string characters_of_bytes(std::string_view bytes);
// None where a character stands for no byte.
std::optional<std::string> bytes_of_characters(std::string_view characters);

// Where the word that begins at byte `begin` < text.size() ends, by the first of these that matches, in Unicode:
// 's 't 're 've 'm 'll 'd | ?letters | ?numbers | ?others | spaces but the last before a word | spaces
// A broken byte is one of the others.
std::size_t word_end(std::string_view text, std::size_t begin);

// "t" and "h", to be joined to "th", in the vocabulary's spelling.
struct MergeRule {
  std::string left, right;
};

struct BytePairOptions {
  std::optional<int> unknown = std::nullopt;  // stands for bytes that the vocabulary lacks; they are left out otherwise
  bool space_in_front = false;                // a text begins with a space, whether it has one or not
  bool whole_words = false;                   // a word that is a token is not taken apart
};

class BytePair {
 public:
  // The rules in their order. Errors, which name the files: a rule with a token that the vocabulary lacks.
  static Result<BytePair> make(const Vocabulary& vocabulary, const std::vector<MergeRule>& rules,
                               const BytePairOptions& options, std::string_view vocabulary_file,
                               std::string_view rules_file);
  // Appends the tokens of text[begin, end); a word of n bytes takes O(n log n) time.
  void encode(const Vocabulary& vocabulary, std::string_view text, std::size_t begin, std::size_t end,
              std::vector<Piece>& pieces) const;

 private:
  struct Merge {
    int left, right;
    int rank, joined;
  };
  [[nodiscard]] const Merge* find(int left, int right) const;
  void encode_word(const Vocabulary& vocabulary, std::string_view word, std::size_t begin,
                   std::vector<Piece>& pieces) const;

  BytePairOptions options_;
  std::array<std::optional<int>, 256> bytes_;
  std::vector<Merge> merges_;  // by left and right
};

}  // namespace limelight::io
