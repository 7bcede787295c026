#include "core/score.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "core/feature_wise.h"
#include "unit/attention_support.h"

using namespace limelight;

namespace {

// T queries, S keys, D_q and D_k their sizes, H hidden features.
struct Shape {
  int T, S, D_q, D_k, H;
};
constexpr Shape kShapes[] = {{1, 1, 1, 1, 1}, {3, 7, 5, 2, 9}, {7, 3, 4, 6, 1}, {65, 33, 17, 31, 13}};

template <class Scalar>
struct Case {
  MatrixOf<Scalar> query, key;
  ScoreParameters<Scalar> parameters;
};

// Where the score wants equal sizes, D_k is D_q.
template <class Scalar>
Case<Scalar> case_of(Score kind, Shape shape, std::uint64_t seed, bool bias = true) {
  Random random(seed);
  const int D_k = kind == Score::dot || kind == Score::cosine ? shape.D_q : shape.D_k;
  Case<Scalar> c{random_matrix<Scalar>(shape.T, shape.D_q, random), random_matrix<Scalar>(shape.S, D_k, random),
                 score_parameters<Scalar>(kind, shape.D_q, D_k, shape.H, random)};
  if (!bias) c.parameters.bias.resize(0, 0);
  return c;
}

// For numbers of about 1. A score is a sum of up to 17 · 31 products; each operation rounds by half an ε, in another
// order in each twin, and the errors add up like a random walk. Eigen's single-precision tanh is good to a few ε.
template <class Scalar>
constexpr double kRounding = 40 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());

// Rounding of finite differences with losses of about 10 and steps of 1e-5.
constexpr double kDifference = 1e-8;

}  // namespace

TEST_CASE_TEMPLATE("score: each kernel agrees with the definition on odd sizes", Scalar, float, double) {
  for (const Score kind : kScores)
    for (const Shape shape : kShapes)
      for (const bool bias : {true, false}) {
        CAPTURE(static_cast<int>(kind));
        CAPTURE(shape.T);
        const auto c = case_of<Scalar>(kind, shape, 31, bias);
        const MatrixOf<Scalar> scores = score<Scalar>(kind, c.query, c.key, c.parameters);
        CHECK(scores.rows() == shape.T);
        CHECK(scores.cols() == shape.S);
        const double size = std::max(1.0, static_cast<double>(scores.cwiseAbs().maxCoeff()));
        CHECK(largest_difference(scores, score_naive<Scalar>(kind, c.query, c.key, c.parameters)) <
              size * kRounding<Scalar>);
      }
}

TEST_CASE("score: every gradient agrees with finite differences") {
  for (const Score kind : kScores)
    for (const Shape shape : {Shape{1, 1, 1, 1, 1}, Shape{3, 5, 4, 2, 6}})
      for (const bool bias : {true, false}) {
        CAPTURE(static_cast<int>(kind));
        CAPTURE(shape.T);
        auto c = case_of<double>(kind, shape, 37, bias);
        Random random(41);
        const MatrixOf<double> grad_scores = random_matrix<double>(shape.T, shape.S, random);
        const auto loss = [&] {
          return score<double>(kind, c.query, c.key, c.parameters).cwiseProduct(grad_scores).sum();
        };
        const auto grad = score_backward<double>(kind, c.query, c.key, c.parameters, grad_scores);
        CHECK(largest_difference(grad.query, finite_difference(c.query, loss)) < kDifference);
        CHECK(largest_difference(grad.key, finite_difference(c.key, loss)) < kDifference);
        for (auto parameter :
             {&ScoreParameters<double>::w_general, &ScoreParameters<double>::w_query, &ScoreParameters<double>::w_key,
              &ScoreParameters<double>::v, &ScoreParameters<double>::bias})
          CHECK(largest_difference(grad.parameters.*parameter, finite_difference(c.parameters.*parameter, loss)) <
                kDifference);
      }
}

