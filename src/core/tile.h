// The inner loops of every product: a tile of the result, [kTileRows, kTileColumns], is held in registers while the
// inner dimension goes by. Its size is what the registers of the machine hold: 16, of which it takes 12 with a fused
// multiply-add and 10 without, where the product needs one for itself.
#pragma once

#include "core/matrix.h"
#include "core/simd.h"

namespace limelight {

inline constexpr int kTileRows = simd::kFusedMultiplyAdd ? 6 : 5;
inline constexpr int kTileColumns = 2 * simd::kLanes;

constexpr int round_up(int n, int multiple) { return (n + multiple - 1) / multiple * multiple; }

// Where an operand's next row or next step along the inner dimension is, in floats.
struct Strided {
  const float* data;
  Eigen::Index stride;
};

// Each of the following: c[i, j] = Σ_k a[i, k] b[k, j], added to what is there or not. c: rows at c_stride.

// For 1 to kTileRows rows, and kTileColumns columns or half as many.
// a: rows at a.stride, its k contiguous.  b: k at b.stride, its columns contiguous.
void multiply_tile(int rows, int columns, Strided a, Strided b, int depth, float* c, Eigen::Index c_stride, bool add);

// For kTileRows rows, kTileColumns columns and b packed as [depth, kTileColumns]; a as [depth, kTileRows].
void multiply_packed_tile(const float* a, const float* b, int depth, float* c, Eigen::Index c_stride, bool add);

// The same with a in rows at kRowStride: one address and constant offsets, where multiply_tile counts up an address for
// each row. Rows that lie a power of two apart would compete for the same cache lines.
inline constexpr int kRowStride = 256 + 16;
void multiply_row_tile(const float* a, const float* b, int depth, float* c, Eigen::Index c_stride, bool add);

// Packs a block of `columns` columns and `depth` rows into panels of kTileColumns columns: [panels, depth,
// kTileColumns]. What the last panel has too many is 0. panel_stride: from panel to panel; at least depth ·
// kTileColumns.
void pack_panels(Strided rows, int depth, int columns, float* panels, Eigen::Index panel_stride);
// The same from the block's transpose, [columns, depth].
void pack_panels_transposed(Strided rows, int depth, int columns, float* panels, Eigen::Index panel_stride);

}  // namespace limelight
