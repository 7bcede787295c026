// How the parts of a plan are drawn.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "learn/french_plan.h"

namespace limelight::learn::french {

// What is drawn from, and the nouns that the sentence has said, which it does not repeat.
struct Draw {
  Random& random;
  std::vector<const Noun*> said = {};

  int below(int count) { return static_cast<int>(random.uniform() * count); }
  bool chance(double probability) { return random.uniform() < probability; }
  template <class List>
  const auto& one_of(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }
};

// The elements for which `fits` holds, by address.
template <class T, class Fits>
std::vector<const T*> those(std::span<const T> all, Fits fits) {
  std::vector<const T*> found;
  for (const T& one : all)
    if (fits(one)) found.push_back(&one);
  return found;
}

struct Wish {
  unsigned senses;
  bool negated = false;  // in a negated clause, where "every" or "many" read badly
  bool bare = true;      // may be an indefinite plural: "laws"
  bool sole = false;     // nothing behind the noun
  int depth = 0;         // the number of noun phrases around it
};

// Of at most so many English words; none when they do not suffice.
std::optional<NounPhrase> draw_noun_phrase(Draw& draw, const Wish& wish, int words);
// The same for a subject, which may be a pronoun or two nouns.
std::optional<NounPhrase> draw_subject(Draw& draw, const Wish& wish, int words);

int words_in(const NounPhrase& noun_phrase);
int words_in(const Prepositional& prepositional);

}  // namespace limelight::learn::french
