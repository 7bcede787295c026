// What is learned: a task gives pairs of token sequences, with vocabularies and a part that is held out of training.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"
#include "io/error.h"

namespace limelight::learn {

// Tokens that every vocabulary begins with.
inline constexpr int kPadding = 0, kStart = 1, kStop = 2, kFirstWord = 3;

inline constexpr int kMostWords = 200;  // of a source

struct Vocabulary {
  std::vector<std::string> words;  // by token

  // With the words that every vocabulary begins with, "[PAD]", "[START]" and "[STOP]".
  static Vocabulary of(std::span<const std::string> words);
  [[nodiscard]] std::optional<int> find(std::string_view word) const;
  [[nodiscard]] int size() const { return static_cast<int>(words.size()); }
};

// The parts have no source in common.
enum class Part { training, held_out };
inline constexpr std::string_view kParts[] = {"training", "held-out"};  // as Part has them

struct Pair {
  std::vector<int> source, target;             // without kStart and kStop
  std::vector<std::pair<int, int>> alignment;  // target, source, from 0; empty: not known. For evaluation only: neither
                                               // a loss nor the choice of a checkpoint reads it.
};

// Of sources, in words; inclusive.
struct Lengths {
  int least = 1;
  int most = 10;

  bool operator==(const Lengths&) const = default;
  [[nodiscard]] bool hold(std::size_t length) const {
    return static_cast<int>(length) >= least && static_cast<int>(length) <= most;
  }
};

struct TaskOptions {
  int symbols = 26;  // different letters, up to 26: copy, reverse, sort
  Lengths lengths{1, 10};
};

struct Task {
  std::string name;
  Vocabulary source, target;
  Lengths lengths;  // of the pairs that it trains on
  // The words of a source, as lengths count them.
  std::function<int(std::span<const int>)> count;
  // One of the part's pairs with a source of these lengths, if it finds one.
  std::function<std::optional<Pair>(Random&, Part, Lengths)> draw;
  // What is to be written for a source, where a rule says it; without one for others.
  std::function<Pair(const std::vector<int>& source)> solve;
  // A source as it is typed. Errors: no word, a word that is not in the vocabulary.
  std::function<Result<std::vector<int>>(std::string_view)> read;
  // Words, of either vocabulary, as they are printed.
  std::function<std::string(std::span<const std::string>)> write;
};

struct TaskDef {
  std::string_view name;
  std::string_view about;  // in few words, where the name does not say it
  Lengths lengths;         // unless others are asked for
  Lengths possible;        // there are no other sources
  Task (*make)(std::string_view name, const TaskOptions& options);
};
// copy, reverse, sort, dates, french
std::span<const TaskDef> task_definitions();
// Errors: no task has that name.
Result<const TaskDef*> find_task(std::string_view name);
// What is said where a task has no pairs of a kind ("held-out") with sources of these lengths.
Error no_pairs(std::string_view task, std::string_view kind, Lengths lengths);

std::vector<std::string> words_of(const Vocabulary& vocabulary, std::span<const int> tokens);

// A tenth of all sources is held out: those whose text's hash ends in 0.
Part part_of(std::string_view text);

// A whole number from 0 to count − 1.
int draw_below(Random& random, int count);

}  // namespace limelight::learn
