// Phrases with a known translation: contractions, elisions, determiners, negation.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "learn/french_phrase.h"
#include "unit/french_support.h"

using namespace limelight;
using namespace limelight::learn::french;

namespace {

const Noun& noun(std::string_view english) { return *std::ranges::find(nouns(), english, &Noun::singular); }
const Adjective& adjective(std::string_view english) {
  return *std::ranges::find(adjectives(), english, &Adjective::english);
}
const Verb& verb(std::string_view base) { return *std::ranges::find(verbs(), base, &Verb::base); }

struct Case {
  Determiner determiner;
  std::string_view adjective;
  std::string_view noun;
  bool plural;
  std::string_view english, french;
};

NounPhrase noun_phrase(const Case& c) {
  NounPhrase np;
  np.determiner = c.determiner;
  np.noun = &noun(c.noun);
  np.plural = c.plural;
  if (!c.adjective.empty()) np.adjectives.push_back(&adjective(c.adjective));
  return np;
}

std::string links(const Phrase& phrase) {
  std::vector<Link> sorted = phrase.links;
  std::ranges::sort(sorted);
  std::string text;
  for (const Link& link : sorted)
    text += phrase.target[static_cast<std::size_t>(link.target)] + "=" +
            phrase.source[static_cast<std::size_t>(link.source)] + " ";
  return text;
}

}  // namespace

TEST_CASE("noun phrases: determiners and early adjectives have the form that the next word asks for") {
  using enum Determiner;
  constexpr Case kCases[] = {
      {the, "", "agreement", false, "the agreement", "l' accord"},
      {the, "", "hero", false, "the hero", "le héros"},
      {the, "", "harp", false, "the harp", "la harpe"},
      {the, "", "clock", false, "the clock", "l' horloge"},
      {the, "new", "agreement", false, "the new agreement", "le nouvel accord"},
      {the, "new", "treaty", false, "the new treaty", "le nouveau traité"},
      {the, "new", "answer", false, "the new answer", "la nouvelle réponse"},
      {a, "", "university", false, "a university", "une université"},
      {a, "honest", "man", false, "an honest man", "un homme honnête"},
      {a, "old", "friend", false, "an old friend", "un vieil ami"},
      {this_one, "", "tree", false, "this tree", "cet arbre"},
      {this_one, "", "hero", false, "this hero", "ce héros"},
      {this_one, "beautiful", "tree", false, "this beautiful tree", "ce bel arbre"},
      {this_one, "", "company", false, "this company", "cette entreprise"},
      {this_one, "", "tree", true, "these trees", "ces arbres"},
      {his, "", "company", false, "his company", "son entreprise"},
      {her, "new", "company", false, "her new company", "sa nouvelle entreprise"},
      {our, "", "horse", true, "our horses", "nos chevaux"},
      {none, "", "law", true, "laws", "des lois"},
      {none, "new", "law", true, "new laws", "de nouvelles lois"},
      {none, "secret", "law", true, "secret laws", "des lois secrètes"},
      {many, "", "answer", true, "many answers", "beaucoup de réponses"},
      {many, "", "agreement", true, "many agreements", "beaucoup d' accords"},
      {many, "", "hero", true, "many heroes", "beaucoup de héros"},
      {all, "", "nurse", true, "all the nurses", "toutes les infirmières"},
      {all, "social", "plan", true, "all the social plans", "tous les plans sociaux"},
      {none, "", "trade", false, "trade", "le commerce"},
      {none, "European", "industry", false, "European industry", "l' industrie européenne"},
      {none, "", "France", false, "France", "la France"},
      {none, "", "Brussels", false, "Brussels", "Bruxelles"},
  };
  for (const Case& c : kCases) {
    const Phrase phrase = say(noun_phrase(c));
    CHECK(joined(phrase.source) == c.english);
    CHECK(joined(phrase.target) == c.french);
  }
}

TEST_CASE("noun phrases: French reverses the adjectives that follow the noun") {
  NounPhrase np = noun_phrase({Determiner::a, "important", "law", false, "", ""});
  np.adjectives.push_back(&adjective("European"));
  np.adjectives.push_back(&adjective("economic"));
  CHECK(joined(say(np).source) == "an important European economic law");
  CHECK(joined(say(np).target) == "une loi économique européenne importante");
}

TEST_CASE("noun phrases: the object of a negated verb has \"de\" for an indefinite article") {
  using enum Determiner;
  CHECK(joined(say(noun_phrase({a, "", "agreement", false, "", ""}), true).target) == "d' accord");
  CHECK(joined(say(noun_phrase({none, "", "law", true, "", ""}), true).target) == "de lois");
  CHECK(joined(say(noun_phrase({the, "", "law", true, "", ""}), true).target) == "les lois");
  CHECK(joined(say(noun_phrase({two, "", "law", true, "", ""}), true).target) == "deux lois");
}

