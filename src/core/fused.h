// Softmax attention on dot scores without its steps: what long inputs need. Single precision, our own SIMD kernels.
#pragma once

#include <vector>

#include "core/attention.h"

namespace limelight {

// Goes over tiles of keys with a running maximum and sum (Milakov & Gimelshein 2018; Dao et al. 2022) and never holds
// an n×n matrix: its memory is the packed keys and values and one tile. Keys and values are packed once; the rows are
// computed in ranges, so that long work can be sliced.
// options: score dot, normalizer softmax, positions none or linear_bias (sinusoidal and rotary ones are applied to the
// arguments before); any mask, scale and temperature.
class FusedAttention {
 public:
  // key: [S, D]  value: [S, V]; neither is needed afterwards.
  FusedAttention(ConstMatrixRef key, ConstMatrixRef value, const AttentionOptions& options);
  // query: [T, D], of which rows begin ≤ i < end are computed into those of output: [T, V].
  void rows(ConstMatrixRef query, int begin, int end, Eigen::Ref<Matrix> output);

 private:
  AttentionOptions options_;
  int keys_, size_, value_size_;
  std::vector<float> packed_;  // (kept open: keys, values, one tile)
};

Matrix attend_fused(ConstMatrixRef query, ConstMatrixRef key, ConstMatrixRef value, const AttentionOptions& options);

// attend_fused with Mask::window(width) added: its time grows with T · width.
Matrix attend_windowed(ConstMatrixRef query, ConstMatrixRef key, ConstMatrixRef value, int width,
                       const AttentionOptions& options);

// The same function with its weights kept, and nothing else.
struct WeightsAndOutput {
  Matrix weights;  // [T, S]
  Matrix output;   // [T, V]
};
WeightsAndOutput attend_weights(ConstMatrixRef query, ConstMatrixRef key, ConstMatrixRef value,
                                const AttentionOptions& options);

}  // namespace limelight
