#include "core/normalize.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "unit/core_support.h"

using namespace limelight;

namespace {

constexpr Normalizer kAll[] = {Normalizer::softmax, Normalizer::hard, Normalizer::gumbel, Normalizer::sparsemax,
                               Normalizer::entmax15};
constexpr Normalizer kSoft[] = {Normalizer::softmax, Normalizer::sparsemax, Normalizer::entmax15};
constexpr Normalizer kSparse[] = {Normalizer::sparsemax, Normalizer::entmax15};
constexpr std::pair<int, int> kSizes[] = {{1, 1}, {3, 2}, {5, 7}, {65, 129}};

template <class Scalar>
constexpr double kEpsilon = static_cast<double>(std::numeric_limits<Scalar>::epsilon());
template <class Scalar>
constexpr Scalar kMasked = -std::numeric_limits<Scalar>::infinity();

// Scores of which about a fifth are masked and, when there are several rows, row 1 is masked throughout.
template <class Scalar>
MatrixOf<Scalar> masked_scores(int rows, int columns, Random& random) {
  MatrixOf<Scalar> scores = random_matrix<Scalar>(rows, columns, random) * 2;
  for (Scalar& score : scores.template reshaped<Eigen::RowMajor>())
    if (random.uniform() < 0.2) score = kMasked<Scalar>;
  scores.col(0).setConstant(Scalar(0.5));
  if (rows > 1) scores.row(1).setConstant(kMasked<Scalar>);
  return scores;
}

template <class Scalar>
MatrixOf<Scalar> one_hot(int n, int at) {
  MatrixOf<Scalar> row = MatrixOf<Scalar>::Zero(1, n);
  row(0, at) = 1;
  return row;
}

// τ and how far each score is above it in the normaliser's own terms: the weight of sparsemax, the root of that of
// entmax15. Found from the largest weight alone.
struct Threshold {
  double value;
  Eigen::RowVectorXd excess;
};
Threshold threshold_of(Normalizer normalizer, const Eigen::RowVectorXd& scores, const Eigen::RowVectorXd& weights) {
  const bool sparsemax = normalizer == Normalizer::sparsemax;
  Eigen::Index largest = 0;
  weights.maxCoeff(&largest);
  const Eigen::RowVectorXd stretched = scores * (sparsemax ? 1 : 0.5);
  const double value = stretched[largest] - (sparsemax ? weights[largest] : std::sqrt(weights[largest]));
  return {value, stretched.array() - value};
}

Eigen::RowVectorXd point_of_simplex(int n, Random& random) {
  Eigen::RowVectorXd point(n);
  for (double& entry : point) entry = -std::log(1 - random.uniform());
  return point / point.sum();
}

double entropy_of(const Eigen::RowVectorXd& weights) {
  double sum = 0;
  for (const double a : weights)
    if (a > 0) sum -= a * std::log(a);
  return sum;
}

}  // namespace

TEST_CASE_TEMPLATE(
    "normalizers: no weight is negative, a masked one is exactly 0, and every row that sees something sums "
    "to 1",
    Scalar, float, double) {
  Random random(1);
  for (const auto& [rows, columns] : kSizes) {
    const MatrixOf<Scalar> scores = masked_scores<Scalar>(rows, columns, random);
    for (const Normalizer normalizer : kAll) {
      CAPTURE(static_cast<int>(normalizer));
      const MatrixOf<Scalar> weights = normalize<Scalar>(normalizer, scores, 3);
      REQUIRE(weights.rows() == rows);
      REQUIRE(weights.cols() == columns);
      CHECK((weights.array() >= 0).all());
      for (int i = 0; i < rows; ++i) {
        if (i == 1)
          CHECK(weights.row(i).isZero(0));
        else  // each weight is rounded by half an ε of itself; here up to 129 of them are summed in double
          CHECK(std::abs(weights.row(i).template cast<double>().sum() - 1) <
                4 * kEpsilon<Scalar> + 129 * kEpsilon<double>);
        for (int j = 0; j < columns; ++j)
          if (scores(i, j) == kMasked<Scalar>) CHECK(weights(i, j) == 0);
      }
    }
  }
}

