#include "core/fused.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/tile.h"
#include "unit/core_support.h"

using namespace limelight;

namespace {

// T queries, S keys, D key size, V value size.
struct Shape {
  int T, S, D, V;
};

struct Inputs {
  Matrix query, key, value;
};
Inputs inputs_of(Shape shape, std::uint64_t seed, double scale = 1) {
  Random random(seed);
  return {random_matrix<float>(shape.T, shape.D, random) * static_cast<float>(scale),
          random_matrix<float>(shape.S, shape.D, random), random_matrix<float>(shape.S, shape.V, random)};
}

// Odd ones, and around the edges of a tile's rows and columns and of a tile of 256 keys.
std::vector<Shape> shapes() {
  std::vector<Shape> all = {{1, 1, 1, 1},   {3, 7, 5, 2},    {7, 3, 5, 4},    {129, 65, 33, 17}, {65, 129, 33, 64},
                            {5, 255, 3, 2}, {5, 256, 3, 16}, {7, 257, 3, 15}, {13, 1030, 8, 9},  {1, 1537, 4, 1},
                            {97, 40, 4, 8}, {200, 9, 2, 33}, {6, 16, 64, 64}};
  for (int T = 1; T <= 2 * kTileRows + 1; ++T) all.push_back({T, kTileColumns + T - 3, 6, 5});
  return all;
}

// By the definition, in double, whatever the mask and bias; and the bound that fused.h states.
struct Reference {
  MatrixOf<double> weights, output, bound;
};
Reference reference(const Inputs& in, const AttentionOptions& options) {
  const auto T = in.query.rows(), S = in.key.rows(), D = in.query.cols(), V = in.value.cols();
  Reference made{MatrixOf<double>::Zero(T, S), MatrixOf<double>::Zero(T, V), MatrixOf<double>::Zero(T, V)};
  const double u = std::ldexp(1.0, -24);
  for (Eigen::Index i = 0; i < T; ++i) {
    double maximum = -std::numeric_limits<double>::infinity(), sum = 0, magnitude = 0;
    for (Eigen::Index j = 0; j < S; ++j) {
      if (!options.mask.allows(static_cast<int>(i), static_cast<int>(j))) continue;
      double score = 0, size = 0;
      for (Eigen::Index d = 0; d < D; ++d) {
        const double product = static_cast<double>(in.query(i, d)) * static_cast<double>(in.key(j, d));
        score += product * options.scale;
        size += std::abs(product * options.scale);
      }
      if (options.positions == Positions::linear_bias) {
        score -= options.slope * static_cast<double>(std::abs(i - j));
        size += options.slope * static_cast<double>(std::abs(i - j));
      }
      made.weights(i, j) = score / options.temperature;
      maximum = std::max(maximum, score / options.temperature);
      magnitude = std::max(magnitude, size / options.temperature);
    }
    for (Eigen::Index j = 0; j < S; ++j) {
      double& weight = made.weights(i, j);
      weight = options.mask.allows(static_cast<int>(i), static_cast<int>(j)) ? std::exp(weight - maximum) : 0;
      sum += weight;
    }
    if (sum > 0) made.weights.row(i) /= sum;
    const double delta = static_cast<double>(D + 3) * u * magnitude;
    made.bound.row(i) =
        2 * (delta + static_cast<double>(S + 100) * u) * in.value.cast<double>().cwiseAbs().colwise().maxCoeff();
  }
  made.output = made.weights * in.value.cast<double>();
  return made;
}

// Largest part of the bound that an output's error takes; infinite when an output is not a number.
double part_of_bound(const Matrix& output, const Reference& expected) {
  return largest_difference(output.cast<double>().cwiseQuotient(expected.bound),
                            expected.output.cwiseQuotient(expected.bound));
}

struct NamedMask {
  std::string name;
  Mask mask;
};
std::vector<NamedMask> masks(Shape shape) {
  Random random(99);
  BoolMatrix some(shape.T, shape.S);
  for (bool& allowed : some.reshaped<Eigen::RowMajor>()) allowed = random.uniform() < 0.4;
  some.row(shape.T / 2).setConstant(false);
  return {{"none", Mask::none()},
          {"causal", Mask::causal()},
          {"window of 0", Mask::window(0)},
          {"window of 20", Mask::window(20)},
          {"block of 7", Mask::block(7)},
          {"length", Mask::length(shape.S * 2 / 3)},
          {"length 0", Mask::length(0)},
          {"allowed", Mask::allowed(some)},
          {"window, length and allowed", Mask::window(300) & Mask::length(shape.S - 1) & Mask::allowed(some)}};
}

AttentionOptions scaled_by_size(Shape shape, const Mask& mask = {}) {
  return {.scale = 1 / std::sqrt(static_cast<double>(shape.D)), .mask = mask};
}

}  // namespace

