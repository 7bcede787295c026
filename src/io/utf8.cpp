#include "io/utf8.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>

#include "io/code_point.h"

namespace limelight::io {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kZeroWidthJoiner = 0x200D;
constexpr char32_t kEllipsis = 0x2026;
constexpr int kQuoteLimit = 40;

struct Range {
  char32_t first;
  char32_t last;
};

// Each table is sorted and its ranges do not touch each other's inside; code points that Unicode has not assigned yet
// are bridged over when the neighbours on both sides are in.

// Unicode 14.0, categories Mn, Mc and Me (spacing vowel signs are in, since a text must not be cut before them), and
// the characters that shape what stands before them without being seen: soft hyphen, joiners, direction marks, Hangul
// vowels and finals, half-width voicing marks, emoji modifiers, tags, variation selectors.
constexpr Range kJoining[] = {
    // clang-format off
    {0x00AD, 0x00AD}, {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2},
    {0x05C4, 0x05C5}, {0x05C7, 0x05C7}, {0x0610, 0x061A}, {0x061C, 0x061C}, {0x064B, 0x065F}, {0x0670, 0x0670},
    {0x06D6, 0x06DC}, {0x06DF, 0x06E4}, {0x06E7, 0x06E8}, {0x06EA, 0x06ED}, {0x0711, 0x0711}, {0x0730, 0x074A},
    {0x07A6, 0x07B0}, {0x07EB, 0x07F3}, {0x07FD, 0x07FD}, {0x0816, 0x0819}, {0x081B, 0x0823}, {0x0825, 0x0827},
    {0x0829, 0x082D}, {0x0859, 0x085B}, {0x0898, 0x089F}, {0x08CA, 0x08E1}, {0x08E3, 0x0903}, {0x093A, 0x093C},
    {0x093E, 0x094F}, {0x0951, 0x0957}, {0x0962, 0x0963}, {0x0981, 0x0983}, {0x09BC, 0x09BC}, {0x09BE, 0x09CD},
    {0x09D7, 0x09D7}, {0x09E2, 0x09E3}, {0x09FE, 0x09FE}, {0x0A01, 0x0A03}, {0x0A3C, 0x0A51}, {0x0A70, 0x0A71},
    {0x0A75, 0x0A75}, {0x0A81, 0x0A83}, {0x0ABC, 0x0ABC}, {0x0ABE, 0x0ACD}, {0x0AE2, 0x0AE3}, {0x0AFA, 0x0AFF},
    {0x0B01, 0x0B03}, {0x0B3C, 0x0B3C}, {0x0B3E, 0x0B57}, {0x0B62, 0x0B63}, {0x0B82, 0x0B82}, {0x0BBE, 0x0BCD},
    {0x0BD7, 0x0BD7}, {0x0C00, 0x0C04}, {0x0C3C, 0x0C3C}, {0x0C3E, 0x0C56}, {0x0C62, 0x0C63}, {0x0C81, 0x0C83},
    {0x0CBC, 0x0CBC}, {0x0CBE, 0x0CD6}, {0x0CE2, 0x0CE3}, {0x0D00, 0x0D03}, {0x0D3B, 0x0D3C}, {0x0D3E, 0x0D4D},
    {0x0D57, 0x0D57}, {0x0D62, 0x0D63}, {0x0D81, 0x0D83}, {0x0DCA, 0x0DDF}, {0x0DF2, 0x0DF3}, {0x0E31, 0x0E31},
    {0x0E33, 0x0E3A}, {0x0E47, 0x0E4E}, {0x0EB1, 0x0EB1}, {0x0EB3, 0x0EBC}, {0x0EC8, 0x0ECD}, {0x0F18, 0x0F19},
    {0x0F35, 0x0F35}, {0x0F37, 0x0F37}, {0x0F39, 0x0F39}, {0x0F3E, 0x0F3F}, {0x0F71, 0x0F84}, {0x0F86, 0x0F87},
    {0x0F8D, 0x0FBC}, {0x0FC6, 0x0FC6}, {0x102B, 0x103E}, {0x1056, 0x1059}, {0x105E, 0x1060}, {0x1062, 0x1064},
    {0x1067, 0x106D}, {0x1071, 0x1074}, {0x1082, 0x108D}, {0x108F, 0x108F}, {0x109A, 0x109D}, {0x1160, 0x11FF},
    {0x135D, 0x135F}, {0x1712, 0x1715}, {0x1732, 0x1734}, {0x1752, 0x1753}, {0x1772, 0x1773}, {0x17B4, 0x17D3},
    {0x17DD, 0x17DD}, {0x180B, 0x180F}, {0x1885, 0x1886}, {0x18A9, 0x18A9}, {0x1920, 0x193B}, {0x1A17, 0x1A1B},
    {0x1A55, 0x1A7F}, {0x1AB0, 0x1B04}, {0x1B34, 0x1B44}, {0x1B6B, 0x1B73}, {0x1B80, 0x1B82}, {0x1BA1, 0x1BAD},
    {0x1BE6, 0x1BF3}, {0x1C24, 0x1C37}, {0x1CD0, 0x1CD2}, {0x1CD4, 0x1CE8}, {0x1CED, 0x1CED}, {0x1CF4, 0x1CF4},
    {0x1CF7, 0x1CF9}, {0x1DC0, 0x1DFF}, {0x200C, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F}, {0x20D0, 0x20FF},
    {0x2CEF, 0x2CF1}, {0x2D7F, 0x2D7F}, {0x2DE0, 0x2DFF}, {0x302A, 0x302F}, {0x3099, 0x309A}, {0xA66F, 0xA672},
    {0xA674, 0xA67D}, {0xA69E, 0xA69F}, {0xA6F0, 0xA6F1}, {0xA802, 0xA802}, {0xA806, 0xA806}, {0xA80B, 0xA80B},
    {0xA823, 0xA827}, {0xA82C, 0xA82C}, {0xA880, 0xA881}, {0xA8B4, 0xA8C5}, {0xA8E0, 0xA8F1}, {0xA8FF, 0xA8FF},
    {0xA926, 0xA92D}, {0xA947, 0xA953}, {0xA980, 0xA983}, {0xA9B3, 0xA9C0}, {0xA9E5, 0xA9E5}, {0xAA29, 0xAA36},
    {0xAA43, 0xAA43}, {0xAA4C, 0xAA4D}, {0xAA7B, 0xAA7D}, {0xAAB0, 0xAAB0}, {0xAAB2, 0xAAB4}, {0xAAB7, 0xAAB8},
    {0xAABE, 0xAABF}, {0xAAC1, 0xAAC1}, {0xAAEB, 0xAAEF}, {0xAAF5, 0xAAF6}, {0xABE3, 0xABEA}, {0xABEC, 0xABED},
    {0xD7B0, 0xD7FF}, {0xFB1E, 0xFB1E}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFF9E, 0xFF9F}, {0x101FD, 0x101FD},
    {0x102E0, 0x102E0}, {0x10376, 0x1037A}, {0x10A01, 0x10A0F}, {0x10A38, 0x10A3F}, {0x10AE5, 0x10AE6},
    {0x10D24, 0x10D27}, {0x10EAB, 0x10EAC}, {0x10F46, 0x10F50}, {0x10F82, 0x10F85}, {0x11000, 0x11002},
    {0x11038, 0x11046}, {0x11070, 0x11070}, {0x11073, 0x11074}, {0x1107F, 0x11082}, {0x110B0, 0x110BA},
    {0x110C2, 0x110C2}, {0x11100, 0x11102}, {0x11127, 0x11134}, {0x11145, 0x11146}, {0x11173, 0x11173},
    {0x11180, 0x11182}, {0x111B3, 0x111C0}, {0x111C9, 0x111CC}, {0x111CE, 0x111CF}, {0x1122C, 0x11237},
    {0x1123E, 0x1123E}, {0x112DF, 0x112EA}, {0x11300, 0x11303}, {0x1133B, 0x1133C}, {0x1133E, 0x1134D},
    {0x11357, 0x11357}, {0x11362, 0x11374}, {0x11435, 0x11446}, {0x1145E, 0x1145E}, {0x114B0, 0x114C3},
    {0x115AF, 0x115C0}, {0x115DC, 0x115DD}, {0x11630, 0x11640}, {0x116AB, 0x116B7}, {0x1171D, 0x1172B},
    {0x1182C, 0x1183A}, {0x11930, 0x1193E}, {0x11940, 0x11940}, {0x11942, 0x11943}, {0x119D1, 0x119E0},
    {0x119E4, 0x119E4}, {0x11A01, 0x11A0A}, {0x11A33, 0x11A39}, {0x11A3B, 0x11A3E}, {0x11A47, 0x11A47},
    {0x11A51, 0x11A5B}, {0x11A8A, 0x11A99}, {0x11C2F, 0x11C3F}, {0x11C92, 0x11CB6}, {0x11D31, 0x11D45},
    {0x11D47, 0x11D47}, {0x11D8A, 0x11D97}, {0x11EF3, 0x11EF6}, {0x16AF0, 0x16AF4}, {0x16B30, 0x16B36},
    {0x16F4F, 0x16F4F}, {0x16F51, 0x16F92}, {0x16FE4, 0x16FF1}, {0x1BC9D, 0x1BC9E}, {0x1CF00, 0x1CF46},
    {0x1D165, 0x1D169}, {0x1D16D, 0x1D172}, {0x1D17B, 0x1D182}, {0x1D185, 0x1D18B}, {0x1D1AA, 0x1D1AD},
    {0x1D242, 0x1D244}, {0x1DA00, 0x1DA36}, {0x1DA3B, 0x1DA6C}, {0x1DA75, 0x1DA75}, {0x1DA84, 0x1DA84},
    {0x1DA9B, 0x1DAAF}, {0x1E000, 0x1E02A}, {0x1E130, 0x1E136}, {0x1E2AE, 0x1E2AE}, {0x1E2EC, 0x1E2EF},
    {0x1E8D0, 0x1E8D6}, {0x1E944, 0x1E94A}, {0x1F3FB, 0x1F3FF}, {0xE0001, 0xE007F}, {0xE0100, 0xE01EF},
    // clang-format on
};

