// Reading a text with a transformer, wherever it is from: the encoder or a checkpoint of the reader's own. What it
// makes of the text is a value that is never changed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/transformer.h"
#include "scenes/common/own.h"
#include "scenes/sentence/model.h"

namespace limelight::scenes::sentence {

struct Token {
  std::string text;  // for eyes
  int id = 0;
  bool known = true;  // false: read by its letters
};

// What could stand at a place, likeliest first, and what is known to stand there.
struct Guess {
  int place = 0;
  std::vector<std::string> words;
  std::vector<float> probabilities;
  float truth = 0;  // the probability of the token that is there, or was before it was hidden; −1: none is
  int rank = 0;     // of that, from 1
};

struct Reading {
  std::vector<Token> tokens;       // as they were read: [MASK] where one was hidden
  std::vector<BlockSteps> blocks;  // of each layer
  std::vector<Guess> guesses;
  bool finite = true;
};

// A sentence for a transformer: its tokens, those that are hidden, and the heads that are off.
struct Task {
  std::vector<Token> tokens;
  std::vector<int> hidden;  // places
  std::vector<HeadPlace> off;
};

inline constexpr int kGuesses = 8;

inline constexpr int kFirst = 1;  // place that can be hidden or replaced: before it stands what is the model's own

class Reader {
 public:
  explicit Reader(trained::Encoder encoder);
  explicit Reader(std::shared_ptr<const OwnModel> model);

  [[nodiscard]] int layers() const { return static_cast<int>(weights_.blocks.size()); }
  [[nodiscard]] int heads() const { return options_.heads; }
  [[nodiscard]] bool causal() const { return options_.causal; }
  // Whether places can be hidden: a bidirectional one needs its [MASK].
  [[nodiscard]] bool hides() const { return causal() || mask_.has_value(); }
  [[nodiscard]] bool predicts() const { return !weights_.decoder.empty(); }

  // Errors: no word; more than the model has positions; more than can be looked at.
  Result<std::vector<Token>> tokens(std::string_view text);
  // The token of one word that is to stand at `place`. Errors: it is none, or several.
  Result<Token> one(const std::vector<Token>& tokens, int place, std::string_view word);

  // A bidirectional model reads [MASK] at the places that are hidden, and says what could stand there. A causal one
  // says of each of them, and of what comes after the last token, what could follow the tokens before it.
  [[nodiscard]] Reading read(const Task& task) const;
  // The same in parts: what runs block by block, and what is made of it. The reader outlives the run.
  [[nodiscard]] TransformerRun begin(const Task& task) const;
  [[nodiscard]] Reading finish(const Task& task, TransformerSteps steps) const;

 private:
  [[nodiscard]] std::string word(int id) const;
  // Without a tokenizer: token ids. Errors: other than such numbers, none, or too many.
  [[nodiscard]] Result<std::vector<Token>> numbers(std::string_view text) const;
  [[nodiscard]] std::vector<Token> seen(const Task& task) const;
  [[nodiscard]] Guess guess(const Matrix& hidden, int row, int place, const Token* truth) const;

  trained::Encoder encoder_;
  std::shared_ptr<const OwnModel> model_;
  Matrix table_;  // of the encoder: its embeddings, and below them those of words that it reads by their letters
  TransformerWeights weights_;
  TransformerOptions options_;
  std::optional<Token> mask_;
};

// The heads without which a word loses most, each by itself, most first: up to three that it needs.
std::vector<HeadPlace> needed_in(const Matrix& importance);

// What a head does with these tokens: the shares of its weight, averaged over the queries, that go to …
enum Kind { previous, next, itself, first, same, kinds };
inline constexpr std::string_view kKinds[kinds] = {"the word before", "the word after", "itself", "the first token",
                                                   "the same word"};
inline constexpr std::string_view kShortKinds[kinds] = {"before", "after", "itself", "first", "same word"};
// [kinds + 1]: those shares, and the entropy over that of an even row, from 0 to 1. same: other places where it stands.
std::vector<float> kinds_of(const Matrix& weights, const std::vector<std::string>& queries,
                            const std::vector<std::string>& keys);

// All heads of a text, by reference: what is made of them outlives it.
struct Stack {
  int layers = 0, heads = 0;
  const std::vector<std::string>& queries;
  const std::vector<std::string>& keys;
  std::vector<const Matrix*> weights{};  // layer by layer: [T, S]
  [[nodiscard]] const Matrix& of(int layer, int head) const {
    return *weights[static_cast<std::size_t>(layer * heads + head)];
  }
};

inline constexpr int kMostCompared = 1024;

// What all heads look like: made once, since it goes over every weight.
struct Summary {
  Matrix kinds;                        // [layers · heads, Kind], as kinds_of
  std::vector<Matrix> maps;            // of each head, pooled
  std::vector<Matrix> means;           // of each layer, over its heads: [T, S]
  std::vector<int> alike;              // as cluster; of more than kMostCompared heads, in their order
  void add_layer(const Stack& stack);  // the next one
  void finish();                       // after the last
};
Summary summarise(const Stack& stack);

}  // namespace limelight::scenes::sentence
