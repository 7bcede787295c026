#include "core/product.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <type_traits>
#include <vector>

#include "core/tile.h"

namespace limelight {
namespace {

// Of the inner dimension and of the columns, what is packed at once: 256 kB, which the second-level cache holds.
constexpr int kDepth = 256;
static_assert(kDepth * kTileRows <= kTileRows * kRowStride);
constexpr int kColumns = 256;
// Floats of a block of b that is not worth packing on the heap, or at all when its rows are contiguous: 16 kB.
constexpr int kSmall = 4096;

void multiply_with_eigen(const ConstMatrixRef& a, const ConstMatrixRef& b, Eigen::Ref<Matrix> out,
                         ProductOptions options, bool add) {
  const auto assign = [&](const auto& expression) {
    if (add)
      out.noalias() += expression;
    else
      out.noalias() = expression;
  };
  if (options.transpose_a && options.transpose_b)
    assign(a.transpose() * b.transpose());
  else if (options.transpose_a)
    assign(a.transpose() * b);
  else if (options.transpose_b)
    assign(a * b.transpose());
  else
    assign(a * b);
}

// Narrower results are not worth copying the rows of a.
constexpr int kNarrow = 4 * kTileColumns;

// A tile that reaches over the edge of the result goes through here.
void copy_tile(const float* tile, int rows, int columns, float* out, Eigen::Index stride, bool add) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const float x = tile[i * kTileColumns + j];
      out[i * stride + j] = add ? out[i * stride + j] + x : x;
    }
}

// [depth, rows] → [depth, kTileRows]; rows that are missing are 0.
void pack_columns(Strided from, int depth, int rows, float* to) {
  for (int k = 0; k < depth; ++k, to += kTileRows) {
    const float* column = from.data + k * from.stride;
    if (rows == kTileRows)
      std::copy_n(column, kTileRows, to);
    else
      std::fill(std::copy_n(column, rows, to), to + kTileRows, 0.F);
  }
}

// A block of the inner dimension and of the columns: all rows of the result, added to or not.
struct Block {
  int depth, columns;
  Strided a;  // transposed: [depth, M], else [M, depth]
  bool a_transposed;
  Strided direct;  // b itself; its first `direct_columns` columns are used from there
  int direct_columns;
  const float* panels;  // the other columns, packed
  float* out;
  Eigen::Index out_stride;
  bool add;
};

void multiply_block(const Block& block, int rows) {
  alignas(64) std::array<float, static_cast<std::size_t>(kTileRows * kRowStride)> packed;
  alignas(64) std::array<float, static_cast<std::size_t>(kTileRows * kTileColumns)> edge;
  const bool copied = !block.a_transposed && block.direct_columns == 0 && block.columns > kNarrow;
  for (int i = 0; i < rows; i += kTileRows) {
    const int height = std::min(kTileRows, rows - i);
    const bool by_rows = copied && height == kTileRows;
    const float* const first = block.a.data + i * (block.a_transposed ? 1 : block.a.stride);
    if (by_rows)
      for (int r = 0; r < kTileRows; ++r)
        std::copy_n(first + r * block.a.stride, block.depth, packed.data() + r * kRowStride);
    if (block.a_transposed) pack_columns({first, block.a.stride}, block.depth, height, packed.data());
    for (int j = 0; j < block.columns; j += kTileColumns) {
      const int width = std::min(kTileColumns, block.columns - j);
      // What the kernel computes: whole vectors, and all rows when they are packed.
      const int computed = width <= simd::kLanes && !block.a_transposed && !by_rows ? simd::kLanes : kTileColumns;
      const bool whole = width == computed && (height == kTileRows || !block.a_transposed);
      float* const out = block.out + i * block.out_stride + j;
      float* const to = whole ? out : edge.data();
      const Eigen::Index to_stride = whole ? block.out_stride : kTileColumns;
      const bool add = whole && block.add;
      const Strided b = j < block.direct_columns
                            ? Strided{block.direct.data + j, block.direct.stride}
                            : Strided{block.panels + (j - block.direct_columns) * block.depth, kTileColumns};
      if (block.a_transposed)
        multiply_packed_tile(packed.data(), b.data, block.depth, to, to_stride, add);
      else if (by_rows)
        multiply_row_tile(packed.data(), b.data, block.depth, to, to_stride, add);
      else
        multiply_tile(height, computed, {first, block.a.stride}, b, block.depth, to, to_stride, add);
      if (!whole) copy_tile(edge.data(), height, width, out, block.out_stride, block.add);
    }
  }
}

// Of a block's columns, those that are used where they are in b.
int direct_columns(int rows, int depth, int columns, ProductOptions options) {
  if (options.transpose_a || options.transpose_b || (rows > 2 * kTileRows && depth * columns > kSmall)) return 0;
  const int rest = columns % kTileColumns;
  return columns - (rest == simd::kLanes ? 0 : rest);
}

