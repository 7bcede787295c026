// Feature-wise additive attention: a relative of the additive score, without a sum over the hidden features.
#pragma once

#include "core/matrix.h"

namespace limelight {

// Every feature of every position has a score and a weight of its own, and each feature's weights sum to 1 over the
// positions. S positions, H features.
template <class Scalar>
struct FeatureWise {
  MatrixOf<Scalar> scores;   // [S, H] tanh(hidden W + b + encoder outputs)
  MatrixOf<Scalar> weights;  // [S, H] softmax of each column
};

// hidden: [1, D]  encoder_outputs: [S, H]  w: [D, H]  bias: [1, H]
template <class Scalar>
FeatureWise<Scalar> feature_wise(const ConstMatrixRefOf<Scalar>& hidden,
                                 const ConstMatrixRefOf<Scalar>& encoder_outputs, const ConstMatrixRefOf<Scalar>& w,
                                 const ConstMatrixRefOf<Scalar>& bias);
template <class Scalar>
FeatureWise<Scalar> feature_wise_naive(const ConstMatrixRefOf<Scalar>& hidden,
                                       const ConstMatrixRefOf<Scalar>& encoder_outputs,
                                       const ConstMatrixRefOf<Scalar>& w, const ConstMatrixRefOf<Scalar>& bias);

template <class Scalar>
struct FeatureWiseGradients {
  MatrixOf<Scalar> hidden, encoder_outputs, w, bias;
};
// grad_weights: [S, H]
template <class Scalar>
FeatureWiseGradients<Scalar> feature_wise_backward(const ConstMatrixRefOf<Scalar>& hidden,
                                                   const ConstMatrixRefOf<Scalar>& encoder_outputs,
                                                   const ConstMatrixRefOf<Scalar>& w,
                                                   const ConstMatrixRefOf<Scalar>& bias,
                                                   const ConstMatrixRefOf<Scalar>& grad_weights);

}  // namespace limelight
