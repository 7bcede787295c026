#include "core/normalize.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <vector>

#include "core/random.h"
#include "core/sort.h"

namespace limelight {
namespace {

// Everything but softmax works on one row in double, whatever the scores are: a threshold depends on sums over the row,
// which may have 10,000 entries.
using Row = Eigen::RowVectorXd;

template <class Scalar>
void softmax(Eigen::Ref<Eigen::RowVector<Scalar, Eigen::Dynamic>> row) {
  const Scalar maximum = row.maxCoeff();
  // std::exp, since Eigen's vectorised one gives a denormal instead of 0 for −∞.
  for (Scalar& entry : row) entry = std::exp(entry - maximum);
  row /= static_cast<Scalar>(row.template cast<double>().sum());
}

Eigen::Index first_largest(const Row& scores) {
  Eigen::Index first = 0;
  for (Eigen::Index j = 1; j < scores.size(); ++j)
    if (scores[j] > scores[first]) first = j;
  return first;
}

// In (0, 1), neither end included: the middle of one of 2⁵² equal parts.
double open_uniform(Random& random) { return (static_cast<double>(random.bits() >> 12U) + 0.5) * 0x1.0p-52; }

Row exponential_times(Eigen::Index n, Random& random) {
  Row times(n);
  for (double& time : times) time = -std::log(open_uniform(random));
  return times;
}

// sparsemax is max(z − τ, 0) and entmax15 max(z/2 − τ, 0)², with the τ at which the row sums to 1. With the largest
// entry shifted to 0, which changes nothing, τ lies in [−1, 0]: at −1 that entry alone weighs 1.
Row shift(Normalizer normalizer, const Row& scores) {
  return (scores.array() - scores.maxCoeff()) * (normalizer == Normalizer::sparsemax ? 1 : 0.5);
}
Row above(Normalizer normalizer, const Row& shifted, double threshold) {
  Row weights = (shifted.array() - threshold).max(0);
  if (normalizer == Normalizer::entmax15) weights = weights.array().square();
  return weights;
}

// In descending order, an entry belongs to the support as long as those before it weigh less than 1 above it. Of these
// the mean and the squared deviations are kept: a difference of sums of squares would lose its digits.
double exact_threshold(Normalizer normalizer, const Row& shifted) {
  const bool sparsemax = normalizer == Normalizer::sparsemax;
  std::vector<double> sorted;
  sorted.reserve(static_cast<std::size_t>(shifted.size()));
  std::ranges::copy_if(shifted, std::back_inserter(sorted), [](double entry) { return entry > -1; });
  heap_sort(sorted, std::greater());
  double count = 0, mean = 0, deviations = 0;
  for (const double entry : sorted) {
    const double gap = mean - entry;
    if ((sparsemax ? count * gap : deviations + count * gap * gap) >= 1) break;
    deviations += gap * gap * count / (count + 1);
    mean -= gap / (count + 1);
    ++count;
  }
  return mean - (sparsemax ? 1 / count : std::sqrt((1 - deviations) / count));
}

double bisected_threshold(Normalizer normalizer, const Row& shifted) {
  double low = -1, high = 0;
  for (int step = 0; step < 60; ++step) {  // 2⁻⁶⁰: far below the rounding of the sum
    const double middle = (low + high) / 2;
    (above(normalizer, shifted, middle).sum() < 1 ? high : low) = middle;
  }
  return low;
}

Row naive_row(Normalizer normalizer, const Row& scores, const Row& times) {
  const double maximum = scores.maxCoeff();
  Row weights(scores.size());
  for (Eigen::Index j = 0; j < scores.size(); ++j) weights[j] = std::exp(scores[j] - maximum);
  switch (normalizer) {
    case Normalizer::softmax: {
      double sum = 0;
      for (const double weight : weights) sum += weight;
      return weights / sum;
    }
    case Normalizer::hard:
      for (Eigen::Index j = 0; j < scores.size(); ++j)
        weights[j] = scores[j] == maximum && (j == 0 || scores.head(j).maxCoeff() < maximum) ? 1 : 0;
      return weights;
    case Normalizer::gumbel: {  // the first to arrive, each at its exponential time divided by its rate
      Eigen::Index first = 0;
      for (Eigen::Index j = 1; j < scores.size(); ++j)
        if (times[j] / weights[j] < times[first] / weights[first]) first = j;
      return Row::Unit(scores.size(), first);
    }
    case Normalizer::sparsemax:
    case Normalizer::entmax15:
      break;
  }
  const Row shifted = shift(normalizer, scores);
  return above(normalizer, shifted, bisected_threshold(normalizer, shifted));
}

}  // namespace

template <class Scalar>
MatrixOf<Scalar> normalize(Normalizer normalizer, const ConstMatrixRefOf<Scalar>& scores, std::uint64_t seed) {
  assert(scores.cols() > 0);
  MatrixOf<Scalar> weights = scores;
  Random random(seed);
  for (auto row : weights.rowwise()) {
    Row noise;
    if (normalizer == Normalizer::gumbel) noise = -exponential_times(row.size(), random).array().log();
    if (row.maxCoeff() == -std::numeric_limits<Scalar>::infinity()) {
      row.setZero();
      continue;
    }
    if (normalizer == Normalizer::softmax) {
      softmax<Scalar>(row);
      continue;
    }
    const Row exact = row.template cast<double>();
    if (is_soft(normalizer)) {
      const Row shifted = shift(normalizer, exact);
      row = above(normalizer, shifted, exact_threshold(normalizer, shifted)).template cast<Scalar>();
    } else {
      row.setZero();
      row[first_largest(normalizer == Normalizer::hard ? exact : exact + noise)] = 1;
    }
  }
  return weights;
}

template <class Scalar>
MatrixOf<Scalar> normalize_naive(Normalizer normalizer, const ConstMatrixRefOf<Scalar>& scores, std::uint64_t seed) {
  MatrixOf<Scalar> weights = MatrixOf<Scalar>::Zero(scores.rows(), scores.cols());
  Random random(seed);
  for (Eigen::Index i = 0; i < scores.rows(); ++i) {
    const Row row = scores.row(i).template cast<double>();
    // Drawn for a fully masked row too.
    const Row times = normalizer == Normalizer::gumbel ? exponential_times(row.size(), random) : Row();
    if (row.maxCoeff() > -std::numeric_limits<double>::infinity())
      weights.row(i) = naive_row(normalizer, row, times).template cast<Scalar>();
  }
  return weights;
}

template <class Scalar>
MatrixOf<Scalar> normalize_backward(Normalizer normalizer, const ConstMatrixRefOf<Scalar>& weights,
                                    const ConstMatrixRefOf<Scalar>& grad_weights) {
  assert(weights.rows() == grad_weights.rows() && weights.cols() == grad_weights.cols());
  MatrixOf<Scalar> grad_scores = MatrixOf<Scalar>::Zero(weights.rows(), weights.cols());
  if (!is_soft(normalizer)) return grad_scores;
  for (Eigen::Index i = 0; i < weights.rows(); ++i) {
    const Row a = weights.row(i).template cast<double>();
    const Row g = grad_weights.row(i).template cast<double>();
    Row w = a;
    if (normalizer == Normalizer::sparsemax) w = (a.array() > 0).template cast<double>();
    if (normalizer == Normalizer::entmax15) w = a.cwiseSqrt();
    const double sum = w.sum();
    if (sum > 0) grad_scores.row(i) = (w.array() * (g.array() - w.dot(g) / sum)).template cast<Scalar>();
  }
  return grad_scores;
}

template MatrixOf<float> normalize<float>(Normalizer, const ConstMatrixRefOf<float>&, std::uint64_t);
template MatrixOf<double> normalize<double>(Normalizer, const ConstMatrixRefOf<double>&, std::uint64_t);
template MatrixOf<float> normalize_naive<float>(Normalizer, const ConstMatrixRefOf<float>&, std::uint64_t);
template MatrixOf<double> normalize_naive<double>(Normalizer, const ConstMatrixRefOf<double>&, std::uint64_t);
template MatrixOf<float> normalize_backward<float>(Normalizer, const ConstMatrixRefOf<float>&,
                                                   const ConstMatrixRefOf<float>&);
template MatrixOf<double> normalize_backward<double>(Normalizer, const ConstMatrixRefOf<double>&,
                                                     const ConstMatrixRefOf<double>&);

}  // namespace limelight
