#include "core/position.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "unit/core_support.h"

using namespace limelight;

namespace {

template <class Scalar>
constexpr double kEpsilon = static_cast<double>(std::numeric_limits<Scalar>::epsilon());

// Row p of x, alone at position p among rows of 0.
MatrixOf<double> at_position(const MatrixOf<double>& x, int p) {
  MatrixOf<double> rows = MatrixOf<double>::Zero(p + 1, x.cols());
  rows.row(p) = x;
  return rotate<double>(rows).row(p);
}

}  // namespace

TEST_CASE_TEMPLATE("sinusoidal: sines in even columns and cosines in odd ones, of p / 10000^(2c/d)", Scalar, float,
                   double) {
  for (const int d : {1, 2, 5, 8, 64}) {
    const MatrixOf<Scalar> positions = sinusoidal<Scalar>(40, d);
    REQUIRE(positions.rows() == 40);
    REQUIRE(positions.cols() == d);
    for (int p = 0; p < 40; ++p)
      for (int c = 0; 2 * c < d; ++c) {
        const double angle = p / std::pow(10000.0, 2.0 * c / d);
        // Half an ε of rounding to the type; the angle, at most 40, is itself rounded in double.
        const double tolerance = kEpsilon<Scalar> + 40 * kEpsilon<double>;
        CHECK(std::abs(static_cast<double>(positions(p, 2 * c)) - std::sin(angle)) < tolerance);
        if (2 * c + 1 < d) CHECK(std::abs(static_cast<double>(positions(p, 2 * c + 1)) - std::cos(angle)) < tolerance);
      }
  }
}

TEST_CASE("sinusoidal: the angles are exact enough far out in single precision as well") {
  const int n = 10'000;
  CHECK(largest_difference(sinusoidal<float>(n, 6), sinusoidal<double>(n, 6)) < kEpsilon<float>);
}

TEST_CASE("sinusoidal: the dot product of two positions depends on their distance alone") {
  const int d = 16;
  const MatrixOf<double> positions = sinusoidal<double>(50, d);
  const MatrixOf<double> dots = positions * positions.transpose();
  for (int i = 0; i < 50; ++i)
    for (int j = 0; j < 50; ++j)
      CHECK(std::abs(dots(i, j) - dots(std::abs(i - j), 0)) < 1e-12);  // d/2 cosines, angles up to 50 rounded
  CHECK(dots(1, 0) < dots(0, 0) - 0.1);                                // and it does depend on it
}

TEST_CASE_TEMPLATE("rotary: it agrees with products of complex numbers", Scalar, float, double) {
  Random random(2);
  for (const int d : {2, 6, 64}) {
    const MatrixOf<Scalar> x = random_matrix<Scalar>(33, d, random);
    // Entries of up to 4.5; two products and a sum.
    CHECK(largest_difference(rotate<Scalar>(x), rotate_naive<Scalar>(x)) < 20 * kEpsilon<Scalar>);
  }
}

TEST_CASE("rotary: the angles are exact enough far out in single precision as well") {
  const Matrix x = Matrix::Ones(10'000, 6);
  CHECK(largest_difference(rotate<float>(x), rotate<double>(x.cast<double>())) < 4 * kEpsilon<float>);
}

TEST_CASE("rotary: the dot product of a turned query and key depends on their distance alone") {
  Random random(3);
  const MatrixOf<double> query = random_matrix<double>(1, 8, random);
  const MatrixOf<double> key = random_matrix<double>(1, 8, random);
  const auto dot = [&](int i, int j) { return at_position(query, i).row(0).dot(at_position(key, j).row(0)); };
  for (const int distance : {-7, -1, 0, 1, 5})
    for (const int i : {10, 11, 40})
      CHECK(std::abs(dot(i, i - distance) - dot(20, 20 - distance)) < 1e-12);  // angles up to 47, rounded in double
  CHECK(std::abs(dot(20, 20) - query.row(0).dot(key.row(0))) < 1e-12);
  CHECK(std::abs(dot(20, 15) - dot(15, 20)) > 0.1);  // unlike sinusoidal ones it knows before from after
}

TEST_CASE_TEMPLATE("rotary: it keeps every row's norm, leaves row 0 as it is, and turning back undoes it", Scalar,
                   float, double) {
  Random random(4);
  const MatrixOf<Scalar> x = random_matrix<Scalar>(100, 10, random);
  const MatrixOf<Scalar> turned = rotate<Scalar>(x);
  // Sums of ten squares of about 1.
  CHECK(largest_difference(turned.rowwise().norm(), x.rowwise().norm()) < 20 * kEpsilon<Scalar>);
  CHECK(turned.row(0) == x.row(0));
  CHECK(turned.row(1) != x.row(1));
  CHECK(largest_difference(rotate<Scalar>(turned, -1), x) < 20 * kEpsilon<Scalar>);
}

TEST_CASE("rotary: turning back is its gradient") {
  Random random(5);
  MatrixOf<double> x = random_matrix<double>(7, 4, random);
  const MatrixOf<double> weights = random_matrix<double>(7, 4, random);
  const auto loss = [&] { return rotate<double>(x).cwiseProduct(weights).sum(); };
  // Linear: only rounding is left, 1e-16 · 30 / step.
  CHECK(largest_difference(finite_difference(x, loss), rotate<double>(weights, -1)) < 1e-9);
}

TEST_CASE("linear bias: the slopes of the paper for 8 and 16 heads") {
  // Press et al. 2022: 1/2, 1/4, … 1/256 for 8 heads; with 16 heads the geometric mean comes between two neighbours.
  for (int head = 1; head <= 8; ++head) {
    CHECK(linear_bias_slope(head, 8) == std::ldexp(1.0, -head));
    CHECK(linear_bias_slope(2 * head, 16) == std::ldexp(1.0, -head));
  }
  CHECK(linear_bias_slope(1, 16) == doctest::Approx(std::sqrt(0.5)));
  CHECK(linear_bias_slope(1, 1) == 1.0 / 256);
}

TEST_CASE_TEMPLATE("linear bias: minus the slope times the distance, also when the counts differ", Scalar, float,
                   double) {
  const MatrixOf<Scalar> bias = linear_bias<Scalar>(3, 5, 0.25);
  REQUIRE(bias.rows() == 3);
  REQUIRE(bias.cols() == 5);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 5; ++j) CHECK(static_cast<double>(bias(i, j)) == -0.25 * std::abs(i - j));
}