TEST_CASE("fused attention: within its bound of the definition in double, on odd sizes, under every mask") {
  for (const Shape shape : shapes()) {
    const Inputs in = inputs_of(shape, 1);
    for (const auto& [name, mask] : masks(shape)) {
      CAPTURE(shape.T);
      CAPTURE(shape.S);
      CAPTURE(name);
      const AttentionOptions options = scaled_by_size(shape, mask);
      const Reference expected = reference(in, options);
      CHECK(part_of_bound(attend_fused(in.query, in.key, in.value, options), expected) < 1);
      const auto [weights, output] = attend_weights(in.query, in.key, in.value, options);
      CHECK(part_of_bound(output, expected) < 1);
      // A weight is an output whose values are 1 at one key and 0 at the others.
      const double largest_bound =
          (expected.bound.array().rowwise() / in.value.cast<double>().cwiseAbs().colwise().maxCoeff().array())
              .maxCoeff<Eigen::PropagateNaN>();
      CHECK(largest_difference(weights, expected.weights) < largest_bound);
      // On ordinary numbers, rounding errors cancel: nothing comes near the bound.
      CHECK(largest_difference(output, expected.output) < 1e-5);
    }
  }
}

TEST_CASE("fused attention: it agrees with the naive twin") {
  for (const Shape shape : shapes())
    for (const Mask& mask : {Mask::none(), Mask::causal()}) {
      const Inputs in = inputs_of(shape, 2);
      AttentionOptions options = scaled_by_size(shape, mask);
      options.temperature = 0.5;
      const Matrix naive = attend_naive<float>(in.query, in.key, in.value, options);
      // Both are within rounding of the exact outputs, which are at most some 4 large.
      CHECK(largest_difference(attend_fused(in.query, in.key, in.value, options), naive) < 2e-5);
      CHECK(largest_difference(attend_weights(in.query, in.key, in.value, options).output, naive) < 2e-5);
    }
}

TEST_CASE("fused attention: linear bias, scale and temperature are those of the definition") {
  for (const Shape shape : {Shape{3, 7, 5, 2}, Shape{20, 40, 8, 3}, Shape{9, 1100, 4, 5}})
    for (const Mask& mask : {Mask::none(), Mask::causal()}) {
      const Inputs in = inputs_of(shape, 3);
      for (const double scale : {0.3, -1.5})
        for (const double temperature : {1.0, 0.25}) {
          const AttentionOptions options{.scale = scale,
                                         .temperature = temperature,
                                         .mask = mask,
                                         .positions = Positions::linear_bias,
                                         .slope = 0.125};
          const Reference expected = reference(in, options);
          CHECK(part_of_bound(attend_fused(in.query, in.key, in.value, options), expected) < 1);
          CHECK(part_of_bound(attend_weights(in.query, in.key, in.value, options).output, expected) < 1);
        }
    }
}