TEST_CASE_TEMPLATE("normalizers: each agrees with its twin on odd sizes", Scalar, float, double) {
  Random random(2);
  for (const auto& [rows, columns] : kSizes) {
    const MatrixOf<Scalar> scores = masked_scores<Scalar>(rows, columns, random);
    for (const Normalizer normalizer : kAll) {
      CAPTURE(static_cast<int>(normalizer));
      // Scores are up to 10 apart: rounding their difference moves an exponential by 5 ε.
      CHECK(largest_difference(normalize<Scalar>(normalizer, scores, 3),
                               normalize_naive<Scalar>(normalizer, scores, 3)) < 10 * kEpsilon<Scalar>);
    }
  }
}

TEST_CASE("normalizers: adding a constant to every score changes nothing") {
  Random random(3);
  // Sixteenths below 8: adding 1000 to them is exact in single precision, so that the weights may not differ at all.
  Matrix scores(5, 9);
  for (float& entry : scores.reshaped<Eigen::RowMajor>())
    entry = static_cast<float>(std::floor(random.uniform() * 256) / 16 - 8);
  const Matrix moved = scores.array() + 1000;
  for (const Normalizer normalizer : kAll)
    if (normalizer != Normalizer::gumbel)  // which adds its noise to the moved scores, and rounds
      CHECK(normalize<float>(normalizer, scores) == normalize<float>(normalizer, moved));
}

TEST_CASE("normalizers: columns have no order; permuting the scores permutes the weights") {
  Random random(4);
  const MatrixOf<double> scores = random_matrix<double>(6, 7, random);
  const int order[] = {3, 0, 6, 1, 5, 2, 4};
  const MatrixOf<double> permuted = scores(Eigen::all, order);
  for (const Normalizer normalizer :
       {Normalizer::softmax, Normalizer::hard, Normalizer::sparsemax, Normalizer::entmax15})
    CHECK(largest_difference(normalize<double>(normalizer, permuted),
                             normalize<double>(normalizer, scores)(Eigen::all, order)) < 4 * kEpsilon<double>);
}

