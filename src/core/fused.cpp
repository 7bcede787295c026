#include "core/fused.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/simd.h"
#include "core/tile.h"

namespace limelight {
namespace {

using simd::Floats;
using simd::kLanes;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// Keys that a block of rows meets at once: its scores and a panel of values stay in the first-level cache.
constexpr int kTileKeys = FusedAttention::kTileKeys;
static_assert(kTileKeys % kTileColumns == 0 && kTileKeys <= kRowStride);
// Blocks of rows that go over a tile of keys one after the other, while it is in the second-level cache.
constexpr int kBlocks = 16;

// The functions below go over a row of n scores, n a multiple of kTileColumns. Each is entered once for each row and
// tile, and not inlined: see strided_tile.

[[gnu::noinline]] float largest_of(const float* scores, int n) {
  Floats left = simd::splat(kMinusInfinity), right = left;
  for (int j = 0; j < n; j += kTileColumns) {
    left = simd::maximum(left, simd::load(scores + j));
    right = simd::maximum(right, simd::load(scores + j + kLanes));
  }
  return simd::largest(simd::maximum(left, right));
}

// Replaces each score by exp(score − maximum), and returns their sum.
[[gnu::noinline]] float exponentiate(float* scores, int n, float maximum) {
  const simd::BoundedExp exp;
  const Floats shift = simd::splat(maximum);
  Floats left{}, right{};
  for (int j = 0; j < n; j += kTileColumns) {
    const Floats first = exp(simd::load(scores + j) - shift);
    const Floats second = exp(simd::load(scores + j + kLanes) - shift);
    simd::store(scores + j, first);
    simd::store(scores + j + kLanes, second);
    left += first;
    right += second;
  }
  return simd::sum(left + right);
}

// Adds −slope · |row − key| to the scores of the keys from `key` on.
[[gnu::noinline]] void add_linear_bias(float* scores, int n, int row, int key, float slope) {
  Floats distance;
  for (int lane = 0; lane < kLanes; ++lane) distance[lane] = static_cast<float>(key + lane - row);
  for (int j = 0; j < n; j += kLanes) {
    const Floats bias = simd::splat(-slope) * simd::maximum(distance, -distance);
    simd::store(scores + j, simd::load(scores + j) + bias);
    distance += simd::splat(kLanes);
  }
}

// n of any size.
[[gnu::noinline]] void scale_into(const float* from, int n, float factor, float* to) {
  int j = 0;
  for (; j + kLanes <= n; j += kLanes) simd::store(to + j, simd::load(from + j) * simd::splat(factor));
  for (; j < n; ++j) to[j] = from[j] * factor;
}

// The running maximum of a row, and its running sum of exponentials relative to it.
struct Running {
  float maximum = kMinusInfinity;
  float sum = 0;

