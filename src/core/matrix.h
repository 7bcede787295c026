// The one matrix type: dense, row-major, single precision. Rows are tokens, columns are features.
#pragma once

#include <Eigen/Core>

namespace limelight {

template <class Scalar>
using MatrixOf = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

using Matrix = MatrixOf<float>;

// Beware: a column-major or transposed argument is copied silently when it binds to this.
template <class Scalar>
using ConstMatrixRefOf = Eigen::Ref<const MatrixOf<Scalar>>;

using ConstMatrixRef = ConstMatrixRefOf<float>;

}  // namespace limelight
