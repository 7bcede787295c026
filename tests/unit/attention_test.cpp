#include "core/attention.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "unit/attention_support.h"

using namespace limelight;

namespace {

// T queries, S keys, D key size, V value size.
struct Shape {
  int T, S, D, V;
};
constexpr Shape kShapes[] = {{1, 1, 1, 1}, {3, 7, 5, 2}, {7, 3, 5, 4}, {129, 65, 33, 17}, {65, 129, 33, 64}};

template <class Scalar>
struct Inputs {
  MatrixOf<Scalar> query, key, value;
};
template <class Scalar>
Inputs<Scalar> inputs_of(Shape shape, std::uint64_t seed) {
  Random random(seed);
  return {random_matrix<Scalar>(shape.T, shape.D, random), random_matrix<Scalar>(shape.S, shape.D, random),
          random_matrix<Scalar>(shape.S, shape.V, random)};
}

// A score is a sum of up to 33 products and a row one of up to 129 exponentials; each operation rounds by half an ε, in
// another order in each twin.
template <class Scalar>
constexpr double kRounding = 100 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());

AttentionSteps<float> softmax_of(const Matrix& scaled) {
  AttentionSteps<float> steps;
  steps.scaled = scaled;
  softmax_steps(steps);
  return steps;
}

}  // namespace

TEST_CASE_TEMPLATE("attention: the traced kernel agrees with the definition on odd sizes", Scalar, float, double) {
  for (const Shape shape : kShapes) {
    const Inputs<Scalar> in = inputs_of<Scalar>(shape, 7);
    for (const Mask& mask : {Mask::none(), Mask::causal()}) {
      for (const double temperature : {1.0, 0.5}) {
        const AttentionOptions options{.scale = 1 / std::sqrt(shape.D), .temperature = temperature, .mask = mask};
        CAPTURE(shape.T);
        CAPTURE(temperature);
        const AttentionSteps<Scalar> steps = attend_traced<Scalar>(in.query, in.key, in.value, options);
        const MatrixOf<Scalar> naive = attend_naive<Scalar>(in.query, in.key, in.value, options);
        CHECK(largest_difference(steps.output, naive) < kRounding<Scalar>);
      }
    }
  }
}

TEST_CASE("attention: every step has the shape that its comment states") {
  const Shape shape{3, 7, 5, 2};
  const Inputs<float> in = inputs_of<float>(shape, 1);
  const AttentionSteps<float> steps = attend_traced<float>(in.query, in.key, in.value, {});
  for (const Matrix* matrix : {&steps.scores, &steps.scaled, &steps.shifted, &steps.exponentials, &steps.weights}) {
    CHECK(matrix->rows() == shape.T);
    CHECK(matrix->cols() == shape.S);
  }
  for (const Matrix* matrix : {&steps.maximum, &steps.sum}) {
    CHECK(matrix->rows() == shape.T);
    CHECK(matrix->cols() == 1);
  }
  CHECK(steps.output.rows() == shape.T);
  CHECK(steps.output.cols() == shape.V);
}

TEST_CASE("softmax: no weight is negative and every row sums to 1") {
  for (const Shape shape : kShapes) {
    const Inputs<float> in = inputs_of<float>(shape, 11);
    const AttentionSteps<float> steps = attend_traced<float>(in.query, in.key, in.value, {});
    CHECK((steps.weights.array() >= 0).all());
    // Up to 129 terms of half an ε each.
    CHECK(largest_difference(steps.weights.rowwise().sum(), Matrix::Ones(steps.weights.rows(), 1)) < kRounding<float>);
  }
}

TEST_CASE("softmax: adding a constant to every score changes nothing") {
  Random random(3);
  // Sixteenths below 8: adding 1000 to them is exact in single precision, so that the weights may not differ at all.
  Matrix scores(5, 9);
  for (float& entry : scores.reshaped<Eigen::RowMajor>())
    entry = static_cast<float>(std::floor(random.uniform() * 256) / 16 - 8);
  const Matrix moved = scores.array() + 1000;
  CHECK(softmax_of(scores).weights == softmax_of(moved).weights);
}

