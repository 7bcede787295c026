#include "api/call.h"

#include <utility>
#include <vector>

#include "core/fused.h"
#include "core/position.h"
#include "core/product.h"

namespace limelight {

namespace {

void restrict_to_allowed(Call& call) {
  if (call.allowed.size() == 0) return;
  call.options.mask = call.options.mask & Mask::allowed((call.allowed.array() != 0.F).matrix());
  call.allowed.resize(0, 0);
}

Matrix fully_masked(const Mask& mask, int queries, int keys) {
  std::vector<float> found;
  for (int i = 0; i < queries; ++i) {
    const KeyRange range = mask.range(i, keys);
    int j = range.begin;
    while (j < range.end && !mask.allows(i, j)) ++j;
    if (j >= range.end) found.push_back(static_cast<float>(i));
  }
  return Eigen::Map<Matrix>(found.data(), 1, static_cast<Eigen::Index>(found.size()));
}

// query: [T, heads · D]  key: [S, key_heads · D]  value: [S, key_heads · V]  → [T, heads · V]
Matrix attend_heads(Call& call, const ConstMatrixRef& query, const ConstMatrixRef& key, const ConstMatrixRef& value,
                    bool keep_weights) {
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

void attend(Call& call, bool keep_weights) {
  restrict_to_allowed(call);
  auto& [inputs, weights, options, allowed, output, attention_weights, masked, grad_output] = call;
  masked = fully_masked(options.mask, static_cast<int>(inputs.query.rows()), static_cast<int>(inputs.key.rows()));
  if (options.score == Score::dot && options.normalizer == Normalizer::softmax) {
    Matrix side_by_side = attend_heads(call, projected(inputs.query, weights.w_q), projected(inputs.key, weights.w_k),
                                       projected(inputs.value, weights.w_v), keep_weights);
    output = projected(side_by_side, weights.w_o);
    return;
  }
  LayerSteps<float> steps = multi_head(inputs, weights, options);
  output = std::move(steps.output);
  if (!keep_weights) return;
  const Eigen::Index queries = inputs.query.rows();
  attention_weights.resize(static_cast<Eigen::Index>(steps.heads.size()) * queries, inputs.key.rows());
  for (std::size_t h = 0; h < steps.heads.size(); ++h)
    attention_weights.middleRows(static_cast<Eigen::Index>(h) * queries, queries) = steps.heads[h].weights;
}

void gradients(Call& call) {
  restrict_to_allowed(call);
  const LayerSteps<float> steps = multi_head(call.inputs, call.weights, call.options);
  LayerGradients<float> found =
      multi_head_backward<float>(call.inputs, call.weights, call.options, steps, call.grad_output);
  call.inputs = std::move(found.inputs);
  call.weights = std::move(found.weights);
}

}  // namespace limelight
