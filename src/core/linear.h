// Attention whose cost grows linearly with the number of tokens: other functions than softmax attention, not faster
// ways to compute it.
#pragma once

#include <cstddef>

#include "core/matrix.h"

namespace limelight {

// φ(Q) (φ(K)ᵀ V) / (φ(Q) Σ φ(k)) with φ = elu + 1 (Katharopoulos et al. 2020, eqs. 5–7); causal: sums over j ≤ i (eqs.
// 8–12). query: [T, D]  key: [S, D]  value: [S, V]  → [T, V]. No scores and no weights are ever formed.
// A query whose features have no product left with any key's (far below 0 in every column) gives a row of 0.
// Finite as long as those products, summed over keys and columns, are: entries up to 1e15 in single precision are safe.
template <class Scalar>
MatrixOf<Scalar> attend_linear(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                               const ConstMatrixRefOf<Scalar>& value, bool causal = false);
// The same without a causal mask, in slices: first all keys, in any parts, then any rows of queries. Single precision,
// our own SIMD kernels; it holds one matrix of the keys' sums, however many there are, one block of features,
// and what a product packs.
class LinearAttention {
 public:
  LinearAttention(int size, int value_size);
  // Adds these keys and their values. key: [S, D]  value: [S, V]
  void add(const ConstMatrixRef& key, const ConstMatrixRef& value);
  // query: [T, D], of which rows begin ≤ i < end are computed into those of output: [T, V].
  void rows(const ConstMatrixRef& query, int begin, int end, Eigen::Ref<Matrix> output);

  // What it holds while it computes, beside what it is given; and the same before there is one.
  [[nodiscard]] std::size_t bytes() const;
  static std::size_t bytes_for(int size, int value_size);

 private:
  Matrix state_;     // [D, V + 1]: Σ φ(k)ᵀ (v, 1)
  Matrix features_;  // [a block of rows, D]
  Matrix extended_;  // [a block of rows, V + 1]
};

// With the weights φ(q)·φ(k) / Σ written out, [T, S].
template <class Scalar>
MatrixOf<Scalar> attend_linear_naive(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                                     const ConstMatrixRefOf<Scalar>& value, bool causal = false);

template <class Scalar>
struct LinearGradients {
  MatrixOf<Scalar> query, key, value;
};
// grad_output: [T, V]
template <class Scalar>
LinearGradients<Scalar> attend_linear_backward(const ConstMatrixRefOf<Scalar>& query,
                                               const ConstMatrixRefOf<Scalar>& key,
                                               const ConstMatrixRefOf<Scalar>& value,
                                               const ConstMatrixRefOf<Scalar>& grad_output, bool causal = false);

}  // namespace limelight
