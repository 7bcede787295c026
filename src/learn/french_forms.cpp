#include "learn/french_forms.h"

#include <algorithm>

namespace limelight::learn::french {
namespace {

constexpr std::string_view kEliding[] = {"le", "la", "je", "ne", "de", "que"};
constexpr std::string_view kVowels[] = {"a", "e", "i", "o", "u", "y", "à", "â", "é", "è", "ê",
                                        "î", "ô", "œ", "A", "E", "I", "O", "U", "É", "Î"};

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool begins_with_one_of(std::string_view word, std::span<const std::string_view> starts) {
  return std::ranges::any_of(starts, [&](std::string_view start) { return word.starts_with(start); });
}

}  // namespace

bool elides(std::string_view french) {
  if (french.starts_with('h')) return !is_one_of(french, aspirated());
  return begins_with_one_of(french, kVowels);
}

bool takes_an(std::string_view english) {
  if (is_one_of(english, english_a_exceptions())) return false;
  if (is_one_of(english, english_an_exceptions())) return true;
  return std::string_view("aeiouAEIOU").contains(english.front());
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::string elided(std::string_view word, std::string_view next) {
  if (!is_one_of(word, kEliding) || !elides(next)) return std::string(word);
  return std::string(word.substr(0, word.size() - 1)) + "'";
}

std::string form(const Adjective& adjective, const Agreement& agreement, std::string_view next) {
  if (agreement.gender == Gender::feminine)
    return std::string(agreement.plural ? adjective.feminine_plural : adjective.feminine);
  if (agreement.plural) return std::string(adjective.masculine_plural);
  return std::string(!adjective.masculine_before_vowel.empty() && elides(next) ? adjective.masculine_before_vowel
                                                                               : adjective.masculine);
}

std::string participle(const Verb& verb, const Agreement& agreement) {
  std::string text(verb.french_participle);
  if (agreement.gender == Gender::feminine) text += 'e';
  if (agreement.plural) text += 's';  // none of the tables' participles ends in s
  return text;
}

std::string future(const Verb& verb, bool plural) {
  std::string text(verb.future);
  if (plural) text.replace(text.size() - 1, 1, "ont");  // signera, signeront
  return text;
}

std::string_view form(const Forms& forms, const Agreement& agreement) {
  if (agreement.person == 1) return agreement.plural ? forms.we : forms.i;
  return agreement.plural ? forms.they : forms.he;
}

std::vector<std::string> form(const DeterminerForms& determiner, const Agreement& agreement, std::string_view next,
                              bool adjective_next) {
  const bool feminine = agreement.gender == Gender::feminine;
  std::string_view text;
  if (agreement.plural)
    text = feminine ? determiner.feminine_plural : determiner.masculine_plural;
  else if (elides(next))
    text = feminine ? determiner.feminine_before_vowel : determiner.masculine_before_vowel;
  else
    text = feminine ? determiner.feminine : determiner.masculine;
  if (text == "des" && adjective_next) text = "de";
  std::vector<std::string> words = split(text);
  if (!words.empty()) words.back() = elided(words.back(), next);
  return words;
}

}  // namespace limelight::learn::french
