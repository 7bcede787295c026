#include "core/transformer.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

using namespace limelight;

namespace {

MatrixView view(const Matrix& matrix) { return {matrix.data(), matrix.rows(), matrix.cols(), matrix.cols()}; }

// One block of size 4 that passes every token on, with two heads that score tokens alike.
struct Plain {
  Matrix tokens = Matrix::Identity(4, 4), positions = Matrix::Zero(6, 4), one = Matrix::Ones(1, 4),
         zero = Matrix::Zero(1, 4), square = Matrix::Identity(4, 4), none = Matrix::Zero(4, 4);

  [[nodiscard]] TransformerWeights weights() const {
    const NormView norm{view(one), view(zero)};
    const auto linear = [&](const Matrix& w) { return LinearView{view(w), view(zero), false}; };
    TransformerWeights weights;
    weights.tokens = view(tokens);
    weights.positions = view(positions);
    weights.blocks = {{.query = linear(none),
                       .key = linear(square),
                       .value = linear(square),
                       .output = linear(square),
                       .attention_norm = norm,
                       .inner = linear(none),
                       .outer = linear(none),
                       .inner_norm = norm}};
    return weights;
  }
};

}  // namespace

TEST_CASE("GELU: known values of both forms, as the paper's formulas give them") {
  // x Φ(x), Φ from tables of the normal distribution; the approximation is off by at most 5e-4.
  std::array<float, 7> x = {-10, -1, -0.5F, 0, 0.5F, 1, 10};
  const std::array<double, 7> expected = {0, -0.15865525, -0.15426877, 0, 0.34573123, 0.84134475, 10};
  std::array<float, 7> tangent = x;
  gelu_in_place(x.data(), 7, Gelu::exact);
  gelu_in_place(tangent.data(), 7, Gelu::tangent);
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(x[i] == doctest::Approx(expected[i]).epsilon(1e-6));
    CHECK(std::abs(tangent[i] - x[i]) < 5e-4F);
  }
  CHECK(tangent[5] == doctest::Approx(0.84119199).epsilon(1e-6));
}

TEST_CASE("layer norm: every row has the mean of the bias and the deviation of the gain, wherever it was before") {
  Matrix x = Matrix::Random(3, 64) * 5;
  x.row(1).array() += 100;
  const Matrix gain = Matrix::Constant(1, 64, 2), bias = Matrix::Constant(1, 64, 0.5F);
  const Matrix y = layer_norm(x, gain, bias, 1e-12);
  for (Eigen::Index i = 0; i < 3; ++i) {
    CHECK(y.row(i).mean() == doctest::Approx(0.5).epsilon(1e-5));
    const float variance = (y.row(i).array() - y.row(i).mean()).square().mean();
    CHECK(variance == doctest::Approx(4).epsilon(1e-4));  // the mean of the squares: 64 numbers, not 63
  }
  // A row of equal numbers has no deviation: ε keeps it finite.
  CHECK(layer_norm(Matrix::Constant(1, 64, 3), gain, bias, 1e-5) == bias);
}

TEST_CASE("transformer: without queries every token attends evenly to those that it sees") {
  const Plain plain;
  const std::vector<int> tokens = {0, 1, 2};
  for (const bool causal : {true, false}) {
    const TransformerSteps steps = run_transformer(
        tokens, plain.weights(), {.heads = 2, .causal = causal, .norm_first = true, .epsilon = 1e-5}, true);
    REQUIRE(steps.blocks.size() == 1);
    REQUIRE(steps.blocks[0].weights.size() == 2);
    for (const Matrix& weights : steps.blocks[0].weights)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const double even = causal ? (j <= i ? 1.0 / (i + 1) : 0) : 1.0 / 3;
          CHECK(weights(i, j) == doctest::Approx(even).epsilon(1e-6));
        }
    CHECK(steps.finite);
  }
}

TEST_CASE("transformer: what comes later changes nothing before it when it is causal, and does when it is not") {
  Plain plain;
  plain.square = Matrix::Random(4, 4);
  plain.none = Matrix::Random(4, 4);
  const std::vector<int> one = {0, 1, 2, 3}, other = {0, 1, 2, 1};
  for (const bool causal : {true, false}) {
    const TransformerOptions options{.heads = 2, .causal = causal, .norm_first = true};
    const Matrix a = run_transformer(one, plain.weights(), options, false).hidden.topRows(3),
                 b = run_transformer(other, plain.weights(), options, false).hidden.topRows(3);
    const bool same = (a - b).cwiseAbs().maxCoeff() < 1e-6F;
    CHECK(same == causal);
  }
}

TEST_CASE("transformer: numbers beyond single precision are told, not shown") {
  Plain plain;
  const std::vector<int> tokens = {0, 1};
  const TransformerOptions options{.heads = 2, .norm_first = true};
  CHECK(run_transformer(tokens, plain.weights(), options, true).finite);
  // Scores beyond 1e40 of queries and keys that are not; the values stay small, and so would the output.
  const Matrix large = Matrix::Identity(4, 4) * 1e20F;
  TransformerWeights weights = plain.weights();
  weights.blocks[0].query.weight = weights.blocks[0].key.weight = view(large);
  CHECK(!run_transformer(tokens, weights, options, false).finite);
  plain.square = large;  // what W_o makes of the values: 1e40
  CHECK(!run_transformer(tokens, plain.weights(), options, false).finite);
}