TEST_CASE("softmax: scores of ±10,000 give finite weights, and only their differences count") {
  Matrix scores(3, 3);
  scores << 10000, 9999, -10000,  //
      -10000, -10000, -10001,     //
      -10000, 10000, 0;
  const Matrix weights = softmax_of(scores).weights;
  const double e = std::exp(-1.0);
  // Integers up to 10,001 are exact, so that what is left is exp's and the division's rounding.
  const double tolerance = 4 * static_cast<double>(std::numeric_limits<float>::epsilon());
  CHECK(std::abs(weights(0, 0) - 1 / (1 + e)) < tolerance);
  CHECK(std::abs(weights(0, 1) - e / (1 + e)) < tolerance);
  CHECK(weights(0, 2) == 0);
  CHECK(std::abs(weights(1, 0) - 1 / (2 + e)) < tolerance);
  CHECK(weights(2, 1) == 1);
  CHECK(weights(2, 0) == 0);
}

TEST_CASE("softmax: a row that sees nothing weighs nothing, and is no NaN") {
  const float minus_infinity = -std::numeric_limits<float>::infinity();
  Matrix scores(2, 3);
  scores << minus_infinity, minus_infinity, minus_infinity, 1, minus_infinity, 1;
  const AttentionSteps<float> steps = softmax_of(scores);
  CHECK(steps.weights.row(0) == Matrix::Zero(1, 3));
  CHECK(steps.sum(0, 0) == 0);
  CHECK(steps.weights(1, 0) == 0.5F);
  CHECK(steps.weights(1, 1) == 0);
}

TEST_CASE("temperature: it divides the scaled scores, and so does a smaller scale") {
  const Inputs<double> in = inputs_of<double>({4, 6, 5, 3}, 5);
  const auto cooled = attend_traced<double>(in.query, in.key, in.value, {.scale = 0.5, .temperature = 4});
  const auto scaled = attend_traced<double>(in.query, in.key, in.value, {.scale = 0.125});
  CHECK(cooled.weights == scaled.weights);  // powers of two: exact
}

TEST_CASE("causal mask: what comes later weighs exactly 0, also when the counts differ") {
  for (const Shape shape : {Shape{4, 4, 3, 2}, Shape{4, 2, 3, 2}, Shape{2, 5, 3, 2}, Shape{65, 129, 33, 4}}) {
    const Inputs<float> in = inputs_of<float>(shape, 13);
    const Matrix weights = attend_traced<float>(in.query, in.key, in.value, {.mask = Mask::causal()}).weights;
    for (int i = 0; i < shape.T; ++i)
      for (int j = 0; j < shape.S; ++j) CHECK((weights(i, j) == 0) == (j > i));
    CHECK(largest_difference(weights.rowwise().sum(), Matrix::Ones(weights.rows(), 1)) < kRounding<float>);
  }
}

TEST_CASE("causal mask: the past does not depend on what comes later") {
  const Inputs<float> in = inputs_of<float>({6, 6, 5, 3}, 17);
  const auto before = attend_traced<float>(in.query, in.key, in.value, {.mask = Mask::causal()});
  Inputs<float> changed = in;
  changed.key.bottomRows(2).array() += 5;
  changed.value.bottomRows(2).array() -= 3;
  const auto after = attend_traced<float>(changed.query, changed.key, changed.value, {.mask = Mask::causal()});
  CHECK(before.weights.topRows(4) == after.weights.topRows(4));
  CHECK(before.output.topRows(4) == after.output.topRows(4));
  CHECK(before.output.bottomRows(2) != after.output.bottomRows(2));
}

TEST_CASE("attention: keys have no order; permuting them with their values permutes the weights and keeps the output") {
  const Shape shape{5, 7, 3, 4};
  const Inputs<double> in = inputs_of<double>(shape, 19);
  const std::vector<int> order = {3, 0, 6, 1, 5, 2, 4};
  const MatrixOf<double> keys = in.key(order, Eigen::all);
  const MatrixOf<double> values = in.value(order, Eigen::all);
  const auto plain = attend_traced<double>(in.query, in.key, in.value, {});
  const auto permuted = attend_traced<double>(in.query, keys, values, {});
  const MatrixOf<double> expected = plain.weights(Eigen::all, order);
  CHECK(largest_difference(permuted.weights, expected) < kRounding<double>);
  CHECK(largest_difference(permuted.output, plain.output) < kRounding<double>);
}

