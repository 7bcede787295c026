// Encoders of sentences: that they learn from the words alone, and that what is measured is what it says.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "learn/checkpoint.h"
#include "learn/encoder_heads.h"
#include "learn/encoder_reading.h"
#include "learn/weights.h"
#include "unit/core_support.h"
#include "unit/tape_support.h"

using namespace limelight;
using namespace limelight::learn;
namespace sentences = limelight::learn::sentences;

namespace {

sentences::Settings small() {
  return {.steps = 12, .batch = 8, .warm_up = 2, .layers = 2, .heads = 2, .size = 8, .hidden = 12, .letters = 20};
}

sentences::Training started(const sentences::Settings& settings) {
  Result<sentences::Training> training = sentences::start_training(settings);
  REQUIRE(training);
  return std::move(*training);
}

sentences::Training trained(const sentences::Settings& settings, int steps) {
  sentences::Training training = started(settings);
  sentences::Scratch scratch;
  while (training.record.step < steps) REQUIRE(sentences::train_step(training, scratch));
  return training;
}

std::vector<sentences::Word> words_of(const char* text) {
  std::vector<sentences::Word> words;
  for (const std::string& word : english::read(text).value_or(std::vector<std::string>{}))
    words.push_back(sentences::word_of(word));
  return words;
}

bool same(const sentences::Weights& a, const sentences::Weights& b) {
  bool equal = true;
  sentences::Weights::each([&](const std::string&, const Matrix& x, const Matrix& y) { equal = equal && x == y; }, a,
                           b);
  return equal;
}

}  // namespace

TEST_CASE("encoder: the gradients of all weights agree with finite differences, words that are spelled included") {
  const sentences::Config config{.layers = 1, .heads = 2, .size = 4, .hidden = 5, .letters = 6};
  sentences::Batch batch;
  batch.add(config, words_of("The zogs like coffee."));
  batch.add(config, words_of("She sat."));
  const std::vector<int> rows = {3, 7}, targets = {*english::find("like"), *english::find("she")};
  Random random(9);
  auto weights = sentences::make_weights<double>(config), gradients = weights, ignored = weights;
  sentences::WeightsOf<double>::each(
      [&](const std::string&, MatrixOf<double>& weight) {
        weight = random_matrix<double>(static_cast<int>(weight.rows()), static_cast<int>(weight.cols()), random);
      },
      weights);
  Tape<double> tape;
  const auto loss_into = [&](sentences::WeightsOf<double>& into) {
    tape.clear();
    sentences::WeightsOf<double>::each([](const std::string&, MatrixOf<double>& g) { g.setZero(); }, into);
    const auto model = place_on<sentences::ModelOf, double>(tape, weights, &into);
    const sentences::Encoded encoded = sentences::encode(tape, model, config, batch);
    const Value loss = cross_entropy(tape, sentences::read_out(tape, model, encoded, rows), targets);
    tape.backward(loss);
    return tape.value(loss)(0, 0);
  };
  loss_into(gradients);
  sentences::WeightsOf<double>::each(
      [&](const std::string& name, MatrixOf<double>& weight, MatrixOf<double>& gradient) {
        CAPTURE(name);
        // Of a large matrix, some entries: those with the largest gradients, and the first.
        MatrixOf<double> left = gradient.cwiseAbs();
        for (int tries = 0; tries < std::min<Eigen::Index>(6, weight.size()); ++tries) {
          Eigen::Index i = 0, j = 0;
          if (tries > 0) left.maxCoeff(&i, &j);
          left(i, j) = -1;
          const double step = 1e-5, kept = weight(i, j);
          weight(i, j) = kept + step;
          const double above = loss_into(ignored);
          weight(i, j) = kept - step;
          const double below = loss_into(ignored);
          weight(i, j) = kept;
          CHECK(std::abs((above - below) / (2 * step) - gradient(i, j)) < 1e-7);
        }
      },
      weights, gradients);
}

