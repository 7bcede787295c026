// Laws of the French: what a teacher would mark, looked for without the code that is tested.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

#include "learn/french_phrase.h"
#include "learn/french_tables.h"
#include "unit/french_support.h"

using namespace limelight;
using namespace limelight::learn::french;

namespace {

using Words = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, Words words) { return std::ranges::find(words, word) != words.end(); }

bool sounds_like_a_vowel(std::string_view word) {
  if (is_one_of(word, {"héros", "harpe", "harpes"})) return false;
  constexpr std::string_view kStarts[] = {"a", "e", "i", "o", "u", "y", "é", "è", "ê", "à", "â", "î",
                                          "ô", "û", "h", "A", "E", "I", "O", "U", "É", "È", "Î"};
  return std::ranges::any_of(kStarts, [&](std::string_view start) { return word.starts_with(start); });
}

// Whether some sentence of the corpus has `first` in front of a word for which `next` holds.
template <class Next>
std::string find_pair(Words first, Next next) {
  for (const Sentence& sentence : corpus())
    for (std::size_t i = 0; i + 1 < sentence.target.size(); ++i)
      if (is_one_of(sentence.target[i], first) && next(sentence.target[i + 1])) return joined(sentence.target);
  return {};
}

std::string ending(Gender gender, bool plural) {
  return std::string(gender == Gender::feminine ? "e" : "") + (plural ? "s" : "");
}

NounPhrase the_noun(const Noun& noun, bool plural) {
  NounPhrase np;
  np.noun = &noun;
  np.plural = plural;
  np.determiner = Determiner::the;
  return np;
}

const Verb& verb(std::string_view base) { return *std::ranges::find(verbs(), base, &Verb::base); }

std::vector<bool> numbers_of(const Noun& noun) {
  return noun.plural.empty() ? std::vector<bool>{false} : std::vector<bool>{false, true};
}

bool is_common(const Noun& noun) { return noun.article == Article::countable || noun.article == Article::unique; }

}  // namespace

TEST_CASE("french: \"de\" and \"à\" never stand in front of \"le\" and \"les\"") {
  CHECK(find_pair({"de", "à"}, [](std::string_view next) { return is_one_of(next, {"le", "les", "des", "du"}); }) ==
        "");
}

TEST_CASE("french: whatever elides does so in front of a vowel, and nowhere else") {
  CHECK(find_pair({"le", "la", "de", "ne", "je", "que", "ce", "sa"}, sounds_like_a_vowel) == "");
  CHECK(find_pair({"l'", "d'", "n'", "j'", "qu'", "cet", "nouvel", "vieil", "bel"},
                  [](std::string_view next) { return !sounds_like_a_vowel(next); }) == "");
}

TEST_CASE("french: an early adjective has its form for vowels in front of a singular noun that begins with one") {
  std::set<std::string_view> singular;
  for (const Noun& noun : nouns())
    if (sounds_like_a_vowel(noun.french_singular)) singular.insert(noun.french_singular);
  CHECK(find_pair({"nouveau", "vieux", "beau"}, [&](std::string_view next) { return singular.contains(next); }) == "");
}

TEST_CASE("french: \"des\" is \"de\" in front of an adjective") {
  std::set<std::string_view> early;
  for (const Adjective& adjective : adjectives())
    if (adjective.rank == Rank::before) early.insert({adjective.masculine_plural, adjective.feminine_plural});
  for (const Sentence& sentence : corpus())
    for (std::size_t i = 0; i + 1 < sentence.target.size(); ++i) {
      if (sentence.target[i] != "des" || !early.contains(sentence.target[i + 1])) continue;
      // "of the new laws": then it is a contraction, and has two links.
      CAPTURE(joined(sentence.target));
      REQUIRE(std::ranges::count(sentence.alignment, static_cast<int>(i), &Link::target) == 2);
    }
}

