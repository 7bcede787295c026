#include "core/linear.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "unit/core_support.h"

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

// Sums over up to 129 keys and 33 columns of positive features, in another order in each twin.
template <class Scalar>
constexpr double kRounding = 200 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());

}  // namespace

TEST_CASE_TEMPLATE("linear attention: running sums agree with the weights written out, on odd sizes", Scalar, float,
                   double) {
  for (const Shape shape : kShapes)
    for (const bool causal : {false, true}) {
      CAPTURE(shape.T);
      CAPTURE(causal);
      const Inputs<Scalar> in = inputs_of<Scalar>(shape, 1);
      CHECK(largest_difference(attend_linear<Scalar>(in.query, in.key, in.value, causal),
                               attend_linear_naive<Scalar>(in.query, in.key, in.value, causal)) < kRounding<Scalar>);
    }
}

TEST_CASE("linear attention: one query and two keys by hand") {
  MatrixOf<double> query(1, 2), key(2, 2), value(2, 1);
  query << 1, -std::log(2.0);      // φ = 2, 1/2
  key << 0, 3, -std::log(4.0), 1;  // φ = 1, 4 and 1/4, 2
  value << 10, 20;                 // weights 4 and 3/2 of 11/2
  const double expected = (4 * 10 + 1.5 * 20) / 5.5;
  CHECK(attend_linear<double>(query, key, value)(0, 0) == doctest::Approx(expected).epsilon(1e-14));
  CHECK(attend_linear<double>(query, key, value, true)(0, 0) == doctest::Approx(10).epsilon(1e-14));
}

TEST_CASE("linear attention: in slices of any size it is the whole, also past a block and with queries in any order") {
  for (const Shape shape : {kShapes[0], kShapes[1], kShapes[3], kShapes[4], Shape{300, 700, 16, 9}}) {
    CAPTURE(shape.S);
    const Inputs<float> in = inputs_of<float>(shape, 11);
    const Matrix whole = attend_linear<float>(in.query, in.key, in.value);
    LinearAttention sliced(shape.D, shape.V);
    const int half = shape.T / 2;
    Matrix output = Matrix::Constant(shape.T, shape.V, -7);
    for (int begin = 0; begin < shape.S; begin += 65) {
      const int count = std::min(65, shape.S - begin);
      sliced.add(in.key.middleRows(begin, count), in.value.middleRows(begin, count));
    }
    sliced.rows(in.query, half, shape.T, output);
    CHECK((output.topRows(half).array() == -7).all());
    sliced.rows(in.query, 0, half, output);
    // Sums of up to 700 keys in another order.
    CHECK(largest_difference(output, whole) < 4 * kRounding<float>);
    CHECK(sliced.bytes() == LinearAttention::bytes_for(shape.D, shape.V));
  }
}

TEST_CASE("linear attention, in slices: keys that come after rows were asked for count from then on") {
  const Inputs<float> in = inputs_of<float>({4, 9, 5, 3}, 12);
  LinearAttention sliced(5, 3);
  Matrix before(4, 3), after(4, 3);
  sliced.add(in.key.topRows(4), in.value.topRows(4));
  sliced.rows(in.query, 0, 4, before);
  sliced.add(in.key.bottomRows(5), in.value.bottomRows(5));
  sliced.rows(in.query, 0, 4, after);
  CHECK(largest_difference(before, attend_linear<float>(in.query, in.key.topRows(4), in.value.topRows(4))) <
        kRounding<float>);
  CHECK(largest_difference(after, attend_linear<float>(in.query, in.key, in.value)) < kRounding<float>);
}

TEST_CASE("linear attention: equal values come out as they are, since the weights sum to 1") {
  for (const Shape shape : kShapes)
    for (const bool causal : {false, true}) {
      Inputs<double> in = inputs_of<double>(shape, 2);
      in.value.rowwise() = Eigen::RowVectorXd::LinSpaced(shape.V, 1, 2);
      const MatrixOf<double> output = attend_linear<double>(in.query, in.key, in.value, causal);
      CHECK(largest_difference(output, in.value.row(0).replicate(shape.T, 1)) < kRounding<double>);
    }
}

TEST_CASE("linear attention, causal: the past does not depend on what comes later") {
  const Inputs<float> in = inputs_of<float>({6, 6, 5, 3}, 3);
  Inputs<float> changed = in;
  changed.query.bottomRows(2).array() += 1;
  changed.key.bottomRows(2).array() += 5;
  changed.value.bottomRows(2).array() -= 3;
  const Matrix before = attend_linear<float>(in.query, in.key, in.value, true);
  const Matrix after = attend_linear<float>(changed.query, changed.key, changed.value, true);
  CHECK(before.topRows(4) == after.topRows(4));
  CHECK(before.bottomRows(2) != after.bottomRows(2));
  const Matrix both_ways = attend_linear<float>(changed.query, changed.key, changed.value);
  CHECK(both_ways.topRows(4) != attend_linear<float>(in.query, in.key, in.value).topRows(4));
}

