// Scaled dot-product attention, every intermediate kept (Vaswani et al. 2017, eq. 1).
#pragma once

#include <map>

#include "core/matrix.h"

namespace limelight {

enum class Mask {
  none,
  causal,  // query i may see key j when j ≤ i; aligned at the top left also when the counts differ
};

struct AttentionOptions {
  double scale = 1;        // multiplies the scores; 1/√d_k in the paper
  double temperature = 1;  // divides the scaled scores; above 0
  Mask mask = Mask::none;
};

// T queries, S keys, D key size, V value size.
template <class Scalar>
struct AttentionSteps {
  MatrixOf<Scalar> scores;        // [T, S] Q Kᵀ
  MatrixOf<Scalar> scaled;        // [T, S] scores · scale / temperature; −∞ where masked
  MatrixOf<Scalar> maximum;       // [T, 1] of each row of scaled
  MatrixOf<Scalar> shifted;       // [T, S] scaled − maximum
  MatrixOf<Scalar> exponentials;  // [T, S] exp(shifted); 0 where masked
  MatrixOf<Scalar> sum;           // [T, 1] of each row of exponentials
  MatrixOf<Scalar> weights;       // [T, S] exponentials / sum; a fully masked row is all 0
  MatrixOf<Scalar> output;        // [T, V] weights V
};

// query: [T, D]  key: [S, D]  value: [S, V]; T, S, D, V at least 1.
template <class Scalar>
AttentionSteps<Scalar> attend_traced(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                                     const ConstMatrixRefOf<Scalar>& value, const AttentionOptions& options);

// The steps from `scaled` on, in place: for scores that come from elsewhere, or a softmax to be looked at.
template <class Scalar>
void softmax_steps(AttentionSteps<Scalar>& steps);

// Sets some weights of one row, by column, and rescales the others so that the row still sums to 1; those keep their
// proportions, and share equally when they were all 0. The values that are set sum to at most 1, and to 1 when they are
// the whole row.
// Only the first `shared` columns share: the others are masked and stay as they are.
void set_weights(Matrix& weights, int row, const std::map<int, float>& values, int shared);

// The output alone by the definition, one sum at a time: the twin that the tests pit against the kernels.
// query: [T, D]  key: [S, D]  value: [S, V]  output: [T, V]
template <class Scalar>
MatrixOf<Scalar> attend_naive(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                              const ConstMatrixRefOf<Scalar>& value, const AttentionOptions& options);

}  // namespace limelight
