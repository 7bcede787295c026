#include "core/attention.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace limelight {

template <class Scalar>
void softmax_steps(AttentionSteps<Scalar>& steps) {
  const Scalar minus_infinity = -std::numeric_limits<Scalar>::infinity();
  steps.maximum = steps.scaled.rowwise().maxCoeff();
  steps.shifted.resizeLike(steps.scaled);
  for (Eigen::Index i = 0; i < steps.scaled.rows(); ++i) {
    // −∞ − (−∞) is not a number: a fully masked row is shifted by 0, so that it stays −∞ and its weights become 0.
    const Scalar shift = steps.maximum(i, 0) == minus_infinity ? Scalar(0) : steps.maximum(i, 0);
    steps.shifted.row(i) = steps.scaled.row(i).array() - shift;
  }
  // std::exp, since Eigen's vectorised one gives a denormal instead of 0 for −∞.
  steps.exponentials = steps.shifted.unaryExpr([](Scalar x) { return std::exp(x); });
  steps.sum = steps.exponentials.rowwise().sum();
  steps.weights.resizeLike(steps.scaled);
  for (Eigen::Index i = 0; i < steps.scaled.rows(); ++i) {
    const Scalar sum = steps.sum(i, 0);
    steps.weights.row(i) = steps.exponentials.row(i) / (sum > 0 ? sum : Scalar(1));
  }
}

template <class Scalar>
AttentionSteps<Scalar> attend_traced(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                                     const ConstMatrixRefOf<Scalar>& value, const AttentionOptions& options,
                                     const AttentionParameters<Scalar>&) {
  assert(query.cols() == key.cols() && key.rows() == value.rows());
  assert(query.size() > 0 && key.size() > 0 && value.size() > 0 && options.temperature > 0);
  AttentionSteps<Scalar> steps;
  steps.scores.noalias() = query * key.transpose();
  steps.scaled = steps.scores * static_cast<Scalar>(options.scale / options.temperature);
  for (int i = 0; i < steps.scaled.rows(); ++i)
    for (int j = 0; j < steps.scaled.cols(); ++j)
      if (!options.mask.allows(i, j)) steps.scaled(i, j) = -std::numeric_limits<Scalar>::infinity();
  softmax_steps(steps);
  steps.output.noalias() = steps.weights * value;
  return steps;
}

void set_weights(Matrix& weights, int row, const std::map<int, float>& values, int shared) {
  assert(values.empty() || values.rbegin()->first < shared);
  float rest = 1;
  for (const auto& [column, weight] : values) rest -= weight;
  // Summed, not 1 minus those that are set: beside a weight near 1 the difference would be all rounding.
  float others = 0;
  for (int j = 0; j < shared; ++j)
    if (!values.contains(j)) others += weights(row, j);
  rest = std::max(rest, 0.F);
  const float share = rest / static_cast<float>(std::max(shared - static_cast<int>(values.size()), 1));
  for (int j = 0; j < shared; ++j) {
    const auto set = values.find(j);
    if (set != values.end())
      weights(row, j) = set->second;
    else
      weights(row, j) = others > 0 ? weights(row, j) * rest / others : share;
  }
}

template <class Scalar>
MatrixOf<Scalar> attend_naive(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                              const ConstMatrixRefOf<Scalar>& value, const AttentionOptions& options,
                              const AttentionParameters<Scalar>&) {
  MatrixOf<Scalar> output = MatrixOf<Scalar>::Zero(query.rows(), value.cols());
  for (Eigen::Index i = 0; i < query.rows(); ++i) {
    const Eigen::Index visible = options.mask.range(static_cast<int>(i), static_cast<int>(key.rows())).end;
    const auto score = [&](Eigen::Index j) {
      Scalar dot = 0;
      for (Eigen::Index d = 0; d < query.cols(); ++d) dot += query(i, d) * key(j, d);
      return dot * static_cast<Scalar>(options.scale / options.temperature);
    };
    Scalar maximum = score(0);
    for (Eigen::Index j = 1; j < visible; ++j) maximum = std::max(maximum, score(j));
    Scalar sum = 0;
    for (Eigen::Index j = 0; j < visible; ++j) sum += std::exp(score(j) - maximum);
    for (Eigen::Index j = 0; j < visible; ++j) {
      const Scalar weight = std::exp(score(j) - maximum) / sum;
      for (Eigen::Index v = 0; v < value.cols(); ++v) output(i, v) += weight * value(j, v);
    }
  }
  return output;
}

template void softmax_steps(AttentionSteps<float>&);
template void softmax_steps(AttentionSteps<double>&);
template AttentionSteps<float> attend_traced<float>(const ConstMatrixRefOf<float>&, const ConstMatrixRefOf<float>&,
                                                    const ConstMatrixRefOf<float>&, const AttentionOptions&,
                                                    const AttentionParameters<float>&);
template AttentionSteps<double> attend_traced<double>(const ConstMatrixRefOf<double>&, const ConstMatrixRefOf<double>&,
                                                      const ConstMatrixRefOf<double>&, const AttentionOptions&,
                                                      const AttentionParameters<double>&);
template MatrixOf<float> attend_naive<float>(const ConstMatrixRefOf<float>&, const ConstMatrixRefOf<float>&,
                                             const ConstMatrixRefOf<float>&, const AttentionOptions&,
                                             const AttentionParameters<float>&);
template MatrixOf<double> attend_naive<double>(const ConstMatrixRefOf<double>&, const ConstMatrixRefOf<double>&,
                                               const ConstMatrixRefOf<double>&, const AttentionOptions&,
                                               const AttentionParameters<double>&);

}  // namespace limelight