TEST_CASE("french: \"ne\" stands in front of a verb that \"pas\" follows") {
  for (const Sentence& sentence : corpus())
    for (std::size_t i = 0; i < sentence.target.size(); ++i) {
      if (is_one_of(sentence.target[i], {"ne", "n'"})) REQUIRE(sentence.target[i + 2] == "pas");
      if (sentence.target[i] == "pas") REQUIRE(is_one_of(sentence.target[i - 2], {"ne", "n'"}));
    }
}

TEST_CASE("english: \"a\" stands in front of a consonant's sound, \"an\" in front of a vowel's") {
  const Words european{"European", "useful", "university", "Union"};
  for (const Sentence& sentence : corpus())
    for (std::size_t i = 0; i + 1 < sentence.source.size(); ++i) {
      const std::string& next = sentence.source[i + 1];
      const bool vowel =
          next == "honest" || (std::string_view("aeiouAEIOU").contains(next.front()) && !is_one_of(next, european));
      CAPTURE(next);
      if (sentence.source[i] == "a") REQUIRE(!vowel);
      if (sentence.source[i] == "an") REQUIRE(vowel);
    }
}

TEST_CASE("agreement: a passive's participle and auxiliary agree with every noun, whatever stands between") {
  const Noun& woman = *std::ranges::find(nouns(), "woman", &Noun::singular);
  for (const Noun& noun : nouns())
    for (const bool plural : numbers_of(noun)) {
      if (!is_common(noun)) continue;
      NounPhrase subject = the_noun(noun, plural);
      subject.complements.push_back({&preposition("with"), {the_noun(woman, !plural)}});
      Predicate predicate;
      predicate.kind = Predicate::Kind::passive;
      for (const Verb& one : verbs()) {
        if (one.objects == 0) continue;
        predicate.verb = &one;
        const Phrase phrase = say(predicate, subject);
        const std::vector<std::string> expected{plural ? "ont" : "a", "été",
                                                std::string(one.french_participle) + ending(noun.gender, plural)};
        REQUIRE(phrase.target == expected);
      }
    }
}

TEST_CASE("agreement: after être the participle agrees with the subject, after avoir it does not") {
  for (const Noun& noun : nouns())
    for (const bool plural : numbers_of(noun)) {
      if ((noun.senses & person) == 0) continue;
      Predicate predicate;
      predicate.verb = &verb("go");
      CHECK(say(predicate, the_noun(noun, plural)).target ==
            std::vector<std::string>{plural ? "sont" : "est", "allé" + ending(noun.gender, plural)});
      predicate.verb = &verb("work");
      CHECK(say(predicate, the_noun(noun, plural)).target ==
            std::vector<std::string>{plural ? "ont" : "a", "travaillé"});
    }
}

TEST_CASE("agreement: after avoir the participle agrees with an object that stands before it") {
  const Noun& letter = *std::ranges::find(nouns(), "letter", &Noun::singular);
  const Noun& judge = *std::ranges::find(nouns(), "judge", &Noun::singular);
  NounPhrase letters = the_noun(letter, true);
  Relative relative;
  relative.subject.push_back(the_noun(judge, false));
  relative.predicate.verb = &verb("sign");
  letters.relative.push_back(relative);
  CHECK(joined(say(letters).target) == "les lettres que le juge a signées");
  CHECK(joined(say(letters).source) == "the letters that the judge signed");
}

TEST_CASE("agreement: two subjects make a plural, masculine when one of them is") {
  const Noun& queen = *std::ranges::find(nouns(), "queen", &Noun::singular);
  const Noun& nurse = *std::ranges::find(nouns(), "nurse", &Noun::singular);
  const Noun& king = *std::ranges::find(nouns(), "president", &Noun::singular);
  const auto invited = [](const Noun& first, const Noun& second) {
    NounPhrase both = the_noun(first, false);
    both.and_also.push_back(the_noun(second, false));
    Predicate predicate;
    predicate.kind = Predicate::Kind::passive;
    predicate.verb = &verb("invite");
    return joined(say(predicate, both).target);
  };
  CHECK(invited(queen, nurse) == "ont été invitées");
  CHECK(invited(queen, king) == "ont été invités");
  CHECK(invited(king, queen) == "ont été invités");
}