TEST_CASE("attention: the output lies between the smallest and the largest value") {
  const Inputs<float> in = inputs_of<float>({9, 5, 4, 3}, 23);
  const auto steps = attend_traced<float>(in.query, in.key, in.value, {});
  for (int v = 0; v < 3; ++v) {
    CHECK((steps.output.col(v).array() <= in.value.col(v).maxCoeff() + 1e-6F).all());
    CHECK((steps.output.col(v).array() >= in.value.col(v).minCoeff() - 1e-6F).all());
  }
}

TEST_CASE_TEMPLATE("attention: with every option, the traced kernel agrees with the definition", Scalar, float,
                   double) {
  for (const Score kind : kScores)
    for (const Normalizer normalizer : kNormalizers)
      for (const Positions positions : kPositions)
        for (const Mask& mask : masks(5, 7)) {
          CAPTURE(static_cast<int>(kind));
          CAPTURE(static_cast<int>(normalizer));
          CAPTURE(static_cast<int>(positions));
          const auto c = attention_case<Scalar>(5, 7, 6, 3,
                                                {.score = kind,
                                                 .scale = 0.7,
                                                 .temperature = 1.3,
                                                 .mask = mask,
                                                 .normalizer = normalizer,
                                                 .seed = 3,
                                                 .positions = positions,
                                                 .slope = 0.25},
                                                29);
          CHECK(largest_difference(c.traced().output, c.naive()) < kRounding<Scalar>);
        }
}

TEST_CASE_TEMPLATE("attention: every score and normalizer agrees with the definition on odd sizes", Scalar, float,
                   double) {
  for (const Score kind : kScores)
    for (const Normalizer normalizer : kNormalizers)
      for (const Shape shape : {Shape{1, 1, 1, 1}, Shape{2, 9, 1, 3}, Shape{33, 17, 5, 9}}) {
        CAPTURE(static_cast<int>(kind));
        CAPTURE(static_cast<int>(normalizer));
        CAPTURE(shape.T);
        const auto c = attention_case<Scalar>(shape.T, shape.S, shape.D, shape.V,
                                              {.score = kind, .mask = Mask::causal(), .normalizer = normalizer}, 31);
        CHECK(largest_difference(c.traced().output, c.naive()) < kRounding<Scalar>);
      }
}

TEST_CASE("attention: with positions, the moved queries and keys are kept, and only then") {
  for (const Positions positions : kPositions) {
    const auto c = attention_case<float>(3, 5, 4, 2, {.positions = positions, .slope = 0.5}, 37);
    const auto steps = c.traced();
    const bool moved = positions != Positions::none && positions != Positions::linear_bias;
    CHECK(steps.query.rows() == (moved ? 3 : 0));
    CHECK(steps.key.rows() == (moved ? 5 : 0));
    if (moved) CHECK(largest_difference(steps.query, c.query) > 0.1);
  }
}

TEST_CASE("positions: a learned table that holds the sinusoids is the sinusoidal encoding") {
  auto c = attention_case<float>(4, 6, 6, 3, {.positions = Positions::learned}, 41);
  c.parameters.positions = sinusoidal<float>(6, 6);
  const auto learned = c.traced();
  c.options.positions = Positions::sinusoidal;
  CHECK(learned.weights == c.traced().weights);
}

TEST_CASE("rotary positions: the scores of equal tokens depend on their distance alone") {
  auto c = attention_case<double>(9, 9, 6, 3, {.positions = Positions::rotary}, 43);
  c.query.rowwise() = c.query.row(0).eval();
  c.key.rowwise() = c.key.row(0).eval();
  const auto scores = c.traced().scores;
  CHECK(largest_difference(scores.topLeftCorner(8, 8), scores.bottomRightCorner(8, 8)) < kRounding<double>);
  CHECK(largest_difference(scores.topLeftCorner(8, 8), scores.topRightCorner(8, 8)) > 0.1);
}

TEST_CASE("linear bias: it is added after the scale and before the temperature") {
  auto c = attention_case<double>(4, 6, 4, 2, {.scale = 0.5, .temperature = 4, .slope = 0.75}, 47);
  const auto plain = c.traced();
  c.options.positions = Positions::linear_bias;
  const auto biased = c.traced();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j)
      CHECK(std::abs(biased.scaled(i, j) - plain.scaled(i, j) + 0.75 * std::abs(i - j) / 4) < kRounding<double>);
}

