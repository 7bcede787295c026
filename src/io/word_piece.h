// BERT's tokens (Devlin et al. 2018): a text is made plain and cut into words and punctuation marks, and a word into
// the longest pieces that the vocabulary has, from the left (Wu et al. 2016).
// As Hugging Face's tokenizers 0.23.2 do it, but with the marks and punctuation of Unicode 14.0, where they have older
// tables, and with the ideographs U+2B820 to U+2B91F, which their list leaves out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "io/vocabulary.h"

namespace limelight::io {

struct WordPieceOptions {
  bool clean = true;                // control characters go, white space becomes a space
  bool separate_ideographs = true;  // each Chinese character is a word
  bool strip_accents = true;
  bool lower_case = true;
  std::string unknown = "[UNK]";  // stands for a word that cannot be put together
  std::string prefix = "##";      // of a piece that is not a word's first
  int most_characters = 100;      // a longer word is unknown
};

class WordPiece {
 public:
  // Error, which names the file: the vocabulary lacks the unknown token.
  static Result<WordPiece> make(const Vocabulary& vocabulary, WordPieceOptions options, std::string_view file);
  // Appends the tokens of text[begin, end).
  void encode(const Vocabulary& vocabulary, std::string_view text, std::size_t begin, std::size_t end,
              std::vector<Piece>& pieces) const;
  // The tokens with a space between words, and none before . , ? ! and English endings.
  [[nodiscard]] std::string join(const std::vector<std::string_view>& tokens) const;

 private:
  // The plain text, with the bytes that each of its characters comes from.
  struct Plain {
    std::u32string text;
    std::vector<std::size_t> begins, ends;
  };
  [[nodiscard]] Plain make_plain(std::string_view text, std::size_t begin, std::size_t end) const;
  void encode_word(const Vocabulary& vocabulary, const Plain& plain, std::size_t first, std::size_t last,
                   std::vector<Piece>& pieces) const;

  WordPieceOptions options_;
  int unknown_ = 0;
};

}  // namespace limelight::io