TEST_CASE("agreement: every adjective takes the form of its noun, and the place and order that French gives it") {
  for (const Noun& noun : nouns())
    for (const bool plural : numbers_of(noun))
      for (const Adjective& adjective : adjectives()) {
        if (!is_common(noun) || (adjective.senses & noun.senses) == 0) continue;
        NounPhrase np = the_noun(noun, plural);
        np.adjectives = {&adjective};
        const std::vector<std::string> target = say(np).target;
        REQUIRE(target.size() == 3);
        const bool early = adjective.rank == Rank::before;
        const std::string& form = target[early ? 1 : 2];
        CAPTURE(joined(target));
        CHECK(target[early ? 2 : 1] == (plural ? noun.french_plural : noun.french_singular));
        if (noun.gender == Gender::feminine) CHECK(form.ends_with(plural ? "es" : "e"));
        if (plural) CHECK((form.ends_with("s") || form.ends_with("x")));
        if (noun.gender == Gender::masculine && !plural)
          CHECK((form == adjective.masculine || (early && sounds_like_a_vowel(target[2]))));
        CHECK(target[0] == (plural                            ? "les"
                            : sounds_like_a_vowel(target[1])  ? "l'"
                            : noun.gender == Gender::feminine ? "la"
                                                              : "le"));
      }
}

TEST_CASE("tables: an adjective's forms follow the rules of French, or are among the exceptions") {
  for (const Adjective& one : adjectives()) {
    const std::string masculine(one.masculine);
    CAPTURE(masculine);
    const bool doubled = is_one_of(masculine, {"bon", "européen", "italien"});
    const bool irregular =
        is_one_of(masculine, {"nouveau", "vieux", "beau", "long", "public", "blanc", "secret", "complet", "cher"});
    if (masculine.ends_with("eux") && !irregular)
      CHECK(one.feminine == masculine.substr(0, masculine.size() - 1) + "se");
    else if (!irregular)
      CHECK(one.feminine == (masculine.ends_with("e") ? masculine
                             : doubled                ? masculine + masculine.back() + "e"
                                                      : masculine + "e"));
    if (one.rank == Rank::name_domain) continue;  // names are singular
    CHECK(one.feminine_plural == std::string(one.feminine) + "s");
    if (masculine.ends_with("al"))
      CHECK(one.masculine_plural == masculine.substr(0, masculine.size() - 1) + "ux");
    else if (masculine.ends_with("s") || masculine.ends_with("x"))
      CHECK(one.masculine_plural == masculine);
    else
      CHECK(one.masculine_plural == masculine + (masculine.ends_with("eau") ? "x" : "s"));
  }
}

TEST_CASE("tables: a noun's plural and gender follow from its ending where French has a rule") {
  for (const Noun& noun : nouns()) {
    const std::string singular(noun.french_singular);
    CAPTURE(singular);
    if (!noun.plural.empty()) {
      const bool to_aux = (singular.ends_with("al") && singular != "festival");
      CHECK(noun.french_plural == (to_aux                      ? singular.substr(0, singular.size() - 1) + "ux"
                                   : singular.ends_with("s")   ? singular
                                   : singular.ends_with("eau") ? singular + "x"
                                                               : singular + "s"));
    }
    for (const std::string_view feminine :
         {"tion", "sion", "ence", "ure", "ère", "trice", "ette", "ille", "rie", "gie"})
      if (singular.ends_with(feminine)) CHECK(noun.gender == Gender::feminine);
    for (const std::string_view masculine : {"ment", "age", "eau", "eur", "al", "oir", "at"})
      if (singular.ends_with(masculine) && singular != "fleur") CHECK(noun.gender == Gender::masculine);
  }
}

TEST_CASE("tables: a future's stem ends in r, and no participle needs more than e and s to agree") {
  for (const Verb& one : verbs()) {
    CAPTURE(one.infinitive);
    CHECK(one.future.ends_with("ra"));
    CHECK(!one.french_participle.ends_with("s"));
  }
}