TEST_CASE("prepositions: they contract with articles, and countries and cities have their own") {
  using enum Determiner;
  struct PrepositionCase {
    std::string_view preposition;
    Case object;
    std::string_view french;
  };
  const PrepositionCase cases[] = {
      {"of", {the, "", "minister", false, "", ""}, "du ministre"},
      {"of", {the, "", "agreement", false, "", ""}, "de l' accord"},
      {"of", {the, "", "law", false, "", ""}, "de la loi"},
      {"of", {the, "", "hero", true, "", ""}, "des héros"},
      {"about", {none, "", "law", true, "", ""}, "de lois"},
      {"about", {none, "new", "law", true, "", ""}, "de nouvelles lois"},
      {"about", {none, "", "agreement", true, "", ""}, "d' accords"},
      {"about", {a, "", "law", false, "", ""}, "d' une loi"},
      {"about", {none, "", "education", false, "", ""}, "de l' éducation"},
      {"to", {the, "", "museum", false, "", ""}, "au musée"},
      {"to", {the, "", "school", true, "", ""}, "aux écoles"},
      {"to", {the, "", "hospital", false, "", ""}, "à l' hôpital"},
      {"near", {the, "", "harbour", false, "", ""}, "près du port"},
      {"in", {the, "", "park", false, "", ""}, "dans le parc"},
      {"in", {none, "", "Paris", false, "", ""}, "à Paris"},
      {"in", {none, "", "France", false, "", ""}, "en France"},
      {"in", {none, "", "Canada", false, "", ""}, "au Canada"},
      {"to", {none, "", "Italy", false, "", ""}, "en Italie"},
      {"from", {none, "", "Germany", false, "", ""}, "d' Allemagne"},
      {"from", {none, "", "Japan", false, "", ""}, "du Japon"},
      {"from", {none, "", "Athens", false, "", ""}, "d' Athènes"},
      {"with", {none, "", "Spain", false, "", ""}, "avec l' Espagne"},
      {"of", {none, "", "Brazil", false, "", ""}, "du Brésil"},
  };
  for (const PrepositionCase& c : cases) {
    Prepositional prepositional{&preposition(c.preposition), {}};
    prepositional.objects.push_back(noun_phrase(c.object));
    CHECK(joined(say(prepositional).target) == c.french);
  }
}

TEST_CASE("prepositions: a contraction is linked to the preposition and to the article") {
  Prepositional prepositional{&preposition("of"), {}};
  prepositional.objects.push_back(noun_phrase({Determiner::the, "", "minister", false, "", ""}));
  CHECK(links(say(prepositional)) == "du=of du=the ministre=minister ");
  prepositional.preposition = &preposition("near");
  CHECK(links(say(prepositional)) == "près=near du=near du=the ministre=minister ");
}

TEST_CASE("verbs: tense, voice and negation are said as both languages say them, each word with its links") {
  NounPhrase queen = noun_phrase({Determiner::the, "", "queen", false, "", ""});
  struct VerbCase {
    Predicate::Kind kind;
    std::string_view verb;
    Time time;
    bool negated;
    std::string_view links;
  };
  using enum Predicate::Kind;
  const VerbCase cases[] = {
      {active, "sign", Time::past, false, "a=signed signé=signed "},
      {active, "sign", Time::past, true, "n'=not a=did pas=not signé=sign "},
      {active, "sign", Time::future, false, "signera=will signera=sign "},
      {active, "adopt", Time::future, true, "n'=not adoptera=will adoptera=adopt pas=not "},
      {active, "sign", Time::modal, false, "peut=can signer=sign "},
      {active, "sign", Time::modal, true, "ne=cannot peut=cannot pas=cannot signer=sign "},
      {active, "go", Time::past, false, "est=went allée=went "},
      {passive, "invite", Time::past, false, "a=was été=was invitée=invited "},
      {passive, "invite", Time::past, true, "n'=not a=was pas=not été=was invitée=invited "},
      {passive, "invite", Time::future, true, "ne=not sera=will sera=be pas=not invitée=invited "},
      {passive, "invite", Time::modal, false, "peut=can être=be invitée=invited "},
  };
  for (const VerbCase& c : cases) {
    Predicate predicate;
    predicate.kind = c.kind;
    predicate.verb = &verb(c.verb);
    predicate.time = c.time;
    predicate.modal = &modals().front();
    predicate.negated = c.negated;
    CHECK(links(say(predicate, queen)) == c.links);
  }
}

TEST_CASE("tables: the feminine nouns are those that a dictionary calls so") {
  const std::set<std::string_view> feminine{
      "loi",        "déclaration", "lettre",   "réponse",     "enquête",     "proposition", "décision",  "réforme",
      "femme",      "fille",       "reine",    "présidente",  "mère",        "infirmière",  "actrice",   "commission",
      "entreprise", "banque",      "équipe",   "université",  "association", "maison",      "école",     "ville",
      "gare",       "église",      "voiture",  "fleur",       "horloge",     "harpe",       "réunion",   "conférence",
      "guerre",     "crise",       "élection", "grève",       "négociation", "économie",    "éducation", "santé",
      "paix",       "sécurité",    "énergie",  "agriculture", "industrie",   "histoire",    "liberté",   "zone",
      "Communauté", "Union",       "Banque",   "Agence",      "Commission",  "France",      "Allemagne", "Italie",
      "Espagne",    "Chine"};
  for (const Noun& one : nouns()) {
    CAPTURE(one.french_singular);
    CHECK((one.gender == Gender::feminine) == feminine.contains(one.french_singular));
  }
}
