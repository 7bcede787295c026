#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/attend.h"
#include "core/fused.h"

namespace limelight::cli {
namespace {

using Eigen::Index;

constexpr double kMostFloat = std::numeric_limits<float>::max();

Error too_large(std::string_view what) {
  return {std::string(what) + " are too large for float32, which ends at 3.4e38; smaller numbers are needed."};
}

// The queries to which the mask leaves no key.
std::vector<int> find_blind(const Mask& mask, int queries, int keys) {
  std::vector<int> blind;
  for (int i = 0; i < queries; ++i) {
    const KeyRange range = mask.range(i, keys);
    int j = range.begin;
    while (j < range.end && !mask.allows(i, j)) ++j;
    if (j >= range.end) blind.push_back(i);
  }
  return blind;
}

// Whether scores of this size stay finite on their way to the normalizer.
bool stays_finite(double largest_score, const AttendProblem& problem) {
  const AttentionOptions& options = problem.options;
  const double bias = options.positions == Positions::linear_bias ? std::max(problem.queries(), problem.keys()) : 0;
  const double scaled = largest_score * std::abs(options.scale) + bias;
  return scaled <= kMostFloat && scaled / options.temperature <= kMostFloat &&
         largest_score * std::abs(options.scale / options.temperature) <= kMostFloat;
}

Matrix positioned(const Matrix& x, Positions positions) {
  if (positions == Positions::sinusoidal)
    return x + sinusoidal<float>(static_cast<int>(x.rows()), static_cast<int>(x.cols()));
  return positions == Positions::rotary ? rotate<float>(x) : x;
}

// One head, without its weights. Nothing when a score might be too large.
std::optional<Matrix> attend_head_fused(const Matrix& query, const Matrix& key, const Matrix& value,
                                        AttentionOptions options, const AttendProblem& problem) {
  // No score is larger than the product of the lengths (Cauchy and Schwarz).
  const double largest =
      query.cast<double>().rowwise().norm().maxCoeff() * key.cast<double>().rowwise().norm().maxCoeff();
  if (!stays_finite(largest, problem)) return std::nullopt;
  if (options.positions != Positions::linear_bias) options.positions = Positions::none;  // the others are in the inputs
  return attend_fused(query, key, value, options);
}

Result<void> compute_fused(const AttendRequest& request, const AttendProblem& problem, const AttendEntry& entry,
                           const AttentionOptions& options, AttendResults& results) {
  const Index heads = problem.layer.heads;
  const LayerInputs<float>& in = entry.inputs;
  const Index size = in.query.cols() / heads, value_size = in.value.cols() / heads;
  Matrix output(in.query.rows(), in.value.cols());
  for (Index h = 0; h < heads; ++h) {
    AttentionOptions own = options;
    own.slope = linear_bias_slope(static_cast<int>(h) + 1, static_cast<int>(heads));
    const std::optional<Matrix> head =
        attend_head_fused(positioned(in.query.middleCols(h * size, size), options.positions),
                          positioned(in.key.middleCols(h * size, size), options.positions),
                          in.value.middleCols(h * value_size, value_size), own, problem);
    if (!head)
      return std::unexpected(
          too_large("The scores of " + std::string(request.query) + " and " + std::string(request.key)));
    output.middleCols(h * value_size, value_size) = *head;
  }
  results.outputs.push_back(std::move(output));
  return {};
}

Result<void> compute_traced(const AttendRequest& request, const AttendProblem& problem, const AttendEntry& entry,
                            const AttentionOptions& options, AttendResults& results, AttendSummary& summary) {
  const LayerSteps<float> steps = multi_head<float>(entry.inputs, problem.layer, options);
  for (const AttentionSteps<float>& head : steps.heads)
    if (!head.scores.allFinite() || !head.weights.allFinite() ||
        !stays_finite(head.scores.cwiseAbs().maxCoeff(), problem))
      return std::unexpected(
          too_large("The scores of " + std::string(request.query) + " and " + std::string(request.key)));
  if (!request.weights.empty()) {
    Matrix& weights = results.weights.emplace_back(problem.layer.heads * problem.queries(), problem.keys());
    for (int h = 0; h < problem.layer.heads; ++h)
      weights.middleRows(h * problem.queries(), problem.queries()) = steps.heads[static_cast<std::size_t>(h)].weights;
  }
  if (!request.summary.empty()) summary.add(steps, results.blind.back());
  if (request.asks_for_gradients()) {
    LayerInputs<float> gradients =
        multi_head_backward<float>(entry.inputs, problem.layer, options, steps, entry.gradient_output).inputs;
    if (!gradients.query.allFinite() || !gradients.key.allFinite() || !gradients.value.allFinite())
      return std::unexpected(too_large("The gradients from " + std::string(request.gradient_output)));
    results.grad_query.push_back(std::move(gradients.query));
    results.grad_key.push_back(std::move(gradients.key));
    results.grad_value.push_back(std::move(gradients.value));
  }
  results.outputs.push_back(steps.output);
  return {};
}

}  // namespace

Result<AttendResults> compute_attend(const AttendRequest& request, const AttendProblem& problem) {
  AttendResults results;
  AttendSummary summary(request, problem);
  for (std::size_t b = 0; b < problem.entries.size(); ++b) {
    const AttendEntry& entry = problem.entries[b];
    AttentionOptions options = problem.options;
    options.mask = entry.mask;
    options.seed += b * static_cast<std::size_t>(problem.layer.heads);  // a head's seed is this plus its number
    results.blind.push_back(find_blind(entry.mask, problem.queries(), problem.keys()));
    const Result<void> computed = request.fused ? compute_fused(request, problem, entry, options, results)
                                                : compute_traced(request, problem, entry, options, results, summary);
    if (!computed) return std::unexpected(computed.error());
    if (!results.outputs.back().allFinite())
      return std::unexpected(too_large("The mixed values of " + std::string(request.value)));
  }
  if (!request.summary.empty()) results.summary = summary.take();
  return results;
}

}  // namespace limelight::cli
