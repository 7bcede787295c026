// What the cells of a matrix or a heatmap show.
#pragma once

#include <limits>
#include <optional>

#include "core/trace.h"

namespace limelight::figure {

inline constexpr float kMasked = -std::numeric_limits<float>::infinity();

// The value that a cell shows; nothing when the trace has no such cell (a drawing may be between two traces).
inline std::optional<float> value_at(const Tensor* tensor, int row, int column) {
  if (tensor == nullptr || row < 0 || column < 0 || row >= tensor->rows() || column >= tensor->columns()) {
    return std::nullopt;
  }
  return tensor->values(row, column);
}

}  // namespace limelight::figure
