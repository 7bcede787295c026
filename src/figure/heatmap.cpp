// Where the cells of a heatmap lie on its colour map.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "figure/cells.h"
#include "figure/figure.h"

namespace limelight::figure {

HeatmapReader::HeatmapReader(const Heatmap& heatmap, const Trace& trace)
    : heatmap_(heatmap), tensor_(trace.find(heatmap.range.tensor)), mask_(trace.find(heatmap.mask)) {
  if (heatmap.normalise != Normalise::row || tensor_ == nullptr) return;
  const int begin = heatmap.range.row, end = begin + heatmap.range.rows;
  for (int row = 0; row < tensor_->rows(); ++row) {
    float low = 0, high = 0;
    if (row >= begin && row < end) {
      for (const float value : tensor_->values.row(row))
        if (value != kMasked) low = std::min(low, value);
      high = tensor_->values.row(row).maxCoeff();
    }
    row_limits_.emplace_back(low, high);
  }
}

std::optional<float> HeatmapReader::share(int row, int column) const {
  const std::optional<float> value = value_at(tensor_, row, column);
  if (!value || *value == kMasked) return std::nullopt;
  if (mask_ != nullptr && value_at(mask_, row, column) == kMasked) return std::nullopt;
  const auto [low, high] =
      row_limits_.empty() ? std::pair(heatmap_.low, heatmap_.high) : row_limits_[static_cast<std::size_t>(row)];
  return high > low ? std::clamp((*value - low) / (high - low), 0.0F, 1.0F) : 0.0F;
}

std::optional<float> HeatmapReader::share_at(int x, int y) const {
  const CellRange& range = heatmap_.range;
  if (heatmap_.wrap > 0) {
    const int column = y * heatmap_.wrap + x;
    return column < range.columns ? share(range.row, range.column + column) : std::nullopt;
  }
  return heatmap_.transposed ? share(range.row + x, range.column + y) : share(range.row + y, range.column + x);
}

std::optional<Colour> HeatmapReader::colour_at(int x, int y) const {
  const std::optional<float> at = share_at(x, y);
  if (!at) return std::nullopt;
  return sample(heatmap_.map, *at, heatmap_.theme);
}

std::optional<Colour> HeatmapReader::colour(int row, int column) const {
  const std::optional<float> at = share(row, column);
  if (!at) return std::nullopt;
  return sample(heatmap_.map, *at, heatmap_.theme);
}

bool HeatmapReader::plain() const {
  const CellRange& range = heatmap_.range;
  return tensor_ != nullptr && mask_ == nullptr && row_limits_.empty() && heatmap_.wrap == 0 && range.row >= 0 &&
         range.column >= 0 && range.row + range.rows <= tensor_->rows() &&
         range.column + range.columns <= tensor_->columns();
}

std::vector<float> HeatmapReader::largest(int rows, int columns) const {
  const int down = heatmap_.down(), across = heatmap_.across();
  std::vector<std::ptrdiff_t> column_of(static_cast<std::size_t>(across));
  for (int x = 0; x < across; ++x)
    column_of[static_cast<std::size_t>(x)] = static_cast<std::ptrdiff_t>(std::int64_t{x} * columns / across);
  std::vector<float> made(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), -1.F);
  // f(x, y) for every cell, and the larger of it and what is there.
  const auto gather = [&](const auto& f) {
    for (int y = 0; y < down; ++y) {
      float* const row = made.data() + std::int64_t{y} * rows / down * columns;
      for (int x = 0; x < across; ++x) {
        float& most = row[column_of[static_cast<std::size_t>(x)]];
        most = std::max(most, f(x, y));
      }
    }
  };
  if (!plain()) {
    gather([&](int x, int y) { return share_at(x, y).value_or(-1.F); });
    return made;
  }
  // A hundred maps of many cells: values first (a masked one is −∞), shares of the few that are left.
  std::ranges::fill(made, kMasked);
  const Matrix& values = tensor_->values;
  const float* const first = values.data() + heatmap_.range.row * values.outerStride() + heatmap_.range.column;
  const Eigen::Index along = heatmap_.transposed ? values.outerStride() : 1;
  const Eigen::Index below = heatmap_.transposed ? 1 : values.outerStride();
  gather([&](int x, int y) { return first[x * along + y * below]; });
  const float low = heatmap_.low, width = heatmap_.high - heatmap_.low;
  for (float& share : made)
    share = share == kMasked ? -1.F : width > 0 ? std::clamp((share - low) / width, 0.F, 1.F) : 0.F;
  return made;
}

}  // namespace limelight::figure
