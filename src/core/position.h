// How attention learns where a token stands. Positions count from 0.
#pragma once

#include "core/matrix.h"

namespace limelight {

enum class Positions {
  none,
  sinusoidal,   // added to queries and keys (Vaswani et al. 2017, §3.5)
  learned,      // rows of a table, added to queries and keys (Gehring et al. 2017)
  rotary,       // queries and keys are rotated pair by pair (RoPE: Su et al. 2021); even size
  linear_bias,  // −slope · |i − j| is added to the scaled scores (ALiBi: Press et al. 2022, symmetric)
};

// [n, d]: sin(p / 10000^(2c/d)) in column 2c, the cosine in column 2c + 1.
template <class Scalar>
MatrixOf<Scalar> sinusoidal(int n, int d);

// x: [n, d], d even. Columns 2c and 2c + 1 of row p turn by the angle p / 10000^(2c/d).
// `direction` −1 turns back: that is the inverse and, since a rotation is orthogonal, the gradient.
template <class Scalar>
MatrixOf<Scalar> rotate(const ConstMatrixRefOf<Scalar>& x, int direction = 1);
// As products of complex numbers.
template <class Scalar>
MatrixOf<Scalar> rotate_naive(const ConstMatrixRefOf<Scalar>& x);

// Queries or keys x: [n, D] as they enter the scores: with positions added or turned, or as they are (linear_bias
// belongs to the scores). table: [at least n, D], of learned positions; not read otherwise.
template <class Scalar>
MatrixOf<Scalar> with_positions(const ConstMatrixRefOf<Scalar>& x, Positions positions,
                                const ConstMatrixRefOf<Scalar>& table);

// 2^(−8 head / heads) with head = 1 … heads.
double linear_bias_slope(int head, int heads);
// [T, S]: −slope · |i − j|
template <class Scalar>
MatrixOf<Scalar> linear_bias(int queries, int keys, double slope);

}  // namespace limelight
