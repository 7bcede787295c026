// A picture's caption, word by word, with attention to the cells of a grid over the picture (Xu et al. 2015, "Show,
// Attend and Tell"), with a gated recurrent unit in place of their LSTM and a small convolutional encoder:
//
//   f = three convolutions with ReLU                          [L², C], C = 64, or 32 where L = 3
//   a_i = ReLU(ReLU(f_i W + b) W' + b' + position_i)          [L², D] what a cell and its surroundings are, and where
//   g_i = [mean over cell i of the first convolution | position_i]  [L², 16 + D] what the cell itself shows, and where
//   m_i = ReLU(f_i W + b)                                     [L², 10]
//   s_0 = tanh(ReLU([m_1 | … | m_L²] W + b) W' + b')          [1, H]
//   e_ti = v · tanh(s_t−1 W + g_i U)                          α_t = softmax(e_t)
//   soft: z_t = Σ_i α_ti a_i           hard: z_t = a_i of one i that is drawn with the chances α_t
//   s_t = GRU([y_t−1 | z_t], s_t−1)    logits = [s_t | z_t] W + b
//
// Theirs makes s_0 of the mean of all cells (section 3.1.2). A caption here begins with what a mean hardly says: how
// many there are that are alike, and which of two kinds is farther to the left. And theirs scores cells by a_i: then
// the cell beside an object is as good to look at as the object's own, and shapes were looked up there.
#pragma once

#include <string>
#include <vector>

#include "learn/grid.h"
#include "learn/layers.h"
#include "learn/pictures.h"

namespace limelight::learn::captions {

enum class Glimpse { soft, hard };

struct Config {
  int grid = 8;             // L: 8, where a cell sees 18×18 pixels, or 3, where it sees 26×26
  int features = 96;        // D
  int embedding = 32;       // E
  int hidden = 112;         // H
  int attention_size = 64;  // A

  bool operator==(const Config&) const = default;
};

struct Convolution {
  Window window;
  int channels = 0;  // of its result
};
inline constexpr int kConvolutions = 3;
inline constexpr int kSummary = 10, kPlan = 64;  // sizes of m_i, and of the hidden layer before s_0
// Of a grid of 8 or 3.
std::array<Convolution, kConvolutions> convolutions(int grid);
// The side in pixels of what one cell of the grid sees.
int receptive_field(int grid);

template <class T>
struct ModelOf {
  LinearOf<T> convolution[kConvolutions];  // [kernel² · channels in, channels]
  LinearOf<T> content;                     // [C, D]
  LinearOf<T> feature;                     // [D, D]
  T position;                              // [L², D]
  LinearOf<T> summary;                     // [C, 10]
  LinearOf<T> plan;                        // [10 L², 64]
  LinearOf<T> first_state;                 // [64, H]
  AdditiveOf<T> additive;                  // of [H] and [16 + D]
  T word_embedding;                        // [words, E]
  GruOf<T> decoder;                        // of [E + D]
  LinearOf<T> output;                      // [H + D, words]

