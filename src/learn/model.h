// An encoder and a decoder with attention between them (Bahdanau et al. 2015), and the same without attention, which
// has to put a whole source into one fixed vector (Cho et al. 2014; Sutskever et al. 2014).
//
//   h = bidirectional GRU of the source's embeddings      [S, 2H]
//   s_0 = tanh(backward state of the first word · W + b)  [1, H] (appendix A.2.2)
//   e_tj = v · tanh(s_t−1 W + h_j U)   a_t = softmax(e_t)   c_t = Σ_j a_tj h_j
//   or e_tj = s_t−1 · h_j U, or s_t−1 · (h_j's two directions, added up) (Luong et al. 2015, "general" and "dot")
//   without attention: c_t = [forward state of the last word | backward state of the first]
//   s_t = GRU([y_t−1 | c_t], s_t−1)   logits = [s_t | c_t] W + b
#pragma once

#include <string>
#include <vector>

#include "core/random.h"
#include "learn/layers.h"
#include "learn/tasks.h"

namespace limelight::learn {

// How a decoder's state and a source's are compared, as core/score.h has it.
enum class AttentionScore { additive, general, dot };

struct Config {
  int source_words = 0;  // tokens, those above included
  int target_words = 0;
  int embedding = 32;       // E
  int hidden = 64;          // H, of each direction and of the decoder
  int attention_size = 64;  // A
  bool attention = true;
  AttentionScore score = AttentionScore::additive;

  bool operator==(const Config&) const = default;
};

template <class T>
struct ModelOf {
  T source_embedding;  // [source words, E]
  T target_embedding;  // [target words, E]
  GruOf<T> forward, backward;
  LinearOf<T> first_state;  // [H, H]
  AdditiveOf<T> additive;   // empty where another score is used, or none
  T general;                // [2H, H] U of the score "general"; empty where another one is used
  GruOf<T> decoder;         // of [E + 2H]
  LinearOf<T> output;       // [3H, target words]

  // visit(name, weight of each model …), empty ones too.
  template <class F, class... Models>
  static void each(F&& visit, Models&... models) {
    visit(std::string("source_embedding"), models.source_embedding...);
    visit(std::string("target_embedding"), models.target_embedding...);
    GruOf<T>::each("forward.", visit, models.forward...);
    GruOf<T>::each("backward.", visit, models.backward...);
    LinearOf<T>::each("first_state.", visit, models.first_state...);
    AdditiveOf<T>::each("additive.", visit, models.additive...);
    visit(std::string("general.weight"), models.general...);
    GruOf<T>::each("decoder.", visit, models.decoder...);
    LinearOf<T>::each("output.", visit, models.output...);
  }
};

template <class Scalar>
using WeightsOf = ModelOf<MatrixOf<Scalar>>;
using Weights = WeightsOf<float>;

// All 0, of the sizes that the configuration asks for.
template <class Scalar>
WeightsOf<Scalar> make_weights(const Config& config);

// Uniform up to 1/√(inputs) either way; embeddings are normal with the deviation 1, biases 0.
Weights draw_weights(const Config& config, Random& random);

// How many numbers there are to learn.
std::size_t count_weights(const Weights& weights);

// Sequences that are learned from together, by time.
struct Batch {
  int sequences = 0, source_steps = 0, target_steps = 0;
  std::vector<int> source;                   // [S·B], each sequence with kStop at its end, then kPadding
  std::vector<std::uint8_t> source_present;  // [S·B]
  std::vector<int> previous;                 // [T·B] what the decoder reads: kStart, then the targets
  std::vector<int> target;                   // [T·B] what it is to write: the targets, then kStop, then −1
};

// The sequences without kStart and kStop. As many targets as sources, or none: then the decoder's parts are empty.
Batch make_batch(std::span<const std::vector<int>* const> sources, std::span<const std::vector<int>* const> targets);

// The weights on a tape; no gradients: for a tape that keeps none.
template <class Scalar>
ModelOf<Value> place(Tape<Scalar>& tape, const WeightsOf<Scalar>& weights, WeightsOf<Scalar>* gradients);

struct Encoded {
  Steps steps;
  Value states;       // [S·B, 2H]
  Value keys;         // [S·B, A] h U, or [S·B, H] for other scores than additive; none without attention
  Value context;      // [B, 2H], what there is without attention; none with it
  Value first_state;  // [B, H]
};
template <class Scalar>
Encoded encode(Tape<Scalar>& tape, const ModelOf<Value>& model, const Config& config, const Batch& batch);

// Of T steps. Rows of `words` must stand when their step is done.
struct Decoder {
  Encoded source;
  Value v;         // of the additive score; none of others
  Value states;    // [(T + 1)·B, H], s_0 first
  Value contexts;  // [T·B, 2H]
  Unrolled from_word = {}, from_context = {}, from_state = {}, query = {}, output_of_state = {}, output_of_context = {};
};
template <class Scalar>
Decoder start_decoder(Tape<Scalar>& tape, const ModelOf<Value>& model, const Config& config, const Encoded& source,
                      Value words);
// Of a step; none without attention.
struct Attended {
  Value query;    // [B, A] s W, or s itself [B, H] for other scores than additive
  Value scores;   // [B, S] e
  Value weights;  // [B, S] a
};
// Of step t, from 0, whose state before is there.
template <class Scalar>
Attended attend_step(Tape<Scalar>& tape, const Decoder& decoder, int t);
// The state after step t, whose context is there.
template <class Scalar>
void update_step(Tape<Scalar>& tape, const Decoder& decoder, int t);
// Both, and the context between them.
template <class Scalar>
Attended decode_step(Tape<Scalar>& tape, const Decoder& decoder, int t);
// Of `count` steps that are done: [count·B, target words].
template <class Scalar>
Value read_out(Tape<Scalar>& tape, const Decoder& decoder, int first_step, int count);

// The mean cross-entropy of the batch's targets where the decoder reads the true words before each (teacher forcing).
template <class Scalar>
Value batch_loss(Tape<Scalar>& tape, const ModelOf<Value>& model, const Config& config, const Batch& batch);

// What the model writes by itself, always the likeliest word.
struct Decoded {
  std::vector<int> target;  // without kStop, which may be missing when `most_steps` were not enough
  bool stopped = false;
  Matrix weights;  // [steps, S], kStop's step and the source's kStop included; empty without attention
  std::vector<float> probabilities;  // of each word and of kStop
};
std::vector<Decoded> decode(Tape<float>& tape, const Weights& weights, const Config& config, const Batch& batch,
                            int most_steps);

}  // namespace limelight::learn