// Unicode 14.0, East Asian width W and F, and the pictograph blocks as a whole. Regional indicators are narrow: two of
// them make one flag, two columns wide.
constexpr Range kWide[] = {
    // clang-format off
    {0x1100, 0x115F}, {0x231A, 0x231B}, {0x2329, 0x232A}, {0x23E9, 0x23EC}, {0x23F0, 0x23F0}, {0x23F3, 0x23F3},
    {0x25FD, 0x25FE}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267F, 0x267F}, {0x2693, 0x2693}, {0x26A1, 0x26A1},
    {0x26AA, 0x26AB}, {0x26BD, 0x26BE}, {0x26C4, 0x26C5}, {0x26CE, 0x26CE}, {0x26D4, 0x26D4}, {0x26EA, 0x26EA},
    {0x26F2, 0x26F3}, {0x26F5, 0x26F5}, {0x26FA, 0x26FA}, {0x26FD, 0x26FD}, {0x2705, 0x2705}, {0x270A, 0x270B},
    {0x2728, 0x2728}, {0x274C, 0x274C}, {0x274E, 0x274E}, {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797},
    {0x27B0, 0x27B0}, {0x27BF, 0x27BF}, {0x2B1B, 0x2B1C}, {0x2B50, 0x2B50}, {0x2B55, 0x2B55}, {0x2E80, 0x2EF3},
    {0x2F00, 0x2FFB}, {0x3000, 0x303E}, {0x3041, 0x30FF}, {0x3105, 0x3247}, {0x3250, 0x4DBF}, {0x4E00, 0xA4C6},
    {0xA960, 0xA97C}, {0xAC00, 0xD7A3}, {0xF900, 0xFAD9}, {0xFE10, 0xFE19}, {0xFE30, 0xFE6B}, {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6}, {0x16FE0, 0x16FF1}, {0x17000, 0x187F7}, {0x18800, 0x18CD5}, {0x18D00, 0x18D08},
    {0x1AFF0, 0x1AFFE}, {0x1B000, 0x1B2FB}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E},
    {0x1F191, 0x1F19A}, {0x1F200, 0x1F265}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F7E0, 0x1F7F0},
    {0x1F90C, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
    // clang-format on
};

