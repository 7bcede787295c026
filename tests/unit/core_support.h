// What the tests of the core share.
#pragma once

#include <limits>

#include "core/matrix.h"
#include "core/random.h"

namespace limelight {

// Independent standard normal entries.
template <class Scalar>
MatrixOf<Scalar> random_matrix(int rows, int columns, Random& random) {
  MatrixOf<Scalar> matrix(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) matrix(i, j) = static_cast<Scalar>(random.normal());
  return matrix;
}

// max |a − b| over the entries; infinite when the sizes differ or an entry is not a number, so that both fail a bound.
template <class A, class B>
double largest_difference(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  if (a.size() == 0) return 0;
  const double largest =
      (a.template cast<double>() - b.template cast<double>()).cwiseAbs().template maxCoeff<Eigen::PropagateNaN>();
  return largest >= 0 ? largest : std::numeric_limits<double>::infinity();
}

// The gradient of the number f() with respect to x, which f reads, by central differences. The step balances their
// truncation (step²) against rounding (1e-16 / step): about 1e-10 where f and its third derivative are about 1.
template <class F>
MatrixOf<double> finite_difference(MatrixOf<double>& x, F&& f) {
  constexpr double step = 1e-5;
  MatrixOf<double> gradient(x.rows(), x.cols());
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      const double here = x(i, j);
      x(i, j) = here + step;
      const double after = f();
      x(i, j) = here - step;
      const double before = f();
      x(i, j) = here;
      gradient(i, j) = (after - before) / (2 * step);
    }
  return gradient;
}

}  // namespace limelight
