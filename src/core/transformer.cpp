#include "core/transformer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "core/activation.h"
#include "core/fused.h"
#include "core/product.h"
#include "core/range.h"

namespace limelight {
namespace {

using Eigen::Index;

Matrix apply(const LinearView& linear, const ConstMatrixRef& x) {
  Matrix y = product<float>(x, linear.weight.map(), {.transpose_b = linear.transposed});
  y.rowwise() += linear.bias.map().row(0);
  return y;
}

Matrix apply(const NormView& norm, const ConstMatrixRef& x, double epsilon) {
  return layer_norm(x, norm.gain.map(), norm.bias.map(), epsilon);
}

// Q Kᵀ / √(D / H) of each head, its softmax, times V (Vaswani et al. 2017, eq. 1), and W_o. False where the scores of a
// head leave single precision.
bool attend(const ConstMatrixRef& x, const TransformerBlock& block, int layer, const TransformerOptions& options,
            Matrix& out, BlockSteps* steps) {
  const Matrix query = apply(block.query, x), key = apply(block.key, x), value = apply(block.value, x);
  const Index size = query.cols() / options.heads;
  const AttentionOptions attention{.scale = 1 / std::sqrt(static_cast<double>(size)),
                                   .mask = options.causal ? Mask::causal() : Mask::none()};
  Matrix heads(x.rows(), query.cols());
  for (int head = 0; head < options.heads; ++head) {
    const auto of_head = [&](const Matrix& all) { return all.middleCols(head * size, size); };
    if (!of_head(query).allFinite() || !of_head(key).allFinite() ||
        !dot_scores_stay_finite(of_head(query), of_head(key), attention))
      return false;
    WeightsAndOutput attended = attend_weights(of_head(query), of_head(key), of_head(value), attention);
    if (std::ranges::find(options.off, HeadPlace{layer, head}) == options.off.end())
      heads.middleCols(head * size, size) = attended.output;
    else
      heads.middleCols(head * size, size).setZero();
    if (steps != nullptr) steps->weights.push_back(std::move(attended.weights));
  }
  out = apply(block.output, heads);
  if (steps != nullptr) {
    steps->query = query;
    steps->key = key;
    steps->value = value;
  }
  return true;
}

Matrix feed_forward(const ConstMatrixRef& x, const TransformerBlock& block, Gelu gelu) {
  Matrix inner = apply(block.inner, x);
  gelu_in_place(inner.data(), inner.size(), gelu);
  return apply(block.outer, inner);
}

// x: [T, D] becomes what leaves the block. False where its scores leave single precision; other numbers that do so are
// found in the next block's queries, or at the end.
bool run_block(Matrix& x, const TransformerBlock& block, int layer, const TransformerOptions& options,
               BlockSteps* steps) {
  Matrix part;
  if (options.norm_first) {
    if (!attend(apply(block.attention_norm, x, options.epsilon), block, layer, options, part, steps)) return false;
    x += part;
    x += feed_forward(apply(block.inner_norm, x, options.epsilon), block, options.gelu);
  } else {
    if (!attend(x, block, layer, options, part, steps)) return false;
    x = apply(block.attention_norm, x + part, options.epsilon);
    x = apply(block.inner_norm, x + feed_forward(x, block, options.gelu), options.epsilon);
  }
  return true;
}

}  // namespace

void gelu_in_place(float* x, std::ptrdiff_t count, Gelu gelu) {
  if (gelu == Gelu::exact) {
    constexpr float kInverseRoot2 = 1 / std::numbers::sqrt2_v<float>;
    for (std::ptrdiff_t i = 0; i < count; ++i) x[i] *= 0.5F * (1 + std::erf(x[i] * kInverseRoot2));
    return;
  }
  const auto factor = static_cast<float>(std::sqrt(2 / std::numbers::pi));
  Eigen::Map<Eigen::ArrayXf> all(x, count);
  Eigen::ArrayXf inside = factor * (all + 0.044715F * all.cube());
  tanh_in_place(inside.data(), count);
  all *= 0.5F * (1 + inside);
}

Matrix layer_norm(const ConstMatrixRef& x, const ConstMatrixRef& gain, const ConstMatrixRef& bias, double epsilon) {
  assert(gain.cols() == x.cols() && bias.cols() == x.cols());
  Matrix out(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    const auto centred = (x.row(i).array() - x.row(i).mean()).eval();
    const auto variance = static_cast<double>(centred.square().mean());
    out.row(i) =
        (centred * static_cast<float>(1 / std::sqrt(variance + epsilon)) * gain.row(0).array() + bias.row(0).array())
            .matrix();
  }
  return out;
}

TransformerRun::TransformerRun(std::span<const int> tokens, TransformerWeights weights, TransformerOptions options,
                               bool keep)
    : weights_(std::move(weights)), options_(std::move(options)), keep_(keep) {
  const auto count = static_cast<Index>(tokens.size());
  assert(count >= 1 && count <= weights_.positions.rows);
  Matrix& x = steps_.hidden;
  x = weights_.positions.map().topRows(count);
  for (Index i = 0; i < count; ++i) {
    const int token = tokens[static_cast<std::size_t>(i)];
    assert(token >= 0 && token < weights_.tokens.rows);
    x.row(i) += weights_.tokens.map().row(token);
    if (!weights_.segments.empty()) x.row(i) += weights_.segments.map().row(0);
  }
  if (!weights_.embedding_norm.gain.empty()) x = apply(weights_.embedding_norm, x, options_.epsilon);
}

bool TransformerRun::step() {
  if (finished()) return false;
  const TransformerBlock& block = weights_.blocks[static_cast<std::size_t>(layer_)];
  BlockSteps* const kept = keep_ ? &steps_.blocks.emplace_back() : nullptr;
  steps_.finite = run_block(steps_.hidden, block, layer_, options_, kept);
  ++layer_;
  if (layer_ == static_cast<int>(weights_.blocks.size()) && steps_.finite) {
    if (!weights_.final_norm.gain.empty()) steps_.hidden = apply(weights_.final_norm, steps_.hidden, options_.epsilon);
    steps_.finite = steps_.hidden.allFinite();
  }
  return !finished();
}

TransformerSteps run_transformer(std::span<const int> tokens, const TransformerWeights& weights,
                                 const TransformerOptions& options, bool keep) {
  TransformerRun run(tokens, weights, options, keep);
  while (run.step()) {
  }
  return std::move(run.steps());
}

Matrix transformer_logits(const ConstMatrixRef& hidden, const TransformerWeights& weights,
                          const TransformerOptions& options) {
  assert(!weights.decoder.empty());
  const auto decode = [&](const ConstMatrixRef& x) {
    Matrix logits = product<float>(x, weights.decoder.map(), {.transpose_b = true});
    if (!weights.decoder_bias.empty()) logits.rowwise() += weights.decoder_bias.map().row(0);
    return logits;
  };
  if (weights.transform.weight.empty()) return decode(hidden);
  Matrix transformed = apply(weights.transform, hidden);
  gelu_in_place(transformed.data(), transformed.size(), options.gelu);
  return decode(apply(weights.transform_norm, transformed, options.epsilon));
}

}  // namespace limelight
