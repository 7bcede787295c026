#include "scenes/cost/scalar.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace limelight::scenes::cost {
namespace {

constexpr int kRows = ScalarAttention::kRows,
              kColumns = 2;  // eight sums: enough to hide an addition's latency, few enough for registers
constexpr int kTileKeys = 256;

// Like the core's kernels, the functions below are entered often: V8 replaces a function's first, slow code only when
// it is entered again.

// c[i, j] = Σ_k a[i, k] b[j, k], added to what is there or not. What a tile lacks of rows and columns repeats its last
// and is not stored.
[[gnu::noinline]] void multiply_tile(int rows, int columns, const float* a, Eigen::Index a_stride, const float* b,
                                     Eigen::Index b_stride, int depth, float* c, Eigen::Index c_stride, bool add) {
  const auto row = [&](int i) { return a + std::min(i, rows - 1) * a_stride; };
  const float *a0 = row(0), *a1 = row(1), *a2 = row(2), *a3 = row(3);
  const float *b0 = b, *b1 = b + (columns - 1) * b_stride;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0, s20 = 0, s21 = 0, s30 = 0, s31 = 0;
  for (int k = 0; k < depth; ++k) {
    const float x0 = b0[k], x1 = b1[k];
    s00 += a0[k] * x0;
    s01 += a0[k] * x1;
    s10 += a1[k] * x0;
    s11 += a1[k] * x1;
    s20 += a2[k] * x0;
    s21 += a2[k] * x1;
    s30 += a3[k] * x0;
    s31 += a3[k] * x1;
  }
  const float sums[kRows][kColumns] = {{s00, s01}, {s10, s11}, {s20, s21}, {s30, s31}};
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) c[i * c_stride + j] = (add ? c[i * c_stride + j] : 0.F) + sums[i][j];
}

// simd::exp_bounded for one number.
float exponential(float x) {
  if (!(x >= -87.33654F)) return 0;
  const float shifted = x * 1.44269504F + 12582912.F;
  const float n = shifted - 12582912.F;
  const float r = n * 2.12194440e-4F + (n * -0.693359375F + x);
  float p = 0.00138145988F * r + 0.00836871658F;
  p = p * r + 0.041668389F;
  p = p * r + 0.166665211F;
  p = p * r + 0.49999994F;
  p = p * r + 1;
  p = p * r + 1;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(p) + (std::bit_cast<std::uint32_t>(shifted) << 23));
}

struct Running {
  float maximum = -std::numeric_limits<float>::infinity();
  float sum = 0;
};

// FusedAttention's advance: turns the scores of a row's next n keys into exponentials.
[[gnu::noinline]] void advance(Running& running, float* scores, int n, float* outputs, int columns) {
  float largest = running.maximum;
  for (int j = 0; j < n; ++j) largest = std::max(largest, scores[j]);
  const float factor = exponential(running.maximum - largest);
  for (int c = 0; c < columns; ++c) outputs[c] *= factor;
  float sum = running.sum * factor;
  for (int j = 0; j < n; ++j) sum += scores[j] = exponential(scores[j] - largest);
  running = {largest, sum};
}

}  // namespace

ScalarAttention::ScalarAttention(const ConstMatrixRef& key, const ConstMatrixRef& value,
                                 const AttentionOptions& options)
    : keys_(key * static_cast<float>(options.scale / options.temperature)),
      values_(value.transpose()),
      scores_(std::size_t{kRows} * kTileKeys),
      outputs_(static_cast<std::size_t>(kRows * value.cols())) {
  assert(options.score == Score::dot && options.normalizer == Normalizer::softmax);
  assert(options.positions == Positions::none);
}

void ScalarAttention::rows(const ConstMatrixRef& query, int begin, int end, Eigen::Ref<Matrix> output) {
  const int keys = static_cast<int>(keys_.rows()), size = static_cast<int>(keys_.cols());
  const int value_size = static_cast<int>(values_.rows());
  for (int row = begin; row < end; row += kRows) {
    const int rows = std::min(kRows, end - row);
    const float* const queries = query.data() + row * query.outerStride();
    Running running[kRows];
    std::fill(outputs_.begin(), outputs_.end(), 0.F);
    for (int tile = 0; tile < keys; tile += kTileKeys) {
      const int count = std::min(kTileKeys, keys - tile);
      for (int j = 0; j < count; j += kColumns)
        multiply_tile(rows, std::min(kColumns, count - j), queries, query.outerStride(),
                      keys_.data() + Eigen::Index{tile + j} * size, size, size, scores_.data() + j, kTileKeys, false);
      for (int r = 0; r < rows; ++r)
        advance(running[r], scores_.data() + r * kTileKeys, count, outputs_.data() + r * value_size, value_size);
      for (int c = 0; c < value_size; c += kColumns)
        multiply_tile(rows, std::min(kColumns, value_size - c), scores_.data(), kTileKeys,
                      values_.data() + Eigen::Index{c} * keys + tile, keys, count, outputs_.data() + c, value_size,
                      true);
    }
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < value_size; ++c)
        output.data()[(row + r) * output.outerStride() + c] =
            outputs_[static_cast<std::size_t>(r * value_size + c)] / running[r].sum;
  }
}

}  // namespace limelight::scenes::cost