TEST_CASE("linear attention, causal: the last query sees what a query without a mask sees") {
  const Inputs<double> in = inputs_of<double>({9, 9, 5, 3}, 4);
  CHECK(largest_difference(attend_linear<double>(in.query, in.key, in.value, true).row(8),
                           attend_linear<double>(in.query, in.key, in.value).row(8)) < kRounding<double>);
}

TEST_CASE("linear attention: its gradient agrees with finite differences, also when the counts differ") {
  for (const Shape shape : {Shape{1, 1, 1, 1}, Shape{5, 5, 3, 2}, Shape{4, 7, 3, 2}, Shape{7, 4, 3, 2}})
    for (const bool causal : {false, true}) {
      CAPTURE(shape.T);
      CAPTURE(shape.S);
      CAPTURE(causal);
      Inputs<double> in = inputs_of<double>(shape, 5);
      Random random(6);
      const MatrixOf<double> grad_output = random_matrix<double>(shape.T, shape.V, random);
      const auto loss = [&] {
        return attend_linear_naive<double>(in.query, in.key, in.value, causal).cwiseProduct(grad_output).sum();
      };
      const LinearGradients<double> gradients =
          attend_linear_backward<double>(in.query, in.key, in.value, grad_output, causal);
      // Truncation and rounding of the differences: each about 1e-10.
      CHECK(largest_difference(gradients.query, finite_difference(in.query, loss)) < 1e-8);
      CHECK(largest_difference(gradients.key, finite_difference(in.key, loss)) < 1e-8);
      CHECK(largest_difference(gradients.value, finite_difference(in.value, loss)) < 1e-8);
    }
}

TEST_CASE("linear attention: the gradient in single precision agrees with that in double") {
  const Inputs<float> in = inputs_of<float>({65, 33, 17, 9}, 7);
  Random random(8);
  const Matrix grad_output = random_matrix<float>(65, 9, random);
  for (const bool causal : {false, true}) {
    const auto narrow = attend_linear_backward<float>(in.query, in.key, in.value, grad_output, causal);
    const auto wide = attend_linear_backward<double>(in.query.cast<double>(), in.key.cast<double>(),
                                                     in.value.cast<double>(), grad_output.cast<double>(), causal);
    CHECK(largest_difference(narrow.query, wide.query) < kRounding<float>);
    CHECK(largest_difference(narrow.key, wide.key) < kRounding<float>);
    CHECK(largest_difference(narrow.value, wide.value) < kRounding<float>);
  }
}

TEST_CASE("linear attention: scores of ±10,000 give no NaN, and features that vanish give rows of 0") {
  Inputs<float> in = inputs_of<float>({3, 4, 2, 2}, 9);
  in.query.row(0).setConstant(10'000);
  in.query.row(1).setConstant(-10'000);
  in.key.row(2).setConstant(10'000);
  in.key.row(3).setConstant(-10'000);
  for (const bool causal : {false, true}) {
    const Matrix output = attend_linear<float>(in.query, in.key, in.value, causal);
    CHECK(output.allFinite());
    CHECK(output.row(1).isZero(0));
    CHECK(!output.row(0).isZero(0));
    CHECK(largest_difference(output, attend_linear_naive<float>(in.query, in.key, in.value, causal)) <
          kRounding<float>);
    const auto gradients = attend_linear_backward<float>(in.query, in.key, in.value, Matrix::Ones(3, 2), causal);
    CHECK(gradients.query.allFinite());
    CHECK(gradients.key.allFinite());
    CHECK(gradients.value.allFinite());
  }
}

TEST_CASE("linear attention: 10,000 tokens in single precision stay near double") {
  const Inputs<float> in = inputs_of<float>({10'000, 10'000, 8, 4}, 10);
  for (const bool causal : {false, true}) {
    const Matrix narrow = attend_linear<float>(in.query, in.key, in.value, causal);
    const MatrixOf<double> wide =
        attend_linear<double>(in.query.cast<double>(), in.key.cast<double>(), in.value.cast<double>(), causal);
    // Sums of 10,000 terms: their rounding errors, of half an ε of the sum each, add up like √10,000 of them.
    CHECK(largest_difference(narrow, wide) < 100 * static_cast<double>(std::numeric_limits<float>::epsilon()));
  }
}
