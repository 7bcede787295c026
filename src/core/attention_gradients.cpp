#include <cassert>
#include <utility>

#include "core/attention.h"
#include "core/product.h"

namespace limelight {

template <class Scalar>
AttentionGradients<Scalar> attend_backward(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                                           const ConstMatrixRefOf<Scalar>& value, const AttentionOptions& options,
                                           const AttentionParameters<Scalar>& parameters,
                                           const AttentionSteps<Scalar>& steps,
                                           const ConstMatrixRefOf<Scalar>& grad_output) {
  assert(grad_output.rows() == query.rows() && grad_output.cols() == value.cols());
  assert(steps.weights.rows() == query.rows() && steps.weights.cols() == key.rows());
  const MatrixOf<Scalar> grad_weights = product<Scalar>(grad_output, value, {.transpose_b = true});
  const MatrixOf<Scalar> grad_scores = normalize_backward<Scalar>(options.normalizer, steps.weights, grad_weights) *
                                       static_cast<Scalar>(options.scale / options.temperature);
  const ConstMatrixRefOf<Scalar> placed_query = steps.query.size() > 0 ? ConstMatrixRefOf<Scalar>(steps.query) : query;
  const ConstMatrixRefOf<Scalar> placed_key = steps.key.size() > 0 ? ConstMatrixRefOf<Scalar>(steps.key) : key;
  ScoreGradients<Scalar> score_gradients =
      score_backward<Scalar>(options.score, placed_query, placed_key, parameters.score, grad_scores);

  AttentionGradients<Scalar> grad;
  grad.value = product<Scalar>(steps.weights, grad_output, {.transpose_a = true});
  grad.query = std::move(score_gradients.query);
  grad.key = std::move(score_gradients.key);
  grad.parameters.score = std::move(score_gradients.parameters);
  grad.parameters.positions = MatrixOf<Scalar>::Zero(parameters.positions.rows(), parameters.positions.cols());
  if (options.positions == Positions::learned) {
    grad.parameters.positions.topRows(query.rows()) += grad.query;
    grad.parameters.positions.topRows(key.rows()) += grad.key;
  }
  if (options.positions == Positions::rotary) {
    grad.query = rotate<Scalar>(grad.query, -1);
    grad.key = rotate<Scalar>(grad.key, -1);
  }
  return grad;
}

template AttentionGradients<float> attend_backward<float>(const ConstMatrixRefOf<float>&,
                                                          const ConstMatrixRefOf<float>&,
                                                          const ConstMatrixRefOf<float>&, const AttentionOptions&,
                                                          const AttentionParameters<float>&,
                                                          const AttentionSteps<float>&, const ConstMatrixRefOf<float>&);
template AttentionGradients<double> attend_backward<double>(const ConstMatrixRefOf<double>&,
                                                            const ConstMatrixRefOf<double>&,
                                                            const ConstMatrixRefOf<double>&, const AttentionOptions&,
                                                            const AttentionParameters<double>&,
                                                            const AttentionSteps<double>&,
                                                            const ConstMatrixRefOf<double>&);

}  // namespace limelight
