#include "core/attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/product.h"

namespace limelight {
namespace {

// Whether queries and keys change; linear_bias changes the scores.
bool moves_tokens(Positions positions) { return positions != Positions::none && positions != Positions::linear_bias; }

template <class Scalar>
void check_arguments([[maybe_unused]] const ConstMatrixRefOf<Scalar>& query,
                     [[maybe_unused]] const ConstMatrixRefOf<Scalar>& key,
                     [[maybe_unused]] const ConstMatrixRefOf<Scalar>& value,
                     [[maybe_unused]] const AttentionOptions& options) {
  assert(query.size() > 0 && key.size() > 0 && value.size() > 0 && key.rows() == value.rows());
  assert(options.temperature > 0);
  [[maybe_unused]] const auto shape = options.mask.shape();
  assert(!shape || (shape->first == query.rows() && shape->second == key.rows()));
}

// x: [n, D] queries or keys; table: [at least n, D], of learned positions.
template <class Scalar>
MatrixOf<Scalar> with_positions(const ConstMatrixRefOf<Scalar>& x, Positions positions,
                                const ConstMatrixRefOf<Scalar>& table) {
  const int n = static_cast<int>(x.rows());
  switch (positions) {
    case Positions::sinusoidal:
      return x + sinusoidal<Scalar>(n, static_cast<int>(x.cols()));
    case Positions::learned:
      assert(table.rows() >= n && table.cols() == x.cols());
      return x + table.topRows(n);
    case Positions::rotary:
      return rotate<Scalar>(x);
    case Positions::none:
    case Positions::linear_bias:
      break;
  }
  return x;
}

template <class Scalar>
MatrixOf<Scalar> with_positions_naive(const ConstMatrixRefOf<Scalar>& x, Positions positions,
                                      const ConstMatrixRefOf<Scalar>& table) {
  if (positions == Positions::rotary) return rotate_naive<Scalar>(x);
  MatrixOf<Scalar> moved = x;
  for (int p = 0; p < x.rows(); ++p)
    for (int d = 0; d < x.cols(); ++d) {
      const double angle = p / std::pow(10000.0, static_cast<double>(d / 2 * 2) / static_cast<double>(x.cols()));
      if (positions == Positions::sinusoidal)
        moved(p, d) += static_cast<Scalar>(d % 2 == 0 ? std::sin(angle) : std::cos(angle));
      if (positions == Positions::learned) moved(p, d) += table(p, d);
    }
  return moved;
}

// −∞ where the mask forbids, whatever stood there.
template <class Scalar>
void forbid(const Mask& mask, MatrixOf<Scalar>& scaled) {
  constexpr Scalar minus_infinity = -std::numeric_limits<Scalar>::infinity();
  const int keys = static_cast<int>(scaled.cols());
  const bool is_ranges = mask.is_ranges();
  for (int i = 0; i < scaled.rows(); ++i) {
    const KeyRange range = mask.range(i, keys);
    const int begin = std::min(range.begin, keys);
    const int end = std::max(range.end, begin);
    scaled.row(i).head(begin).setConstant(minus_infinity);
    scaled.row(i).tail(keys - end).setConstant(minus_infinity);
    if (is_ranges) continue;
    for (int j = begin; j < end; ++j)
      if (!mask.allows(i, j)) scaled(i, j) = minus_infinity;
  }
}

}  // namespace

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
                                     const AttentionParameters<Scalar>& parameters) {
  check_arguments<Scalar>(query, key, value, options);
  AttentionSteps<Scalar> steps;
  if (moves_tokens(options.positions)) {
    steps.query = with_positions<Scalar>(query, options.positions, parameters.positions);
    steps.key = with_positions<Scalar>(key, options.positions, parameters.positions);
    steps.scores = score<Scalar>(options.score, steps.query, steps.key, parameters.score);
  } else {
    steps.scores = score<Scalar>(options.score, query, key, parameters.score);
  }
  steps.scaled = steps.scores * static_cast<Scalar>(options.scale / options.temperature);
  if (options.positions == Positions::linear_bias)
    steps.scaled += linear_bias<Scalar>(static_cast<int>(query.rows()), static_cast<int>(key.rows()),
                                        options.slope / options.temperature);
  forbid(options.mask, steps.scaled);
  if (options.normalizer == Normalizer::softmax)
    softmax_steps(steps);
  else
    steps.weights = normalize<Scalar>(options.normalizer, steps.scaled, options.seed);
  steps.output = product<Scalar>(steps.weights, value);
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
                              const AttentionParameters<Scalar>& parameters) {
  check_arguments<Scalar>(query, key, value, options);
  MatrixOf<Scalar> scores =
      score_naive<Scalar>(options.score, with_positions_naive<Scalar>(query, options.positions, parameters.positions),
                          with_positions_naive<Scalar>(key, options.positions, parameters.positions), parameters.score);
  for (int i = 0; i < scores.rows(); ++i)
    for (int j = 0; j < scores.cols(); ++j) {
      const double bias = options.positions == Positions::linear_bias ? -options.slope * std::abs(i - j) : 0;
      const double scaled = (static_cast<double>(scores(i, j)) * options.scale + bias) / options.temperature;
      scores(i, j) = options.mask.allows(i, j) ? static_cast<Scalar>(scaled) : -std::numeric_limits<Scalar>::infinity();
    }
  return product_naive<Scalar>(normalize_naive<Scalar>(options.normalizer, scores, options.seed), value);
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
