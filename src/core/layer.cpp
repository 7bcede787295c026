#include "core/layer.h"

#include <cassert>

#include "core/product.h"

namespace limelight {
namespace {

using Eigen::Index;

template <class Scalar>
MatrixOf<Scalar> project(const ConstMatrixRefOf<Scalar>& x, const MatrixOf<Scalar>& w) {
  return w.size() > 0 ? product<Scalar>(x, w) : MatrixOf<Scalar>(x);
}

// The gradients of x and w from that of project(x, w).
template <class Scalar>
void project_backward(const MatrixOf<Scalar>& x, const MatrixOf<Scalar>& w, const ConstMatrixRefOf<Scalar>& grad,
                      MatrixOf<Scalar>& grad_x, MatrixOf<Scalar>& grad_w) {
  if (w.size() == 0) {
    grad_x = grad;
    return;
  }
  grad_x = product<Scalar>(grad, w, {.transpose_b = true});
  grad_w = product<Scalar>(x, grad, {.transpose_a = true});
}

// Which columns of the projections belong to a head.
struct HeadColumns {
  Index query, key, value, output;         // where they begin
  Index query_size, key_size, value_size;  // how many they are
};

template <class Scalar>
HeadColumns head_columns(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K, const MatrixOf<Scalar>& V,
                         const LayerWeights<Scalar>& weights, int head) {
  assert(weights.heads >= 1 && weights.key_heads >= 1 && weights.heads % weights.key_heads == 0);
  assert(Q.cols() % weights.heads == 0 && K.cols() % weights.key_heads == 0 && V.cols() % weights.key_heads == 0);
  const Index query_size = Q.cols() / weights.heads;
  const Index key_size = K.cols() / weights.key_heads;
  const Index value_size = V.cols() / weights.key_heads;
  const Index key_head = head / (weights.heads / weights.key_heads);
  return {head * query_size, key_head * key_size, key_head * value_size, head * value_size, query_size,
          key_size,          value_size};
}

AttentionOptions head_options(AttentionOptions options, int head, int heads) {
  if (options.positions == Positions::linear_bias) options.slope = linear_bias_slope(head + 1, heads);
  options.seed += static_cast<std::uint64_t>(head);
  return options;
}

template <class Scalar>
LayerSteps<Scalar> layer(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                         const ConstMatrixRefOf<Scalar>& value, const LayerWeights<Scalar>& weights,
                         const AttentionOptions& options) {
  LayerSteps<Scalar> steps;
  steps.Q = project<Scalar>(query, weights.w_q);
  steps.K = project<Scalar>(key, weights.w_k);
  steps.V = project<Scalar>(value, weights.w_v);
  steps.concatenated.resize(query.rows(),
                            weights.heads * head_columns(steps.Q, steps.K, steps.V, weights, 0).value_size);
  for (int head = 0; head < weights.heads; ++head) {
    const HeadColumns at = head_columns(steps.Q, steps.K, steps.V, weights, head);
    const AttentionSteps<Scalar>& attended = steps.heads.emplace_back(attend_traced<Scalar>(
        steps.Q.middleCols(at.query, at.query_size), steps.K.middleCols(at.key, at.key_size),
        steps.V.middleCols(at.value, at.value_size), head_options(options, head, weights.heads), weights.attention));
    steps.concatenated.middleCols(at.output, at.value_size) = attended.output;
  }
  steps.output = project<Scalar>(steps.concatenated, weights.w_o);
  return steps;
}

// sum += term, where an empty sum is 0.
template <class Scalar>
void add(MatrixOf<Scalar>& sum, const MatrixOf<Scalar>& term) {
  if (sum.size() == 0)
    sum = term;
  else
    sum += term;
}

template <class Scalar>
void add(AttentionParameters<Scalar>& sum, const AttentionParameters<Scalar>& term) {
  using Parameters = ScoreParameters<Scalar>;
  for (const auto parameter :
       {&Parameters::w_general, &Parameters::w_query, &Parameters::w_key, &Parameters::v, &Parameters::bias})
    add(sum.score.*parameter, term.score.*parameter);
  add(sum.positions, term.positions);
}

}  // namespace

template <class Scalar>
LayerSteps<Scalar> multi_head(const LayerInputs<Scalar>& inputs, const LayerWeights<Scalar>& weights,
                              const AttentionOptions& options) {
  return layer<Scalar>(inputs.query, inputs.key, inputs.value, weights, options);
}

template <class Scalar>
MatrixOf<Scalar> multi_head_naive(const LayerInputs<Scalar>& inputs, const LayerWeights<Scalar>& weights,
                                  const AttentionOptions& options) {
  const auto projected = [](const MatrixOf<Scalar>& x, const MatrixOf<Scalar>& w) {
    return w.size() > 0 ? product_naive<Scalar>(x, w) : x;
  };
  // The columns of one head of several, entry by entry.
  const auto head_of = [](const MatrixOf<Scalar>& x, int head, int heads) {
    MatrixOf<Scalar> out(x.rows(), x.cols() / heads);
    for (Index i = 0; i < out.rows(); ++i)
      for (Index d = 0; d < out.cols(); ++d) out(i, d) = x(i, head * out.cols() + d);
    return out;
  };
  const MatrixOf<Scalar> Q = projected(inputs.query, weights.w_q);
  const MatrixOf<Scalar> K = projected(inputs.key, weights.w_k);
  const MatrixOf<Scalar> V = projected(inputs.value, weights.w_v);
  MatrixOf<Scalar> concatenated(Q.rows(), V.cols() / weights.key_heads * weights.heads);
  for (int head = 0; head < weights.heads; ++head) {
    const int key_head = head * weights.key_heads / weights.heads;
    const MatrixOf<Scalar> output = attend_naive<Scalar>(
        head_of(Q, head, weights.heads), head_of(K, key_head, weights.key_heads),
        head_of(V, key_head, weights.key_heads), head_options(options, head, weights.heads), weights.attention);
    for (Index i = 0; i < output.rows(); ++i)
      for (Index v = 0; v < output.cols(); ++v) concatenated(i, head * output.cols() + v) = output(i, v);
  }
  return projected(concatenated, weights.w_o);
}

template <class Scalar>
LayerSteps<Scalar> single_query(const MatrixOf<Scalar>& q, const MatrixOf<Scalar>& X, const AttentionOptions& options) {
  assert(q.rows() == 1);
  return layer<Scalar>(q, X, X, {}, options);
}

template <class Scalar>
LayerSteps<Scalar> attention_layer(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& X,
                                   const AttentionOptions& options) {
  return layer<Scalar>(Q, X, X, {}, options);
}

template <class Scalar>
LayerSteps<Scalar> key_value_attention(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& X,
                                       const LayerWeights<Scalar>& weights, const AttentionOptions& options) {
  assert(weights.w_q.size() == 0);
  return layer<Scalar>(Q, X, X, weights, options);
}

template <class Scalar>
LayerSteps<Scalar> self_attention(const MatrixOf<Scalar>& X, const LayerWeights<Scalar>& weights,
                                  const AttentionOptions& options) {
  return layer<Scalar>(X, X, X, weights, options);
}

template <class Scalar>
LayerSteps<Scalar> cross_attention(const MatrixOf<Scalar>& X, const MatrixOf<Scalar>& other,
                                   const LayerWeights<Scalar>& weights, const AttentionOptions& options) {
  return layer<Scalar>(X, other, other, weights, options);
}

template <class Scalar>
LayerGradients<Scalar> multi_head_backward(const LayerInputs<Scalar>& inputs, const LayerWeights<Scalar>& weights,
                                           const AttentionOptions& options, const LayerSteps<Scalar>& steps,
                                           const ConstMatrixRefOf<Scalar>& grad_output) {
  assert(grad_output.rows() == steps.output.rows() && grad_output.cols() == steps.output.cols());
  LayerGradients<Scalar> grad;
  grad.weights.heads = weights.heads;
  grad.weights.key_heads = weights.key_heads;
  MatrixOf<Scalar> grad_concatenated;
  project_backward<Scalar>(steps.concatenated, weights.w_o, grad_output, grad_concatenated, grad.weights.w_o);
  MatrixOf<Scalar> grad_Q(steps.Q.rows(), steps.Q.cols());
  MatrixOf<Scalar> grad_K = MatrixOf<Scalar>::Zero(steps.K.rows(), steps.K.cols());
  MatrixOf<Scalar> grad_V = MatrixOf<Scalar>::Zero(steps.V.rows(), steps.V.cols());
  for (int head = 0; head < weights.heads; ++head) {
    const HeadColumns at = head_columns(steps.Q, steps.K, steps.V, weights, head);
    const AttentionGradients<Scalar> of_head = attend_backward<Scalar>(
        steps.Q.middleCols(at.query, at.query_size), steps.K.middleCols(at.key, at.key_size),
        steps.V.middleCols(at.value, at.value_size), head_options(options, head, weights.heads), weights.attention,
        steps.heads[static_cast<std::size_t>(head)], grad_concatenated.middleCols(at.output, at.value_size));
    grad_Q.middleCols(at.query, at.query_size) = of_head.query;
    grad_K.middleCols(at.key, at.key_size) += of_head.key;
    grad_V.middleCols(at.value, at.value_size) += of_head.value;
    add(grad.weights.attention, of_head.parameters);
  }
  project_backward<Scalar>(inputs.query, weights.w_q, grad_Q, grad.inputs.query, grad.weights.w_q);
  project_backward<Scalar>(inputs.key, weights.w_k, grad_K, grad.inputs.key, grad.weights.w_k);
  project_backward<Scalar>(inputs.value, weights.w_v, grad_V, grad.inputs.value, grad.weights.w_v);
  return grad;
}

#define LIMELIGHT_INSTANTIATE(Scalar)                                                                                  \
  template LayerSteps<Scalar> multi_head<Scalar>(const LayerInputs<Scalar>&, const LayerWeights<Scalar>&,              \
                                                 const AttentionOptions&);                                             \
  template MatrixOf<Scalar> multi_head_naive<Scalar>(const LayerInputs<Scalar>&, const LayerWeights<Scalar>&,          \
                                                     const AttentionOptions&);                                         \
  template LayerSteps<Scalar> single_query<Scalar>(const MatrixOf<Scalar>&, const MatrixOf<Scalar>&,                   \
                                                   const AttentionOptions&);                                           \
  template LayerSteps<Scalar> attention_layer<Scalar>(const MatrixOf<Scalar>&, const MatrixOf<Scalar>&,                \
                                                      const AttentionOptions&);                                        \
  template LayerSteps<Scalar> key_value_attention<Scalar>(const MatrixOf<Scalar>&, const MatrixOf<Scalar>&,            \
                                                          const LayerWeights<Scalar>&, const AttentionOptions&);       \
  template LayerSteps<Scalar> self_attention<Scalar>(const MatrixOf<Scalar>&, const LayerWeights<Scalar>&,             \
                                                     const AttentionOptions&);                                         \
  template LayerSteps<Scalar> cross_attention<Scalar>(const MatrixOf<Scalar>&, const MatrixOf<Scalar>&,                \
                                                      const LayerWeights<Scalar>&, const AttentionOptions&);           \
  template LayerGradients<Scalar> multi_head_backward<Scalar>(const LayerInputs<Scalar>&, const LayerWeights<Scalar>&, \
                                                              const AttentionOptions&, const LayerSteps<Scalar>&,      \
                                                              const ConstMatrixRefOf<Scalar>&);
LIMELIGHT_INSTANTIATE(float)
LIMELIGHT_INSTANTIATE(double)
#undef LIMELIGHT_INSTANTIATE

}  // namespace limelight