  // What scores are relative to. −∞ − (−∞) is not a number: while nothing was allowed, they stay as they are.
  [[nodiscard]] float shift() const { return maximum == kMinusInfinity ? 0 : maximum; }
};

// Turns the scores of the next n keys into exponentials. Those of the keys before were relative to a smaller maximum:
// what they added up to is made smaller accordingly.
void advance(Running& running, float* scores, int n, float* outputs, int columns) {
  const float maximum = std::max(running.maximum, largest_of(scores, n));
  if (maximum > running.maximum) {
    const float factor = simd::exp_bounded(simd::splat(running.maximum - maximum))[0];
    running.sum *= factor;
    scale_into(outputs, columns, factor, outputs);
    running.maximum = maximum;
  }
  running.sum += exponentiate(scores, n, running.shift());
}

// 0 for a row that was allowed nothing.
float inverse(float sum) { return sum > 0 ? 1 / sum : 0; }

constexpr int panel_begin(int key) { return key / kTileColumns * kTileColumns; }

}  // namespace

// Rows that are computed together, and the keys that they may attend to: each of them, and any of them.
struct FusedAttention::Block {
  int row = 0, rows = 0;
  std::array<KeyRange, kTileRows> keys_of;
  KeyRange keys;
};

FusedAttention::FusedAttention(const ConstMatrixRef& key, const ConstMatrixRef& value, const AttentionOptions& options)
    : options_(options),
      keys_(static_cast<int>(key.rows())),
      size_(static_cast<int>(key.cols())),
      value_size_(static_cast<int>(value.cols())),
      padded_keys_(round_up(keys_, kTileColumns)),
      padded_value_size_(round_up(value_size_, kTileColumns)),
      key_panels_(static_cast<std::size_t>(padded_keys_) * static_cast<std::size_t>(size_)),
      value_panels_(static_cast<std::size_t>(padded_keys_) * static_cast<std::size_t>(padded_value_size_)),
      queries_(static_cast<std::size_t>(kBlocks * kTileRows * size_)),
      outputs_(static_cast<std::size_t>(kBlocks * kTileRows * padded_value_size_)) {
  assert(key.size() > 0 && value.size() > 0 && value.rows() == key.rows() && options.temperature > 0);
  assert(options.score == Score::dot && options.normalizer == Normalizer::softmax);
  assert(options.positions == Positions::none || options.positions == Positions::linear_bias);
  pack_panels_transposed({key.data(), key.outerStride()}, size_, keys_, key_panels_.data(),
                         Eigen::Index{size_} * kTileColumns);
  pack_panels({value.data(), value.outerStride()}, keys_, value_size_, value_panels_.data(),
              Eigen::Index{padded_keys_} * kTileColumns);
}

FusedAttention::Block FusedAttention::block_at(int row, int end) const {
  Block block{.row = row, .rows = std::min(kTileRows, end - row), .keys_of = {}, .keys = {keys_, 0}};
  for (int r = 0; r < block.rows; ++r) {
    const KeyRange keys = options_.mask.range(row + r, keys_);
    if (keys.begin >= keys.end) continue;  // {0, 0} stays
    block.keys_of[static_cast<std::size_t>(r)] = keys;
    block.keys = {std::min(block.keys.begin, keys.begin), std::max(block.keys.end, keys.end)};
  }
  return block;
}

// [D, kTileRows], scaled; rows that the block does not have are 0.
void FusedAttention::pack_queries(const ConstMatrixRef& query, const Block& block, float* packed) const {
  const auto factor = static_cast<float>(options_.scale / options_.temperature);
  for (int r = 0; r < kTileRows; ++r) {
    const float* row = query.data() + (block.row + r) * query.outerStride();
    for (int d = 0; d < size_; ++d) packed[d * kTileRows + r] = r < block.rows ? row[d] * factor : 0.F;
  }
}

// Scaled, biased and masked scores of keys begin ≤ j < end, whole panels of them, in rows at kRowStride.
void FusedAttention::score(const Block& block, const float* queries, int begin, int end, float* scores) const {
  for (int j = begin; j < end; j += kTileColumns)
    multiply_packed_tile(queries, key_panels_.data() + Eigen::Index{j} * size_, size_, scores + (j - begin), kRowStride,
                         false);
  const bool biased = options_.positions == Positions::linear_bias;
  const bool ranges = options_.mask.is_ranges();
  for (int r = 0; r < block.rows; ++r) {
    float* const row = scores + r * kRowStride;
    const KeyRange keys = block.keys_of[static_cast<std::size_t>(r)];
    const int first = std::clamp(keys.begin, begin, end), last = std::clamp(keys.end, first, end);
    if (biased)
      add_linear_bias(row, end - begin, block.row + r, begin,
                      static_cast<float>(options_.slope / options_.temperature));
    std::fill(row, row + (first - begin), kMinusInfinity);
    std::fill(row + (last - begin), row + (end - begin), kMinusInfinity);
    if (ranges) continue;
    for (int j = first; j < last; ++j)
      if (!options_.mask.allows(block.row + r, j)) row[j - begin] = kMinusInfinity;
  }
}

// Adds the values of keys begin ≤ j < end, by their weights in rows at kRowStride, to outputs: [kTileRows, padded V].
void FusedAttention::weigh(const float* weights, int begin, int end, float* outputs) const {
  for (int column = 0; column < padded_value_size_; column += kTileColumns)
    multiply_row_tile(weights,
                      value_panels_.data() + Eigen::Index{column} * padded_keys_ + Eigen::Index{begin} * kTileColumns,
                      end - begin, outputs + column, padded_value_size_, true);
}

void FusedAttention::rows(const ConstMatrixRef& query, int begin, int end, Eigen::Ref<Matrix> output) {
  assert(query.cols() == size_ && output.cols() == value_size_ && output.rows() == query.rows());
  assert(0 <= begin && begin <= end && end <= query.rows());
  scores_.resize(std::size_t{kTileRows} * kRowStride);
  std::array<Block, kBlocks> blocks;
  std::array<std::array<Running, kTileRows>, kBlocks> running;
  for (int chunk = begin; chunk < end; chunk += kBlocks * kTileRows) {
    std::size_t count = 0;
    KeyRange keys{keys_, 0};
    for (int row = chunk; row < end && count < kBlocks; row += kTileRows, ++count) {
      const Block& block = blocks[count] = block_at(row, end);
      pack_queries(query, block, queries_.data() + count * static_cast<std::size_t>(kTileRows * size_));
      keys = {std::min(keys.begin, block.keys.begin), std::max(keys.end, block.keys.end)};
    }
    running = {};
    std::ranges::fill(outputs_, 0.F);
    for (int tile = keys.begin / kTileKeys * kTileKeys; tile < keys.end; tile += kTileKeys)
      for (std::size_t b = 0; b < count; ++b) {
        const Block& block = blocks[b];
        const int first = panel_begin(std::max(tile, block.keys.begin));
        const int last = round_up(std::min(tile + kTileKeys, block.keys.end), kTileColumns);
        if (first >= last) continue;
        float* const outputs = outputs_.data() + b * static_cast<std::size_t>(kTileRows * padded_value_size_);
        score(block, queries_.data() + b * static_cast<std::size_t>(kTileRows * size_), first, last, scores_.data());
        for (int r = 0; r < block.rows; ++r)
          advance(running[b][static_cast<std::size_t>(r)], scores_.data() + r * kRowStride, last - first,
                  outputs + r * padded_value_size_, padded_value_size_);
        weigh(scores_.data(), first, last, outputs);
      }
    for (std::size_t b = 0; b < count; ++b)
      for (int r = 0; r < blocks[b].rows; ++r) {
        const auto row = static_cast<Eigen::Index>(b) * kTileRows + r;
        scale_into(outputs_.data() + row * padded_value_size_, value_size_,
                   inverse(running[b][static_cast<std::size_t>(r)].sum),
                   output.data() + (chunk + row) * output.outerStride());
      }
  }
}

void FusedAttention::rows(const ConstMatrixRef& query, int begin, int end, Eigen::Ref<Matrix> output,
                          Eigen::Ref<Matrix> weights) {
  assert(query.cols() == size_ && output.cols() == value_size_ && output.rows() == query.rows());
  assert(0 <= begin && begin <= end && end <= query.rows());
  assert(weights.rows() == query.rows() && weights.cols() == keys_);
  constexpr int kTile = kTileRows * kRowStride;
  scores_.resize(static_cast<std::size_t>(round_up(keys_, kTileKeys) / kTileKeys * kTile));
  for (int row = begin; row < end; row += kTileRows) {
    const Block block = block_at(row, end);
    pack_queries(query, block, queries_.data());
    std::fill_n(outputs_.data(), kTileRows * padded_value_size_, 0.F);
    std::array<Running, kTileRows> running{};
    // Calls f(first key, last key, their scores) for each tile.
    const auto each_tile = [&](const auto& f) {
      float* scores = scores_.data();
      const int last = round_up(block.keys.end, kTileColumns);
      for (int first = panel_begin(block.keys.begin); first < last; first += kTileKeys, scores += kTile)
        f(first, std::min(first + kTileKeys, last), scores);
    };
    each_tile([&](int first, int last, float* scores) {
      score(block, queries_.data(), first, last, scores);
      for (int r = 0; r < block.rows; ++r) {
        float& maximum = running[static_cast<std::size_t>(r)].maximum;
        maximum = std::max(maximum, largest_of(scores + r * kRowStride, last - first));
      }
    });
    each_tile([&](int first, int last, float* scores) {
      for (int r = 0; r < block.rows; ++r) {
        Running& of_row = running[static_cast<std::size_t>(r)];
        of_row.sum += exponentiate(scores + r * kRowStride, last - first, of_row.shift());
      }
      weigh(scores, first, last, outputs_.data());
    });
    for (int r = 0; r < block.rows; ++r) {
      const float factor = inverse(running[static_cast<std::size_t>(r)].sum);
      float* const to = weights.data() + (row + r) * weights.outerStride();
      std::fill(to, to + std::min(panel_begin(block.keys.begin), keys_), 0.F);
      std::fill(to + block.keys.end, to + keys_, 0.F);
      each_tile([&](int first, int last, const float* scores) {
        scale_into(scores + r * kRowStride, std::min(last, keys_) - first, factor, to + first);
      });
      scale_into(outputs_.data() + r * padded_value_size_, value_size_, factor,
                 output.data() + (row + r) * output.outerStride());
    }
  }
}

std::size_t FusedAttention::bytes() const {
  return sizeof(float) * (key_panels_.capacity() + value_panels_.capacity() + queries_.capacity() +
                          outputs_.capacity() + scores_.capacity());
}

std::size_t FusedAttention::bytes_for(int keys, int size, int value_size, bool weights) {
  const auto padded_keys = static_cast<std::size_t>(round_up(keys, kTileColumns));
  const auto sizes = static_cast<std::size_t>(size + round_up(value_size, kTileColumns));
  const auto tiles = static_cast<std::size_t>(weights ? round_up(keys, kTileKeys) / kTileKeys : 1);
  return sizeof(float) *
         (padded_keys * sizes + std::size_t{kBlocks * kTileRows} * sizes + tiles * std::size_t{kTileRows * kRowStride});
}

Matrix attend_fused(const ConstMatrixRef& query, const ConstMatrixRef& key, const ConstMatrixRef& value,
                    const AttentionOptions& options) {
  Matrix output(query.rows(), value.cols());
  FusedAttention(key, value, options).rows(query, 0, static_cast<int>(query.rows()), output);
  return output;
}

Matrix attend_windowed(const ConstMatrixRef& query, const ConstMatrixRef& key, const ConstMatrixRef& value, int width,
                       const AttentionOptions& options) {
  AttentionOptions windowed = options;
  windowed.mask = options.mask & Mask::window(width);
  return attend_fused(query, key, value, windowed);
}

WeightsAndOutput attend_weights(const ConstMatrixRef& query, const ConstMatrixRef& key, const ConstMatrixRef& value,
                                const AttentionOptions& options) {
  WeightsAndOutput result{Matrix(query.rows(), key.rows()), Matrix(query.rows(), value.cols())};
  FusedAttention(key, value, options).rows(query, 0, static_cast<int>(query.rows()), result.output, result.weights);
  return result;
}

}  // namespace limelight
