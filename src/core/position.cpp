#include "core/position.h"

#include <cassert>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace limelight {
namespace {

// Radians per position for each pair of columns, 10000^(−2c/d). In double: single precision would turn position 10,000
// by 5e-4 too much or too little.
std::vector<double> frequencies(Eigen::Index d) {
  std::vector<double> turns(static_cast<std::size_t>((d + 1) / 2));
  for (std::size_t c = 0; c < turns.size(); ++c)
    turns[c] = 1 / std::pow(10000, 2 * static_cast<double>(c) / static_cast<double>(d));
  return turns;
}

}  // namespace

template <class Scalar>
MatrixOf<Scalar> sinusoidal(int n, int d) {
  assert(n >= 0 && d >= 0);
  MatrixOf<Scalar> positions(n, d);
  const std::vector<double> turns = frequencies(d);
  for (int p = 0; p < n; ++p)
    for (int column = 0; column < d; ++column) {
      const double angle = p * turns[static_cast<std::size_t>(column / 2)];
      positions(p, column) = static_cast<Scalar>(column % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return positions;
}

template <class Scalar>
MatrixOf<Scalar> rotate(const ConstMatrixRefOf<Scalar>& x, int direction) {
  assert(x.cols() % 2 == 0 && (direction == 1 || direction == -1));
  MatrixOf<Scalar> rotated(x.rows(), x.cols());
  const std::vector<double> turns = frequencies(x.cols());
  for (Eigen::Index p = 0; p < x.rows(); ++p)
    for (Eigen::Index column = 0; column < x.cols(); column += 2) {
      const double angle = static_cast<double>(direction * p) * turns[static_cast<std::size_t>(column / 2)];
      const Scalar cosine = static_cast<Scalar>(std::cos(angle));
      const Scalar sine = static_cast<Scalar>(std::sin(angle));
      rotated(p, column) = x(p, column) * cosine - x(p, column + 1) * sine;
      rotated(p, column + 1) = x(p, column) * sine + x(p, column + 1) * cosine;
    }
  return rotated;
}

template <class Scalar>
MatrixOf<Scalar> rotate_naive(const ConstMatrixRefOf<Scalar>& x) {
  MatrixOf<Scalar> rotated(x.rows(), x.cols());
  for (Eigen::Index p = 0; p < x.rows(); ++p)
    for (Eigen::Index c = 0; c < x.cols() / 2; ++c) {
      const double angle =
          static_cast<double>(p) * std::pow(10000, -2 * static_cast<double>(c) / static_cast<double>(x.cols()));
      const std::complex<double> pair(static_cast<double>(x(p, 2 * c)), static_cast<double>(x(p, 2 * c + 1)));
      const std::complex<double> turned = pair * std::exp(std::complex<double>(0, angle));
      rotated(p, 2 * c) = static_cast<Scalar>(turned.real());
      rotated(p, 2 * c + 1) = static_cast<Scalar>(turned.imag());
    }
  return rotated;
}

double linear_bias_slope(int head, int heads) {
  assert(head >= 1 && head <= heads);
  return std::exp2(-8.0 * head / heads);
}

template <class Scalar>
MatrixOf<Scalar> linear_bias(int queries, int keys, double slope) {
  MatrixOf<Scalar> bias(queries, keys);
  for (int i = 0; i < queries; ++i)
    for (int j = 0; j < keys; ++j) bias(i, j) = static_cast<Scalar>(slope * -std::abs(i - j));
  return bias;
}

template MatrixOf<float> sinusoidal<float>(int, int);
template MatrixOf<double> sinusoidal<double>(int, int);
template MatrixOf<float> rotate<float>(const ConstMatrixRefOf<float>&, int);
template MatrixOf<double> rotate<double>(const ConstMatrixRefOf<double>&, int);
template MatrixOf<float> rotate_naive<float>(const ConstMatrixRefOf<float>&);
template MatrixOf<double> rotate_naive<double>(const ConstMatrixRefOf<double>&);
template MatrixOf<float> linear_bias<float>(int, int, double);
template MatrixOf<double> linear_bias<double>(int, int, double);

}  // namespace limelight
