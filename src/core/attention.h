// Attention of queries over keys and values, every intermediate kept (Vaswani et al. 2017, eq. 1, and its relatives):
//   positions → scores → · scale (+ linear bias) → / temperature → mask → normalizer → weights → · values
#pragma once

#include <cstdint>
#include <map>

#include "core/mask.h"
#include "core/matrix.h"
#include "core/normalize.h"
#include "core/position.h"
#include "core/score.h"

namespace limelight {

struct AttentionOptions {
  Score score = Score::dot;
  double scale = 1;        // multiplies the scores; 1/√D in the paper
  double temperature = 1;  // divides the scaled and biased scores; above 0
  Mask mask = {};
  Normalizer normalizer = Normalizer::softmax;
  std::uint64_t seed = 0;  // of gumbel
  Positions positions = Positions::none;
  double slope = 0;  // of linear_bias
};

// What is learned; only what the options use is filled.
template <class Scalar>
struct AttentionParameters {
  ScoreParameters<Scalar> score = {};
  MatrixOf<Scalar> positions = {};  // [at least max(T, S), D]: Positions::learned
};

// T queries, S keys, D key size, V value size.
template <class Scalar>
struct AttentionSteps {
  MatrixOf<Scalar> query;         // [T, D_q] with positions; empty without
  MatrixOf<Scalar> key;           // [S, D_k] with positions; empty without
  MatrixOf<Scalar> scores;        // [T, S]
  MatrixOf<Scalar> scaled;        // [T, S] (scores · scale + bias) / temperature; −∞ where masked
  MatrixOf<Scalar> maximum;       // [T, 1] of each row of scaled
  MatrixOf<Scalar> shifted;       // [T, S] scaled − maximum
  MatrixOf<Scalar> exponentials;  // [T, S] exp(shifted); 0 where masked
  MatrixOf<Scalar> sum;           // [T, 1] of each row of exponentials
  MatrixOf<Scalar> weights;       // [T, S]; softmax: exponentials / sum; a fully masked row is all 0
  MatrixOf<Scalar> output;        // [T, V] weights V
};  // maximum, shifted, exponentials and sum are softmax's own; empty with another normalizer

// query: [T, D_q]  key: [S, D_k]  value: [S, V]; all sizes at least 1; the score says which sizes must agree.
template <class Scalar>
AttentionSteps<Scalar> attend_traced(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                                     const ConstMatrixRefOf<Scalar>& value, const AttentionOptions& options,
                                     const AttentionParameters<Scalar>& parameters = {});

// Softmax's steps from `scaled` on, in place: for scores that come from elsewhere, or a softmax to be looked at.
template <class Scalar>
void softmax_steps(AttentionSteps<Scalar>& steps);

// Sets some weights of one row, by column, and rescales the others so that the row still sums to 1; those keep their
// proportions, and share equally when they were all 0. The values that are set sum to at most 1, and to 1 when they are
// the whole row.
// Only the first `shared` columns share: the others are masked and stay as they are.
void set_weights(Matrix& weights, int row, const std::map<int, float>& values, int shared);

// The output alone by the definition, one sum at a time, from the naive twins of each part: what the tests pit against
// the kernels. query: [T, D_q]  key: [S, D_k]  value: [S, V]  output: [T, V]
template <class Scalar>
MatrixOf<Scalar> attend_naive(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                              const ConstMatrixRefOf<Scalar>& value, const AttentionOptions& options,
                              const AttentionParameters<Scalar>& parameters = {});

// Of a loss, each as large as what it belongs to; empty where that is empty.
template <class Scalar>
struct AttentionGradients {
  MatrixOf<Scalar> query, key, value;
  AttentionParameters<Scalar> parameters;
};

// grad_output: [T, V], the loss's gradient with respect to the output. `steps` are what attend_traced returned for the
// same arguments (weights are read, and query and key with positions). With a hard normalizer only `value` gets a
// gradient; the others are 0.
template <class Scalar>
AttentionGradients<Scalar> attend_backward(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                                           const ConstMatrixRefOf<Scalar>& value, const AttentionOptions& options,
                                           const AttentionParameters<Scalar>& parameters,
                                           const AttentionSteps<Scalar>& steps,
                                           const ConstMatrixRefOf<Scalar>& grad_output);

}  // namespace limelight
