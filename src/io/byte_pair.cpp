#include "io/byte_pair.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "io/code_point.h"
#include "io/unicode.h"
#include "io/utf8.h"

namespace limelight::io {
namespace {

constexpr char32_t kSmallestCharacter = 0x21, kFirstSubstitute = 0x100;

constexpr bool is_printable(char32_t byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

// The characters of the 256 bytes.
constexpr std::array<char32_t, 256> make_characters() {
  std::array<char32_t, 256> characters{};
  char32_t substitute = kFirstSubstitute;
  for (char32_t byte = 0; byte < characters.size(); ++byte) characters[byte] = is_printable(byte) ? byte : substitute++;
  return characters;
}
constexpr std::array<char32_t, 256> kCharacters = make_characters();
constexpr char32_t kLargestCharacter = *std::ranges::max_element(kCharacters);

constexpr std::array<int, kLargestCharacter + 1> make_bytes() {
  std::array<int, kLargestCharacter + 1> bytes{};
  bytes.fill(-1);
  for (std::size_t byte = 0; byte < kCharacters.size(); ++byte) bytes[kCharacters[byte]] = static_cast<int>(byte);
  return bytes;
}
constexpr std::array<int, kLargestCharacter + 1> kBytes = make_bytes();
static_assert(kBytes[kSmallestCharacter] == kSmallestCharacter && kBytes[0x120] == ' ');

enum class Class { space, letter, number, other };

Class class_of(char32_t c) {
  if (c < 0x80) {  // most of most texts
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return Class::letter;
    if (c >= '0' && c <= '9') return Class::number;
  }
  if (unicode::is_white_space(c)) return Class::space;
  if (unicode::is_letter(c)) return Class::letter;
  return unicode::is_number(c) ? Class::number : Class::other;
}

}  // namespace

std::string characters_of_bytes(std::string_view bytes) {
  std::string characters;
  for (const char byte : bytes) append_utf8(characters, kCharacters[static_cast<unsigned char>(byte)]);
  return characters;
}

std::optional<std::string> bytes_of_characters(std::string_view characters) {
  std::string bytes;
  for (std::size_t at = 0; at < characters.size();) {
    const CodePoint c = code_point_at(characters, at);
    if (c.value > kLargestCharacter || kBytes[c.value] < 0) return std::nullopt;
    bytes += static_cast<char>(kBytes[c.value]);
    at += c.bytes;
  }
  return bytes;
}

std::size_t word_end(std::string_view text, std::size_t begin) {
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
    if (text.substr(begin).starts_with(ending)) return begin + ending.size();

  std::size_t at = begin;
  if (text[at] == ' ' && at + 1 < text.size() && class_of(code_point_at(text, at + 1).value) != Class::space) ++at;
  CodePoint c = code_point_at(text, at);
  const Class first = class_of(c.value);
  std::size_t last = at;  // where the last character of the run begins
  for (;;) {
    last = at;
    at += c.bytes;
    if (at == text.size()) return at;
    c = code_point_at(text, at);
    if (class_of(c.value) != first) break;
  }
  return first == Class::space && last > begin ? last : at;
}

Result<BytePair> BytePair::make(const Vocabulary& vocabulary, const std::vector<MergeRule>& rules,
                                const BytePairOptions& options, std::string_view vocabulary_file,
                                std::string_view rules_file) {
  BytePair made;
  made.options_ = options;
  for (std::size_t byte = 0; byte < made.bytes_.size(); ++byte)
    made.bytes_[byte] = vocabulary.find(characters_of_bytes(std::string(1, static_cast<char>(byte))));
  int rank = 0;
  for (const MergeRule& rule : rules) {
    const std::string joined = rule.left + rule.right;
    for (const std::string& token : {rule.left, rule.right, joined})
      if (!vocabulary.find(token))
        return fail(std::string(rules_file) + " joins " + quote(rule.left) + " and " + quote(rule.right) + " (merge " +
                    std::to_string(rank + 1) + "), but " + quote(token) + " is no token of " +
                    std::string(vocabulary_file) + "; both must be of the same model.");
    made.merges_.push_back({*vocabulary.find(rule.left), *vocabulary.find(rule.right), rank, *vocabulary.find(joined)});
    ++rank;
  }
  // Of a pair that stands there twice the last counts, as in the reference.
  std::ranges::sort(made.merges_, {}, [](const Merge& m) { return std::tuple(m.left, m.right, -m.rank); });
  const auto repeated =
      std::ranges::unique(made.merges_, {}, [](const Merge& m) { return std::pair(m.left, m.right); });
  made.merges_.erase(repeated.begin(), repeated.end());
  return made;
}

const BytePair::Merge* BytePair::find(int left, int right) const {
  const auto pair = [](const Merge& m) { return std::pair(m.left, m.right); };
  const auto at = std::ranges::lower_bound(merges_, std::pair(left, right), {}, pair);
  return at != merges_.end() && pair(*at) == std::pair(left, right) ? &*at : nullptr;
}

void BytePair::encode(const Vocabulary& vocabulary, std::string_view text, std::size_t begin, std::size_t end,
                      std::vector<Piece>& pieces) const {
  std::string spaced;
  std::string_view part = text.substr(begin, end - begin);
  const bool add_space = options_.space_in_front && !part.starts_with(' ');
  if (add_space) part = spaced = " " + std::string(part);
  const std::size_t first = pieces.size();
  for (std::size_t at = 0; at < part.size();) {
    const std::size_t word = word_end(part, at);
    encode_word(vocabulary, part.substr(at, word - at), begin + at, pieces);
    at = word;
  }
  if (!add_space) return;
  for (std::size_t i = first; i < pieces.size(); ++i) {
    pieces[i].begin = std::max(begin + 1, pieces[i].begin) - 1;
    --pieces[i].end;
  }
}

void BytePair::encode_word(const Vocabulary& vocabulary, std::string_view word, std::size_t begin,
                           std::vector<Piece>& pieces) const {
  if (options_.whole_words)
    if (const std::optional<int> id = vocabulary.find(characters_of_bytes(word))) {
      pieces.push_back({*id, begin, begin + word.size()});
      return;
    }

  // The word's tokens so far, in a list: joining two leaves the first and takes out the second.
  constexpr std::size_t kEnd = std::numeric_limits<std::size_t>::max();
  struct Symbol {
    int id;
    std::size_t begin, end, previous, next;
    bool joined = false;  // to the one before
  };
  std::vector<Symbol> symbols;
  symbols.reserve(word.size());
  for (std::size_t i = 0; i < word.size(); ++i) {
    const std::optional<int> id = bytes_[static_cast<unsigned char>(word[i])];
    if (!id && !options_.unknown) continue;
    const std::size_t at = symbols.size();
    symbols.push_back({id ? *id : *options_.unknown, i, i + 1, at == 0 ? kEnd : at - 1, at + 1});
  }
  if (symbols.empty()) return;
  symbols.back().next = kEnd;

  // The joints that a rule would close, the smallest rank first and of these the leftmost. Some are out of date.
  struct Joint {
    const Merge* merge;
    std::size_t at;  // the left symbol
    bool operator>(const Joint& other) const {
      return std::pair(merge->rank, at) > std::pair(other.merge->rank, other.at);
    }
  };
  std::priority_queue<Joint, std::vector<Joint>, std::greater<>> joints;
  const auto look_at = [&](std::size_t left) {
    if (left == kEnd || symbols[left].next == kEnd) return;
    if (const Merge* merge = find(symbols[left].id, symbols[symbols[left].next].id)) joints.push({merge, left});
  };
  for (std::size_t i = 0; i < symbols.size(); ++i) look_at(i);
  while (!joints.empty()) {
    const auto [merge, at] = joints.top();
    joints.pop();
    Symbol& left = symbols[at];
    if (left.joined || left.next == kEnd || left.id != merge->left) continue;
    Symbol& right = symbols[left.next];
    if (right.id != merge->right) continue;
    left.id = merge->joined;
    left.end = right.end;
    left.next = right.next;
    right.joined = true;
    if (left.next != kEnd) symbols[left.next].previous = at;
    look_at(left.previous);
    look_at(at);
  }
  for (const Symbol& symbol : symbols)
    if (!symbol.joined) pieces.push_back({symbol.id, begin + symbol.begin, begin + symbol.end});
}

}  // namespace limelight::io
