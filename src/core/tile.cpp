#include "core/tile.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace limelight {
namespace {

using simd::Floats;
using simd::kLanes;

// f(0), …, f(N − 1), written out: GCC keeps an array in registers only when no loop indexes it.
template <int N>
[[gnu::always_inline]] inline void repeat(const auto& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) { (f(I), ...); }(std::make_integer_sequence<int, N>());
}

template <int Rows, int Vectors>
struct Accumulators {
  Floats sums[Rows][Vectors];

  [[gnu::always_inline]] void load(const float* c, Eigen::Index stride, bool add) {
    each([&](int i, int v) { sums[i][v] = Floats{}; });
    if (add) each([&](int i, int v) { sums[i][v] = simd::load(c + i * stride + v * kLanes); });
  }
  // Adds the product of a column, whose entries a(i) gives, and a row.
  [[gnu::always_inline]] void multiply(const float* row, const auto& a) {
    Floats b[Vectors];
    repeat<Vectors>([&](int v) { b[v] = simd::load(row + v * kLanes); });
    repeat<Rows>([&](int i) {
      const Floats x = simd::splat(a(i));
      repeat<Vectors>([&](int v) { sums[i][v] = simd::multiply_add(x, b[v], sums[i][v]); });
    });
  }
  [[gnu::always_inline]] void store(float* c, Eigen::Index stride) const {
    each([&](int i, int v) { simd::store(c + i * stride + v * kLanes, sums[i][v]); });
  }

 private:
  [[gnu::always_inline]] static void each(const auto& f) {
    repeat<Rows>([&](int i) { repeat<Vectors>([&](int v) { f(i, v); }); });
  }
};

// The kernels are functions of their own, and entered often: V8 replaces a function's first, slow code only when it is
// entered again. Their loops go in single steps: unrolled, the compilers interleave the steps and run out of registers.
template <int Rows, int Vectors>
[[gnu::noinline]] void strided_tile(Strided a, Strided b, int depth, float* c, Eigen::Index c_stride, bool add) {
  Accumulators<Rows, Vectors> tile;
  tile.load(c, c_stride, add);
  const float* row[Rows];
  repeat<Rows>([&](int i) { row[i] = a.data + i * a.stride; });
  for (const float* step = b.data; depth > 0; --depth, step += b.stride)
    tile.multiply(step, [&](int i) { return *row[i]++; });
  tile.store(c, c_stride);
}

// a[i, k] is at a[i · Row + k · Step].
template <int Row, int Step>
[[gnu::always_inline]] inline void constant_tile(const float* a, const float* b, int depth, float* c,
                                                 Eigen::Index c_stride, bool add) {
  Accumulators<kTileRows, 2> tile;
  tile.load(c, c_stride, add);
  for (; depth > 0; --depth, a += Step, b += kTileColumns) tile.multiply(b, [&](int i) { return a[i * Row]; });
  tile.store(c, c_stride);
}

// As long in every build: one script starts both programs of the page, so their data must lie in the same places.
template <int Vectors>
constexpr auto kStridedTiles = []<int... I>(std::integer_sequence<int, I...>) {
  return std::array<decltype(&strided_tile<1, Vectors>), 8>{strided_tile<I + 1, Vectors>...};
}(std::make_integer_sequence<int, kTileRows>());
static_assert(kTileRows <= 8);

// Packs `columns` ≤ kTileColumns columns.
void pack_panel(Strided rows, int depth, int columns, float* panel) {
  for (int k = 0; k < depth; ++k) {
    const float* row = rows.data + k * rows.stride;
    std::fill(std::copy(row, row + columns, panel), panel + kTileColumns, 0.F);
    panel += kTileColumns;
  }
}

