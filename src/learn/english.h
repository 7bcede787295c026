// English sentences of a few hundred words, made by a small grammar from a seed, with what belongs to what in them. An
// encoder learns from the words alone: the links, what agrees and what pronouns stand for are for looking at and for
// evaluation; nothing that trains may see them.
//
// A token is a word or a sign; a name has its capital, a sentence's first word has none. In "because it was too tired"
// only the meaning of "tired" says what "it" is: an animal can be tired and a street cannot.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "io/error.h"
#include "learn/tasks.h"

namespace limelight::learn::english {

enum class Kind { noun, name, verb, auxiliary, adjective, adverb, pronoun, determiner, preposition, conjunction, sign };
inline constexpr std::string_view kKinds[] = {"noun",        "name",        "verb",    "auxiliary",
                                              "adjective",   "adverb",      "pronoun", "determiner",
                                              "preposition", "conjunction", "sign"};

// [MASK] is the first word after those that every vocabulary begins with; of those, [START] alone is used.
inline constexpr int kMask = kFirstWord;

// All words, [MASK] among them, in the order of the grammar's tables.
const Vocabulary& vocabulary();
// The same as its find, and faster.
std::optional<int> find(std::string_view word);
// Its words from kMask + 1 on only.
Kind kind_of(int token);
// Those of that kind.
std::span<const int> tokens_of(Kind kind);
// The finite verb of the other number: "likes" of "like", "are" of "is". Nothing for "sat", which agrees with all.
std::optional<int> other_number(int token);
// Whether that form is of many: "like", "are".
bool is_plural(int token);

// Each is a pair of tokens, from one to the other.
enum class Relation {
  subject,     // of a verb; its noun, name or pronoun
  object,      // of a verb
  determiner,  // of a noun; possessives, too
  adjective,   // of a noun
  antecedent,  // of a pronoun or possessive of the third person
  preposition  // of a noun: "on" of "mat"
};
inline constexpr std::string_view kRelations[] = {"subject",   "object",     "determiner",
                                                  "adjective", "antecedent", "preposition"};
struct Link {
  Relation relation{};
  int from = 0, to = 0;  // "sat" → "cat"
  bool operator==(const Link&) const = default;
};

enum class Form { subject, object, possessive };  // she, her, her

// A pronoun of the third person in place of an antecedent that is in the sentence.
struct Reference {
  int pronoun = 0, antecedent = 0;
  Form form{};
  // Another noun or name that stands before it and could be meant, as far as grammar goes, and only the meaning of what
  // is said tells that it is not; −1: none. Both may be called by the same pronoun ("it", of an animal and a street).
  int rival = -1;
  bool same = false;  // they are
};

struct Sentence {
  std::vector<std::string> words;  // the full stop is the last
  std::vector<Link> links;
  std::vector<int> agreeing;  // the verbs whose form says how many the subject is: "likes", not "sat"
  std::vector<Reference> references;
  std::string pattern;  // "the noun verb.past on the noun ."
};

inline constexpr int kMostWords = 24;  // signs included

Sentence generate(Random& random);
Sentence generate(Random& random, Part part);

// Whether sentences of this pattern are kept out of training: one pattern in ten by its hash, and that of "The animal
// did not cross the street because it was too tired."
bool is_held_out(std::string_view pattern);

// As it is printed: a capital first, no space before a sign.
std::string detokenise(std::span<const std::string> words);

// A text as it is typed, as an encoder reads it: words as the vocabulary spells them where it has them, small letters
// where it does not; "didn't" is "did", "not"; a full stop at the end. "[MASK]" is one word.
// Errors: no word, more than kMostWords tokens.
Result<std::vector<std::string>> read(std::string_view text);

}  // namespace limelight::learn::english
