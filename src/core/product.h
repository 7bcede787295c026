// Products of matrices: our own kernels in single precision, Eigen's in double.
#pragma once

#include <cstddef>

#include "core/matrix.h"

namespace limelight {

struct ProductOptions {
  bool transpose_a = false;
  bool transpose_b = false;
};

// op(a): [M, K]  op(b): [K, N]  → [M, N], where op transposes or not.
template <class Scalar>
MatrixOf<Scalar> product(const ConstMatrixRefOf<Scalar>& a, const ConstMatrixRefOf<Scalar>& b,
                         ProductOptions options = {});

// The same into an existing matrix of that size, or added to it. Rows may be farther apart than they are long (a block
// of a larger matrix). `out` must not overlap a or b.
void multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, Eigen::Ref<Matrix> out, ProductOptions options = {});
void multiply_add(const ConstMatrixRef& a, const ConstMatrixRef& b, Eigen::Ref<Matrix> out,
                  ProductOptions options = {});

// Floats that a product of op(a): [rows, depth] and op(b): [depth, columns] allocates while it computes; at most 64 Ki.
std::size_t packed_by_product(int rows, int depth, int columns, ProductOptions options = {});

// One sum at a time.
template <class Scalar>
MatrixOf<Scalar> product_naive(const ConstMatrixRefOf<Scalar>& a, const ConstMatrixRefOf<Scalar>& b,
                               ProductOptions options = {});

}  // namespace limelight
