#include "io/added_tokens.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/sort.h"
#include "io/code_point.h"
#include "io/unicode.h"

namespace limelight::io {
namespace {

std::size_t first_byte(const AddedToken& token) { return static_cast<unsigned char>(token.content.front()); }

// What regular expressions call a word character, but for rare signs.
bool is_word(char32_t c) {
  return unicode::is_letter(c) || unicode::is_number(c) || unicode::is_nonspacing_mark(c) || c == '_';
}

// Where the code point in front of `end` begins.
std::size_t before(std::string_view text, std::size_t end) {
  constexpr std::size_t kMostBytes = 4;
  for (std::size_t bytes = std::min(kMostBytes, end); bytes > 1; --bytes)
    if (code_point_at(text, end - bytes).bytes == bytes) return end - bytes;
  return end - 1;
}

bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  if (begin > 0 && is_word(code_point_at(text, before(text, begin)).value)) return false;
  return end == text.size() || !is_word(code_point_at(text, end).value);
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::erase_if(tokens_, [](const AddedToken& token) { return token.content.empty(); });
  heap_sort(tokens_, {}, [](const AddedToken& token) {
    return std::tuple(first_byte(token), -static_cast<std::ptrdiff_t>(token.content.size()), token.id);
  });
  for (std::size_t byte = 0; byte < first_.size(); ++byte)
    first_[byte] = static_cast<std::size_t>(
        std::distance(tokens_.begin(), std::ranges::lower_bound(tokens_, byte, {}, first_byte)));
}

bool AddedTokens::contains(int id) const { return std::ranges::find(tokens_, id, &AddedToken::id) != tokens_.end(); }

const AddedToken* AddedTokens::find_at(std::string_view text, std::size_t at) const {
  const auto byte = static_cast<unsigned char>(text[at]);
  for (std::size_t i = first_[byte]; i < first_[byte + 1U]; ++i)
    if (text.substr(at).starts_with(tokens_[i].content)) return &tokens_[i];
  return nullptr;
}

std::vector<Piece> AddedTokens::split(std::string_view text) const {
  std::vector<Piece> pieces;
  std::size_t text_begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const AddedToken* const token = find_at(text, at);
    if (token == nullptr) {
      ++at;
      continue;
    }
    std::size_t begin = at, end = at + token->content.size();
    at = end;
    if (token->single_word && !stands_alone(text, begin, end)) continue;
    begin = std::max(begin, text_begin);  // the one before may have taken white space of this one
    while (token->strip_left && begin > text_begin) {
      const std::size_t previous = before(text, begin);
      if (!unicode::is_white_space(code_point_at(text, previous).value)) break;
      begin = previous;
    }
    while (token->strip_right && end < text.size()) {
      const CodePoint next = code_point_at(text, end);
      if (!unicode::is_white_space(next.value)) break;
      end += next.bytes;
    }
    if (end <= begin) continue;
    if (begin > text_begin) pieces.push_back({kText, text_begin, begin});
    pieces.push_back({token->id, begin, end});
    text_begin = end;
  }
  if (text_begin < text.size()) pieces.push_back({kText, text_begin, text.size()});
  return pieces;
}

}  // namespace limelight::io