void multiply_into(const ConstMatrixRef& a, const ConstMatrixRef& b, Eigen::Ref<Matrix> out, ProductOptions options,
                   bool add) {
  const int rows = static_cast<int>(options.transpose_a ? a.cols() : a.rows());
  const int depth = static_cast<int>(options.transpose_a ? a.rows() : a.cols());
  const int columns = static_cast<int>(options.transpose_b ? b.rows() : b.cols());
  assert(depth == (options.transpose_b ? b.cols() : b.rows()));
  assert(out.rows() == rows && out.cols() == columns);
  if (rows <= 1 || columns <= 1 || depth == 0) return multiply_with_eigen(a, b, out, options, add);

  alignas(64) std::array<float, kSmall> few_panels;
  std::vector<float> many_panels(packed_by_product(rows, depth, columns, options));
  float* const panels = many_panels.empty() ? few_panels.data() : many_panels.data();
  for (int j = 0; j < columns; j += kColumns)
    for (int k = 0; k < depth; k += kDepth) {
      Block block{.depth = std::min(kDepth, depth - k),
                  .columns = std::min(kColumns, columns - j),
                  .a = {a.data() + (options.transpose_a ? k * a.outerStride() : k), a.outerStride()},
                  .a_transposed = options.transpose_a,
                  .direct = {b.data() + k * b.outerStride() + j, b.outerStride()},
                  .direct_columns = 0,
                  .panels = panels,
                  .out = out.data() + j,
                  .out_stride = out.outerStride(),
                  .add = add || k > 0};
      block.direct_columns = direct_columns(rows, block.depth, block.columns, options);
      const int packed_columns = block.columns - block.direct_columns;
      const int panel_size = block.depth * kTileColumns;
      if (options.transpose_b)
        pack_panels_transposed({b.data() + j * b.outerStride() + k, b.outerStride()}, block.depth, packed_columns,
                               panels, panel_size);
      else
        pack_panels({block.direct.data + block.direct_columns, b.outerStride()}, block.depth, packed_columns, panels,
                    panel_size);
      multiply_block(block, rows);
    }
}

}  // namespace

std::size_t packed_by_product(int rows, int depth, int columns, ProductOptions options) {
  if (rows <= 1 || columns <= 1) return 0;
  const int most_depth = std::min(kDepth, depth), most_columns = std::min(kColumns, columns);  // of its largest block
  const int packed = most_columns - direct_columns(rows, most_depth, most_columns, options);
  const auto size = static_cast<std::size_t>(round_up(packed, kTileColumns) * most_depth);
  return size > kSmall ? size : 0;
}

void multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, Eigen::Ref<Matrix> out, ProductOptions options) {
  multiply_into(a, b, out, options, false);
}

void multiply_add(const ConstMatrixRef& a, const ConstMatrixRef& b, Eigen::Ref<Matrix> out, ProductOptions options) {
  multiply_into(a, b, out, options, true);
}

template <class Scalar>
MatrixOf<Scalar> product(const ConstMatrixRefOf<Scalar>& a, const ConstMatrixRefOf<Scalar>& b, ProductOptions options) {
  if constexpr (std::is_same_v<Scalar, float>) {
    Matrix out(options.transpose_a ? a.cols() : a.rows(), options.transpose_b ? b.rows() : b.cols());
    multiply_into(a, b, out, options, false);
    return out;
  } else {
    // One kernel for all: a transposed copy costs less than four of Eigen's products weigh.
    const auto plain = [](const ConstMatrixRefOf<Scalar>& matrix, bool transpose) -> MatrixOf<Scalar> {
      if (transpose) return matrix.transpose();
      return matrix;
    };
    return plain(a, options.transpose_a) * plain(b, options.transpose_b);
  }
}

template <class Scalar>
MatrixOf<Scalar> product_naive(const ConstMatrixRefOf<Scalar>& a, const ConstMatrixRefOf<Scalar>& b,
                               ProductOptions options) {
  const auto left = [&](Eigen::Index i, Eigen::Index k) { return options.transpose_a ? a(k, i) : a(i, k); };
  const auto right = [&](Eigen::Index k, Eigen::Index j) { return options.transpose_b ? b(j, k) : b(k, j); };
  const Eigen::Index depth = options.transpose_a ? a.rows() : a.cols();
  MatrixOf<Scalar> out(options.transpose_a ? a.cols() : a.rows(), options.transpose_b ? b.rows() : b.cols());
  for (Eigen::Index i = 0; i < out.rows(); ++i)
    for (Eigen::Index j = 0; j < out.cols(); ++j) {
      Scalar sum = 0;
      for (Eigen::Index k = 0; k < depth; ++k) sum += left(i, k) * right(k, j);
      out(i, j) = sum;
    }
  return out;
}

template MatrixOf<float> product<float>(const ConstMatrixRefOf<float>&, const ConstMatrixRefOf<float>&, ProductOptions);
template MatrixOf<double> product<double>(const ConstMatrixRefOf<double>&, const ConstMatrixRefOf<double>&,
                                          ProductOptions);
template MatrixOf<float> product_naive<float>(const ConstMatrixRefOf<float>&, const ConstMatrixRefOf<float>&,
                                              ProductOptions);
template MatrixOf<double> product_naive<double>(const ConstMatrixRefOf<double>&, const ConstMatrixRefOf<double>&,
                                                ProductOptions);

}  // namespace limelight