TEST_CASE("dot and general: general with the identity is dot") {
  auto c = case_of<double>(Score::dot, {4, 6, 5, 5, 1}, 43);
  c.parameters.w_general = MatrixOf<double>::Identity(5, 5);
  // Multiplying by 1 and adding 0 is exact.
  CHECK(score<double>(Score::general, c.query, c.key, c.parameters) == score<double>(Score::dot, c.query, c.key));
}

TEST_CASE("cosine: how long a query or key is does not count, between −1 and 1") {
  const auto c = case_of<float>(Score::cosine, {5, 7, 6, 6, 1}, 47);
  const Matrix scores = score<float>(Score::cosine, c.query, c.key);
  // The squares of 2⁷⁰ overflow; powers of two change no digit.
  CHECK(score<float>(Score::cosine, c.query * 0x1p70F, c.key * 0x1p-20F) == scores);
  CHECK(scores.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= 1 + kRounding<float>);
  const Matrix own = score<float>(Score::cosine, c.query, c.query);
  CHECK(largest_difference(own.diagonal(), Matrix::Ones(5, 1)) < kRounding<float>);
}

TEST_CASE("cosine: vectors at both ends of the range score what their directions score") {
  Matrix ends(4, 3);
  ends << 3e38F, 3e38F, 0, 1e-45F, 1e-45F, 0, -3.4e38F, 3.4e38F, 3.4e38F, 0, 1e-45F, 0;
  Matrix directions(4, 3);
  directions << 1, 1, 0, 1, 1, 0, -1, 1, 1, 0, 1, 0;
  const Matrix expected = score<float>(Score::cosine, directions, directions);
  CHECK(largest_difference(score<float>(Score::cosine, ends, ends), expected) < kRounding<float>);
  // A gradient is inversely proportional to the length.
  const Matrix large = directions * 0x1p127F, grad_scores = expected;
  const auto grad = score_backward<float>(Score::cosine, directions, large, {}, grad_scores);
  const auto of_directions = score_backward<float>(Score::cosine, directions, directions, {}, grad_scores);
  CHECK(largest_difference(grad.query, of_directions.query) < kRounding<float>);
  CHECK(largest_difference(grad.key * 0x1p127F, of_directions.key) < 0x1p-20);  // below 2⁻¹²⁶, 22 digits are left
  CHECK(of_directions.key.norm() > 0.1F);
}

TEST_CASE("cosine: a zero vector scores 0, and no gradient passes there") {
  auto c = case_of<double>(Score::cosine, {3, 4, 2, 2, 1}, 53);
  c.query.row(1).setZero();
  c.key.row(2).setZero();
  const auto scores = score<double>(Score::cosine, c.query, c.key);
  CHECK(scores.row(1) == MatrixOf<double>::Zero(1, 4));
  CHECK(scores.col(2) == MatrixOf<double>::Zero(3, 1));
  CHECK(score_naive<double>(Score::cosine, c.query, c.key).row(1) == MatrixOf<double>::Zero(1, 4));
  const auto grad = score_backward<double>(Score::cosine, c.query, c.key, {}, MatrixOf<double>::Ones(3, 4));
  CHECK(grad.query.row(1) == MatrixOf<double>::Zero(1, 2));
  CHECK(grad.key.row(2) == MatrixOf<double>::Zero(1, 2));
  CHECK(grad.query.row(0).norm() > 0);
  CHECK(grad.query.allFinite());
  CHECK(grad.key.allFinite());
}

TEST_CASE("additive: a score is at most the sum of |v|, and reaches it where every feature saturates") {
  auto c = case_of<float>(Score::additive, {4, 5, 3, 3, 8}, 59);
  const float bound = c.parameters.v.cwiseAbs().sum();
  CHECK(score<float>(Score::additive, c.query, c.key, c.parameters).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() < bound);
  c.parameters.bias = 1e4F * c.parameters.v.transpose().cwiseSign();
  const Matrix saturated = score<float>(Score::additive, c.query, c.key, c.parameters);
  CHECK(largest_difference(saturated, Matrix::Constant(4, 5, bound)) < kRounding<float>);
  const auto grad = score_backward<float>(Score::additive, c.query, c.key, c.parameters, Matrix::Ones(4, 5));
  CHECK(grad.query.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() < kRounding<float>);  // and is flat there
}