// Unicode's category P without what belongs to names and words ('#', '&', '@', '_', the Hebrew geresh, the Tibetan
// syllable mark), below U+3000: the wide ones are words of their own anyway.
constexpr Range kPunctuation[] = {
    {'!', '"'},       {'%', '%'},       {'\'', '*'},      {',', '/'},       {':', ';'},       {'?', '?'},
    {'[', ']'},       {'{', '{'},       {'}', '}'},       {0x00A1, 0x00A1}, {0x00A7, 0x00A7}, {0x00AB, 0x00AB},
    {0x00B6, 0x00B7}, {0x00BB, 0x00BB}, {0x00BF, 0x00BF}, {0x037E, 0x037E}, {0x0387, 0x0387}, {0x055A, 0x055F},
    {0x0589, 0x058A}, {0x05BE, 0x05BE}, {0x05C0, 0x05C0}, {0x05C3, 0x05C3}, {0x060C, 0x060D}, {0x061B, 0x061B},
    {0x061D, 0x061F}, {0x066A, 0x066D}, {0x06D4, 0x06D4}, {0x0964, 0x0965}, {0x0970, 0x0970}, {0x0E4F, 0x0E4F},
    {0x0E5A, 0x0E5B}, {0x104A, 0x104F}, {0x1361, 0x1368}, {0x17D4, 0x17D6}, {0x17D8, 0x17DA}, {0x2010, 0x2027},
    {0x2030, 0x2043}, {0x2045, 0x2051}, {0x2053, 0x205E}, {0x2E00, 0x2E2E}, {0x2E30, 0x2E5D},
};

