// A corpus of English sentences and their French translations with gold word alignments, made by a small grammar from a
// seed. Every English sentence has one translation. The alignments are for looking at and for evaluation: nothing that
// trains may see them.
//
// A token is a word or a sign: "l'" and "." are tokens, "du" is one token (of "of" and "the"), "L'accord" is two.
// A sentence's first token is written as it would be inside of one; `detokenise` puts the capital.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "io/error.h"

namespace limelight::learn::french {

// Words and their numbers, from 0, in the order of the grammar's tables.
struct Vocabulary {
  std::vector<std::string> words;
  std::map<std::string, int, std::less<>> ids;
};
const Vocabulary& english_vocabulary();
const Vocabulary& french_vocabulary();

struct Link {
  int target = 0;  // token of the French sentence
  int source = 0;  // token of the English one
  auto operator<=>(const Link&) const = default;
};

struct Sentence {
  std::vector<std::string> source, target;  // English, French
  std::vector<Link> alignment;              // by target, then source; each target token has at least one
  std::string pattern;                      // the English tokens' classes: "the noun was participle in month ."
};

constexpr int kFewestWords = 3;
constexpr int kMostWords = 30;

enum class Split { any, training, held_out };

struct Options {
  int min_words = kFewestWords;  // English tokens without the signs; from kFewestWords to max_words
  int max_words = kMostWords;    // up to kMostWords
  Split split = Split::any;
};

// The length is drawn first, evenly between the bounds, so that long sentences are as frequent as short ones.
Sentence generate(Random& random, const Options& options = {});

// Whether sentences of this pattern are kept out of training: one pattern in ten by its hash, and that of the example.
bool is_held_out(std::string_view pattern);

// "The agreement on the European Economic Area was signed in August 1992." (Bahdanau et al. 2015, figure 3a)
const Sentence& example();

// The number of words, signs not counted.
int count_words(std::span<const std::string> tokens);

// As it is printed: a capital first, "l'" joined to its word, no space before a sign.
std::string detokenise(std::span<const std::string> tokens);

struct UnknownWord {
  std::string word;
  std::vector<std::string> suggestions;  // the nearest known ones, nearest first
};

// "“x” is not one of the 600 words that the model knows; near to it are y or z.": of the first few of them.
std::string sentence_of(std::span<const UnknownWord> unknown, std::size_t known, std::string_view who);

struct Reading {
  std::vector<std::string> tokens;  // those that are known; of English with a full stop at the end
  std::vector<UnknownWord> unknown;
};
// English as it is typed; capitals do not matter where a word has only one spelling.
// Errors: no word, fewer than kFewestWords or more than kMostWords.
Result<Reading> read_english(std::string_view text);
// French as it is typed, among these words: "L'accord" is two of them.
Reading read_french(std::string_view text, std::span<const std::string> known);

}  // namespace limelight::learn::french
