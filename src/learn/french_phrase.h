// A piece of a sentence in both languages, with its links; pieces are joined from left to right.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "learn/french.h"
#include "learn/french_forms.h"
#include "learn/french_plan.h"

namespace limelight::learn::french {

struct Phrase {
  std::vector<std::string> source, labels, target;  // a label for each token of source
  std::vector<Link> links;

  // Adds an English word; returns its place.
  int english(std::string_view word, std::string_view label);
  // Adds several, parted by spaces, each its own label where none is given; returns the place of the first.
  int english_words(std::string_view words, std::string_view label = {});
  // Adds a French word, linked to the English words at these places.
  void french(std::string_view word, std::initializer_list<int> sources);
  // Adds another piece behind this one, in both languages; what elides in front of it does.
  void append(const Phrase& other);
};

Agreement agreement_of(const NounPhrase& noun_phrase);

Phrase say(const NounPhrase& noun_phrase, bool negated_object = false);
Phrase say(const Prepositional& prepositional);
Phrase say(const TimeWords& time);
// `subject`: what the verb agrees with. `object_before`: what stands before it and is its object ("la loi que …").
Phrase say(const Predicate& predicate, const NounPhrase& subject, const NounPhrase* object_before = nullptr);
Phrase say(const Clause& clause);
Sentence say(const Plan& plan);

}  // namespace limelight::learn::french
