#include <doctest/doctest.h>

#include "unit/attention_support.h"

using namespace limelight;

namespace {

// Rounding of the finite differences with losses of about 10, and their truncation where a third derivative is large.
constexpr double kDifference = 1e-7;

// Compares every gradient of Σ grad_output ⊙ output with finite differences.
void check_gradients(AttentionCase<double> c) {
  Random random(101);
  const auto grad_output =
      random_matrix<double>(static_cast<int>(c.query.rows()), static_cast<int>(c.value.cols()), random);
  const auto support_of = [](const AttentionSteps<double>& steps) {
    return BoolMatrix((steps.weights.array() > 0).matrix());
  };
  const BoolMatrix support = support_of(c.traced());
  bool support_stays = true;  // where it changes, sparsemax and entmax have no derivative
  const auto loss = [&] {
    const auto steps = c.traced();
    support_stays = support_stays && support_of(steps) == support;
    return steps.output.cwiseProduct(grad_output).sum();
  };
  const auto grad = c.backward(grad_output);
  CHECK(largest_difference(grad.query, finite_difference(c.query, loss)) < kDifference);
  CHECK(largest_difference(grad.key, finite_difference(c.key, loss)) < kDifference);
  CHECK(largest_difference(grad.value, finite_difference(c.value, loss)) < kDifference);
  CHECK(largest_difference(grad.parameters.positions, finite_difference(c.parameters.positions, loss)) < kDifference);
  using Parameters = ScoreParameters<double>;
  for (const auto parameter :
       {&Parameters::w_general, &Parameters::w_query, &Parameters::w_key, &Parameters::v, &Parameters::bias})
    CHECK(largest_difference(grad.parameters.score.*parameter, finite_difference(c.parameters.score.*parameter, loss)) <
          kDifference);
  REQUIRE(support_stays);
}

}  // namespace

TEST_CASE("attention: every gradient agrees with finite differences, with every soft choice of options") {
  for (const Score kind : kScores)
    for (const Normalizer normalizer : kNormalizers)
      if (is_soft(normalizer))
        for (const Positions positions : kPositions)
          for (std::size_t m = 0; m < masks(3, 5).size(); ++m) {
            CAPTURE(static_cast<int>(kind));
            CAPTURE(static_cast<int>(normalizer));
            CAPTURE(static_cast<int>(positions));
            CAPTURE(m);
            check_gradients(attention_case<double>(3, 5, 4, 2,
                                                   {.score = kind,
                                                    .scale = 0.7,
                                                    .temperature = 1.3,
                                                    .mask = masks(3, 5)[m],
                                                    .normalizer = normalizer,
                                                    .positions = positions,
                                                    .slope = 0.25},
                                                   103));
          }
}

TEST_CASE("attention: the gradients agree with finite differences for one token of one feature, and many queries") {
  for (const Score kind : kScores)
    for (const Normalizer normalizer : {Normalizer::softmax, Normalizer::sparsemax, Normalizer::entmax15}) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(static_cast<int>(normalizer));
      check_gradients(attention_case<double>(1, 1, 1, 1, {.score = kind, .normalizer = normalizer}, 107));
      check_gradients(attention_case<double>(7, 2, 2, 3, {.score = kind, .normalizer = normalizer}, 109));
    }
}

TEST_CASE("hard and gumbel: only the values get a gradient") {
  for (const Normalizer normalizer : {Normalizer::hard, Normalizer::gumbel})
    for (const Score kind : kScores)
      for (const Positions positions : kPositions) {
        CAPTURE(static_cast<int>(normalizer));
        CAPTURE(static_cast<int>(kind));
        CAPTURE(static_cast<int>(positions));
        const auto c = attention_case<double>(3, 5, 4, 2,
                                              {.score = kind,
                                               .mask = Mask::causal(),
                                               .normalizer = normalizer,
                                               .seed = 5,
                                               .positions = positions,
                                               .slope = 0.25},
                                              113);
        check_gradients(c);  // the differences are 0 too, while the choice stays
        const auto grad = c.backward(MatrixOf<double>::Ones(3, 2));
        CHECK(grad.query == MatrixOf<double>::Zero(c.query.rows(), c.query.cols()));
        CHECK(grad.key == MatrixOf<double>::Zero(c.key.rows(), c.key.cols()));
        CHECK(grad.value.sum() == 6);  // each query hands its gradient to one value
      }
}

TEST_CASE("attention: the gradient in single precision is that in double, rounded") {
  for (const Score kind : kScores) {
    CAPTURE(static_cast<int>(kind));
    const auto c = attention_case<double>(17, 9, 6, 5, {.score = kind, .scale = 0.4}, 127);
    const AttentionCase<float> single{c.query.cast<float>(),
                                      c.key.cast<float>(),
                                      c.value.cast<float>(),
                                      c.options,
                                      {.score = {.w_general = c.parameters.score.w_general.cast<float>(),
                                                 .w_query = c.parameters.score.w_query.cast<float>(),
                                                 .w_key = c.parameters.score.w_key.cast<float>(),
                                                 .v = c.parameters.score.v.cast<float>(),
                                                 .bias = c.parameters.score.bias.cast<float>()}}};
    const auto grad = c.backward(MatrixOf<double>::Ones(17, 5));
    const auto rounded = single.backward(Matrix::Ones(17, 5));
    // Sums of up to 17 · 9 terms of about 1, each good to a few ε.
    CHECK(largest_difference(rounded.query, grad.query) < 1e-4);
    CHECK(largest_difference(rounded.key, grad.key) < 1e-4);
    CHECK(largest_difference(rounded.value, grad.value) < 1e-4);
    CHECK(largest_difference(rounded.parameters.score.w_general, grad.parameters.score.w_general) < 1e-4);
    CHECK(largest_difference(rounded.parameters.score.w_query, grad.parameters.score.w_query) < 1e-4);
    CHECK(largest_difference(rounded.parameters.score.w_key, grad.parameters.score.w_key) < 1e-4);
    CHECK(largest_difference(rounded.parameters.score.v, grad.parameters.score.v) < 1e-4);
    CHECK(largest_difference(rounded.parameters.score.bias, grad.parameters.score.bias) < 1e-4);
  }
}