// Unicode's white space and control characters; the zero-width space, which marks where a word ends; the byte order
// mark.
constexpr Range kSpaces[] = {
    {0x0000, 0x0020}, {0x007F, 0x00A0}, {0x1680, 0x1680}, {0x2000, 0x200B}, {0x2028, 0x2029},
    {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF},
};

// Embeddings, overrides and isolates; direction marks.
constexpr Range kDirections[] = {{0x061C, 0x061C}, {0x200E, 0x200F}, {0x202A, 0x202E}, {0x2066, 0x2069}};

constexpr bool is_sorted(std::span<const Range> table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].last < table[i].first) return false;
    if (i > 0 && table[i].first <= table[i - 1].last) return false;
  }
  return true;
}
static_assert(is_sorted(kJoining) && is_sorted(kWide) && is_sorted(kPunctuation) && is_sorted(kSpaces) &&
              is_sorted(kDirections));

bool contains(std::span<const Range> table, char32_t code_point) {
  if (code_point < table.front().first) return false;  // as letters of most alphabets in most tables: of all calls most
  const auto after = std::ranges::upper_bound(table, code_point, {}, &Range::first);
  return after != table.begin() && code_point <= std::prev(after)->last;
}

bool in(char32_t code_point, char32_t first, char32_t last) { return first <= code_point && code_point <= last; }

bool is_space(char32_t c) { return contains(kSpaces, c); }
bool is_punctuation(char32_t c) { return contains(kPunctuation, c); }
bool is_digit(char32_t c) { return in(c, '0', '9'); }
bool is_regional_indicator(char32_t c) { return in(c, 0x1F1E6, 0x1F1FF); }

// What a joiner may glue on: emoji, and the symbols that emoji sequences end in (♀, ⚕, ✈, ➡, ❤).
bool is_pictograph(char32_t c) { return in(c, 0x2190, 0x2BFF) || in(c, 0x1F000, 0x1FAFF); }