void pack_panel_transposed(Strided rows, int depth, int columns, float* panel) {
  for (int j = 0; j < columns; ++j)
    for (int k = 0; k < depth; ++k) panel[k * kTileColumns + j] = rows.data[j * rows.stride + k];
  for (int j = columns; j < kTileColumns; ++j)
    for (int k = 0; k < depth; ++k) panel[k * kTileColumns + j] = 0;
}

typedef float Four __attribute__((vector_size(16)));

[[gnu::noinline]] void pack_full_panel(Strided rows, int depth, float* panel) {
  for (int k = 0; k < depth; ++k, panel += kTileColumns) {
    const float* row = rows.data + k * rows.stride;
    simd::store(panel, simd::load(row));
    simd::store(panel + kLanes, simd::load(row + kLanes));
  }
}

// Four by four: two rounds of interleaving transpose.
[[gnu::noinline]] void pack_full_panel_transposed(Strided rows, int depth, float* panel) {
  for (int j = 0; j < kTileColumns; j += 4) {
    const float* row = rows.data + j * rows.stride;
    float* to = panel + j;
    int k = 0;
    for (; k + 4 <= depth; k += 4) {
      Four x[4];
      for (int i = 0; i < 4; ++i) std::memcpy(&x[i], row + i * rows.stride + k, sizeof x[i]);
      const Four low02 = __builtin_shufflevector(x[0], x[2], 0, 4, 1, 5),
                 low13 = __builtin_shufflevector(x[1], x[3], 0, 4, 1, 5);
      const Four high02 = __builtin_shufflevector(x[0], x[2], 2, 6, 3, 7),
                 high13 = __builtin_shufflevector(x[1], x[3], 2, 6, 3, 7);
      const Four y[4] = {
          __builtin_shufflevector(low02, low13, 0, 4, 1, 5), __builtin_shufflevector(low02, low13, 2, 6, 3, 7),
          __builtin_shufflevector(high02, high13, 0, 4, 1, 5), __builtin_shufflevector(high02, high13, 2, 6, 3, 7)};
      for (int i = 0; i < 4; ++i) std::memcpy(to + (k + i) * kTileColumns, &y[i], sizeof y[i]);
    }
    for (; k < depth; ++k)
      for (int i = 0; i < 4; ++i) to[k * kTileColumns + i] = row[i * rows.stride + k];
  }
}

}  // namespace

void multiply_tile(int rows, int columns, Strided a, Strided b, int depth, float* c, Eigen::Index c_stride, bool add) {
  assert(rows >= 1 && rows <= kTileRows && (columns == kTileColumns || columns == kLanes));
  const auto& tiles = columns == kLanes ? kStridedTiles<1> : kStridedTiles<2>;
  tiles[static_cast<std::size_t>(rows - 1)](a, b, depth, c, c_stride, add);
}

[[gnu::noinline]] void multiply_packed_tile(const float* a, const float* b, int depth, float* c, Eigen::Index c_stride,
                                            bool add) {
  constant_tile<1, kTileRows>(a, b, depth, c, c_stride, add);
}

[[gnu::noinline]] void multiply_row_tile(const float* a, const float* b, int depth, float* c, Eigen::Index c_stride,
                                         bool add) {
  constant_tile<kRowStride, 1>(a, b, depth, c, c_stride, add);
}

void pack_panels(Strided rows, int depth, int columns, float* panels, Eigen::Index panel_stride) {
  for (; columns >= kTileColumns; columns -= kTileColumns, rows.data += kTileColumns, panels += panel_stride)
    pack_full_panel(rows, depth, panels);
  if (columns > 0) pack_panel(rows, depth, columns, panels);
}

void pack_panels_transposed(Strided rows, int depth, int columns, float* panels, Eigen::Index panel_stride) {
  for (; columns >= kTileColumns;
       columns -= kTileColumns, rows.data += kTileColumns * rows.stride, panels += panel_stride)
    pack_full_panel_transposed(rows, depth, panels);
  if (columns > 0) pack_panel_transposed(rows, depth, columns, panels);
}

}  // namespace limelight