  // visit(name, weight of each model …)
  template <class F, class... Models>
  static void each(F&& visit, Models&... models) {
    for (int i = 0; i < kConvolutions; ++i)
      LinearOf<T>::each("convolution" + std::to_string(i + 1) + ".", visit, models.convolution[i]...);
    LinearOf<T>::each("content.", visit, models.content...);
    LinearOf<T>::each("feature.", visit, models.feature...);
    visit(std::string("position"), models.position...);
    LinearOf<T>::each("summary.", visit, models.summary...);
    LinearOf<T>::each("plan.", visit, models.plan...);
    LinearOf<T>::each("first_state.", visit, models.first_state...);
    AdditiveOf<T>::each("additive.", visit, models.additive...);
    visit(std::string("word_embedding"), models.word_embedding...);
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

// Uniform up to √(6/inputs) either way before a ReLU (He et al. 2015), to 1/√(inputs) elsewhere; words are normal with
// the deviation 1, positions and biases 0.
Weights draw_weights(const Config& config, Random& random);

// Pictures that are learned from together, and what goes with so many of them.
struct Batch {
  int pictures = 0, steps = 0;
  Matrix pixels = {};                      // [B·64², 3], picture by picture, from 0 to 1
  std::vector<int> previous = {};          // [T·B] what the decoder reads, by step: kStart, then the caption
  std::vector<int> target = {};            // [T·B] what it is to write: the caption, then kStop, then −1
  std::vector<int> lengths = {};           // [B] words, kStop included
  std::vector<int> cells = {};             // [L²·B] the cell of each row, by cell
  std::vector<std::uint8_t> present = {};  // [L²·B] of 1
};
Batch make_batch(const Config& config, std::span<const Matrix> pictures);  // without captions
Batch make_batch(const Config& config, std::span<const pictures::Scene> scenes);

struct Encoded {
  int pictures = 0;
  std::span<const std::uint8_t> present;
  Value features = {};     // [L²·B, D] a, by cell
  Value shown = {};        // [L²·B, 16] of g, without the position
  Value keys = {};         // [L²·B, A] g U
  Value first_state = {};  // [B, H]
};
// The batch outlives the step.
template <class Scalar>
Encoded encode(Tape<Scalar>& tape, const ModelOf<Value>& model, const Config& config, const Batch& batch);

// Of T steps. Rows of `words` must stand when their step is done. A step is: look, then see or choose, then advance.
struct Decoder {
  Encoded source;
  Value v;         // of additive attention
  Value weights;   // [T·B, L²] α
  Value states;    // [(T + 1)·B, H], s_0 first
  Value contexts;  // [T·B, D] z
  Unrolled from_word = {}, from_context = {}, from_state = {}, query = {}, output_of_state = {}, output_of_context = {};
};
template <class Scalar>
Decoder start_decoder(Tape<Scalar>& tape, const ModelOf<Value>& model, const Encoded& source, Value words);

struct Attended {
  Value query;    // [B, A] s W
  Value scores;   // [B, L²] e, divided by the temperature
  Value weights;  // [B, L²] α
};
// Step t, from 0. A temperature other than 1 is for trained models only.
template <class Scalar>
Attended look(Tape<Scalar>& tape, const Decoder& decoder, int t, double temperature = 1);
// The context is the mean of all cells with these weights [B, L²].
template <class Scalar>
void see(Tape<Scalar>& tape, const Decoder& decoder, int t, Value weights);
// The context is one cell of each picture. rows: cell·B + picture for each picture; they outlive the step.
template <class Scalar>
void choose(Tape<Scalar>& tape, const Decoder& decoder, int t, std::span<const int> rows);
// The next state, and the logits of the word [B, words].
template <class Scalar>
void advance(Tape<Scalar>& tape, const Decoder& decoder, int t);
// Of `count` steps that are done: [count·B, words].
template <class Scalar>
Value read_out(Tape<Scalar>& tape, const Decoder& decoder, int first_step, int count);

// An index with these chances, which sum to 1.
template <class Row>
int draw_index(Random& random, const Row& chances) {
  double u = random.uniform();
  const auto count = static_cast<int>(chances.size());
  for (int i = 0; i + 1 < count; ++i) {
    u -= static_cast<double>(chances[i]);
    if (u < 0) return i;
  }
  return count - 1;
}

// ---- writing by itself, always the likeliest word ----

enum class Look {
  soft,
  likeliest,
  drawn
};  // all cells, the cell with the largest weight, one drawn with these chances

struct DecodeOptions {
  Look look = Look::soft;
  std::uint64_t seed = 1;  // of what is drawn
  double temperature = 1;  // of attention
  int most_steps = 24;
};
struct Decoded {
  std::vector<int> words;  // without kStop, which may be missing when `most_steps` were not enough
  bool stopped = false;
  Matrix weights;                    // [steps, L²], kStop's step included
  std::vector<int> places;           // the cell of each step; empty when soft
  std::vector<float> probabilities;  // of each word and of kStop
};
std::vector<Decoded> decode(Tape<float>& tape, const Weights& weights, const Config& config, const Batch& batch,
                            const DecodeOptions& options);

}  // namespace limelight::learn::captions
