// The English that an encoder learns from.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "learn/english.h"
#include "learn/english_tables.h"

using namespace limelight;
using namespace limelight::learn;
using english::Relation;
using english::Sentence;

namespace {

std::vector<Sentence> draw(int count, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<Sentence> sentences;
  for (int i = 0; i < count; ++i) sentences.push_back(english::generate(random));
  return sentences;
}

const std::string& word_at(const Sentence& sentence, int place) {
  return sentence.words[static_cast<std::size_t>(place)];
}

int token_at(const Sentence& sentence, int place) { return english::find(word_at(sentence, place)).value_or(-1); }

bool is_one_of(const std::string& word, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, word) != list.end();
}

const english::Noun* noun_of(const std::string& word) {
  for (const english::Noun& noun : english::nouns())
    if (word == noun.singular || word == noun.plural) return &noun;
  return nullptr;
}

bool is_alive(const Sentence& sentence, int place) {
  const english::Noun* const noun = noun_of(word_at(sentence, place));
  return noun == nullptr || (noun->senses & english::kAlive) != 0;  // names and pronouns are of what is alive
}

// How many the subject is, as its own word says it.
bool is_many(const Sentence& sentence, int place) {
  const std::string& word = word_at(sentence, place);
  if (is_one_of(word, {"I", "you", "we", "they"})) return true;
  const english::Noun* const noun = noun_of(word);
  return noun != nullptr && word == noun->plural;
}

}  // namespace

TEST_CASE("english: the same seed makes the same sentences, and another one others") {
  const auto a = draw(50), b = draw(50), c = draw(50, 2);
  int differing = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].words == b[i].words);
    CHECK(a[i].links == b[i].links);
    differing += a[i].words != c[i].words ? 1 : 0;
  }
  CHECK(differing > 40);
}

TEST_CASE("english: every word is in the vocabulary, which has each once and has the sentences of the examples") {
  for (const Sentence& sentence : draw(3000)) {
    CHECK(sentence.words.size() <= static_cast<std::size_t>(english::kMostWords));
    CHECK(sentence.words.back() == ".");
    for (const std::string& word : sentence.words) CHECK(english::find(word).has_value());
  }
  const Vocabulary& all = english::vocabulary();
  CHECK(std::set<std::string>(all.words.begin(), all.words.end()).size() == all.words.size());
  for (int token = kFirstWord; token < all.size(); ++token)
    CHECK(english::find(all.words[static_cast<std::size_t>(token)]) == token);
  for (const char* text :
       {"The cat sat on the mat.", "I ate an apple.", "The quick brown fox jumped over the lazy dog.",
        "She likes coffee.", "The animal did not cross the street because it was too tired."}) {
    const auto words = english::read(text);
    REQUIRE(words);
    for (const std::string& word : *words) CHECK_MESSAGE(english::find(word).has_value(), word);
  }
}

TEST_CASE("english: sentences like those of the examples are made") {
  std::set<std::string> missing = {"the noun verb.past on the noun .", "I verb.past a noun .", "she verb noun .",
                                   "the noun did not verb the noun because it was too adj ."};
  Random random(1);
  for (int i = 0; i < 400000 && !missing.empty(); ++i) missing.erase(english::generate(random).pattern);
  for (const std::string& pattern : missing) FAIL_CHECK(pattern);
}

TEST_CASE("english: a verb that says how many its subject is agrees with it, whatever stands between them") {
  int checked = 0, apart = 0;
  for (const Sentence& sentence : draw(3000))
    for (const int place : sentence.agreeing) {
      // The verb itself, or that behind its auxiliary.
      int verb = -1;
      std::vector<int> subjects;
      for (const english::Link& link : sentence.links)
        if (link.relation == Relation::subject && link.from >= place && (verb < 0 || link.from <= verb)) {
          if (link.from != verb) subjects.clear();
          verb = link.from;
          subjects.push_back(link.to);
        }
      REQUIRE_FALSE(subjects.empty());
      const bool many = subjects.size() > 1 || is_many(sentence, subjects[0]);
      CHECK_MESSAGE(english::is_plural(token_at(sentence, place)) == many, english::detokenise(sentence.words));
      CHECK(english::other_number(token_at(sentence, place)).has_value());
      ++checked;
      apart += subjects[0] + 1 < place ? 1 : 0;
    }
  CHECK(checked > 1000);
  CHECK(apart > 100);
}