TEST_CASE("fused attention: a range of rows has the same bits as the whole") {
  const Shape shape{100, 600, 9, 20};
  const Inputs in = inputs_of(shape, 4);
  for (const auto& [name, mask] : masks(shape)) {
    CAPTURE(name);
    AttentionOptions options = scaled_by_size(shape, mask);
    options.positions = Positions::linear_bias;
    options.slope = 0.01;
    const Matrix whole = attend_fused(in.query, in.key, in.value, options);
    const auto traced = attend_weights(in.query, in.key, in.value, options);
    FusedAttention attention(in.key, in.value, options);
    Matrix output = Matrix::Constant(shape.T, shape.V, 7), traced_output = output;
    Matrix weights = Matrix::Constant(shape.T, shape.S, 7);
    int begin = 0;
    for (const int end : {0, 1, 4, 5, 17, 99, 100}) {
      attention.rows(in.query, begin, end, output);
      attention.rows(in.query, begin, end, traced_output, weights);
      CHECK(output.topRows(end) == whole.topRows(end));
      CHECK(output.bottomRows(shape.T - end) == Matrix::Constant(shape.T - end, shape.V, 7));
      begin = end;
    }
    CHECK(traced_output == traced.output);
    CHECK(weights == traced.weights);
  }
}

TEST_CASE("fused attention: a query that may attend to nothing gets exactly 0") {
  const Shape shape{20, 530, 4, 3};
  const Inputs in = inputs_of(shape, 5);
  BoolMatrix allowed = BoolMatrix::Constant(shape.T, shape.S, true);
  for (const int row : {0, 7, 13, 19}) allowed.row(row).setConstant(false);
  const AttentionOptions options = scaled_by_size(shape, Mask::allowed(allowed));
  const Matrix fused = attend_fused(in.query, in.key, in.value, options);
  const auto [weights, output] = attend_weights(in.query, in.key, in.value, options);
  CHECK(fused.allFinite());
  for (int i = 0; i < shape.T; ++i) {
    CHECK((fused.row(i).array() == 0).all() == !allowed(i, 0));
    CHECK((output.row(i).array() == 0).all() == !allowed(i, 0));
    CHECK((weights.row(i).array() == 0).all() == !allowed(i, 0));
  }
  CHECK(attend_fused(in.query, in.key, in.value, {.mask = Mask::length(0)}) == Matrix::Zero(shape.T, shape.V));
}

TEST_CASE("attend_weights: masked weights are exactly 0, the others positive, and every row sums to 1") {
  const Shape shape{70, 1030, 8, 4};
  const Inputs in = inputs_of(shape, 6);
  for (const Mask& mask : {Mask::none(), Mask::causal(), Mask::window(9), Mask::block(11), Mask::length(100)}) {
    const Matrix weights = attend_weights(in.query, in.key, in.value, scaled_by_size(shape, mask)).weights;
    CHECK((weights.array() > 0).matrix() == mask.matrix(shape.T, shape.S));
    // Up to 1030 terms of half an ε each.
    CHECK(largest_difference(weights.rowwise().sum(), Matrix::Ones(shape.T, 1)) <
          1030 * static_cast<double>(std::numeric_limits<float>::epsilon()));
  }
}

TEST_CASE("fused attention: scores of ±10,000 stay finite and within the bound") {
  for (const Shape shape : {Shape{9, 30, 4, 3}, Shape{9, 1100, 4, 3}}) {
    const Inputs in = inputs_of(shape, 7, 5000);
    const AttentionOptions options;
    const Reference expected = reference(in, options);
    const Matrix output = attend_fused(in.query, in.key, in.value, options);
    CHECK(output.allFinite());
    CHECK(part_of_bound(output, expected) < 1);
    CHECK(part_of_bound(attend_weights(in.query, in.key, in.value, options).output, expected) < 1);
  }
}

