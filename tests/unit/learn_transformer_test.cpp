// Every operation of learn/transformer.h against finite differences, in double, and in single against double.
#include <doctest/doctest.h>

#include <cmath>

#include "core/attention.h"
#include "learn/grid.h"
#include "learn/transformer.h"
#include "unit/core_support.h"
#include "unit/tape_support.h"

using namespace limelight;
using namespace limelight::learn;

namespace {

constexpr int kLengths[] = {3, 1, 4};
constexpr int kTokens = 8;

template <class Scalar>
Value third(Tape<Scalar>& tape, Value a) {
  return scale(tape, a, Scalar(1) / 3);
}

}  // namespace

TEST_CASE("transformer: the gradients of layer normalisation agree with finite differences") {
  check_gradients({{4, 6}, {1, 6}, {1, 6}},
                  [](auto& tape, const std::vector<Value>& x) { return layer_norm(tape, x[0], x[1], x[2]); });
}

TEST_CASE("transformer: a normalised row has the mean 0 and the deviation 1, whatever it was times and plus") {
  Random random(3);
  const auto x = random_matrix<float>(5, 64, random);
  const Matrix gain = Matrix::Ones(1, 64), bias = Matrix::Zero(1, 64);
  Tape<float> tape;
  tape.clear(false);
  const auto normal = [&](const Matrix& of) -> Matrix {
    return tape.value(layer_norm<float>(tape, tape.constant(of), tape.constant(gain), tape.constant(bias)));
  };
  const Matrix once = normal(x);
  for (Eigen::Index i = 0; i < once.rows(); ++i) {
    CHECK(std::abs(once.row(i).mean()) < 1e-6F);
    // 10⁻⁵ is added to variances of about 1.
    CHECK(std::abs(once.row(i).squaredNorm() / 64 - 1) < 1e-4F);
  }
  CHECK(largest_difference(normal((x.array() * 3 + 2).matrix()), once) < 1e-4);
}

TEST_CASE("transformer: the gradient of GELU agrees with finite differences, and it is near x Φ(x)") {
  check_gradients({{3, 5}}, [](auto& tape, const std::vector<Value>& x) { return gelu(tape, x[0]); });
  Matrix x(1, 81);
  for (int i = 0; i < 81; ++i) x(0, i) = 0.1F * static_cast<float>(i - 40);
  Tape<float> tape;
  tape.clear(false);
  const Matrix y = tape.value(gelu<float>(tape, tape.constant(x)));
  for (int i = 0; i < 81; ++i) {
    const double exact =
        static_cast<double>(x(0, i)) / 2 * (1 + std::erf(static_cast<double>(x(0, i)) / std::sqrt(2.0)));
    CHECK(std::abs(static_cast<double>(y(0, i)) - exact) < 6e-4);  // how far the tanh is from Φ (Hendrycks & Gimpel)
  }
}

TEST_CASE("transformer: the gradients of attention agree with finite differences in sequences of several lengths") {
  check_gradients({{kTokens, 3}, {kTokens, 3}, {kTokens, 4}}, [](auto& tape, const std::vector<Value>& x) {
    return attend(tape, x[0], x[1], x[2], kLengths, tape.zeros(kTokens, 4));
  });
}

TEST_CASE("transformer: each sequence attends to itself only, as core/attention.h says, and its weights are kept") {
  Random random(4);
  const auto q = random_matrix<float>(kTokens, 5, random), k = random_matrix<float>(kTokens, 5, random),
             v = random_matrix<float>(kTokens, 2, random);
  Tape<float> tape;
  tape.clear(false);
  const Value attended =
      attend<float>(tape, tape.constant(q), tape.constant(k), tape.constant(v), kLengths, tape.zeros(kTokens, 2));
  int first = 0, sequence = 0;
  for (const int length : kLengths) {
    const AttentionOptions options{.scale = 1 / std::sqrt(5.0)};
    const Matrix expected = attend_naive<float>(q.middleRows(first, length), k.middleRows(first, length),
                                                v.middleRows(first, length), options);
    CHECK(largest_difference(tape.value(attended).middleRows(first, length), expected) < 2e-6);
    const Matrix weights = attention_weights<float>(tape, attended, sequence++);
    REQUIRE(weights.rows() == length);
    CHECK(largest_difference(weights * v.middleRows(first, length), expected) < 2e-6);
    first += length;
  }
}

TEST_CASE("transformer: a layer's gradients agree with finite differences through both of its halves") {
  // x, both norms, four projections, the hidden layer.
  check_gradients({{kTokens, 4}, {1, 4}, {1, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 6}, {6, 4}, {1, 4}},
                  [](auto& tape, const std::vector<Value>& x) {
                    const Value none = x[9];
                    // Small, so that the differences' third derivatives are.
                    const Value gain = third(tape, x[1]), bias = third(tape, x[2]);
                    const TransformerLayerOf<Value> layer{.attention_norm = {gain, bias},
                                                          .query = {x[3], none},
                                                          .key = {x[4], none},
                                                          .value = {x[5], none},
                                                          .output = {x[6], none},
                                                          .hidden_norm = {bias, gain},
                                                          .hidden = {x[7], Value()},
                                                          .result = {x[8], none}};
                    return run_layer(tape, layer, 2, x[0], kLengths).result;
                  });
}