TEST_CASE("mask: written out as a matrix, every mask gives the same weights") {
  for (const Mask& mask : masks(6, 5)) {
    auto c = attention_case<float>(6, 5, 4, 2, {.mask = mask}, 53);
    const auto steps = c.traced();
    c.options.mask = Mask::allowed(mask.matrix(6, 5));
    CHECK(steps.weights == c.traced().weights);
    CHECK((steps.weights.array() > 0).matrix() == mask.matrix(6, 5));  // of softmax: all that is allowed
  }
}

TEST_CASE("mask: rows that see nothing weigh nothing, give 0, and pass no gradient, with every normalizer") {
  for (const Normalizer normalizer : kNormalizers)
    for (const Score kind : kScores) {
      CAPTURE(static_cast<int>(normalizer));
      CAPTURE(static_cast<int>(kind));
      BoolMatrix allowed = BoolMatrix::Constant(3, 5, true);
      allowed.row(1).setConstant(false);
      auto c = attention_case<double>(3, 5, 4, 2,
                                      {.score = kind, .mask = Mask::allowed(allowed), .normalizer = normalizer}, 59);
      const auto steps = c.traced();
      CHECK(steps.weights.row(1) == MatrixOf<double>::Zero(1, 5));
      CHECK(steps.output.row(1) == MatrixOf<double>::Zero(1, 2));
      CHECK(std::abs(steps.weights.row(0).sum() - 1) < kRounding<double>);
      CHECK(c.naive().row(1) == MatrixOf<double>::Zero(1, 2));
      const auto grad = c.backward(MatrixOf<double>::Ones(3, 2));
      CHECK(grad.query.row(1).isZero(0));
      CHECK(grad.query.allFinite());
      CHECK(grad.key.allFinite());

      c.options.mask = Mask::length(0);  // nobody sees anything
      CHECK(c.traced().output.isZero(0));
      const auto nothing = c.backward(MatrixOf<double>::Ones(3, 2));
      CHECK(nothing.query.isZero(0));
      CHECK(nothing.key.isZero(0));
      CHECK(nothing.value.isZero(0));
    }
}

TEST_CASE("mask: forbidden scores count for nothing, be they infinite or no numbers at all") {
  for (const Normalizer normalizer : kNormalizers) {
    CAPTURE(static_cast<int>(normalizer));
    auto c = attention_case<float>(3, 4, 2, 2, {.mask = Mask::length(2), .normalizer = normalizer}, 61);
    c.query.row(1) << 1e10F, -1e10F;
    const auto plain = c.traced();
    const auto plain_gradients = c.backward(Matrix::Ones(3, 2));
    c.key.row(2) << 1e30F, 0;
    c.key.row(3) << 1e30F, 1e30F;
    const auto steps = c.traced();
    CHECK(std::isinf(steps.scores(1, 2)));
    CHECK(!std::isfinite(steps.scores(1, 3)));  // ∞ − ∞; ∞ where multiply and add are one step
    CHECK(steps.weights == plain.weights);
    CHECK(steps.output == plain.output);
    CHECK(c.naive().allFinite());
    const auto grad = c.backward(Matrix::Ones(3, 2));
    CHECK(grad.query == plain_gradients.query);
    CHECK(grad.key == plain_gradients.key);
    CHECK(grad.value == plain_gradients.value);
  }
}

TEST_CASE("attention: scores of ±10,000 give finite weights that sum to 1, with every normalizer") {
  for (const Normalizer normalizer : kNormalizers) {
    CAPTURE(static_cast<int>(normalizer));
    auto c = attention_case<float>(7, 9, 4, 3, {.normalizer = normalizer}, 67);
    c.options.scale = 1e4 / static_cast<double>(c.traced().scores.cwiseAbs().maxCoeff());
    const auto steps = c.traced();
    CHECK(std::abs(steps.scaled.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() - 1e4F) < 1);
    CHECK((steps.weights.array() >= 0).all());
    CHECK(largest_difference(steps.weights.rowwise().sum(), Matrix::Ones(7, 1)) < kRounding<float>);
    const auto grad = c.backward(Matrix::Ones(7, 3));
    CHECK(grad.query.allFinite());
    CHECK(grad.key.allFinite());
  }
}