TEST_CASE("fused attention: the largest score may come in any tile of keys") {
  // Descending and ascending scores: the running maximum changes never, or at every key.
  const int S = 1600;
  for (const float direction : {1.F, -1.F}) {
    Inputs in{Matrix::Constant(2, 1, direction), Matrix(S, 1), Matrix(S, 1)};
    for (int j = 0; j < S; ++j) {
      in.key(j, 0) = static_cast<float>(j) * 0.5F;
      in.value(j, 0) = static_cast<float>(j);
    }
    CHECK(part_of_bound(attend_fused(in.query, in.key, in.value, {}), reference(in, {})) < 1);
  }
}

TEST_CASE("fused attention: identical keys share equally, 10,000 of them too") {
  const int S = 10000;
  Random random(8);
  Inputs in{random_matrix<float>(3, 5, random), Matrix(S, 5), Matrix(S, 2)};
  in.key.rowwise() = random_matrix<float>(1, 5, random).row(0);
  for (int j = 0; j < S; ++j) in.value.row(j) << static_cast<float>(j % 2), 1;
  const AttentionOptions options;
  const Matrix output = attend_fused(in.query, in.key, in.value, options);
  const double u = std::ldexp(1.0, -24);
  CHECK(largest_difference(output.col(0), Matrix::Constant(3, 1, 0.5F)) < 2 * (S + 100) * u);
  CHECK(largest_difference(output.col(1), Matrix::Ones(3, 1)) < 2 * (S + 100) * u);
  CHECK(part_of_bound(output, reference(in, options)) < 1);
}

TEST_CASE("windowed attention: it is the fused one under a window, on top of the mask that was given") {
  const Shape shape{90, 100, 6, 5};
  const Inputs in = inputs_of(shape, 9);
  for (const int width : {0, 1, 13, 200}) {
    const AttentionOptions options = scaled_by_size(shape, Mask::causal());
    const Reference expected = reference(in, scaled_by_size(shape, Mask::causal() & Mask::window(width)));
    CHECK(part_of_bound(attend_windowed(in.query, in.key, in.value, width, options), expected) < 1);
  }
}

TEST_CASE("fused attention: what is masked has no influence, however large it is") {
  const Shape shape{40, 600, 5, 3};
  Inputs in = inputs_of(shape, 10);
  const AttentionOptions options = scaled_by_size(shape, Mask::length(300) & Mask::causal());
  const Matrix before = attend_fused(in.query, in.key, in.value, options);
  in.key.bottomRows(shape.S - 40).setConstant(1e30F);
  in.value.bottomRows(shape.S - 40).setConstant(-1e30F);
  CHECK(attend_fused(in.query, in.key, in.value, options) == before);
}

TEST_CASE("fused attention: what it will hold is known before, with and without the weights, on odd sizes") {
  for (const Shape shape : shapes()) {
    CAPTURE(shape.S);
    const Inputs in = inputs_of(shape, 12);
    Matrix output(shape.T, shape.V), weights(shape.T, shape.S);
    FusedAttention fused(in.key, in.value, scaled_by_size(shape, {})),
        kept(in.key, in.value, scaled_by_size(shape, {}));
    fused.rows(in.query, 0, shape.T, output);
    CHECK(fused.bytes() == FusedAttention::bytes_for(shape.S, shape.D, shape.V, false));
    kept.rows(in.query, 0, shape.T, output, weights);
    CHECK(kept.bytes() == FusedAttention::bytes_for(shape.S, shape.D, shape.V, true));
  }
}

TEST_CASE("fused attention: what it holds grows with the number of keys, not with its square") {
  const auto bytes = [](int n) {
    const Inputs in = inputs_of({n, n, 64, 64}, 11);
    FusedAttention attention(in.key, in.value, scaled_by_size({n, n, 64, 64}, Mask::window(1)));
    Matrix output(n, 64);
    attention.rows(in.query, 0, n, output);
    return attention.bytes();
  };
  CHECK(bytes(16384) - bytes(8192) == (bytes(8192) - bytes(4096)) * 2);
  // Query, key, value and output are given; all in all it stays below 4 times their size.
  const std::size_t given = std::size_t{4} * 16384 * 64 * sizeof(float);
  CHECK(given + bytes(16384) < 4 * given);
}
