#include "core/analysis.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/normalize.h"
#include "core/position.h"
#include "unit/core_support.h"

using namespace limelight;

namespace {

constexpr double kEpsilon = static_cast<double>(std::numeric_limits<float>::epsilon());

Matrix random_weights(int rows, int columns, Random& random) {
  return normalize<float>(Normalizer::softmax, random_matrix<float>(rows, columns, random));
}

// ‖∂a/∂x‖_F of the one row of weights f() by x, column by column.
template <class F>
double jacobian_norm(MatrixOf<double>& x, Eigen::Index keys, F&& f) {
  double squares = 0;
  for (Eigen::Index j = 0; j < keys; ++j) squares += finite_difference(x, [&] { return f()(0, j); }).squaredNorm();
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE("entropy: 0 where one key has it all, ln S where all are the same, between otherwise") {
  Matrix weights(4, 4);
  weights << 0, 0, 1, 0,       //
      0.25, 0.25, 0.25, 0.25,  //
      0, 0, 0, 0,              //
      0.5, 0, 0.5, 0;
  const Matrix bits = entropy(weights) / std::log(2.F);
  CHECK(bits(0, 0) == 0);
  CHECK(bits(1, 0) == doctest::Approx(2).epsilon(kEpsilon));
  CHECK(bits(2, 0) == 0);
  CHECK(bits(3, 0) == doctest::Approx(1).epsilon(kEpsilon));
  Random random(1);
  const Matrix any = entropy(random_weights(50, 9, random));
  REQUIRE(any.rows() == 50);
  REQUIRE(any.cols() == 1);
  CHECK((any.array() > 0).all());
  CHECK(static_cast<double>(any.maxCoeff<Eigen::PropagateNaN>()) < std::log(9.0));
}

TEST_CASE("effective keys: as many as share equally, and none in a fully masked row") {
  Matrix weights = Matrix::Zero(6, 5);
  for (int i = 0; i < 5; ++i) weights.row(i).head(i + 1).setConstant(1 / static_cast<float>(i + 1));
  const Matrix keys = effective_keys(weights);
  for (int i = 0; i < 5; ++i) CHECK(static_cast<double>(keys(i, 0)) == doctest::Approx(i + 1).epsilon(2 * kEpsilon));
  CHECK(keys(5, 0) == 0);
}

TEST_CASE("largest weight and fully masked rows: read off the rows") {
  Matrix weights(3, 3);
  weights << 0.2F, 0.5F, 0.3F, 0, 0, 0, 0, 0, 1;
  Matrix expected(3, 1);
  expected << 0.5F, 0, 1;
  CHECK(largest_weight(weights) == expected);
  CHECK(fully_masked_rows(weights) == std::vector{1});
  CHECK(fully_masked_rows(Matrix::Zero(2, 3)) == std::vector{0, 1});
  CHECK(fully_masked_rows(Matrix::Identity(3, 3)).empty());
}

TEST_CASE("softmax's Jacobian: its norm agrees with finite differences, at every temperature") {
  Random random(2);
  for (const int keys : {1, 2, 7})
    for (const double temperature : {0.5, 1.0, 3.0}) {
      MatrixOf<double> scores = random_matrix<double>(1, keys, random);
      const auto weights = [&] { return normalize_naive<double>(Normalizer::softmax, scores / temperature); };
      const double expected = jacobian_norm(scores, keys, weights);
      const Matrix norm = softmax_jacobian_norm(weights().cast<float>(), temperature);
      CHECK(std::abs(static_cast<double>(norm(0, 0)) - expected) < 4 * kEpsilon);
    }
}

TEST_CASE("softmax's Jacobian: it keeps its digits where one weight is near 1, and is 0 where nothing can change") {
  Matrix weights(3, 2);
  const float rest = 0x1.0p-20F;
  weights << 1 - rest, rest, 1, 0, 0, 0;
  const Matrix norm = softmax_jacobian_norm(weights);
  // Of two weights: a₁ a₂ times [1 −1; −1 1], whose norm is 2.
  CHECK(static_cast<double>(norm(0, 0)) == doctest::Approx(2 * 0x1.0p-20 * (1 - 0x1.0p-20)).epsilon(2 * kEpsilon));
  CHECK(norm(1, 0) == 0);
  CHECK(norm(2, 0) == 0);
}

TEST_CASE("the query's Jacobian: its norm agrees with finite differences, at every scale and temperature") {
  Random random(3);
  for (const int keys : {1, 2, 7})
    for (const double scale : {0.5, -2.0})
      for (const double temperature : {0.5, 2.0}) {
        MatrixOf<double> query = random_matrix<double>(1, 4, random);
        const Matrix key = random_matrix<float>(keys, 4, random);
        const auto weights = [&] {
          const MatrixOf<double> scores = query * key.cast<double>().transpose() * (scale / temperature);
          return normalize_naive<double>(Normalizer::softmax, scores);
        };
        const double expected = jacobian_norm(query, keys, weights);
        const Matrix norm = query_jacobian_norm(weights().cast<float>(), key, scale, temperature);
        CHECK(std::abs(static_cast<double>(norm(0, 0)) - expected) < 20 * kEpsilon);  // norms of up to 5
      }
}

TEST_CASE("rollout: its rows are weights again") {
  Random random(4);
  std::vector<Matrix> layers;
  for (int layer = 0; layer < 12; ++layer) layers.push_back(random_weights(9, 9, random));
  layers[5].row(3).setZero();  // fully masked: it keeps what it has
  const Matrix flow = rollout(layers);
  CHECK((flow.array() >= 0).all());
  CHECK(largest_difference(flow.rowwise().sum(), Matrix::Ones(9, 1)) < 4 * kEpsilon);
}

TEST_CASE("rollout: layers that look at themselves give the identity, a masked row keeps itself") {
  const std::vector<Matrix> same(3, Matrix::Identity(5, 5));
  CHECK(rollout(same) == Matrix::Identity(5, 5));
  const std::vector<Matrix> blind(3, Matrix::Zero(5, 5));
  CHECK(rollout(blind) == Matrix::Identity(5, 5));
}

TEST_CASE("rollout: half of each layer is the residual, and the last layer stands leftmost") {
  Random random(5);
  const Matrix first = random_weights(4, 4, random);
  const Matrix last = random_weights(4, 4, random);
  const Matrix half_first = (first + Matrix::Identity(4, 4)) / 2;
  const Matrix half_last = (last + Matrix::Identity(4, 4)) / 2;
  CHECK(largest_difference(rollout(std::vector{first}), half_first) < 2 * kEpsilon);
  CHECK(largest_difference(rollout(std::vector{first, last}), half_last * half_first) < 4 * kEpsilon);
  CHECK(largest_difference(half_first * half_last, half_last * half_first) > 0.01);
}

TEST_CASE("equivariance: a layer that treats its tokens as a set has no error, and one with positions has") {
  Random random(6);
  const Matrix x = random_matrix<float>(6, 4, random);
  const std::vector<int> order = {3, 0, 5, 1, 4, 2};
  const auto attend = [](const Matrix& tokens) -> Matrix {
    return normalize<float>(Normalizer::softmax, tokens * tokens.transpose()) * tokens;
  };
  const Matrix positions = sinusoidal<float>(6, 4);
  CHECK(equivariance_error(attend, x, order) < 20 * kEpsilon);  // sums in another order
  CHECK(equivariance_error([&](const Matrix& tokens) { return attend(tokens + positions); }, x, order) > 0.1);
}

TEST_CASE("equivariance: a layer that makes no numbers has no small error") {
  const auto broken = [](const Matrix& tokens) {
    Matrix out = tokens;
    out(1, 1) = std::numeric_limits<float>::quiet_NaN();
    return out;
  };
  const std::vector<int> order = {2, 0, 1};
  CHECK(!(equivariance_error(broken, Matrix::Ones(3, 2), order) < 1));
}

TEST_CASE("equivariance: order says which row comes to a place") {
  Matrix x(3, 1);
  x << 1, 2, 4;
  const std::vector<int> order = {1, 2, 0};
  // Adds 10 to the first row: of x P that was row 1, of layer(x) P it stands last.
  const auto layer = [](const Matrix& tokens) -> Matrix {
    Matrix out = tokens;
    out(0, 0) += tokens(0, 0) * 10;
    return out;
  };
  // x P = 2 4 1 → 22 4 1; layer(x) = 11 2 4 → 2 4 11.
  CHECK(equivariance_error(layer, x, order) == 20);
}
