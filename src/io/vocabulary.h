// The tokens of a model and their numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"

namespace limelight::io {

class Vocabulary {
 public:
  struct Entry {
    std::string token;
    int id;
  };
  // Errors, which name the file: no tokens, an id outside 0 … n − 1 for n tokens, two tokens with one id, two ids for
  // one token. Tokens without a character may be several; they hold their ids' places and are never found.
  static Result<Vocabulary> make(std::vector<Entry> entries, std::string_view file);

  [[nodiscard]] int size() const { return static_cast<int>(tokens_.size()); }
  // As the file spells it; id is in 0 … size() − 1.
  [[nodiscard]] const std::string& token(int id) const { return tokens_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] bool has(int id) const { return id >= 0 && id < size(); }
  [[nodiscard]] std::optional<int> find(std::string_view token) const;

 private:
  std::vector<std::string> tokens_;
  std::vector<int> by_token_;  // the ids in the order of their tokens
};

// A token where a text has it, with its bytes of that text.
struct Piece {
  int id;
  std::size_t begin, end;
};

}  // namespace limelight::io
