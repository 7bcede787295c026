#include "io/distance.h"
#include "io/utf8.h"
#include "learn/english.h"

namespace limelight::learn::english {
namespace {

constexpr std::string_view kMasked = "[MASK]";

bool is_sign(std::string_view word) { return word == "." || word == ","; }

std::string with_capital(std::string word) {
  if (!word.empty() && word.front() >= 'a' && word.front() <= 'z') word.front() = static_cast<char>(word.front() - 32);
  return word;
}

bool is_known(std::string_view word) { return find(word).has_value(); }

std::string spelling(const std::string& typed) {
  const std::string small = io::lower_case(typed);
  for (const std::string& candidate : {small, typed, with_capital(small)})
    if (is_known(candidate)) return candidate;
  return small;
}

// "didn't" is two words, and "cannot".
void add_word(const std::string& typed, std::vector<std::string>& words) {
  if (typed == "!" || typed == "?") {
    words.emplace_back(".");
    return;
  }
  const std::string small = io::lower_case(typed);
  for (const std::string_view end : {"n't", "n’t", "not"}) {
    if (!small.ends_with(end) || small.size() == end.size()) continue;
    std::string verb = small.substr(0, small.size() - end.size());
    if (verb == "wo") verb = "will";
    if (verb == "ca") verb = "can";
    if (!is_known(verb)) continue;
    words.push_back(verb);
    words.emplace_back("not");
    return;
  }
  words.push_back(spelling(typed));
}

}  // namespace

std::string detokenise(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() || is_sign(word) ? "" : " ") + word;
  return with_capital(text);
}

Result<std::vector<std::string>> read(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t at = text.find(kMasked);
    for (const std::string& typed : io::split_words(text.substr(0, at))) add_word(typed, words);
    if (at == std::string_view::npos) break;
    words.emplace_back(kMasked);
    text.remove_prefix(at + kMasked.size());
  }
  if (words.empty()) return fail("There is no word in it; type a sentence.");
  if (words.back() != ".") words.emplace_back(".");
  if (words.size() > static_cast<std::size_t>(kMostWords))
    return fail("The encoder reads up to " + std::to_string(kMostWords) + " words and signs, not " +
                std::to_string(words.size()) + ".");
  return words;
}

}  // namespace limelight::learn::english
