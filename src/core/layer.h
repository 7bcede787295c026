// Layers of attention: projections around one or several heads. T queries, S keys.
#pragma once

#include <vector>

#include "core/attention.h"

namespace limelight {

// `heads` query heads share `key_heads` heads of keys and values, heads / key_heads each (1: MQA, Shazeer 2019;
// between: GQA, Ainslie et al. 2023; equal: Vaswani et al. 2017, §3.2.2). Query head h uses key head ⌊h · key_heads /
// heads⌋. An empty matrix leaves its input as it is.
template <class Scalar>
struct LayerWeights {
  int heads = 1;
  int key_heads = 1;                           // divides heads
  MatrixOf<Scalar> w_q = {};                   // [D_query, heads · D_head]
  MatrixOf<Scalar> w_k = {};                   // [D_key, key_heads · D_head]
  MatrixOf<Scalar> w_v = {};                   // [D_value, key_heads · V_head]
  MatrixOf<Scalar> w_o = {};                   // [heads · V_head, D_out]; empty: the heads' outputs side by side
  AttentionParameters<Scalar> attention = {};  // shared by the heads
};

template <class Scalar>
struct LayerSteps {
  MatrixOf<Scalar> Q;                         // [T, heads · D_head]
  MatrixOf<Scalar> K;                         // [S, key_heads · D_head]
  MatrixOf<Scalar> V;                         // [S, key_heads · V_head]
  std::vector<AttentionSteps<Scalar>> heads;  // each head's own
  MatrixOf<Scalar> concatenated;              // [T, heads · V_head]
  MatrixOf<Scalar> output;                    // [T, D_out]
};

template <class Scalar>
struct LayerInputs {
  MatrixOf<Scalar> query;  // [T, D_query]
  MatrixOf<Scalar> key;    // [S, D_key]
  MatrixOf<Scalar> value;  // [S, D_value]
};

// With linear_bias, head h of H has the slope 2^(−8h/H); options.slope is not read. gumbel's seed differs by head.
template <class Scalar>
LayerSteps<Scalar> multi_head(const LayerInputs<Scalar>& inputs, const LayerWeights<Scalar>& weights,
                              const AttentionOptions& options);
// The output alone, head by head and element by element.
template <class Scalar>
MatrixOf<Scalar> multi_head_naive(const LayerInputs<Scalar>& inputs, const LayerWeights<Scalar>& weights,
                                  const AttentionOptions& options);

// The layer on its way from one query to self-attention, each the one above with more of it learned or tied.
template <class Scalar>  // one query over inputs: q [1, D], X [S, D]
LayerSteps<Scalar> single_query(const MatrixOf<Scalar>& q, const MatrixOf<Scalar>& X, const AttentionOptions& options);
template <class Scalar>  // many queries: Q [T, D], X [S, D]
LayerSteps<Scalar> attention_layer(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& X,
                                   const AttentionOptions& options);
template <class Scalar>  // keys X W_k and values X W_v; weights.w_q is empty
LayerSteps<Scalar> key_value_attention(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& X,
                                       const LayerWeights<Scalar>& weights, const AttentionOptions& options);
template <class Scalar>  // queries, keys and values from the same X
LayerSteps<Scalar> self_attention(const MatrixOf<Scalar>& X, const LayerWeights<Scalar>& weights,
                                  const AttentionOptions& options);
template <class Scalar>  // queries from X, keys and values from another sequence
LayerSteps<Scalar> cross_attention(const MatrixOf<Scalar>& X, const MatrixOf<Scalar>& other,
                                   const LayerWeights<Scalar>& weights, const AttentionOptions& options);

template <class Scalar>
struct LayerGradients {
  LayerInputs<Scalar> inputs;    // self-attention: X's gradient is the sum of the three
  LayerWeights<Scalar> weights;  // empty where the weight is empty
};
// grad_output: [T, D_out]; `steps` are what multi_head returned for the same arguments.
template <class Scalar>
LayerGradients<Scalar> multi_head_backward(const LayerInputs<Scalar>& inputs, const LayerWeights<Scalar>& weights,
                                           const AttentionOptions& options, const LayerSteps<Scalar>& steps,
                                           const ConstMatrixRefOf<Scalar>& grad_output);

}  // namespace limelight
