// What a model needs that attends to the cells of a picture: convolutions, and the losses of a map of weights.
//
// A batch of B pictures lies picture by picture, their pixels row by row: row b·P + p is pixel p of picture b. The
// cells that are attended to lie by cell instead, as the steps of sequences do: row j·B + b is cell j of picture b.
#pragma once

#include "learn/operations.h"

namespace limelight::learn {

template <class Scalar>
Value relu(Tape<Scalar>& tape, Value a);

template <class Scalar>
Value scale(Tape<Scalar>& tape, Value a, Scalar factor);

// Of square pictures and square kernels.
struct Window {
  int side = 0;    // of the picture
  int kernel = 1;  // of the window
  int stride = 1;
  int padding = 0;  // zeros around the picture

  [[nodiscard]] int out() const { return (side + 2 * padding - kernel) / stride + 1; }
};

enum class Layout { by_picture, by_cell };

// The windows of a convolution as rows ("im2col"): x: [B·side², C] → [B·out², kernel²·C], a window's pixels row by row.
// Its product with weights [kernel²·C, N] is the convolution.
template <class Scalar>
Value unfold(Tape<Scalar>& tape, Value x, const Window& window, Layout layout);

// Xu et al. 2015, eq. 14, with the mean T/L in place of 1: over all words of a caption every cell should get as much.
//   Σ_i (T/L − Σ_t a_ti)², the mean over the pictures
// weights: [T·B, L], by step; lengths: T of each picture, which outlive the step  → [1, 1]
template <class Scalar>
Value coverage_penalty(Tape<Scalar>& tape, Value weights, std::span<const int> lengths);

// What was sampled, one of L places at each step, and what came of it.
struct Choices {
  std::span<const int> places;         // [T·B] the place at each step; below 0 where there is no word
  std::span<const double> advantages;  // [T·B] reward less baseline
};

// A loss whose gradient is the estimator of Xu et al. 2015, eq. 12 (Williams 1992), less what flows through the words:
//   −(1/N) Σ (λ_r · advantage · ∂ ln a_place + λ_e ∂ H[a]) over the N steps with a word, H the entropy in nats
// weights: [T·B, L]; the choices outlive the step  → [1, 1]
template <class Scalar>
Value choice_loss(Tape<Scalar>& tape, Value weights, const Choices& choices, double reward_weight,
                  double entropy_weight);

}  // namespace limelight::learn
