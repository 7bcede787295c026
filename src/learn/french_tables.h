// The words of the English and French that learn/french.h speaks, and what each is good for. All data, no rules.
#pragma once

#include <span>
#include <string_view>

namespace limelight::learn::french {

// What a noun can stand for; an adjective, a verb or a preposition goes with some of them.
enum Sense : unsigned {
  person = 1U << 0,
  organisation = 1U << 1,
  legal = 1U << 2,    // can be signed
  writing = 1U << 3,  // can be written and read
  policy = 1U << 4,   // can be adopted and rejected
  place = 1U << 5,
  thing = 1U << 6,
  event = 1U << 7,
  topic = 1U << 8,
  institution = 1U << 9,
  country = 1U << 10,
  city = 1U << 11,
  pronoun = 1U << 12,  // "I" and "we"
  building = 1U << 13,
  gathering = 1U << 14,   // can be organised
  discussion = 1U << 15,  // has a subject
  official = 1U << 16,    // a person who signs and approves
  grown_up = 1U << 17,
  pact = 1U << 18,  // is between two
  document = legal | writing | policy,
};

enum class Gender { masculine, feminine };

// How a noun takes its article.
enum class Article {
  countable,  // any determiner, both numbers
  unique,     // "the economy"
  mass,       // "trade", but "le commerce"
  name,       // "the European Economic Area": capitals, and always with an adjective
  country,    // "France", but "la France"
  city,       // "Paris" in both
  none,       // pronouns
};

struct Noun {
  std::string_view singular, plural;                // English; no plural: empty
  std::string_view french_singular, french_plural;  // the latter empty with the former
  Gender gender;
  Article article;
  unsigned senses;
};
std::span<const Noun> nouns();

struct Pronoun {
  std::string_view english, french;
  int person;
  bool plural;
  Gender gender;
  bool sure_of_gender;  // "I" and "we" say nothing of it
};
std::span<const Pronoun> pronouns();

// Where an adjective stands in an English row of them; French puts those after the noun in the reversed order.
enum class Rank {
  before,       // "new": stands before the noun in French too
  quality,      // "important"
  nationality,  // "European"
  domain,       // "economic"
  name_domain,  // "Economic", in a name
};

struct Adjective {
  std::string_view english;
  std::string_view masculine, feminine, masculine_plural, feminine_plural;
  std::string_view masculine_before_vowel;  // empty: like masculine
  Rank rank;
  unsigned senses;
  bool predicative;  // "the law is …"
};
std::span<const Adjective> adjectives();

enum class Auxiliary { avoir, etre };

struct Preposition {
  std::string_view english, french;
  // Before a city, and before a country with its article when that is masculine ("au Canada"); a feminine country has
  // no article ("en France"). Empty: as before any noun.
  std::string_view city, feminine_country;
};
std::span<const Preposition> prepositions();
const Preposition& preposition(std::string_view english);

struct Verb {
  std::string_view base, past, participle;
  std::string_view infinitive, french_participle, future;  // future: third person singular
  Auxiliary auxiliary;
  unsigned subjects;
  unsigned objects;              // direct ones; 0: intransitive
  std::string_view preposition;  // what follows an intransitive one; empty: nothing
  unsigned goals;                // what follows that
  unsigned settings;             // where it happens: place, city, country
};
std::span<const Verb> verbs();

// "says that": the verbs that a clause can depend on, in the present.
struct SpeechVerb {
  std::string_view singular, plural;
  std::string_view french_singular, french_plural;
};
std::span<const SpeechVerb> speech_verbs();

// Forms of a French verb with I, he or she, we, they.
struct Forms {
  std::string_view i, he, we, they;
};
struct Modal {
  std::string_view english, english_negated;  // the latter one word or two
  Forms french;
};
std::span<const Modal> modals();
const Forms& present(Auxiliary auxiliary);

enum class Determiner { none, the, a, this_one, his, her, our, every, many, several, two, three, ten, all };

struct DeterminerForms {
  Determiner determiner;
  std::string_view singular, plural;     // English; no such number: empty
  std::string_view masculine, feminine;  // French
  std::string_view masculine_before_vowel, feminine_before_vowel;
  std::string_view masculine_plural, feminine_plural;  // words with a space between them
  std::string_view label;                              // in a pattern
};
std::span<const DeterminerForms> determiners();
const DeterminerForms& forms_of(Determiner determiner);

enum class Tense { past, future };

// Slots in capitals are filled from `slots`. Each French word's digit in `alignment` is its English word's place.
struct TimePhrase {
  std::string_view english, french, alignment;
  Tense tense;
  bool opens;  // may stand before the sentence, with a comma
};
std::span<const TimePhrase> time_phrases();

struct SlotWord {
  std::string_view slot, english, french;
};
std::span<const SlotWord> slot_words();

struct Conjunction {
  std::string_view english, french;  // the French one: words with a space between them
  bool comma;                        // stands in front of it, in both languages
  bool dependent;                    // its clause says what was, at the time of the one before
  bool of_events;                    // and what happened, not how things were
};
std::span<const Conjunction> conjunctions();

// "an agreement on trade": which nouns take which preposition with which nouns.
struct Complement {
  unsigned heads;
  std::string_view preposition;
  unsigned objects;
  bool pair = false;  // "between … and …"
};
std::span<const Complement> complements();

// English words that begin with a vowel letter but take "a", or with a consonant letter but take "an".
std::span<const std::string_view> english_a_exceptions();
std::span<const std::string_view> english_an_exceptions();
// French words with an h that forbids elision (h aspiré).
std::span<const std::string_view> aspirated();

}  // namespace limelight::learn::french
