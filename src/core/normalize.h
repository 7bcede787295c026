// From scores to weights: each row becomes non-negative and sums to 1.
#pragma once

#include <cstdint>

#include "core/matrix.h"

namespace limelight {

enum class Normalizer {
  softmax,    // exp(s_j) / Σ exp(s)
  hard,       // 1 for the largest score, the lowest index among equals (also those that scaling made equal); 0 for the
              // others
  gumbel,     // hard, of the scores plus Gumbel noise: a sample of softmax (Gumbel 1954; Jang et al. 2017, eq. 1)
  sparsemax,  // the projection onto the simplex (Martins & Astudillo 2016, algorithm 1)
  entmax15,   // 1.5-entmax (Peters et al. 2019, algorithm 2): between softmax and sparsemax
};

// Whether the weights change with the scores. hard and gumbel do not almost everywhere: their gradient is 0.
constexpr bool is_soft(Normalizer normalizer) {
  return normalizer != Normalizer::hard && normalizer != Normalizer::gumbel;
}

// scores: [T, S], finite or −∞ (masked: its weight is exactly 0). A row that is −∞ throughout becomes all 0.
// gumbel adds −ln(−ln u), u from `seed`, row by row, for masked columns too; u = (⌊bits / 2¹²⌋ + 1/2) / 2⁵² is never 0
// and never 1.
template <class Scalar>
MatrixOf<Scalar> normalize(Normalizer normalizer, const ConstMatrixRefOf<Scalar>& scores, std::uint64_t seed = 0);

// The twin, from other formulas where there are any: gumbel is a race of exponential times −ln u / exp(s), sparsemax
// and entmax15 find their threshold by bisection.
template <class Scalar>
MatrixOf<Scalar> normalize_naive(Normalizer normalizer, const ConstMatrixRefOf<Scalar>& scores, std::uint64_t seed = 0);

// The loss's gradient with respect to the scores [T, S], from the weights and the loss's gradient with respect to them.
// w ⊙ (g − w·g / Σ w) with w = a for softmax, 1 on the support of sparsemax (Martins & Astudillo 2016), √a for entmax15
// (Peters et al. 2019), and 0 elsewhere. Zero for hard and gumbel, and where masked.
template <class Scalar>
MatrixOf<Scalar> normalize_backward(Normalizer normalizer, const ConstMatrixRefOf<Scalar>& weights,
                                    const ConstMatrixRefOf<Scalar>& grad_weights);

}  // namespace limelight