bool is_hangul(char32_t c) { return in(c, 0x1100, 0x11FF) || in(c, 0xA960, 0xA97F) || in(c, 0xAC00, 0xD7FF); }
bool is_fullwidth_alphanumeric(char32_t c) {
  return in(c, 0xFF10, 0xFF19) || in(c, 0xFF21, 0xFF3A) || in(c, 0xFF41, 0xFF5A);
}

// A word by itself wherever it stands. Chinese and Japanese are written without spaces, so each ideograph, kana and
// East Asian punctuation mark is one, and each emoji; Korean has spaces. Dashes and ellipses often have none around
// them.
bool stands_alone(char32_t c) {
  if (in(c, 0x2014, 0x2015) || c == kEllipsis || is_regional_indicator(c) || in(c, 0xFF61, 0xFF9D)) return true;
  return is_wide(c) && !is_hangul(c) && !is_fullwidth_alphanumeric(c);
}

// Where the visible character that starts at `begin` ends (after Unicode Standard Annex 29, simplified). Spaces carry
// no marks, so that a stray mark after a space belongs to the next word.
std::size_t visible_end(std::span<const char32_t> text, std::size_t begin) {
  std::size_t end = begin + 1;
  if (is_space(text[begin])) return end;
  if (is_regional_indicator(text[begin]) && end < text.size() && is_regional_indicator(text[end])) ++end;
  while (end < text.size() &&
         (joins_previous(text[end]) || (text[end - 1] == kZeroWidthJoiner && is_pictograph(text[end])))) {
    ++end;
  }
  return end;
}

using Visible = std::span<const char32_t>;  // the code points of one visible character, never empty

std::vector<Visible> visible_characters(std::span<const char32_t> text) {
  std::vector<Visible> characters;
  characters.reserve(text.size());
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = visible_end(text, begin);
    characters.push_back(text.subspan(begin, end - begin));
    begin = end;
  }
  return characters;
}

std::string encode(std::span<const Visible> characters) {
  std::string text;
  for (const Visible& character : characters) {
    for (char32_t c : character) append_utf8(text, c);
  }
  return text;
}

// How many characters at the front make one punctuation word: a mark and its repetitions ("...", "--"); 0 before a
// word. A minus sign or a point in front of a digit belongs to the number.
std::size_t leading_mark(std::span<const Visible> chunk) {
  const char32_t mark = chunk[0][0];
  if (!is_punctuation(mark)) return 0;
  if ((mark == '-' || mark == '.') && chunk.size() > 1 && is_digit(chunk[1][0])) return 0;
  std::size_t count = 1;
  while (count < chunk.size() && chunk[count][0] == mark) ++count;
  return count;
}

// A chunk has no space in it and nothing that stands alone.
void split_chunk(std::span<const Visible> chunk, std::vector<std::string>& words) {
  while (!chunk.empty()) {
    const std::size_t count = leading_mark(chunk);
    if (count == 0) break;
    words.push_back(encode(chunk.first(count)));
    chunk = chunk.subspan(count);
  }
  if (chunk.empty()) return;
  std::size_t word = chunk.size();
  while (word > 1 && is_punctuation(chunk[word - 1][0])) --word;
  words.push_back(encode(chunk.first(word)));
  for (chunk = chunk.subspan(word); !chunk.empty();) {
    const std::size_t count = leading_mark(chunk);
    words.push_back(encode(chunk.first(count)));
    chunk = chunk.subspan(count);
  }
}

}  // namespace

CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const char32_t lead = byte(at);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = in(lead, 0xC2, 0xDF) ? 2 : in(lead, 0xE0, 0xEF) ? 3 : in(lead, 0xF0, 0xF4) ? 4 : 0;
  if (bytes == 0 || text.size() - at < bytes) return {kReplacement, 1};
  char32_t c = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {kReplacement, 1};
    c = c << 6 | (byte(at + i) & 0x3Fu);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  if (c < kSmallest[bytes] || c > 0x10FFFF || in(c, 0xD800, 0xDFFF)) return {kReplacement, 1};
  return {c, bytes};
}

std::vector<char32_t> decode_utf8(std::string_view text) {
  std::vector<char32_t> code_points;
  code_points.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint decoded = code_point_at(text, at);
    code_points.push_back(decoded.value);
    at += decoded.bytes;
  }
  return code_points;
}