TEST_CASE("encoder: what belongs to what never enters training") {
  const sentences::Training training = started(small());
  Random draw(1);
  std::vector<english::Sentence> some;
  for (int i = 0; i < 6; ++i) some.push_back(english::generate(draw));
  std::vector<english::Sentence> bare = some;
  for (english::Sentence& sentence : bare)
    sentence = {.words = sentence.words, .links = {}, .agreeing = {}, .references = {}, .pattern = {}};
  sentences::Scratch a, b;
  Random random_a(2), random_b(2);
  CHECK(sentences::differentiate(training, some, random_a, a) == sentences::differentiate(training, bare, random_b, b));
  CHECK(same(a.gradients, b.gradients));
}

TEST_CASE("encoder: training lowers the loss and depends on the seed only") {
  sentences::Settings settings = small();
  settings.steps = 120;
  settings.rate = 0.01;
  const sentences::Training training = trained(settings, 120);
  CHECK(training.record.loss < 0.9 * training.record.first_loss);
  CHECK(training.record.first_loss < 1.2 * std::log(english::vocabulary().size()));
  CHECK(same(trained(small(), 3).weights, trained(small(), 3).weights));
  sentences::Settings other = small();
  other.seed = 2;
  CHECK_FALSE(same(trained(small(), 3).weights, trained(other, 3).weights));
}

TEST_CASE("encoder: training goes on from a checkpoint to the same digits, and a model cannot be gone on from") {
  const sentences::Training part = trained(small(), 5);
  Result<sentences::Training> read = sentences::read_training(sentences::write_checkpoint(part), "part");
  REQUIRE(read);
  REQUIRE(can_resume(*read));
  CHECK(same(read->weights, part.weights));
  sentences::Scratch scratch;
  while (read->record.step < 9) REQUIRE(sentences::train_step(*read, scratch));
  CHECK(same(read->weights, trained(small(), 9).weights));
  const Result<sentences::Training> model = sentences::read_training(sentences::write_model(part, true), "model");
  REQUIRE(model);
  CHECK_FALSE(can_resume(*model));
}

TEST_CASE("encoder: what is no encoder, or has other sizes, is said to be so") {
  const sentences::Training training = trained(small(), 1);
  const auto message = [](const io::Safetensors& file) {
    const auto read = sentences::read_training(io::write_safetensors(file, io::Precision::single), "x");
    return read ? std::string() : read.error().message;
  };
  const auto fresh = [&] { return *io::read_safetensors(sentences::write_model(training, false), "x"); };
  io::Safetensors file = fresh();
  CHECK(message(file).empty());
  file.metadata["format"] = "limelight captioner 1";
  CHECK(message(file).find("not an encoder") != std::string::npos);
  file = fresh();
  file.metadata["words"] += "\nzog";
  CHECK(message(file).find("another vocabulary") != std::string::npos);
  file = fresh();
  file.metadata["task"] = "caption";
  CHECK(message(file).find("\"caption\"; it must be sentence") != std::string::npos);
  file = fresh();
  file.metadata["heads"] = "3";
  CHECK(message(file).find("3 heads") != std::string::npos);
  file = fresh();
  file.metadata["letters"] = "21";
  CHECK(message(file).find("letter_embedding") != std::string::npos);
  file = fresh();
  file.tensors["odd"] = {{1}, {0}};
  CHECK(message(file).find("\"odd\"") != std::string::npos);
  sentences::Settings settings = small();
  settings.replaced = settings.kept = 0.6;
  CHECK_FALSE(sentences::start_training(settings));
}

TEST_CASE("encoder: a sentence is read alone as it is among others") {
  const sentences::Training training = trained(small(), 2);
  const auto result = [&](const std::vector<const char*>& texts, int asked) -> Matrix {
    sentences::Batch batch;
    for (const char* text : texts) batch.add(training.config, words_of(text));
    Tape<float> tape;
    tape.clear(false);
    const auto model = place_on<sentences::ModelOf, float>(tape, training.weights, nullptr);
    const auto all = tape.value(sentences::encode(tape, model, training.config, batch).result);
    int first = 0;
    for (int i = 0; i < asked; ++i) first += batch.lengths[static_cast<std::size_t>(i)];
    return all.middleRows(first, batch.lengths[static_cast<std::size_t>(asked)]);
  };
  const Matrix alone = result({"The zog saw the cat."}, 0);
  // Products of other sizes sum in another order.
  CHECK(largest_difference(result({"I ate.", "The zog saw the cat.", "A wug slept."}, 1), alone) < 1e-5);
  CHECK(largest_difference(result({"The zag saw the cat."}, 0), alone) > 1e-4);
}

