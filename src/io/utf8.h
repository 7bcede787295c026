// UTF-8 in and out, and the code points that matter for layout.
#pragma once

#include <cstdint>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace limelight::io {

// Broken bytes become U+FFFD, one for each; never fails, never reads past the end.
std::vector<char32_t> decode_utf8(std::string_view text);
void append_utf8(std::string& text, char32_t code_point);
std::string encode_utf8(const std::vector<char32_t>& code_points);

// True for marks that sit on the code point before them and take no room (combining marks, joiners, variation
// selectors, emoji skin tones) or, like the spacing vowel signs, cannot stand without it: a text is only cut in front
// of a code point for which this is false.
bool joins_previous(char32_t code_point);
// True for East Asian wide characters and emoji, two columns wide.
bool is_wide(char32_t code_point);

// The text with its ends trimmed, and every run of white space and control characters made one space.
std::string normalise_spaces(std::string_view text);
// Words for attention: split at spaces, with punctuation at a word's ends split off as words of its own
// ("mat." → "mat", "."; "..." is one word; "don't", "state-of-the-art", "3.14" and "-5" stay whole). Each ideograph,
// kana, emoji and long dash is a word of its own, with or without spaces. Combining marks and joined emoji stay with
// their base.
std::vector<std::string> split_words(std::string_view text);
// Where each word of an old text stands in a new one, when all before it or all behind it stayed; −1 where not.
std::vector<int> kept_words(std::string_view old_text, std::string_view new_text);
// At most `limit` visible characters, the last replaced by "…" when something was cut.
std::string ellipsize(std::string_view text, int limit);
// The text without the marks that change its direction or that of what stands beside it: for a word of a reader's
// inside a sentence of ours.
std::string without_directions(std::string_view text);
// "a, b or c", with the last joint given.
template <std::ranges::input_range Words>
std::string enumerate(const Words& words, std::string_view last_joint) {
  std::vector<std::string> list;
  for (const std::string_view word : words) list.emplace_back(word);
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += i + 1 == list.size() ? last_joint : ", ";
    text += list[i];
  }
  return text;
}
template <std::ranges::input_range Words>
std::string one_of(const Words& words) {
  return enumerate(words, " or ");
}
template <std::ranges::input_range Words>
std::string all_of(const Words& words) {
  return enumerate(words, " and ");
}

// "1 row", "2 rows", "0 queries".
std::string count_of(std::int64_t count, std::string_view noun);

// For messages: the text in double quotes, its spaces normalised, at most 40 visible characters of it.
std::string quote(std::string_view text);

}  // namespace limelight::io
