#include "core/feature_wise.h"

#include <cassert>
#include <cmath>

#include "core/product.h"

namespace limelight {

using Eigen::Index;

template <class Scalar>
FeatureWise<Scalar> feature_wise(const ConstMatrixRefOf<Scalar>& hidden,
                                 const ConstMatrixRefOf<Scalar>& encoder_outputs, const ConstMatrixRefOf<Scalar>& w,
                                 const ConstMatrixRefOf<Scalar>& bias) {
  assert(hidden.rows() == 1 && bias.rows() == 1 && encoder_outputs.rows() > 0);
  assert(w.rows() == hidden.cols() && w.cols() == encoder_outputs.cols() && bias.cols() == encoder_outputs.cols());
  const MatrixOf<Scalar> projected = product<Scalar>(hidden, w) + bias;
  FeatureWise<Scalar> steps;
  steps.scores = (encoder_outputs.rowwise() + projected.row(0)).array().tanh();
  steps.weights = steps.scores.array().exp();  // between 1/e and e: no maximum need be subtracted
  const MatrixOf<Scalar> sums = steps.weights.colwise().sum();
  steps.weights.array().rowwise() /= sums.row(0).array();
  return steps;
}

template <class Scalar>
FeatureWise<Scalar> feature_wise_naive(const ConstMatrixRefOf<Scalar>& hidden,
                                       const ConstMatrixRefOf<Scalar>& encoder_outputs,
                                       const ConstMatrixRefOf<Scalar>& w, const ConstMatrixRefOf<Scalar>& bias) {
  FeatureWise<Scalar> steps{MatrixOf<Scalar>(encoder_outputs.rows(), encoder_outputs.cols()),
                            MatrixOf<Scalar>(encoder_outputs.rows(), encoder_outputs.cols())};
  for (Index h = 0; h < encoder_outputs.cols(); ++h) {
    Scalar projected = bias(0, h);
    for (Index d = 0; d < hidden.cols(); ++d) projected += hidden(0, d) * w(d, h);
    Scalar sum = 0;
    for (Index j = 0; j < encoder_outputs.rows(); ++j) {
      steps.scores(j, h) = std::tanh(projected + encoder_outputs(j, h));
      sum += std::exp(steps.scores(j, h));
    }
    for (Index j = 0; j < encoder_outputs.rows(); ++j) steps.weights(j, h) = std::exp(steps.scores(j, h)) / sum;
  }
  return steps;
}

template <class Scalar>
FeatureWiseGradients<Scalar> feature_wise_backward(const ConstMatrixRefOf<Scalar>& hidden,
                                                   const ConstMatrixRefOf<Scalar>& encoder_outputs,
                                                   const ConstMatrixRefOf<Scalar>& w,
                                                   const ConstMatrixRefOf<Scalar>& bias,
                                                   const ConstMatrixRefOf<Scalar>& grad_weights) {
  assert(grad_weights.rows() == encoder_outputs.rows() && grad_weights.cols() == encoder_outputs.cols());
  const FeatureWise<Scalar> steps = feature_wise<Scalar>(hidden, encoder_outputs, w, bias);
  const MatrixOf<Scalar> means = steps.weights.cwiseProduct(grad_weights).colwise().sum();  // [1, H]
  FeatureWiseGradients<Scalar> grad;
  grad.encoder_outputs =
      steps.weights.array() * (grad_weights.rowwise() - means.row(0)).array() * (1 - steps.scores.array().square());
  grad.bias = grad.encoder_outputs.colwise().sum();
  grad.w = product<Scalar>(hidden, grad.bias, {.transpose_a = true});
  grad.hidden = product<Scalar>(grad.bias, w, {.transpose_b = true});
  return grad;
}

#define LIMELIGHT_INSTANTIATE(Scalar)                                                                                  \
  template FeatureWise<Scalar> feature_wise<Scalar>(const ConstMatrixRefOf<Scalar>&, const ConstMatrixRefOf<Scalar>&,  \
                                                    const ConstMatrixRefOf<Scalar>&, const ConstMatrixRefOf<Scalar>&); \
  template FeatureWise<Scalar> feature_wise_naive<Scalar>(                                                             \
      const ConstMatrixRefOf<Scalar>&, const ConstMatrixRefOf<Scalar>&, const ConstMatrixRefOf<Scalar>&,               \
      const ConstMatrixRefOf<Scalar>&);                                                                                \
  template FeatureWiseGradients<Scalar> feature_wise_backward<Scalar>(                                                 \
      const ConstMatrixRefOf<Scalar>&, const ConstMatrixRefOf<Scalar>&, const ConstMatrixRefOf<Scalar>&,               \
      const ConstMatrixRefOf<Scalar>&, const ConstMatrixRefOf<Scalar>&);
LIMELIGHT_INSTANTIATE(float)
LIMELIGHT_INSTANTIATE(double)
#undef LIMELIGHT_INSTANTIATE

}  // namespace limelight
