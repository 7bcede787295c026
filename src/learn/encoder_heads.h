// What each head of an encoder does best, found as Clark et al. 2019 do ("What does BERT look at?", section 4): where a
// word has another that it would look at in some role, whether that gets the largest weight.
#pragma once

#include "learn/encoder_evaluation.h"

namespace limelight::learn::sentences {

// What a word can look at: "previous word", "subject of the verb" …
std::span<const std::string_view> roles();

// A head in one role.
struct RoleScore {
  int role = 0;       // of roles()
  int count = 0;      // words with such another one
  double score = 0;   // the share of these where that, or one of those, gets the largest weight
  double chance = 0;  // the same if all words of the sentence, [START] included, had the same chance
  double fixed = 0;   // the same for the best of the rules "always so many words to the left", or to the right; as
                      // chance where the role is such a place itself

  // How far it is from what a rule could do, 0, to always, 1.
  [[nodiscard]] double above() const;
};

// What a head does best: the role in which it is farthest above what a rule could do. The role is found on one half of
// the sentences; all numbers are of the other half.
struct HeadRole {
  int layer = 0, head = 0;  // from 0
  RoleScore best;
};

// The head that looks from a pronoun at its antecedent most often, found on one half of the sentences, measured on the
// other. The pronoun can be read, as all other words.
struct AntecedentHead {
  int layer = 0, head = 0;
  RoleScore score;
  Score over_rival;  // the antecedent has more weight than the rival, where grammar allows the rival and what is said
                     // does not; chance is a half
  Score over_same;   // of those: both are called by the same pronoun, "it" of an animal and a street
};

struct HeadRoles {
  std::vector<HeadRole> heads;  // by layer, then by head
  std::vector<HeadRole> roles;  // the head that is best in each role, found and measured in the same way
  AntecedentHead antecedent;
};
HeadRoles head_roles(const Training& model, int seed, int count);

}  // namespace limelight::learn::sentences
