#include "core/range.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limelight {
namespace {

constexpr double kMostFloat = std::numeric_limits<float>::max();

// Of the longest row; not finite when an entry is not.
double largest_length(const ConstMatrixRef& x) {
  return x.cast<double>().rowwise().norm().maxCoeff<Eigen::PropagateNaN>();
}

}  // namespace

bool factor_stays_finite(const AttentionOptions& options) {
  return std::abs(options.scale / options.temperature) <= kMostFloat;
}

bool scores_stay_finite(double largest, const AttentionOptions& options, Eigen::Index queries, Eigen::Index keys) {
  const double farthest =
      options.positions == Positions::linear_bias ? static_cast<double>(std::max(queries, keys)) : 0;
  return factor_stays_finite(options) && largest <= kMostFloat &&
         largest * std::abs(options.scale / options.temperature) + farthest / options.temperature <= kMostFloat;
}

bool dot_scores_stay_finite(const ConstMatrixRef& query, const ConstMatrixRef& key, const AttentionOptions& options) {
  const double query_length = largest_length(query);
  // The kernels multiply the queries by the factor before they meet the keys.
  return query_length * std::abs(options.scale / options.temperature) <= kMostFloat &&
         scores_stay_finite(query_length * largest_length(key), options, query.rows(), key.rows());
}

bool scores_stay_finite(const LayerSteps<float>& steps, const AttentionOptions& options) {
  return std::ranges::all_of(steps.heads, [&](const AttentionSteps<float>& head) {
    return head.scores.allFinite() && head.weights.allFinite() &&
           scores_stay_finite(static_cast<double>(head.scores.cwiseAbs().maxCoeff()), options, head.scores.rows(),
                              head.scores.cols());
  });
}

}  // namespace limelight
