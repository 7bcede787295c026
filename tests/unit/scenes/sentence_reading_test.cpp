// Sentence: what is read with the model, and what is made of its weights.
#include <doctest/doctest.h>

#include <cmath>

#include "core/analysis.h"
#include "core/likeness.h"
#include "learn/encoder_reading.h"
#include "unit/scenes/sentence_drawn.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::sentence;
using namespace limelight::test::reading;

TEST_CASE("sentence: the scene reads as the encoder that was trained does, unknown words and hidden ones, too") {
  Reader reader(encoder());
  for (const char* text : {"The animal did not cross the street because [MASK] was too tired.", "A blick sat.",
                           "Anna fed the dogs because they were [MASK]."}) {
    const auto words = learn::english::read(text);
    REQUIRE(words);
    const learn::sentences::Reading expected = learn::sentences::read(*encoder(), *words, kGuesses);
    Result<std::vector<Token>> tokens = reader.tokens(text);
    REQUIRE(tokens);
    Task task{.tokens = *tokens, .hidden = {}, .off = {}};
    for (int i = 0; i < std::ssize(*tokens); ++i)
      if ((*tokens)[static_cast<std::size_t>(i)].text == "[MASK]") task.hidden.push_back(i);
    const Reading reading = reader.read(task);
    std::size_t at = 0;
    float apart = 0;
    for (const BlockSteps& block : reading.blocks)
      for (const Matrix& weights : block.weights)
        for (Eigen::Index i = 0; i < weights.size(); ++i)
          apart = std::max(apart, std::abs(weights.data()[i] - expected.weights.data[at++]));
    CHECK(at == expected.weights.data.size());
    CHECK(apart < 1e-5F);
    REQUIRE(reading.guesses.size() == expected.guesses.size());
    for (std::size_t i = 0; i < expected.guesses.size(); ++i) {
      CHECK(reading.guesses[i].words == expected.guesses[i].words);
      CHECK(reading.guesses[i].probabilities[0] == doctest::Approx(expected.guesses[i].probabilities[0]).epsilon(1e-4));
    }
    CHECK(std::ranges::count_if(*tokens, [](const Token& token) { return !token.known; }) ==
          std::ssize(expected.unknown));
  }
}

TEST_CASE("sentence: rollout is the product of the layers, each half itself, and its rows sum to 1") {
  Random random(3);
  std::vector<Matrix> means;
  for (int layer = 0; layer < 3; ++layer) {
    Matrix weights(5, 5);
    for (Eigen::Index i = 0; i < weights.size(); ++i) weights.data()[i] = static_cast<float>(random.uniform()) + 0.01F;
    for (int i = 0; i < 5; ++i) weights.row(i) /= weights.row(i).sum();
    means.push_back(weights);
  }
  Matrix all = Matrix::Identity(5, 5);
  for (int top = 0; top < 3; ++top) {
    all = (0.5F * (means[static_cast<std::size_t>(top)] + Matrix::Identity(5, 5)) * all).eval();
    for (int query = 0; query < 5; ++query) {
      const Matrix rows = rollout(means, query);
      CHECK(largest_difference(rows.row(top), all.row(query)) < 1e-6F);
      CHECK(rows.row(top).sum() == doctest::Approx(1));
    }
  }
}

TEST_CASE("sentence: what a head does is told from where its weight goes") {
  const std::vector<std::string> words{"the", "cat", "saw", "The"};
  const auto only = [&](auto to) {
    Matrix weights = Matrix::Zero(4, 4);
    for (int i = 0; i < 4; ++i) weights(i, to(i)) = 1;
    return kinds_of(weights, words, words);
  };
  CHECK(only([](int i) { return i; })[itself] == 1);
  CHECK(only([](int) { return 0; })[first] == 1);
  CHECK(only([](int i) { return std::max(i - 1, 0); })[previous] == doctest::Approx(0.75));
  CHECK(only([](int i) { return std::min(i + 1, 3); })[next] == doctest::Approx(0.75));
  CHECK(only([](int i) { return i == 3 ? 0 : i == 0 ? 3 : i; })[same] == doctest::Approx(0.5));
  CHECK(only([](int i) { return i; })[kinds] == 0);
  CHECK(kinds_of(Matrix::Constant(4, 4, 0.25F), words, words)[kinds] == doctest::Approx(1));
}

TEST_CASE("sentence: clustering puts those next to each other that are alike") {
  // 0, 2 and 4 are alike, 1 and 3 are, and the two groups are not.
  Matrix distances(5, 5);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) distances(i, j) = i == j ? 0 : i % 2 == j % 2 ? 0.1F : 0.9F;
  const std::vector<int> order = cluster(distances);
  REQUIRE(order.size() == 5);
  int changes = 0;
  for (std::size_t i = 1; i < order.size(); ++i) changes += order[i] % 2 != order[i - 1] % 2 ? 1 : 0;
  CHECK(changes == 1);
}

TEST_CASE("sentence: a large map keeps the largest weight of each square") {
  Matrix weights = Matrix::Zero(100, 100);
  weights(99, 0) = 0.5F;
  weights(50, 73) = 0.7F;
  const Matrix small = pooled(weights, 10);
  CHECK(small.rows() == 10);
  CHECK(small(9, 0) == 0.5F);
  CHECK(small(5, 7) == 0.7F);
  CHECK(small.sum() == doctest::Approx(1.2));
  CHECK(pooled(weights, 100) == weights);
}
