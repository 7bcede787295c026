// Softmax attention on dot scores without its steps: what long inputs need. Single precision, our own SIMD kernels.
#pragma once

#include <cstddef>
#include <vector>

#include "core/attention.h"

namespace limelight {

// Goes over tiles of keys with a running maximum and sum (Milakov & Gimelshein 2018; Dao et al. 2022) and never holds
// an n×n matrix: its memory is the packed keys and values and some tiles. Keys and values are packed once; the rows are
// computed in ranges, so that long work can be sliced.
// options: score dot, normalizer softmax, positions none or linear_bias (sinusoidal and rotary ones are applied to the
// arguments before); any mask, scale and temperature with which the scores stay finite (core/range.h).
//
// Each output lies within 2 v (δ + (S + 100) u) of the exact one, where S counts the keys, u = 2⁻²⁴, v is the largest
// magnitude in its column of `value`, and δ = (D + 3) u max_j (|scale| Σ_d |q_d k_jd| + slope |i − j|) / temperature
// is the rounding of the scores. (A weight's relative error is at most 2δ from the scores, 88 u from the difference to
// the maximum, 4 u from exp, 3 u for each tile of keys; S u is that of adding up S weights, and S weighted values.)
class FusedAttention {
 public:
  static constexpr int kTileKeys = 256;  // whose scores are held at a time
  // key: [S, D]  value: [S, V]; neither is needed afterwards.
  FusedAttention(const ConstMatrixRef& key, const ConstMatrixRef& value, const AttentionOptions& options);
  // query: [T, D], of which rows begin ≤ i < end are computed into those of output: [T, V]. A range of the rows has
  // the same bits as the same rows of the whole.
  void rows(const ConstMatrixRef& query, int begin, int end, Eigen::Ref<Matrix> output);
  // The same with the weights kept, [T, S]; not for long inputs, and its own rounding.
  void rows(const ConstMatrixRef& query, int begin, int end, Eigen::Ref<Matrix> output, Eigen::Ref<Matrix> weights);

  // What it holds, beside what it is given.
  [[nodiscard]] std::size_t bytes() const;
  // The same before there is one: what it will hold once rows were computed, without or with their weights.
  static std::size_t bytes_for(int keys, int size, int value_size, bool weights);

 private:
  struct Block;
  [[nodiscard]] Block block_at(int row, int end) const;
  void pack_queries(const ConstMatrixRef& query, const Block& block, float* packed) const;
  void score(const Block& block, const float* queries, int begin, int end, float* scores) const;
  void weigh(const float* weights, int begin, int end, float* outputs) const;

  AttentionOptions options_;
  int keys_, size_, value_size_;
  int padded_keys_, padded_value_size_;   // up to whole panels
  std::vector<float> key_panels_;         // [panels of keys, D, kTileColumns]
  std::vector<float> value_panels_;       // [panels of columns, keys, kTileColumns]
  std::vector<float> queries_, outputs_;  // of the rows that go over the keys together
  std::vector<float> scores_;             // of one block of rows and one tile of keys
};

Matrix attend_fused(const ConstMatrixRef& query, const ConstMatrixRef& key, const ConstMatrixRef& value,
                    const AttentionOptions& options);

// attend_fused with Mask::window(width) added: its time grows with T · width.
Matrix attend_windowed(const ConstMatrixRef& query, const ConstMatrixRef& key, const ConstMatrixRef& value, int width,
                       const AttentionOptions& options);

// The same function with its weights kept, and nothing else.
struct WeightsAndOutput {
  Matrix weights;  // [T, S]
  Matrix output;   // [T, V]
};
WeightsAndOutput attend_weights(const ConstMatrixRef& query, const ConstMatrixRef& key, const ConstMatrixRef& value,
                                const AttentionOptions& options);

}  // namespace limelight
