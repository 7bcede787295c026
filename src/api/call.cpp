#include "api/call.h"

#include <optional>
#include <utility>
#include <vector>

#include "core/fused.h"
#include "core/position.h"
#include "core/product.h"
#include "core/range.h"

namespace limelight {

namespace {

void restrict_to_allowed(Call& call) {
  if (call.allowed.size() == 0) return;
  call.options.mask = call.options.mask & Mask::allowed((call.allowed.array() != 0.F).matrix());
  call.allowed.resize(0, 0);
}

Matrix row_of(const std::vector<int>& numbers) {
  return Eigen::Map<const Eigen::RowVectorXi>(numbers.data(), static_cast<Eigen::Index>(numbers.size())).cast<float>();
}

// query: [T, heads · D]  key: [S, key_heads · D]  value: [S, key_heads · V]  → [T, heads · V]; nothing when a score
// might be too large.
std::optional<Matrix> attend_heads(Call& call, const ConstMatrixRef& query, const ConstMatrixRef& key,
                                   const ConstMatrixRef& value, bool keep_weights) {
  const int heads = call.weights.heads;
  const int key_heads = call.weights.key_heads;
  const Eigen::Index size = query.cols() / heads;
  const Eigen::Index value_size = value.cols() / key_heads;
  AttentionOptions options = call.options;
  if (options.positions != Positions::linear_bias) options.positions = Positions::none;  // in queries and keys already

  Matrix output(query.rows(), heads * value_size);
  if (keep_weights) call.attention_weights.resize(heads * query.rows(), key.rows());
  for (int h = 0; h < heads; ++h) {
    const int shared = h * key_heads / heads;
    const Matrix& table = call.weights.attention.positions;
    const Matrix q = with_positions<float>(query.middleCols(h * size, size), call.options.positions, table);
    const Matrix k = with_positions<float>(key.middleCols(shared * size, size), call.options.positions, table);
    const auto v = value.middleCols(shared * value_size, value_size);
    if (!dot_scores_stay_finite(q, k, options)) return std::nullopt;
    options.slope = linear_bias_slope(h + 1, heads);
    const int queries = static_cast<int>(q.rows());
    const auto head_output = output.middleCols(h * value_size, value_size);
    FusedAttention attention(k, v, options);
    if (keep_weights)
      attention.rows(q, 0, queries, head_output, call.attention_weights.middleRows(h * queries, queries));
    else
      attention.rows(q, 0, queries, head_output);
  }
  return output;
}

// An empty matrix leaves its input as it is.
Matrix projected(Matrix& input, const Matrix& weights) {
  return weights.size() > 0 ? product<float>(input, weights) : std::move(input);
}

}  // namespace

TooLarge attend(Call& call, bool keep_weights) {
  restrict_to_allowed(call);
  auto& [inputs, weights, options, allowed, output, attention_weights, masked, grad_output] = call;
  const Eigen::Index queries = inputs.query.rows(), keys = inputs.key.rows();
  masked = row_of(options.mask.blind(static_cast<int>(queries), static_cast<int>(keys)));
  if (options.score == Score::dot && options.normalizer == Normalizer::softmax) {
    std::optional<Matrix> side_by_side =
        attend_heads(call, projected(inputs.query, weights.w_q), projected(inputs.key, weights.w_k),
                     projected(inputs.value, weights.w_v), keep_weights);
    if (!side_by_side) return TooLarge::scores;
    output = projected(*side_by_side, weights.w_o);
  } else {
    LayerSteps<float> steps = multi_head(inputs, weights, options);
    if (!scores_stay_finite(steps, options)) return TooLarge::scores;
    output = std::move(steps.output);
    if (keep_weights) {
      attention_weights.resize(static_cast<Eigen::Index>(steps.heads.size()) * queries, keys);
      for (std::size_t h = 0; h < steps.heads.size(); ++h)
        attention_weights.middleRows(static_cast<Eigen::Index>(h) * queries, queries) = steps.heads[h].weights;
    }
  }
  return output.allFinite() ? TooLarge::nothing : TooLarge::output;
}

TooLarge gradients(Call& call) {
  restrict_to_allowed(call);
  const LayerSteps<float> steps = multi_head(call.inputs, call.weights, call.options);
  if (!scores_stay_finite(steps, call.options)) return TooLarge::scores;
  LayerGradients<float> found =
      multi_head_backward<float>(call.inputs, call.weights, call.options, steps, call.grad_output);
  call.inputs = std::move(found.inputs);
  call.weights = std::move(found.weights);
  AttentionParameters<float>& parameters = call.weights.attention;
  for (const Matrix* gradient :
       {&call.inputs.query, &call.inputs.key, &call.inputs.value, &call.weights.w_q, &call.weights.w_k,
        &call.weights.w_v, &call.weights.w_o, &parameters.positions, &parameters.score.w_general,
        &parameters.score.w_query, &parameters.score.w_key, &parameters.score.v, &parameters.score.bias})
    if (!gradient->allFinite()) return TooLarge::gradients;
  return TooLarge::nothing;
}

}  // namespace limelight