TEST_CASE("english: a stands before consonants and an before vowels") {
  int checked = 0;
  for (const Sentence& sentence : draw(3000))
    for (std::size_t i = 0; i + 1 < sentence.words.size(); ++i) {
      if (!is_one_of(sentence.words[i], {"a", "an"})) continue;
      const bool vowel = std::string_view("aeiou").find(sentence.words[i + 1].front()) != std::string_view::npos;
      CHECK((sentence.words[i] == "an") == vowel);
      ++checked;
    }
  CHECK(checked > 200);
}

TEST_CASE("english: a pronoun has the gender and number of its antecedent") {
  int checked = 0;
  for (const Sentence& sentence : draw(4000))
    for (const english::Reference& reference : sentence.references) {
      const std::string& pronoun = word_at(sentence, reference.pronoun);
      const std::string& antecedent = word_at(sentence, reference.antecedent);
      const english::Noun* const noun = noun_of(antecedent);
      CHECK(std::ranges::find(sentence.links, english::Link{Relation::antecedent, reference.pronoun,
                                                            reference.antecedent}) != sentence.links.end());
      if (noun == nullptr) continue;
      ++checked;
      // "The cat and the dog": a verb of both has two subjects.
      const bool both = std::ranges::any_of(sentence.links, [&](const english::Link& link) {
        return link.relation == Relation::subject && link.to == reference.antecedent &&
               std::ranges::count_if(sentence.links, [&](const english::Link& other) {
                 return other.relation == Relation::subject && other.from == link.from;
               }) > 1;
      });
      if (antecedent == noun->plural || both)
        CHECK_MESSAGE(is_one_of(pronoun, {"they", "them", "their"}), english::detokenise(sentence.words));
      else if (noun->gender == english::Gender::it)
        CHECK_MESSAGE(is_one_of(pronoun, {"it", "its"}), english::detokenise(sentence.words));
      else if (noun->gender == english::Gender::he)
        CHECK_MESSAGE(is_one_of(pronoun, {"he", "him", "his"}), english::detokenise(sentence.words));
      else if (noun->gender == english::Gender::she)
        CHECK_MESSAGE(is_one_of(pronoun, {"she", "her"}), english::detokenise(sentence.words));
    }
  CHECK(checked > 1000);
}

TEST_CASE("english: only what is alive is tired and only a thing is wide, so that the meaning says what it is") {
  int states = 0, properties = 0;
  for (const Sentence& sentence : draw(6000))
    for (const english::Reference& reference : sentence.references) {
      if (reference.rival < 0 || is_alive(sentence, reference.rival) == is_alive(sentence, reference.antecedent))
        continue;
      const std::string& adjective =
          sentence.words[sentence.words.size() - (sentence.words.end()[-2] == "today" ? 3 : 2)];
      const bool state = std::ranges::find(english::states(), adjective) != english::states().end();
      CHECK_MESSAGE(is_alive(sentence, reference.antecedent) == state, english::detokenise(sentence.words));
      ++(state ? states : properties);
    }
  CHECK(states > 200);
  CHECK(properties > 200);
  for (const english::Adjective& property : english::properties())
    CHECK(std::ranges::find(english::states(), property.word) == english::states().end());
}

TEST_CASE("english: training and held-out sentences have no pattern in common, and the famous one is held out") {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    CHECK_FALSE(english::is_held_out(english::generate(random, Part::training).pattern));
    CHECK(english::is_held_out(english::generate(random, Part::held_out).pattern));
  }
  CHECK(english::is_held_out("the noun did not verb the noun because it was too adj ."));
}

TEST_CASE("english: a text is read with the vocabulary's spelling, and what cannot be read is refused") {
  const auto read = [](const char* text) { return english::read(text).value_or(std::vector<std::string>{"refused"}); };
  using Words = std::vector<std::string>;
  CHECK(read("The cat didn't see Anna, i can't!") ==
        Words{"the", "cat", "did", "not", "see", "Anna", ",", "I", "can", "not", "."});
  CHECK(read("The [MASK] Zogs won’t sit.") == Words{"the", "[MASK]", "zogs", "will", "not", "sit", "."});
  CHECK(read("[MASK]") == Words{"[MASK]", "."});
  CHECK(read("a knot") == Words{"a", "knot", "."});
  for (const Sentence& sentence : draw(300)) {
    const auto words = english::read(english::detokenise(sentence.words));
    REQUIRE(words);
    CHECK(*words == sentence.words);
  }
  const auto empty = english::read("  ");
  REQUIRE_FALSE(empty);
  CHECK(empty.error().message.find("no word") != std::string::npos);
  std::string text;
  for (int i = 0; i < english::kMostWords; ++i) text += "cat ";
  const auto lengthy = english::read(text);
  REQUIRE_FALSE(lengthy);
  CHECK(lengthy.error().message.find("up to 24") != std::string::npos);
}
