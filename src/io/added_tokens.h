// Tokens that stand in a text as they are written, such as <|endoftext|> and [MASK], and are never taken apart.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/vocabulary.h"

namespace limelight::io {

// The members after the id as tokenizer.json has them: only where no letter, number or underscore is beside it; with
// the white space before it; with the white space after it.
struct AddedToken {
  std::string content;
  int id;
  bool single_word = false, strip_left = false, strip_right = false;
};

class AddedTokens {
 public:
  static constexpr int kText = -1;

  AddedTokens() = default;
  // Tokens without content are left out.
  explicit AddedTokens(std::vector<AddedToken> tokens);

  // Cuts a text at its added tokens, the leftmost first and of these the longest. What is between them has the id
  // kText; no piece is empty.
  [[nodiscard]] std::vector<Piece> split(std::string_view text) const;
  [[nodiscard]] bool contains(int id) const;

 private:
  [[nodiscard]] const AddedToken* find_at(std::string_view text, std::size_t at) const;

  std::vector<AddedToken> tokens_;        // by first byte, and the longer ones first
  std::array<std::size_t, 257> first_{};  // where those with a first byte begin in tokens_, and the end
};

}  // namespace limelight::io