void append_utf8(std::string& text, char32_t c) {
  if (c > 0x10FFFF || in(c, 0xD800, 0xDFFF)) c = kReplacement;
  const auto tail = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += {static_cast<char>(0xC0 | c >> 6), tail(0)};
  } else if (c < 0x10000) {
    text += {static_cast<char>(0xE0 | c >> 12), tail(6), tail(0)};
  } else {
    text += {static_cast<char>(0xF0 | c >> 18), tail(12), tail(6), tail(0)};
  }
}

std::string encode_utf8(const std::vector<char32_t>& code_points) {
  std::string text;
  text.reserve(code_points.size());
  for (char32_t c : code_points) append_utf8(text, c);
  return text;
}

bool joins_previous(char32_t code_point) { return contains(kJoining, code_point); }

bool is_wide(char32_t code_point) { return contains(kWide, code_point) && !joins_previous(code_point); }

std::string normalise_spaces(std::string_view text) {
  std::string normal;
  bool pending = false;
  for (char32_t c : decode_utf8(text)) {
    if (is_space(c)) {
      pending = !normal.empty();
      continue;
    }
    if (pending) normal += ' ';
    pending = false;
    append_utf8(normal, c);
  }
  return normal;
}

std::vector<std::string> split_words(std::string_view text) {
  const std::vector<char32_t> code_points = decode_utf8(text);
  const std::vector<Visible> characters = visible_characters(code_points);
  const std::span<const Visible> all = characters;
  std::vector<std::string> words;
  std::size_t chunk = 0;  // where the chunk that is being gathered began
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool space = is_space(all[i][0]);
    if (!space && !stands_alone(all[i][0])) continue;
    split_chunk(all.subspan(chunk, i - chunk), words);
    if (!space) words.push_back(encode(all.subspan(i, 1)));
    chunk = i + 1;
  }
  split_chunk(all.subspan(chunk), words);
  return words;
}

std::string ellipsize(std::string_view text, int limit) {
  if (limit <= 0) return {};
  const bool ascii = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii && std::ssize(text) <= limit) return std::string(text);  // as most words

  const std::vector<char32_t> code_points = decode_utf8(text);
  const std::vector<Visible> characters = visible_characters(code_points);
  const auto room = static_cast<std::size_t>(limit);
  if (characters.size() <= room) return encode(characters);
  std::string cut = encode(std::span(characters).first(room - 1));
  append_utf8(cut, kEllipsis);
  return cut;
}

std::string without_directions(std::string_view text) {
  std::string plain;
  for (char32_t c : decode_utf8(text))
    if (!contains(kDirections, c)) append_utf8(plain, c);
  return plain;
}

std::string count_of(std::int64_t count, std::string_view noun) {
  std::string text = std::to_string(count) + " " + std::string(noun);
  if (count == 1) return text;
  if (noun.ends_with("ry")) text.replace(text.size() - 1, 1, "ie");
  return text + "s";
}

std::string quote(std::string_view text) {
  return '"' + ellipsize(normalise_spaces(without_directions(text)), kQuoteLimit) + '"';
}

std::vector<int> kept_words(std::string_view old_text, std::string_view new_text) {
  const std::vector<std::string> before = split_words(old_text), now = split_words(new_text);
  const auto old_count = static_cast<int>(before.size()), shift = static_cast<int>(now.size()) - old_count;
  const auto same_start = std::ranges::mismatch(before, now).in1 - before.begin();
  const auto shorter = static_cast<std::ptrdiff_t>(std::min(before.size(), now.size()));
  const auto same_end =
      std::min(std::mismatch(before.rbegin(), before.rend(), now.rbegin(), now.rend()).first - before.rbegin(),
               shorter - same_start);
  std::vector<int> places;
  for (int i = 0; i < old_count; ++i)
    places.push_back(i < same_start ? i : i >= old_count - same_end && i + shift >= 0 ? i + shift : -1);
  return places;
}

}  // namespace limelight::io
