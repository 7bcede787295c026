#include "core/product.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/random.h"
#include "core/tile.h"
#include "unit/core_support.h"

using namespace limelight;

namespace {

template <class Scalar>
MatrixOf<Scalar> normal_matrix(int rows, int columns, Random& random) {
  MatrixOf<Scalar> matrix(rows, columns);
  for (Scalar& entry : matrix.template reshaped<Eigen::RowMajor>()) entry = static_cast<Scalar>(random.normal());
  return matrix;
}

struct Size {
  int m, k, n;
};

// Odd ones, and around every edge of a tile, a panel and a packed block (256 deep, 256 wide).
std::vector<Size> sizes() {
  std::vector<Size> all = {{1, 1, 1},     {3, 7, 5},     {129, 65, 33}, {1, 300, 40}, {40, 300, 1},  {2, 2, 2},
                           {13, 255, 17}, {13, 256, 17}, {13, 257, 17}, {7, 9, 255},  {17, 9, 256},  {7, 9, 257},
                           {31, 520, 70}, {5, 600, 530}, {64, 64, 64},  {70, 64, 65}, {300, 20, 130}};
  for (int m = 1; m <= 2 * kTileRows + 1; ++m)
    for (const int n : {2, simd::kLanes - 1, simd::kLanes, simd::kLanes + 1, kTileColumns - 1, kTileColumns,
                        kTileColumns + 1, kTileColumns + simd::kLanes, 2 * kTileColumns + 3})
      all.push_back({m, 11, n});
  return all;
}

const std::vector<ProductOptions> kTranspositions = {{false, false}, {true, false}, {false, true}, {true, true}};

template <class Scalar>
struct Factors {
  MatrixOf<Scalar> a, b;
};
template <class Scalar>
Factors<Scalar> factors(Size size, ProductOptions options, Random& random) {
  return {options.transpose_a ? normal_matrix<Scalar>(size.k, size.m, random)
                              : normal_matrix<Scalar>(size.m, size.k, random),
          options.transpose_b ? normal_matrix<Scalar>(size.n, size.k, random)
                              : normal_matrix<Scalar>(size.k, size.n, random)};
}

// k products of magnitude about 1, each rounded, and a sum of them, which is about √k large and at most some 5 √k:
// k · u · √k is generous; 4 more for k = 1.
template <class Scalar>
double rounding(int k) {
  return (k + 4) * 5 * std::sqrt(k) * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
}

}  // namespace

TEST_CASE_TEMPLATE("product: it agrees with one sum at a time, of any sizes and transpositions", Scalar, float,
                   double) {
  Random random(1);
  for (const Size size : sizes())
    for (const ProductOptions options : kTranspositions) {
      CAPTURE(size.m);
      CAPTURE(size.k);
      CAPTURE(size.n);
      CAPTURE(options.transpose_a);
      CAPTURE(options.transpose_b);
      const auto [a, b] = factors<Scalar>(size, options, random);
      CHECK(largest_difference(product<Scalar>(a, b, options), product_naive<Scalar>(a, b, options)) <
            rounding<Scalar>(size.k));
    }
}

TEST_CASE("product: what is packed on the heap is whole tiles of a block, at most 256 deep and 256 wide") {
  for (const ProductOptions options : kTranspositions) {
    CHECK(packed_by_product(1, 1000, 1000, options) == 0);
    CHECK(packed_by_product(100, 16, 2 * kTileColumns, options) == 0);  // fits the stack
    CHECK(packed_by_product(100, 1000, 1000, options) == 256 * 256);
    const auto tiles = static_cast<std::size_t>(round_up(100, kTileColumns));
    CHECK(packed_by_product(100, 200, 100, options) == 200 * tiles);
  }
  // A few rows use b where it lies.
  CHECK(packed_by_product(2, 1000, 1000) == 0);
  CHECK(packed_by_product(2, 1000, 1000, {.transpose_b = true}) == 256 * 256);
}

TEST_CASE("product: small integers are multiplied exactly") {
  Random random(2);
  for (const Size size : sizes())
    for (const ProductOptions options : kTranspositions) {
      auto [a, b] = factors<float>(size, options, random);
      a = a.array().round();
      b = b.array().round();
      CHECK(product<float>(a, b, options) == product_naive<float>(a, b, options));
    }
}

TEST_CASE("multiply: blocks of larger matrices are read and written in place, and nothing around them") {
  Random random(3);
  for (const Size size : {Size{3, 7, 5}, Size{13, 9, 17}, Size{65, 300, 70}, Size{1, 5, 9}, Size{9, 5, 1}})
    for (const ProductOptions options : kTranspositions) {
      const auto [a, b] = factors<float>(size, options, random);
      Matrix large_a = Matrix::Constant(a.rows() + 4, a.cols() + 5, std::numeric_limits<float>::quiet_NaN());
      Matrix large_b = Matrix::Constant(b.rows() + 4, b.cols() + 5, std::numeric_limits<float>::quiet_NaN());
      large_a.block(1, 2, a.rows(), a.cols()) = a;
      large_b.block(1, 2, b.rows(), b.cols()) = b;
      Matrix large = Matrix::Constant(size.m + 3, size.n + 4, 7);
      multiply(large_a.block(1, 2, a.rows(), a.cols()), large_b.block(1, 2, b.rows(), b.cols()),
               large.block(1, 2, size.m, size.n), options);
      CHECK(largest_difference(large.block(1, 2, size.m, size.n), product_naive<float>(a, b, options)) <
            rounding<float>(size.k));
      large.block(1, 2, size.m, size.n).setConstant(7);
      CHECK(large == Matrix::Constant(size.m + 3, size.n + 4, 7));
    }
}

TEST_CASE("multiply_add: what was there stays in the sum, once") {
  Random random(4);
  for (const Size size : sizes())
    for (const ProductOptions options : kTranspositions) {
      auto [a, b] = factors<float>(size, options, random);
      a = a.array().round();
      b = b.array().round();
      Matrix out = Matrix::Constant(size.m, size.n, 3);
      multiply_add(a, b, out, options);
      const Matrix expected = product_naive<float>(a, b, options).array() + 3;
      CHECK(out == expected);
    }
}

TEST_CASE("product: without an inner dimension it is 0, and adds nothing") {
  const Matrix a(3, 0), b(0, 4);
  CHECK(product<float>(a, b) == Matrix::Zero(3, 4));
  Matrix out = Matrix::Constant(3, 4, 2);
  multiply_add(a, b, out);
  CHECK(out == Matrix::Constant(3, 4, 2));
}
