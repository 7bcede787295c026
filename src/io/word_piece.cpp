#include "io/word_piece.h"

#include <algorithm>
#include <utility>

#include "io/code_point.h"
#include "io/unicode.h"
#include "io/utf8.h"

namespace limelight::io {
namespace {

// In front of these, the reference's decoder leaves out the space.
constexpr std::string_view kUnspaced[] = {".", "?", "!", ",", "n't", "'m", "'s", "'ve", "'re"};

bool is_dropped(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  return c == 0xFFFD || unicode::is_control(c);  // a broken byte is U+FFFD too
}

// All of ASCII that is no letter, number, space or control counts, also "$" and "+".
bool is_mark(char32_t c) {
  if (c < 0x80) return c > ' ' && c < 0x7F && !unicode::is_letter(c) && !unicode::is_number(c);
  return unicode::is_punctuation(c);
}

}  // namespace

Result<WordPiece> WordPiece::make(const Vocabulary& vocabulary, WordPieceOptions options, std::string_view file) {
  const std::optional<int> unknown = vocabulary.find(options.unknown);
  if (!unknown)
    return fail(std::string(file) + " has no token " + quote(options.unknown) +
                "; a WordPiece vocabulary needs one for unknown words.");
  WordPiece made;
  made.options_ = std::move(options);
  made.unknown_ = *unknown;
  return made;
}

WordPiece::Plain WordPiece::make_plain(std::string_view text, std::size_t begin, std::size_t end) const {
  Plain plain;
  std::u32string unmarked, lowered;
  for (std::size_t at = begin; at < end;) {
    const CodePoint read = code_point_at(text.substr(0, end), at);
    char32_t c = read.value;
    const std::size_t from = at;
    at += read.bytes;
    if (options_.clean && is_dropped(c)) continue;
    if (options_.clean && unicode::is_white_space(c)) c = ' ';
    unmarked.clear();
    if (options_.strip_accents)
      unicode::append_without_marks(unmarked, c);
    else
      unmarked += c;
    lowered.clear();
    for (const char32_t u : unmarked)
      if (options_.lower_case)
        unicode::append_lower(lowered, u);
      else
        lowered += u;
    if (options_.separate_ideographs && unicode::is_ideograph(c)) lowered = U" " + lowered + U" ";
    plain.text += lowered;
    plain.begins.resize(plain.text.size(), from);
    plain.ends.resize(plain.text.size(), at);
  }
  return plain;
}

void WordPiece::encode(const Vocabulary& vocabulary, std::string_view text, std::size_t begin, std::size_t end,
                       std::vector<Piece>& pieces) const {
  const Plain plain = make_plain(text, begin, end);
  std::size_t word = 0;  // where the word that is being gathered began
  for (std::size_t i = 0; i < plain.text.size(); ++i) {
    const bool mark = is_mark(plain.text[i]);
    if (!mark && !unicode::is_white_space(plain.text[i])) continue;
    encode_word(vocabulary, plain, word, i, pieces);
    if (mark) encode_word(vocabulary, plain, i, i + 1, pieces);
    word = i + 1;
  }
  encode_word(vocabulary, plain, word, plain.text.size(), pieces);
}

void WordPiece::encode_word(const Vocabulary& vocabulary, const Plain& plain, std::size_t first, std::size_t last,
                            std::vector<Piece>& pieces) const {
  if (first == last) return;
  const std::size_t count = last - first, before = pieces.size();
  const auto give_up = [&] {
    pieces.resize(before, Piece{});
    pieces.push_back({unknown_, plain.begins[first], plain.ends[last - 1]});
  };
  if (count > static_cast<std::size_t>(options_.most_characters)) return give_up();
  std::string candidate;
  std::vector<std::size_t> sizes;  // the candidate's bytes after each of its characters
  for (std::size_t begin = first; begin < last;) {
    candidate = begin == first ? std::string() : options_.prefix;
    sizes.clear();
    for (std::size_t i = begin; i < last; ++i) {
      append_utf8(candidate, plain.text[i]);
      sizes.push_back(candidate.size());
    }
    std::size_t end = last;
    std::optional<int> id;
    for (; end > begin; --end) {
      id = vocabulary.find(std::string_view(candidate).substr(0, sizes[end - begin - 1]));
      if (id) break;
    }
    if (!id) return give_up();
    pieces.push_back({*id, plain.begins[begin], plain.ends[end - 1]});
    begin = end;
  }
}

std::string WordPiece::join(const std::vector<std::string_view>& tokens) const {
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::string_view token = tokens[i];
    if (i > 0 && token.starts_with(options_.prefix))
      token.remove_prefix(options_.prefix.size());
    else if (i > 0 && std::ranges::none_of(kUnspaced, [&](std::string_view mark) { return token.starts_with(mark); }))
      text += ' ';
    text += token;
  }
  return text;
}

}  // namespace limelight::io