TEST_CASE("attention: identical keys weigh the same; hard takes the first of them") {
  for (const Normalizer normalizer : kNormalizers) {
    CAPTURE(static_cast<int>(normalizer));
    auto c = attention_case<float>(3, 5, 4, 2, {.normalizer = normalizer}, 71);
    c.key.rowwise() = c.key.row(0).eval();
    const Matrix weights = c.traced().weights;
    if (is_soft(normalizer)) CHECK(largest_difference(weights, Matrix::Constant(3, 5, 0.2F)) < kRounding<float>);
    if (normalizer == Normalizer::hard) CHECK(weights.col(0) == Matrix::Ones(3, 1));
  }
}

TEST_CASE("attention: to a single key it gives its value, whatever the options") {
  for (const Score kind : kScores)
    for (const Normalizer normalizer : kNormalizers) {
      const auto c = attention_case<float>(3, 1, 1, 2, {.score = kind, .scale = 1e4, .normalizer = normalizer}, 73);
      CHECK(c.traced().output == c.value.replicate(3, 1));
    }
}

TEST_CASE("attention: 10,000 keys and one query agree with the definition") {
  for (const Score kind : kScores)
    for (const Normalizer normalizer : kNormalizers) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(static_cast<int>(normalizer));
      const auto c = attention_case<float>(1, 10000, 3, 2, {.score = kind, .normalizer = normalizer}, 79);
      const auto steps = c.traced();
      // The sum of the weights rounds 10,000 times by half an ε of at most 1, at random.
      CHECK(std::abs(steps.weights.sum() - 1) < kRounding<float>);
      CHECK(largest_difference(steps.output, c.naive()) < kRounding<float>);
    }
}

TEST_CASE("temperature: towards 0, softmax becomes hard") {
  auto c = attention_case<double>(4, 6, 4, 2, {.temperature = 1e-4}, 83);
  const auto soft = c.traced();
  c.options.normalizer = Normalizer::hard;
  CHECK(largest_difference(soft.weights, c.traced().weights) < 1e-9);  // the scores lie more than 0.003 apart
}

TEST_CASE("set_weights: the row still sums to 1 and the others keep their proportions") {
  Matrix weights(2, 4);
  weights << 0.1F, 0.2F, 0.3F, 0.4F, 0.25F, 0.25F, 0.25F, 0.25F;
  const Matrix other_row = weights.row(1);
  set_weights(weights, 0, {{1, 0.6F}}, static_cast<int>(weights.cols()));
  // Three products and quotients of single precision.
  const float tolerance = 4 * std::numeric_limits<float>::epsilon();
  CHECK(weights(0, 1) == 0.6F);
  CHECK(std::abs(weights.row(0).sum() - 1) < tolerance);
  CHECK(std::abs(weights(0, 2) / weights(0, 0) - 3) < 3 * tolerance);
  CHECK(std::abs(weights(0, 3) / weights(0, 0) - 4) < 4 * tolerance);
  CHECK(weights.row(1) == other_row);
}

TEST_CASE("set_weights: others that were all 0 share equally, and a row set whole is taken as it is") {
  Matrix weights(1, 3);
  weights << 1, 0, 0;
  set_weights(weights, 0, {{0, 0.5F}}, static_cast<int>(weights.cols()));
  CHECK(weights(0, 1) == 0.25F);
  CHECK(weights(0, 2) == 0.25F);
  set_weights(weights, 0, {{0, 0.125F}, {1, 0.5F}, {2, 0.375F}}, static_cast<int>(weights.cols()));
  CHECK(weights(0, 0) == 0.125F);
  CHECK(weights(0, 1) == 0.5F);
  CHECK(weights(0, 2) == 0.375F);
}

TEST_CASE("set_weights: others keep their proportions however little they weighed") {
  Matrix weights(1, 3);
  weights << 1, 3e-8F, 1e-8F;  // half an ε beside 1 is 6e-8
  set_weights(weights, 0, {{0, 0.6F}}, static_cast<int>(weights.cols()));
  CHECK(std::abs(weights(0, 1) - 0.3F) < 1e-6F);
  CHECK(std::abs(weights(0, 2) - 0.1F) < 1e-6F);
}

TEST_CASE("set_weights: a weight of 1 leaves nothing to the others") {
  Matrix weights(1, 3);
  weights << 0.2F, 0.3F, 0.5F;
  set_weights(weights, 0, {{2, 1}}, static_cast<int>(weights.cols()));
  CHECK(weights(0, 0) == 0);
  CHECK(weights(0, 1) == 0);
  CHECK(weights(0, 2) == 1);
}