TEST_CASE("encoder: words that end alike share rows of letters, and each has all of its runs") {
  const std::vector<int> wugs = sentences::letter_rows("wugs", 100000), zogs = sentences::letter_rows("zogs", 100000);
  CHECK(wugs.size() == 5 + 4 + 3);  // of "<wugs>": 2, 3 and 4 letters
  CHECK(std::ranges::count_if(zogs, [&](int row) { return std::ranges::find(wugs, row) != wugs.end(); }) ==
        3);  // gs, s>, gs>
  for (const int row : sentences::letter_rows("wugs", 7)) CHECK((row >= 0 && row < 7));
}

TEST_CASE("encoder: a reading has each head's weights and the likeliest words, likeliest first") {
  const sentences::Training training = trained(small(), 3);
  const auto words = english::read("The [MASK] saw a zog.");
  REQUIRE(words);
  const sentences::Reading reading = sentences::read(training, *words);
  CHECK(reading.words == std::vector<std::string>{"[START]", "the", "[MASK]", "saw", "a", "zog", "."});
  CHECK(reading.unknown == std::vector<std::string>{"zog"});
  REQUIRE(reading.guesses.size() == 1);
  CHECK(reading.guesses[0].place == 2);
  CHECK(reading.guesses[0].words.size() == sentences::kGuesses);
  CHECK(std::ranges::is_sorted(reading.guesses[0].probabilities, std::greater()));
  CHECK(reading.weights.shape == std::vector<Eigen::Index>{2, 2, 7, 7});
  for (std::size_t row = 0; row < reading.weights.data.size() / 7; ++row) {
    double sum = 0;
    for (std::size_t i = 0; i < 7; ++i) sum += static_cast<double>(reading.weights.data[7 * row + i]);
    CHECK(std::abs(sum - 1) < 1e-5);
  }
}

TEST_CASE("encoder: an untrained model is right as often as chance has it, and its heads have no role") {
  sentences::Settings settings = small();
  settings.size = 16;
  const sentences::Training model = started(settings);
  const sentences::Evaluation result = sentences::evaluate(model, 1, 150);
  CHECK(result.words.share() < 0.1);
  CHECK(std::abs(result.loss - std::log(english::vocabulary().size())) < 1);
  CHECK(result.agreement.count > 50);
  CHECK(result.agreement.share() > 0.2);
  CHECK(result.agreement.share() < 0.8);
  CHECK(result.pronouns.count > 50);
  CHECK(result.pronouns.share() < 0.75);
  int words = 0;
  for (const sentences::Score& score : result.by_kind) words += score.count;
  CHECK(words == result.words.count);
  const sentences::HeadRoles found = sentences::head_roles(model, 1, 100);
  REQUIRE(found.heads.size() == 4);
  for (const sentences::HeadRole& head : found.heads) {
    CHECK(head.best.above() < 0.6);
    CHECK(head.best.chance < 0.5);
  }
}

TEST_CASE("encoder: a head that looks at the previous word has that role") {
  // By hand: queries are positions, keys the positions of the words one to the left.
  sentences::Settings settings = small();
  settings.layers = settings.heads = 1;
  settings.size = settings.hidden = 2 * sentences::kMostTokens;
  sentences::Training model = started(settings);
  sentences::Weights::each([](const std::string&, Matrix& weight) { weight.setZero(); }, model.weights);
  auto& layer = model.weights.layers[0];
  layer.attention_norm.gain.setOnes();
  for (int i = 0; i < sentences::kMostTokens; ++i) {
    model.weights.position_embedding(i, i) = 1;
    if (i > 0) layer.query.weight(i, i - 1) = 10;
    layer.key.weight(i, i) = 10;
  }
  const sentences::HeadRoles found = sentences::head_roles(model, 1, 60);
  CHECK(sentences::roles()[static_cast<std::size_t>(found.heads[0].best.role)] == "previous word");
  CHECK(found.heads[0].best.score == 1);
  CHECK(found.heads[0].best.chance > 0.04);
  CHECK(found.heads[0].best.chance < 0.2);
  CHECK(found.antecedent.score.score < 0.1);
}
