#include "cli/attend.h"
#include "core/fused.h"
#include "core/range.h"

namespace limelight::cli {
namespace {

using Eigen::Index;

Error too_large(std::string_view what) {
  return {std::string(what) + " are too large for float32, which ends at 3.4e38; smaller numbers are needed."};
}

Error scores_too_large(const AttendRequest& request) {
  return too_large("The scores of " + std::string(request.query) + " and " + std::string(request.key));
}

Result<void> compute_fused(const AttendRequest& request, const AttendProblem& problem, const AttendEntry& entry,
                           const AttentionOptions& options, AttendResults& results) {
  const Index heads = problem.layer.heads;
  const LayerInputs<float>& in = entry.inputs;
  const Index size = in.query.cols() / heads, value_size = in.value.cols() / heads;
  Matrix output(in.query.rows(), in.value.cols());
  for (Index h = 0; h < heads; ++h) {
    AttentionOptions own = options;
    if (own.positions != Positions::linear_bias) own.positions = Positions::none;  // the others are in query and key
    own.slope = linear_bias_slope(static_cast<int>(h) + 1, static_cast<int>(heads));
    const Matrix query = with_positions<float>(in.query.middleCols(h * size, size), options.positions, Matrix());
    const Matrix key = with_positions<float>(in.key.middleCols(h * size, size), options.positions, Matrix());
    if (!dot_scores_stay_finite(query, key, own)) return std::unexpected(scores_too_large(request));
    output.middleCols(h * value_size, value_size) =
        attend_fused(query, key, in.value.middleCols(h * value_size, value_size), own);
  }
  results.outputs.push_back(std::move(output));
  return {};
}

Result<void> compute_traced(const AttendRequest& request, const AttendProblem& problem, const AttendEntry& entry,
                            const AttentionOptions& options, AttendResults& results, AttendSummary& summary) {
  const LayerSteps<float> steps = multi_head<float>(entry.inputs, problem.layer, options);
  if (!scores_stay_finite(steps, options)) return std::unexpected(scores_too_large(request));
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
  if (!factor_stays_finite(problem.options))
    return fail(
        "The scale divided by the temperature is beyond float32, which ends at 3.4e38; a smaller --scale or a "
        "larger --temperature is needed.");
  AttendResults results;
  AttendSummary summary(request, problem);
  for (std::size_t b = 0; b < problem.entries.size(); ++b) {
    const AttendEntry& entry = problem.entries[b];
    AttentionOptions options = problem.options;
    options.mask = entry.mask;
    options.seed += b * static_cast<std::size_t>(problem.layer.heads);  // a head's seed is this plus its number
    results.blind.push_back(entry.mask.blind(problem.queries(), problem.keys()));
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