TEST_CASE_TEMPLATE("normalizers: one key has all the weight, and the same scores share it equally", Scalar, float,
                   double) {
  for (const Normalizer normalizer : kAll) {
    CHECK(normalize<Scalar>(normalizer, MatrixOf<Scalar>::Constant(1, 1, Scalar(-1e4)))(0, 0) == 1);
    MatrixOf<Scalar> one = MatrixOf<Scalar>::Constant(1, 5, kMasked<Scalar>);
    one(0, 3) = 2;
    CHECK(normalize<Scalar>(normalizer, one) == one_hot<Scalar>(5, 3));
  }
  for (const Normalizer normalizer : kSoft)
    for (const int n : {3, 8, 10'000})
      for (const double score : {0.0, 1e4, -1e4}) {
        const MatrixOf<Scalar> scores = MatrixOf<Scalar>::Constant(1, n, static_cast<Scalar>(score));
        CHECK(largest_difference(normalize<Scalar>(normalizer, scores), MatrixOf<double>::Constant(1, n, 1.0 / n)) <
              4 * kEpsilon<Scalar> / n);
      }
}

TEST_CASE_TEMPLATE("normalizers: scores of ±10,000 give finite weights, and only their differences count", Scalar,
                   float, double) {
  MatrixOf<Scalar> scores(4, 3);
  scores << 10000, 9999.5, -10000,  //
      -10000, -10000, -10000.5,     //
      -10000, 10000, 0,             //
      kMasked<Scalar>, -10000, kMasked<Scalar>;
  MatrixOf<Scalar> near(4, 3);
  near << 0, -0.5, kMasked<Scalar>,         //
      0, 0, -0.5,                           //
      kMasked<Scalar>, 0, kMasked<Scalar>,  //
      kMasked<Scalar>, 0, kMasked<Scalar>;
  for (const Normalizer normalizer : kAll)
    if (normalizer != Normalizer::gumbel)
      CHECK(normalize<Scalar>(normalizer, scores) == normalize<Scalar>(normalizer, near));
  CHECK(normalize<Scalar>(Normalizer::gumbel, scores, 5).bottomRows(2) ==
        normalize<Scalar>(Normalizer::hard, scores).bottomRows(2));
}

TEST_CASE("normalizers: a row of 10,000 in single precision sums to 1 and stays near double") {
  Random random(5);
  const Matrix scores = random_matrix<float>(2, 10'000, random) * 3;
  for (const Normalizer normalizer : kSoft) {
    CAPTURE(static_cast<int>(normalizer));
    const Matrix weights = normalize<float>(normalizer, scores);
    // Each weight has an error of up to 10 ε of itself, of either sign: far less in their sum.
    for (int i = 0; i < 2; ++i) CHECK(std::abs(weights.row(i).cast<double>().sum() - 1) < 2 * kEpsilon<float>);
    const MatrixOf<double> wide = normalize<double>(normalizer, scores.cast<double>());
    CHECK(largest_difference(weights, wide) < 10 * kEpsilon<float> * wide.maxCoeff());
  }
}

TEST_CASE("softmax: the logarithm of two weights' ratio is the difference of their scores") {
  Random random(6);
  const MatrixOf<double> scores = random_matrix<double>(4, 9, random) * 5;
  const MatrixOf<double> weights = normalize<double>(Normalizer::softmax, scores);
  for (int i = 0; i < 4; ++i)
    for (int j = 1; j < 9; ++j)  // logarithms of up to 30, rounded
      CHECK(std::abs(std::log(weights(i, j) / weights(i, 0)) - (scores(i, j) - scores(i, 0))) < 1e-13);
}

TEST_CASE("hard: the largest score gets everything, the lowest index among equals") {
  Matrix scores(4, 4);
  scores << 1, 3, 2, 3,  //
      5, 5, 5, 5,        //
      -3, -2, -1, -1,    //
      kMasked<float>, kMasked<float>, -7, -7;
  Matrix expected(4, 4);
  expected << 0, 1, 0, 0,  //
      1, 0, 0, 0,          //
      0, 0, 1, 0,          //
      0, 0, 1, 0;
  CHECK(normalize<float>(Normalizer::hard, scores) == expected);
  CHECK(normalize_naive<float>(Normalizer::hard, scores) == expected);
}

TEST_CASE("hard: it is what the soft ones become as the temperature falls") {
  Random random(7);
  const MatrixOf<double> scores = random_matrix<double>(20, 6, random);
  const MatrixOf<double> hard = normalize<double>(Normalizer::hard, scores);
  for (const Normalizer normalizer : kSoft)
    CHECK(largest_difference(normalize<double>(normalizer, scores / 1e-4), hard) < 1e-12);
}

TEST_CASE("gumbel: a seed gives the same sample again, another seed another one") {
  Random random(8);
  const Matrix scores = random_matrix<float>(50, 9, random);
  CHECK(normalize<float>(Normalizer::gumbel, scores, 1) == normalize<float>(Normalizer::gumbel, scores, 1));
  CHECK(normalize<float>(Normalizer::gumbel, scores, 1) != normalize<float>(Normalizer::gumbel, scores, 2));
  CHECK(normalize<float>(Normalizer::gumbel, scores, 1) ==
        Matrix(normalize<double>(Normalizer::gumbel, scores.cast<double>(), 1).cast<float>()));
}

TEST_CASE("gumbel: it draws each key as often as softmax weighs it, and a masked one never") {
  constexpr int kDraws = 50'000;
  MatrixOf<double> scores(1, 8);
  scores << 0, 1, -1, 2, kMasked<double>, 0.5, -2, 1.5;
  const MatrixOf<double> expected = normalize<double>(Normalizer::softmax, scores) * kDraws;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const MatrixOf<double> drawn = normalize<double>(Normalizer::gumbel, scores.replicate(kDraws, 1), seed);
    const MatrixOf<double> counts = drawn.colwise().sum();
    CHECK(counts(0, 4) == 0);
    double chi_square = 0;
    for (int j = 0; j < 8; ++j)
      if (j != 4) chi_square += std::pow(counts(0, j) - expected(0, j), 2) / expected(0, j);
    CHECK(chi_square < 27.9);  // seven kinds, six free: exceeded once in 10,000 times
    // Rows are drawn independently: how often two neighbours are the same, within five standard errors.
    const double same = expected.squaredNorm() / kDraws / kDraws;
    const double repeated = drawn.topRows(kDraws - 1).cwiseProduct(drawn.bottomRows(kDraws - 1)).sum() / (kDraws - 1);
    CHECK(std::abs(repeated - same) < 5 * std::sqrt(same * (1 - same) / kDraws));
  }
}

TEST_CASE("gumbel: masking a key changes only the draws that it had won") {
  const Matrix scores = Matrix::Zero(200, 5);
  Matrix masked = scores;
  masked.col(2).setConstant(kMasked<float>);
  masked.row(7).setConstant(kMasked<float>);
  const Matrix before = normalize<float>(Normalizer::gumbel, scores, 4);
  const Matrix after = normalize<float>(Normalizer::gumbel, masked, 4);
  CHECK(after.row(7).isZero(0));
  for (int i = 0; i < 200; ++i)
    if (i != 7 && before(i, 2) == 0) CHECK(before.row(i) == after.row(i));
}

TEST_CASE("sparsemax, entmax15: the weights meet the conditions of their optimum") {
  Random random(9);
  for (const double spread : {0.01, 0.5, 3.0})
    for (const Normalizer normalizer : kSparse) {
      CAPTURE(spread);
      const MatrixOf<double> scores = random_matrix<double>(20, 31, random) * spread;
      const MatrixOf<double> weights = normalize<double>(normalizer, scores);
      for (int i = 0; i < 20; ++i) {
        const Eigen::RowVectorXd excess = threshold_of(normalizer, scores.row(i), weights.row(i)).excess;
        for (int j = 0; j < 31; ++j) {
          const double root = normalizer == Normalizer::sparsemax ? weights(i, j) : std::sqrt(weights(i, j));
          CHECK(std::abs(root - std::max(excess[j], 0.0)) < 1e-14);  // scores of up to 10, rounded in double
        }
      }
    }
}

TEST_CASE("sparsemax: no point of the simplex is nearer to the scores") {
  Random random(10);
  const MatrixOf<double> scores = random_matrix<double>(10, 6, random);
  const MatrixOf<double> weights = normalize<double>(Normalizer::sparsemax, scores);
  for (int i = 0; i < 10; ++i)
    for (int trial = 0; trial < 200; ++trial) {
      const Eigen::RowVectorXd towards = point_of_simplex(6, random) - weights.row(i);
      for (const double step : {1.0, 0.1, 0.01})
        CHECK((scores.row(i) - weights.row(i)).squaredNorm() <=
              (scores.row(i) - weights.row(i) - step * towards).squaredNorm());
    }
}

TEST_CASE("entmax15: no point of the simplex has more of score plus Tsallis entropy of order 1.5") {
  Random random(11);
  const MatrixOf<double> scores = random_matrix<double>(10, 6, random);
  const MatrixOf<double> weights = normalize<double>(Normalizer::entmax15, scores);
  for (int i = 0; i < 10; ++i) {
    const auto objective = [&](const Eigen::RowVectorXd& p) {
      return scores.row(i).dot(p) + (p.array() - p.array().pow(1.5)).sum() * 4 / 3;
    };
    for (int trial = 0; trial < 200; ++trial) {
      const Eigen::RowVectorXd towards = point_of_simplex(6, random) - weights.row(i);
      for (const double step : {1.0, 0.1, 0.01})
        CHECK(objective(weights.row(i)) >= objective(weights.row(i) + step * towards));
    }
  }
}

TEST_CASE("sparsemax, entmax15: far scores weigh exactly 0; a lead of 1, or 2, takes everything") {
  MatrixOf<double> scores(1, 3);
  scores << 1, 0, -5;
  CHECK(normalize<double>(Normalizer::sparsemax, scores) == one_hot<double>(3, 0));
  CHECK(normalize<double>(Normalizer::entmax15, scores)(0, 1) > 0);
  CHECK(normalize<double>(Normalizer::entmax15, scores)(0, 2) == 0);
  scores(0, 0) = 2;
  CHECK(normalize<double>(Normalizer::entmax15, scores) == one_hot<double>(3, 0));
  scores(0, 0) = 0.75;
  MatrixOf<double> expected(1, 3);
  expected << 0.875, 0.125, 0;
  CHECK(normalize<double>(Normalizer::sparsemax, scores) == expected);
}

TEST_CASE("entmax15 lies between softmax and sparsemax: in entropy and in the keys that it sees") {
  Random random(12);
  const MatrixOf<double> scores = random_matrix<double>(50, 12, random);
  const MatrixOf<double> softmax = normalize<double>(Normalizer::softmax, scores);
  const MatrixOf<double> entmax = normalize<double>(Normalizer::entmax15, scores);
  const MatrixOf<double> sparsemax = normalize<double>(Normalizer::sparsemax, scores);
  for (int i = 0; i < 50; ++i) {
    CHECK(entropy_of(softmax.row(i)) > entropy_of(entmax.row(i)));
    CHECK(entropy_of(entmax.row(i)) >= entropy_of(sparsemax.row(i)));
    CHECK((entmax.row(i).array() > 0).count() >= (sparsemax.row(i).array() > 0).count());
  }
  CHECK((softmax.array() > 0).all());
  CHECK((sparsemax.array() > 0).count() < (entmax.array() > 0).count());
  CHECK((entmax.array() > 0).count() < entmax.size());
}

TEST_CASE("normalizers: the gradient agrees with finite differences, away from changes of support") {
  Random random(13);
  for (const Normalizer normalizer : kSoft)
    for (const auto& [rows, columns] : {std::pair(1, 1), std::pair(4, 2), std::pair(5, 7)}) {
      CAPTURE(static_cast<int>(normalizer));
      MatrixOf<double> scores = masked_scores<double>(rows, columns, random) / 2;
      const MatrixOf<double> grad_weights = random_matrix<double>(rows, columns, random);
      const MatrixOf<double> weights = normalize<double>(normalizer, scores);
      if (normalizer != Normalizer::softmax)
        for (int i = 0; i < rows; ++i)
          if (i != 1) {  // the masked row
            const Threshold threshold = threshold_of(normalizer, scores.row(i), weights.row(i));
            REQUIRE(threshold.excess.cwiseAbs().minCoeff() > 1e-3);  // 100 steps
          }
      const auto loss = [&] { return normalize<double>(normalizer, scores).cwiseProduct(grad_weights).sum(); };
      const MatrixOf<double> gradient = normalize_backward<double>(normalizer, weights, grad_weights);
      // Truncation and rounding of the differences: about 1e-10; entmax15's curvature grows to 1/√a.
      CHECK(largest_difference(gradient, finite_difference(scores, loss)) < 1e-8);
      // A constant changes nothing, so that no gradient points along it.
      CHECK(largest_difference(gradient.rowwise().sum(), MatrixOf<double>::Zero(gradient.rows(), 1)) < 1e-14);
    }
}

TEST_CASE("normalizers: the gradient of hard and gumbel is 0, and that of a masked entry exactly 0") {
  Random random(14);
  const Matrix scores = masked_scores<float>(9, 7, random);
  const Matrix grad_weights = random_matrix<float>(9, 7, random);
  for (const Normalizer normalizer : kAll) {
    const Matrix weights = normalize<float>(normalizer, scores, 1);
    const Matrix gradient = normalize_backward<float>(normalizer, weights, grad_weights);
    CHECK(gradient.isZero(0) == !is_soft(normalizer));
    CHECK(gradient.row(1).isZero(0));
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 7; ++j)
        if (weights(i, j) == 0) CHECK(gradient(i, j) == 0);
    const MatrixOf<double> wide =
        normalize_backward<double>(normalizer, weights.cast<double>(), grad_weights.cast<double>());
    CHECK(largest_difference(gradient, wide) < 4 * kEpsilon<float>);
  }
}