TEST_CASE("additive: exchanging queries and keys with their matrices transposes the scores") {
  const auto c = case_of<double>(Score::additive, {4, 6, 3, 5, 7}, 61);
  ScoreParameters<double> exchanged = c.parameters;
  exchanged.w_query.swap(exchanged.w_key);
  const MatrixOf<double> scores = score<double>(Score::additive, c.query, c.key, c.parameters);
  const MatrixOf<double> transposed = score<double>(Score::additive, c.key, c.query, exchanged).transpose();
  CHECK(largest_difference(scores, transposed) < kRounding<double>);
}

TEST_CASE("score: identical keys get identical scores, and 10,000 keys each their own") {
  for (const Score kind : kScores) {
    CAPTURE(static_cast<int>(kind));
    auto c = case_of<float>(kind, {1, 10000, 3, 3, 5}, 67);
    c.key.row(9999) = c.key.row(0);
    const Matrix scores = score<float>(kind, c.query, c.key, c.parameters);
    CHECK(largest_difference(scores.col(9999), scores.col(0)) < kRounding<float>);
    CHECK(largest_difference(scores, score_naive<float>(kind, c.query, c.key, c.parameters)) < kRounding<float>);
  }
}

TEST_CASE_TEMPLATE("feature-wise: the kernel agrees with the definition on odd sizes", Scalar, float, double) {
  for (const Shape shape : kShapes) {
    Random random(71);
    const auto hidden = random_matrix<Scalar>(1, shape.D_q, random);
    const auto outputs = random_matrix<Scalar>(shape.S, shape.H, random);
    const auto w = random_matrix<Scalar>(shape.D_q, shape.H, random);
    const auto bias = random_matrix<Scalar>(1, shape.H, random);
    const auto steps = feature_wise<Scalar>(hidden, outputs, w, bias);
    const auto naive = feature_wise_naive<Scalar>(hidden, outputs, w, bias);
    CHECK(largest_difference(steps.scores, naive.scores) < kRounding<Scalar>);
    CHECK(largest_difference(steps.weights, naive.weights) < kRounding<Scalar>);
    CHECK(largest_difference(steps.weights.colwise().sum(), MatrixOf<Scalar>::Ones(1, shape.H)) < kRounding<Scalar>);
  }
}

TEST_CASE("feature-wise: every gradient agrees with finite differences") {
  for (const Shape shape : {Shape{1, 1, 1, 1, 1}, Shape{1, 5, 4, 4, 3}}) {
    Random random(73);
    auto hidden = random_matrix<double>(1, shape.D_q, random);
    auto outputs = random_matrix<double>(shape.S, shape.H, random);
    auto w = random_matrix<double>(shape.D_q, shape.H, random);
    auto bias = random_matrix<double>(1, shape.H, random);
    const auto grad_weights = random_matrix<double>(shape.S, shape.H, random);
    const auto loss = [&] {
      return feature_wise<double>(hidden, outputs, w, bias).weights.cwiseProduct(grad_weights).sum();
    };
    const auto grad = feature_wise_backward<double>(hidden, outputs, w, bias, grad_weights);
    CHECK(largest_difference(grad.hidden, finite_difference(hidden, loss)) < kDifference);
    CHECK(largest_difference(grad.encoder_outputs, finite_difference(outputs, loss)) < kDifference);
    CHECK(largest_difference(grad.w, finite_difference(w, loss)) < kDifference);
    CHECK(largest_difference(grad.bias, finite_difference(bias, loss)) < kDifference);
  }
}

TEST_CASE("feature-wise: saturated features weigh every position alike") {
  Random random(79);
  const auto outputs = random_matrix<float>(5, 3, random);
  const auto steps = feature_wise<float>(Matrix::Zero(1, 2), outputs, Matrix::Zero(2, 3), Matrix::Constant(1, 3, 1e4F));
  CHECK(largest_difference(steps.weights, Matrix::Constant(5, 3, 0.2F)) < kRounding<float>);
}
