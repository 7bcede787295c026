#include <algorithm>
#include <map>

#include "learn/english_tables.h"

namespace limelight::learn::english {
namespace {

struct Lexicon {
  std::vector<std::string> words = {"[MASK]"};
  std::vector<Kind> kinds = {Kind::sign};
  std::vector<std::pair<std::string_view, std::string_view>> numbers = {{"is", "are"}, {"was", "were"}, {"does", "do"}};
  Vocabulary vocabulary;
  std::vector<std::vector<int>> by_kind;
  std::vector<int> other;  // by token; −1: none
  std::vector<std::uint8_t> plural;
  std::map<std::string, int, std::less<>> tokens = {};

  void add(std::string_view word, Kind kind) {
    if (word.empty() || std::ranges::find(words, word) != words.end()) return;
    words.emplace_back(word);
    kinds.push_back(kind);
  }
};

Lexicon collect() {
  Lexicon all;
  for (const FunctionWord& one : function_words()) all.add(one.word, one.kind);
  for (const Pronoun& one : pronouns()) all.add(one.subject, Kind::pronoun), all.add(one.object, Kind::pronoun);
  for (const Pronoun& one : pronouns()) all.add(one.possessive, Kind::determiner);
  for (const std::span<const Way> ways : {noun_ways()})
    for (const Way& way : ways) all.add(way.preposition, Kind::preposition);
  for (const Verb& one : verbs())
    for (const Way& way : one.ways) all.add(way.preposition, Kind::preposition);
  all.add("be", Kind::verb);
  const auto add_verb = [&](const auto& one) {
    for (const std::string_view form : {one.base, one.third, one.past}) all.add(form, Kind::verb);
    all.numbers.emplace_back(one.third, one.base);
  };
  std::ranges::for_each(verbs(), add_verb);
  std::ranges::for_each(linking_verbs(), add_verb);
  for (const std::span<const Adjective> list : {adjectives(), colours(), properties()})
    for (const Adjective& one : list) all.add(one.word, Kind::adjective);
  for (const std::string_view word : states()) all.add(word, Kind::adjective);
  for (const Noun& one : nouns()) all.add(one.singular, Kind::noun), all.add(one.plural, Kind::noun);
  for (const Name& one : names()) all.add(one.name, Kind::name);

  all.vocabulary = Vocabulary::of(all.words);
  for (std::size_t i = 0; i < all.words.size(); ++i) all.tokens[all.words[i]] = kFirstWord + static_cast<int>(i);
  all.by_kind.resize(std::size(kKinds));
  for (std::size_t i = 1; i < all.words.size(); ++i)
    all.by_kind[static_cast<std::size_t>(all.kinds[i])].push_back(kFirstWord + static_cast<int>(i));
  all.other.assign(all.vocabulary.words.size(), -1);
  all.plural.assign(all.other.size(), 0);
  for (const auto& [one, two] : all.numbers) {
    const int a = *all.vocabulary.find(one), b = *all.vocabulary.find(two);
    all.other[static_cast<std::size_t>(a)] = b;
    all.other[static_cast<std::size_t>(b)] = a;
    all.plural[static_cast<std::size_t>(b)] = 1;
  }
  return all;
}

const Lexicon& lexicon() {
  static const Lexicon all = collect();
  return all;
}

}  // namespace

const Vocabulary& vocabulary() { return lexicon().vocabulary; }

std::optional<int> find(std::string_view word) {
  const auto found = lexicon().tokens.find(word);
  return found == lexicon().tokens.end() ? std::nullopt : std::optional(found->second);
}

Kind kind_of(int token) { return lexicon().kinds[static_cast<std::size_t>(token - kFirstWord)]; }

std::span<const int> tokens_of(Kind kind) { return lexicon().by_kind[static_cast<std::size_t>(kind)]; }

std::optional<int> other_number(int token) {
  const int other = lexicon().other[static_cast<std::size_t>(token)];
  return other < 0 ? std::nullopt : std::optional(other);
}

bool is_plural(int token) { return lexicon().plural[static_cast<std::size_t>(token)] != 0; }

}  // namespace limelight::learn::english
