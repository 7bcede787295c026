// Fused attention one number at a time: what SIMD is compared with.
#pragma once

#include <vector>

#include "core/attention.h"

namespace limelight::scenes::cost {

// The same tiles, running maximum and exponential as FusedAttention, without vector instructions: its file is compiled
// without automatic vectorisation. What it multiplies stays in registers, four rows by two columns. No mask.
class ScalarAttention {
 public:
  static constexpr int kRows = 4;  // that are computed together
  // key: [S, D]  value: [S, V]; neither is needed afterwards.
  ScalarAttention(const ConstMatrixRef& key, const ConstMatrixRef& value, const AttentionOptions& options);
  // query: [T, D], of which rows begin ≤ i < end are computed into those of output: [T, V].
  void rows(const ConstMatrixRef& query, int begin, int end, Eigen::Ref<Matrix> output);

 private:
  Matrix keys_;                          // [S, D], scaled
  Matrix values_;                        // [V, S]: both products go along rows
  std::vector<float> scores_, outputs_;  // of a block of rows, and a tile of keys
};

}  // namespace limelight::scenes::cost
