// A captioner that writes one picture's caption, word by word, with every number on the way, and with what a reader
// sets in place of what it would do by itself; and many captions of hard attention, whose places are drawn.
#pragma once

#include <map>
#include <vector>

#include "learn/caption_training.h"

namespace limelight::learn::captions {

// What is not left to the model.
struct Steering {
  Look look = Look::soft;
  double temperature = 1;       // of attention
  std::uint64_t seed = 1;       // of what is drawn
  std::map<int, int> places{};  // of a word, from 0: the one cell that it looks at
};

// T words; L², D, A, H as in captioner.h, V words in the vocabulary.
struct Writing {
  std::vector<int> words;        // T, kStop included where it came
  std::vector<int> places;       // T, the one cell of each word; −1: all of them
  Matrix states;                 // [T + 1, H] s, s_0 first
  Matrix query;                  // [T, A] s W
  Matrix scores, weights;        // [T, L²] e, divided by the temperature, and α, also where one cell is looked at
  Matrix contexts;               // [T, D] z
  Matrix logits, probabilities;  // [T, V]
  Matrix reset, update, fresh;   // [T, H] the gates of the step to s_t

  [[nodiscard]] bool stopped() const { return !words.empty() && words.back() == kStop; }
  // As Decoded has it: without kStop.
  [[nodiscard]] std::vector<int> caption() const;
};

// A caption of hard attention whose places are drawn.
struct Draw {
  std::vector<int> words;   // as in Writing
  std::vector<int> places;  // T
};

// Places that are drawn for the words of one given caption y: what estimates are made of.
struct Sampled {
  std::vector<Matrix> score_gradients;  // by word: [draws, A] ∂ ln α(i_t) / ∂ v
  Matrix likelihoods;                   // [draws, T] ln p(y_t)
};

// What drawing says about the gradient by v, additive attention's vector of A numbers, on one picture and caption. It
// is that of the variational lower bound L = Σ_i p(i) ln p(y | i) ≤ ln p(y), i all cells that are drawn for the caption
// (Xu et al. 2015, section 4.1). Hard attention's words depend on v through what is drawn alone, so that the estimator
// of caption_training.h is all there is of it:
//   g = Σ_t (R_t − b_t) ∂ ln α(i_t) / ∂ v      ∂ ln α(i_t) / ∂ v = k_i − Σ_j α_tj k_j      k_j = tanh(s W + g_j U)
struct Estimate {
  bool to_go = false;     // R_t: Σ_u≥t ln p(y_u); else that of the whole caption, as in eq. 11 of Xu et al.
  bool baseline = false;  // b_t: the mean of R_t over the other draws, which is independent of this one; else 0
  Matrix mean;            // [1, A] over the draws
  double variance = 0;    // of one draw's estimate, summed over the A numbers
};

// Of all four combinations, from the same draws, at least 2.
std::vector<Estimate> estimates_of(const Sampled& sampled);
// More draws for the same words; `sampled` may be empty.
void append(Sampled& sampled, const Sampled& more);

// What a cell of the grid sees of the picture: pixels from `left` and `top` to before `right` and `bottom`, cut at the
// picture's edges.
struct Seen {
  int left, top, right, bottom;
};
Seen seen_by(int grid, int cell);

// One picture, seen by one model. The model outlives it.
class Reader {
 public:
  Reader(const Training& model, const Matrix& pixels);

  [[nodiscard]] Matrix features() const { return tape_.value(source_.features); }        // [L², D] a
  [[nodiscard]] Matrix shown() const;                                                    // [L², 16 + D] g
  [[nodiscard]] Matrix keys() const { return tape_.value(source_.keys); }                // [L², A] g U
  [[nodiscard]] Matrix first_state() const { return tape_.value(source_.first_state); }  // [1, H] s_0

  Writing write(const Steering& steering);
  // Hard attention that draws the place of each word; the words are the likeliest.
  std::vector<Draw> draw(int count, Random& random, double temperature = 1);
  // words: y, kStop at the end.
  Sampled sample(std::span<const int> words, int count, Random& random);

 private:
  // The picture `count` times.
  Encoded repeat(int count);

  const Training& model_;
  Batch batch_;
  Tape<float> tape_;
  Tape<float>::Mark seen_;  // the picture is on the tape, and nothing else
  ModelOf<Value> placed_;
  Encoded source_;
  std::vector<std::uint8_t> present_;  // of the last repeat
};

}  // namespace limelight::learn::captions
