// An encoder that says which word is missing (Devlin et al. 2019, "masked LM"), with the layers of Vaswani et al. 2017:
//
//   x_i = E[word i] + P[i]                      [T, D], the first word is [START]; T ≤ kMostTokens
//   layers: run_layer of learn/transformer.h
//   logits = LayerNorm(x) Eᵀ + b                [T, V], the same E: output and input are tied (Press & Wolf 2017)
//
// A word that is not in the vocabulary has the embedding Σ_g L[hash(g) mod B] / √count over the runs of 2 to 4 letters
// g of "<word>", those of its beginning and its end among them (as Bojanowski et al. 2017 have it).
#pragma once

#include <string>
#include <vector>

#include "core/random.h"
#include "learn/english.h"
#include "learn/transformer.h"

namespace limelight::learn::sentences {

inline constexpr int kMostLayers = 4;
inline constexpr int kMostTokens = english::kMostWords + 1;  // with [START]

struct Config {
  int layers = 3;
  int heads = 6;      // H, of each layer
  int size = 96;      // D, which H divides
  int hidden = 192;   // F
  int letters = 384;  // B

  bool operator==(const Config&) const = default;
};

template <class T>
struct ModelOf {
  T word_embedding;                           // [V, D] E
  T letter_embedding;                         // [B, D] L
  T position_embedding;                       // [kMostTokens, D] P
  TransformerLayerOf<T> layers[kMostLayers];  // empty ones last
  LayerNormOf<T> norm;
  T output_bias;  // [1, V]

  // visit(name, weight of each model …)
  template <class F, class... Models>
  static void each(F&& visit, Models&... models) {
    visit(std::string("word_embedding"), models.word_embedding...);
    visit(std::string("letter_embedding"), models.letter_embedding...);
    visit(std::string("position_embedding"), models.position_embedding...);
    for (int i = 0; i < kMostLayers; ++i)
      TransformerLayerOf<T>::each("layer" + std::to_string(i + 1) + ".", visit, models.layers[i]...);
    LayerNormOf<T>::each("norm.", visit, models.norm...);
    visit(std::string("output_bias"), models.output_bias...);
  }
};

template <class Scalar>
using WeightsOf = ModelOf<MatrixOf<Scalar>>;
using Weights = WeightsOf<float>;

// All 0, of the sizes that the configuration asks for.
template <class Scalar>
WeightsOf<Scalar> make_weights(const Config& config);

// Uniform to 1/√(inputs) either way; embeddings are normal with the deviation 0.1, gains 1, biases 0.
Weights draw_weights(const Config& config, Random& random);

// The rows of L that a word is made of, from 0 to B − 1; some more than once.
std::vector<int> letter_rows(std::string_view word, int letters);

// As it is read: by its number, or by its letters.
struct Word {
  int token = -1;  // below 0: by its letters
  std::string letters = {};
};
Word word_of(const std::string& word);

// Sentences that are read together, one after the other.
struct Batch {
  std::vector<int> lengths = {};    // words, [START] included; they sum to N
  std::vector<int> tokens = {};     // [N]; from V on: rows of `letters`
  std::vector<int> positions = {};  // [N]
  Matrix letters = {};              // [M, B] how often each row of L is in a word, divided by √(how many there are)
  int spelled = 0;                  // M: rows of `letters` that are used

  void clear();
  // Without [START], which it adds. Returns the row of that.
  int add(const Config& config, std::span<const Word> words);
};

struct Encoded {
  Value embedded = {};  // [N, D] E of the words, without positions
  Value placed = {};    // [N, D] with them
  std::vector<TransformerLayer> layers = {};
  Value result = {};  // [N, D] after the last norm
};
// The batch outlives the step.
template <class Scalar>
Encoded encode(Tape<Scalar>& tape, const ModelOf<Value>& model, const Config& config, const Batch& batch);

// The logits of all words in these rows of the batch, [rows, V]; the rows outlive the step.
template <class Scalar>
Value read_out(Tape<Scalar>& tape, const ModelOf<Value>& model, const Encoded& encoded, std::span<const int> rows);

}  // namespace limelight::learn::sentences
