// How well a query and a key fit: the scoring functions, their gradients, their twins.
#pragma once

#include "core/matrix.h"

namespace limelight {

enum class Score {
  dot,     // q·k (Luong et al. 2015, "dot"; times 1/√D: Vaswani et al. 2017, eq. 1); D_q = D_k
  cosine,  // q·k / (|q| |k|); 0 where either is a zero vector, with gradient 0 there (Graves et al. 2014, eq. 6); D_q =
           // D_k
  general,   // q W kᵀ (Luong et al. 2015, "general")
  additive,  // v · tanh(q W_query + k W_key + b) (Bahdanau et al. 2015, appendix A.1.2)
};

// What is learned with a score; only those that it uses are filled.
template <class Scalar>
struct ScoreParameters {
  MatrixOf<Scalar> w_general = {};  // [D_q, D_k]: general
  MatrixOf<Scalar> w_query = {};    // [D_q, H]: additive
  MatrixOf<Scalar> w_key = {};      // [D_k, H]: additive
  MatrixOf<Scalar> v = {};          // [H, 1]: additive
  MatrixOf<Scalar> bias = {};       // [1, H]: additive; empty counts as 0
};

// query: [T, D_q]  key: [S, D_k]  → [T, S]
template <class Scalar>
MatrixOf<Scalar> score(Score kind, const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                       const ScoreParameters<Scalar>& parameters = {});

// The same by the definition, one sum at a time.
template <class Scalar>
MatrixOf<Scalar> score_naive(Score kind, const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                             const ScoreParameters<Scalar>& parameters = {});

// Of a loss, each as large as what it belongs to; empty where that is empty.
template <class Scalar>
struct ScoreGradients {
  MatrixOf<Scalar> query, key;
  ScoreParameters<Scalar> parameters;
};

// grad_scores: [T, S], the loss's gradient with respect to what score() returned.
template <class Scalar>
ScoreGradients<Scalar> score_backward(Score kind, const ConstMatrixRefOf<Scalar>& query,
                                      const ConstMatrixRefOf<Scalar>& key, const ScoreParameters<Scalar>& parameters,
                                      const ConstMatrixRefOf<Scalar>& grad_scores);

}  // namespace limelight
