// What a transformer's layers are made of (Vaswani et al. 2017).
//
// Sequences that are read together lie one after the other, without padding: row i of x is a token of the sequence that
// the lengths say, in their order.
#pragma once

#include "learn/layers.h"

namespace limelight::learn {

template <class T>
struct LayerNormOf {
  T gain;  // [1, D]
  T bias;  // [1, D]

  template <class F, class... Layers>
  static void each(const std::string& prefix, F&& visit, Layers&... layers) {
    visit(prefix + "gain", layers.gain...);
    visit(prefix + "bias", layers.bias...);
  }
};

// x + attention of several heads over LayerNorm(x), and then y + W' GELU(W LayerNorm(y)): "pre-norm" (Xiong et al.
// 2020).
template <class T>
struct TransformerLayerOf {
  LayerNormOf<T> attention_norm;
  LinearOf<T> query, key, value;  // [D, D], heads side by side
  LinearOf<T> output;             // [D, D]
  LayerNormOf<T> hidden_norm;
  LinearOf<T> hidden;  // [D, F]
  LinearOf<T> result;  // [F, D]

  template <class F, class... Layers>
  static void each(const std::string& prefix, F&& visit, Layers&... layers) {
    LayerNormOf<T>::each(prefix + "attention_norm.", visit, layers.attention_norm...);
    LinearOf<T>::each(prefix + "query.", visit, layers.query...);
    LinearOf<T>::each(prefix + "key.", visit, layers.key...);
    LinearOf<T>::each(prefix + "value.", visit, layers.value...);
    LinearOf<T>::each(prefix + "output.", visit, layers.output...);
    LayerNormOf<T>::each(prefix + "hidden_norm.", visit, layers.hidden_norm...);
    LinearOf<T>::each(prefix + "hidden.", visit, layers.hidden...);
    LinearOf<T>::each(prefix + "result.", visit, layers.result...);
  }
};

// What one layer makes of its input, for looking at.
struct TransformerLayer {
  Value query = {}, key = {}, value = {};  // [N, D], heads side by side
  std::vector<Value> heads = {};           // what attend returned, [N, D / H] each
  Value attended = {};                     // [N, D] the heads side by side
  Value mixed = {};                        // [N, D] x + their output
  Value result = {};                       // [N, D]
};
template <class Scalar>
TransformerLayer run_layer(Tape<Scalar>& tape, const TransformerLayerOf<Value>& layer, int heads, Value x,
                           std::span<const int> lengths);

}  // namespace limelight::learn
