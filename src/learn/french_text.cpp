#include <algorithm>

#include "core/sort.h"
#include "io/distance.h"
#include "io/utf8.h"
#include "learn/french.h"
#include "learn/french_forms.h"

namespace limelight::learn::french {
namespace {

bool is_sign(std::string_view token) { return token == "." || token == ","; }

void begin_with_capital(std::string& text) {
  std::vector<char32_t> code_points = io::decode_utf8(text);
  char32_t& first = code_points.front();
  const bool ascii = first >= 'a' && first <= 'z';
  const bool latin =
      first >= U'à' && first <= U'þ';  // Latin-1 keeps capitals and small letters 32 apart, as ASCII does
  if (ascii || latin) first -= 32;
  text = io::encode_utf8(code_points);
}

// The known spelling of a word as typed; empty: there is none. `first`: the sentence gave it its capital.
std::string_view known_spelling(std::string_view typed, bool first) {
  const Vocabulary& vocabulary = english_vocabulary();
  const auto exact = [&](std::string_view word) -> std::string_view {
    const auto found = vocabulary.ids.find(word);
    return found == vocabulary.ids.end() ? std::string_view() : std::string_view(found->first);
  };
  const std::string small = io::lower_case(typed);
  for (const std::string_view candidate : {first ? std::string_view(small) : typed, typed, std::string_view(small)})
    if (const std::string_view found = exact(candidate); !found.empty()) return found;
  for (const std::string& word : vocabulary.words)
    if (io::lower_case(word) == small) return word;
  return {};
}

std::vector<std::string> nearest_words(std::string_view typed, std::span<const std::string> known) {
  constexpr std::size_t kMostSuggestions = 3;
  const std::string small = io::lower_case(typed);
  const int far = static_cast<int>(typed.size()) / 3 + 2;  // half of a short word, a third of a long one
  std::vector<std::pair<int, std::string>> near;
  for (const std::string& word : known) {
    const int steps = io::distance(small, io::lower_case(word));
    if (steps < far && steps < static_cast<int>(word.size())) near.emplace_back(steps, word);
  }
  heap_sort(near);
  near.resize(std::min(near.size(), kMostSuggestions));
  std::vector<std::string> words;
  for (auto& [steps, word] : near) words.push_back(std::move(word));
  return words;
}

// "L'accord" is two tokens, "l'" and "accord".
std::vector<std::string> split_elisions(std::string_view text) {
  std::string plain(text);
  constexpr std::string_view curly = "’";
  for (std::size_t at = plain.find(curly); at != std::string::npos; at = plain.find(curly, at))
    plain.replace(at, curly.size(), "'");
  std::vector<std::string> tokens;
  for (const std::string& word : io::split_words(plain)) {
    const std::size_t mark = word.find('\'');
    if (mark == std::string::npos || mark + 1 == word.size()) {
      tokens.push_back(word);
      continue;
    }
    tokens.push_back(word.substr(0, mark + 1));
    tokens.push_back(word.substr(mark + 1));
  }
  return tokens;
}

}  // namespace

int count_words(std::span<const std::string> tokens) {
  return static_cast<int>(std::ranges::count_if(tokens, [](const std::string& token) { return !is_sign(token); }));
}

std::string detokenise(std::span<const std::string> tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    const bool joined = text.empty() || is_sign(token) || text.ends_with('\'');
    text += (joined ? "" : " ") + token;
  }
  if (!text.empty()) begin_with_capital(text);
  return text;
}

std::string sentence_of(std::span<const UnknownWord> unknown, std::size_t known, std::string_view who) {
  constexpr std::size_t most = 3;  // that are named
  const std::string few = " is not one of the " + std::to_string(known) + " words that " + std::string(who) + " knows";
  std::string text;
  for (std::size_t i = 0; i < std::min(unknown.size(), most); ++i) {
    const UnknownWord& one = unknown[i];
    text += (i == 0 ? "" : " ") + io::quote(one.word) + few +
            (one.suggestions.empty() ? "." : "; near to it are " + io::one_of(one.suggestions) + ".");
  }
  if (unknown.size() > most) text += " Nor are " + std::to_string(unknown.size() - most) + " more.";
  return text;
}

Result<Reading> read_english(std::string_view text) {
  const std::vector<std::string> typed = io::split_words(text);
  const int count = count_words(typed);
  if (count == 0)
    return fail("There is no word to translate; type a sentence of " + std::to_string(kFewestWords) + " to " +
                std::to_string(kMostWords) + " words.");
  if (count < kFewestWords || count > kMostWords)
    return fail("The sentence has " + io::count_of(count, "word") + "; it may have " + std::to_string(kFewestWords) +
                " to " + std::to_string(kMostWords) + ".");
  Reading reading;
  for (const std::string& word : typed) {
    const std::string_view known = known_spelling(word, &word == &typed.front());
    if (known.empty())
      reading.unknown.push_back({word, nearest_words(word, english_vocabulary().words)});
    else
      reading.tokens.emplace_back(known);
  }
  if (reading.tokens.empty() || reading.tokens.back() != ".") reading.tokens.emplace_back(".");
  return reading;
}

Reading read_french(std::string_view text, std::span<const std::string> known) {
  Reading reading;
  for (const std::string& word : split_elisions(text)) {
    auto found = std::ranges::find(known, word);
    if (found == known.end() || reading.tokens.empty())
      if (const auto lower = std::ranges::find(known, io::lower_case(word)); lower != known.end()) found = lower;
    if (found == known.end())
      reading.unknown.push_back({word, nearest_words(word, known)});
    else
      reading.tokens.push_back(*found);
  }
  return reading;
}

}  // namespace limelight::learn::french
