// Texts to token ids and back, for models of the GPT-2 and the BERT family, as the files beside a checkpoint say. Bytes
// in; each reader's error is a sentence that names the file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/added_tokens.h"
#include "io/byte_pair.h"
#include "io/error.h"
#include "io/family.h"
#include "io/vocabulary.h"
#include "io/word_piece.h"

namespace limelight::io {

struct Token {
  int id;
  std::string text;        // as Tokenizer::text gives it
  std::size_t begin, end;  // bytes of the input; a special token that was put there has begin == end
};

struct TokenizerParts {
  Vocabulary vocabulary;
  AddedTokens added;
  std::variant<BytePair, WordPiece> model;
  std::vector<int> in_front, behind;  // special tokens that are put around every text
};

class Tokenizer {
 public:
  explicit Tokenizer(TokenizerParts parts) : parts_(std::move(parts)) {}

  [[nodiscard]] Family family() const;
  // How many tokens there are: ids are 0 to size() − 1.
  [[nodiscard]] int size() const { return parts_.vocabulary.size(); }
  // With [CLS] and [SEP] around it for BERT. A special token that the text has in its own spelling is that token.
  // GPT-2's tokens take every byte of the text, once and in order; BERT's leave out white space and what the model
  // never sees.
  [[nodiscard]] std::vector<Token> encode(std::string_view text) const;
  // The text of the tokens, special ones as they are written. For GPT-2 decode(encode(text)) is the text. Ids that are
  // no tokens (a model may have room for more) are U+FFFD.
  [[nodiscard]] std::string decode(std::span<const int> ids) const;
  // One token for eyes: a space is "·" and what cannot be seen an escape such as "\n" or "\xE2"; BERT's have their
  // "##".
  [[nodiscard]] std::string text(int id) const;
  // By the text that it stands for (" the", "<|endoftext|>") for GPT-2, as the vocabulary has it ("##ing") for BERT.
  [[nodiscard]] std::optional<int> find(std::string_view token) const;

 private:
  [[nodiscard]] std::string bytes(int id) const;

  TokenizerParts parts_;
};

// GPT-2's two files: {"token": id, …}, and a merge per line, "t h", in their order. <|endoftext|> is special if it is
// there.
Result<Tokenizer> read_byte_pair(std::string_view vocab_json, std::string_view merges_txt);
// BERT's file: a token per line, the first has the id 0. [UNK], [CLS] and [SEP] are needed. An uncased model
// (lower_case) has no accents either.
Result<Tokenizer> read_word_piece(std::string_view vocab_txt, bool lower_case = true);
// The file that has it all, of either family: model, added_tokens, normalizer, pre_tokenizer, post_processor. What
// would give other tokens than the families' own is an error.
Result<Tokenizer> read_tokenizer_json(std::string_view json, std::string_view name);

}  // namespace limelight::io
