// The grammar's words and what can be said of what.
#pragma once

#include <span>
#include <string_view>

#include "learn/english.h"

namespace limelight::learn::english {

// What a noun is, as a verb or an adjective asks for it.
enum Sense : unsigned {
  person = 1U << 0U,
  animal = 1U << 1U,
  food = 1U << 2U,
  drink = 1U << 3U,
  road = 1U << 4U,     // what can be crossed
  place = 1U << 5U,    // where one can be
  surface = 1U << 6U,  // what one can sit on
  carried = 1U << 7U,  // what one can carry
  vehicle = 1U << 8U,
  text = 1U << 9U,
  clothes = 1U << 10U,
  plant = 1U << 11U,
};
inline constexpr unsigned kAlive = person | animal;
inline constexpr unsigned kThings = food | drink | road | place | surface | carried | vehicle | text | clothes | plant;

// What one of them is called. `either`: he or she, which the noun does not say.
enum class Gender { he, she, it, either };

struct Noun {
  std::string_view singular;
  std::string_view plural;  // empty: it cannot be counted ("coffee")
  unsigned senses;
  Gender gender = Gender::it;
};
std::span<const Noun> nouns();

struct Name {
  std::string_view name;
  Gender gender;
};
std::span<const Name> names();

// Where a verb's subject is or goes.
struct Way {
  std::string_view preposition;
  unsigned senses;
};

struct Verb {
  std::string_view base, third, past;
  unsigned subjects;
  unsigned objects;             // 0: it takes none
  std::span<const Way> ways{};  // one of them where it takes no object
};
std::span<const Verb> verbs();

// "looks", "seems": with an adjective; no other word has a number then.
struct LinkingVerb {
  std::string_view base, third, past;
};
std::span<const LinkingVerb> linking_verbs();

struct Adjective {
  std::string_view word;
  unsigned senses;  // of the nouns that it stands before
};
std::span<const Adjective> adjectives();
std::span<const Adjective> colours();

// What can be a reason. States are of what is alive, and properties of things; no word is both.
std::span<const std::string_view> states();
std::span<const Adjective> properties();

// Reasons that only one of two who are alive can give: "fed the dogs because they were hungry".
struct Motive {
  std::string_view verb;  // its base
  bool of_subject;
  std::string_view adjective;
};
std::span<const Motive> motives();

// Between two nouns: "the cat on the mat".
std::span<const Way> noun_ways();

// Of pronouns in the order of the persons: I, you, he, she, it, we, they.
struct Pronoun {
  std::string_view subject, object, possessive;
  bool plural = false;  // of the verb: "you like"
};
inline constexpr int kI = 0, kYou = 1, kHe = 2, kShe = 3, kIt = 4, kWe = 5, kThey = 6;
std::span<const Pronoun> pronouns();

// What else there is, by kind; words that are elsewhere, too, are in the vocabulary once.
struct FunctionWord {
  std::string_view word;
  Kind kind;
};
std::span<const FunctionWord> function_words();

}  // namespace limelight::learn::english
