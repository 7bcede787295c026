// A transformer of GPT-2's shape, its weights being views into one array.
#pragma once

#include "core/transformer.h"

namespace limelight {

struct Gpt2Shape {
  int layers, heads, size, inner, tokens;  // as many tokens in the vocabulary as positions
};

// The array's order is that of shapes() in tests/bench/gpt2.mjs.
inline TransformerWeights gpt2_weights(const Gpt2Shape& shape, const float* next) {
  const auto take = [&](int rows, int cols) {
    const MatrixView view{next, rows, cols, cols};
    next += view.rows * view.cols;
    return view;
  };
  const auto take_norm = [&] {
    const MatrixView gain = take(1, shape.size);
    return NormView{gain, take(1, shape.size)};
  };
  const auto take_linear = [&](int from, int to) {
    const MatrixView weight = take(from, to);
    return LinearView{weight, take(1, to), false};
  };
  // One of three linear maps side by side.
  const auto third = [&](const LinearView& all, int which) {
    const auto cut = [&](MatrixView view) {
      view.data += which * shape.size;
      view.cols = shape.size;
      return view;
    };
    return LinearView{cut(all.weight), cut(all.bias), false};
  };
  TransformerWeights weights;
  weights.tokens = take(shape.tokens, shape.size);
  weights.positions = take(shape.tokens, shape.size);
  for (int layer = 0; layer < shape.layers; ++layer) {
    TransformerBlock& block = weights.blocks.emplace_back();
    block.attention_norm = take_norm();
    const LinearView all = take_linear(shape.size, 3 * shape.size);
    block.query = third(all, 0);
    block.key = third(all, 1);
    block.value = third(all, 2);
    block.output = take_linear(shape.size, shape.size);
    block.inner_norm = take_norm();
    block.inner = take_linear(shape.size, shape.inner);
    block.outer = take_linear(shape.inner, shape.size);
  }
  weights.final_norm = take_norm();
  return weights;
}

}  // namespace limelight
