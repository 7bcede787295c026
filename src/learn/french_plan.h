// What a sentence of the corpus says, before it has words in an order: drawn by `draw_plan`, said by `say`.
#pragma once

#include <optional>
#include <vector>

#include "learn/french.h"
#include "learn/french_tables.h"

namespace limelight::learn::french {

struct Prepositional;
struct Relative;

struct NounPhrase {
  const Noun* noun = nullptr;        // or
  const Pronoun* pronoun = nullptr;  // one of them
  bool plural = false;
  Determiner determiner = Determiner::none;
  std::vector<const Adjective*> adjectives = {};  // in English order
  std::vector<Prepositional> complements;
  std::vector<Relative> relative;    // at most one
  std::vector<NounPhrase> and_also;  // at most one: "the minister and the queen"
};

struct Prepositional {
  const Preposition* preposition = nullptr;
  std::vector<NounPhrase> objects = {};  // one, or two with "between"
};

enum class Time { past, present, future, modal };

struct Predicate {
  enum class Kind { active, passive, quality } kind = Kind::active;
  const Verb* verb = nullptr;
  const Adjective* adjective = nullptr;  // of a quality: "is important" (or was)
  Time time = Time::past;                // present: qualities only, and they have no future and no modal
  const Modal* modal = nullptr;          // with Time::modal
  bool negated = false;
  std::vector<NounPhrase> object = {};  // at most one
  std::vector<Prepositional> adjuncts = {};
};

// "who signed the treaty", "that the minister signed"
struct Relative {
  std::vector<NounPhrase> subject = {};  // empty: the noun itself is the subject; else it is the object
  Predicate predicate = {};
};

struct TimeWords {
  const TimePhrase* phrase = nullptr;
  std::vector<const SlotWord*> slots = {};  // in the order of the English phrase
};

struct Clause {
  NounPhrase subject = {};
  Predicate predicate = {};
  std::optional<TimeWords> when = {};
};

struct Plan {
  std::optional<TimeWords> opening = {};  // "Last year, …"
  std::vector<NounPhrase> speaker = {};   // at most one: "the minister says that …"
  const SpeechVerb* speech = nullptr;
  std::vector<Clause> clauses = {};
  std::vector<const Conjunction*> conjunctions = {};  // one fewer than clauses
};

// A plan of about, and at most, so many English words; none when the words that were drawn do not suffice for what was
// drawn.
std::optional<Plan> draw_plan(Random& random, int words);

// The plan of `example`.
Plan example_plan();

}  // namespace limelight::learn::french
