// Captioners: the operations of grids against finite differences, the estimator of hard attention against the exact
// expectation, and models as a whole.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "learn/caption_evaluation.h"
#include "learn/checkpoint.h"
#include "unit/core_support.h"
#include "unit/tape_support.h"

using namespace limelight;
using namespace limelight::learn;
namespace captions = limelight::learn::captions;
namespace pictures = limelight::learn::pictures;

namespace {

constexpr int kLengths[] = {3, 1};  // of two captions
constexpr int kPlaces[] = {2, 0, 1, -1, 1, -1};
constexpr double kAdvantages[] = {0.5, -1.5, 2, 0, -0.25, 0};

captions::Settings small(captions::Glimpse attention) {
  return {.steps = 10,
          .batch = 3,
          .attention = attention,
          .grid = 3,
          .features = 5,
          .embedding = 4,
          .hidden = 6,
          .attention_size = 4};
}

std::vector<pictures::Scene> some_scenes(int count) { return captions::held_out(5, count); }

// By its definition, one sum at a time. weights: [kernel²·C, N] → [B·out², N]
MatrixOf<double> convolve(const MatrixOf<double>& x, const MatrixOf<double>& weights, const Window& window) {
  const auto channels = static_cast<int>(x.cols());
  const int pictures = static_cast<int>(x.rows()) / (window.side * window.side), out = window.out();
  MatrixOf<double> result = MatrixOf<double>::Zero(pictures * out * out, weights.cols());
  for (int b = 0; b < pictures; ++b)
    for (int i = 0; i < out; ++i)
      for (int j = 0; j < out; ++j)
        for (int u = 0; u < window.kernel; ++u)
          for (int v = 0; v < window.kernel; ++v) {
            const int y = i * window.stride + u - window.padding, z = j * window.stride + v - window.padding;
            if (y < 0 || y >= window.side || z < 0 || z >= window.side) continue;
            for (int c = 0; c < channels; ++c)
              result.row((b * out + i) * out + j) +=
                  x((b * window.side + y) * window.side + z, c) * weights.row((u * window.kernel + v) * channels + c);
          }
  return result;
}

void softmax_rows(MatrixOf<double>& rows) {
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    rows.row(i) = rows.row(i).array().exp();
    rows.row(i) /= rows.row(i).sum();
  }
}

constexpr Window kWindows[] = {{.side = 6, .kernel = 4, .stride = 2, .padding = 1},
                               {.side = 5, .kernel = 3, .stride = 2},
                               {.side = 4, .kernel = 1, .stride = 1},
                               {.side = 3, .kernel = 3, .stride = 1, .padding = 2}};

}  // namespace

TEST_CASE("grid: unfolding and a product are a convolution, in either layout") {
  Random random(2);
  for (const Window& window : kWindows) {
    const auto x = random_matrix<double>(2 * window.side * window.side, 3, random),
               weights = random_matrix<double>(window.kernel * window.kernel * 3, 4, random);
    const MatrixOf<double> expected = convolve(x, weights, window);
    Tape<double> tape;
    tape.clear(false);
    const auto result = [&](Layout layout) {
      return MatrixOf<double>(tape.value(learn::product<double>(
          tape, unfold<double>(tape, tape.constant(x), window, layout), tape.constant(weights))));
    };
    CHECK(largest_difference(result(Layout::by_picture), expected) < 1e-12);
    const MatrixOf<double> by_cell = result(Layout::by_cell);
    const int cells = window.out() * window.out();
    for (int b = 0; b < 2; ++b)
      for (int cell = 0; cell < cells; ++cell)
        CHECK(largest_difference(by_cell.row(cell * 2 + b), expected.row(b * cells + cell)) < 1e-12);
  }
}

TEST_CASE("grid: a convolution's gradients agree with finite differences") {
  for (const Window& window : kWindows)
    for (const Layout layout : {Layout::by_picture, Layout::by_cell})
      check_gradients({{2 * window.side * window.side, 2}, {window.kernel * window.kernel * 2, 3}, {1, 3}},
                      [&](auto& tape, const std::vector<Value>& x) {
                        return linear(tape, unfold(tape, x[0], window, layout), x[1], x[2]);
                      });
}

TEST_CASE("grid: the gradients of ReLU, of scaling and of both losses of a map agree with finite differences") {
  check_gradients({{3, 5}}, [](auto& tape, const std::vector<Value>& x) { return relu(tape, x[0]); });
  check_gradients({{3, 5}}, []<class Scalar>(Tape<Scalar>& tape, const std::vector<Value>& x) {
    return scale(tape, x[0], Scalar(-0.3));
  });
  check_gradients({{6, 4}},
                  [](auto& tape, const std::vector<Value>& x) { return coverage_penalty(tape, x[0], kLengths); });
  const std::vector<std::uint8_t> present(6 * 3, 1);
  check_gradients({{6, 3}}, [&](auto& tape, const std::vector<Value>& x) {
    return choice_loss(tape, masked_softmax(tape, x[0], present), {.places = kPlaces, .advantages = kAdvantages}, 0.7,
                       0.2);
  });
}

TEST_CASE("grid: the penalty is 0 for maps that are even over a caption, and counts no steps after it") {
  Tape<double> tape;
  MatrixOf<double> even(6, 3);
  even << 1, 0, 0, /* the second picture's only word: */ 1. / 3, 1. / 3, 1. / 3, 0, 1, 0, 7, 7, 7, 0, 0, 1, 7, 7, 7;
  CHECK(tape.value(coverage_penalty<double>(tape, tape.constant(even), kLengths))(0, 0) == doctest::Approx(0));
  even.row(2) << 1, 0, 0;  // (1 − 2)² + 1² + 0², over two pictures
  CHECK(tape.value(coverage_penalty<double>(tape, tape.constant(even), kLengths))(0, 0) == doctest::Approx(1));
}

// Two words with three places each; what is said after the second choice depends on the first, and so do its chances.
// The exact gradient of the expected log-likelihood is a sum over all nine ways.
TEST_CASE("hard attention: the estimator's mean over many draws is the exact gradient, whatever the baseline") {
  constexpr int kPlacesEach = 3, kDraws = 40000;
  Random random(17);
  // scores of the first choice, and of the second after each first
  const auto scores = random_matrix<double>(1 + kPlacesEach, kPlacesEach, random);
  // ln p of the first word, and of the second word after both choices
  const auto first_word = random_matrix<double>(1, kPlacesEach, random),
             second_word = random_matrix<double>(kPlacesEach, kPlacesEach, random);
  MatrixOf<double> chances = scores;
  softmax_rows(chances);
  const auto expectation = [&](const MatrixOf<double>& of) {
    MatrixOf<double> p = of;
    softmax_rows(p);
    double sum = 0;
    for (int i = 0; i < kPlacesEach; ++i)
      for (int j = 0; j < kPlacesEach; ++j) sum += p(0, i) * p(1 + i, j) * (first_word(0, i) + second_word(i, j));
    return sum;
  };
  MatrixOf<double> at = scores;
  const MatrixOf<double> exact = finite_difference(at, [&] { return expectation(at); });
  const std::vector<std::uint8_t> present(2 * kPlacesEach, 1);
  for (const double baseline : {0.0, 3.0}) {
    MatrixOf<double> mean = MatrixOf<double>::Zero(scores.rows(), scores.cols());
    MatrixOf<double> squares = mean;
    Tape<double> tape;
    for (int draw = 0; draw < kDraws; ++draw) {
      const int i = captions::draw_index(random, chances.row(0)), j = captions::draw_index(random, chances.row(1 + i));
      const std::vector<double> rewards = captions::rewards_to_go({first_word(0, i), second_word(i, j)}, 1);
      const double advantages[] = {rewards[0] - baseline, rewards[1] - baseline};
      const int places[] = {i, j}, rows[] = {0, 1 + i};
      MatrixOf<double> gradient = MatrixOf<double>::Zero(scores.rows(), scores.cols());
      tape.clear();
      const Value steps = gather<double>(tape, tape.parameter(scores, gradient), rows);
      const Value weights = masked_softmax<double>(tape, steps, present);
      tape.backward(choice_loss<double>(tape, weights, {.places = places, .advantages = advantages}, 1, 0));
      gradient *= -2;  // the loss is the mean over two words, and falls where the likelihood rises
      mean += gradient / kDraws;
      squares += gradient.cwiseAbs2() / kDraws;
    }
    // Five standard errors.
    for (Eigen::Index k = 0; k < mean.size(); ++k) {
      const double error = std::sqrt(squares.data()[k] / kDraws);
      CHECK(std::abs(mean.data()[k] - exact.data()[k]) < 5 * error + 1e-9);
      CHECK(error < 0.1);
    }
  }
}

TEST_CASE("hard attention: an index is drawn as often as its chance says") {
  Random random(4);
  Eigen::RowVector3d chances(0.2, 0.5, 0.3);
  int counts[3] = {};
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) ++counts[captions::draw_index(random, chances)];
  for (int i = 0; i < 3; ++i)  // five standard deviations of a share
    CHECK(std::abs(static_cast<double>(counts[i]) / kDraws - chances[i]) < 5 * 0.5 / std::sqrt(kDraws));
}

TEST_CASE("captioner: a cell of the finer grid sees at most 24 pixels") {
  CHECK(captions::receptive_field(8) == 18);
  CHECK(captions::receptive_field(3) == 26);
  for (const int grid : {8, 3}) CHECK(captions::convolutions(grid).back().window.out() == grid);
}

TEST_CASE("captioner: a cell's features depend on the pixels that it sees, and on no others") {
  for (const int grid : {8, 3}) {
    const captions::Config config{.grid = grid};
    Random random(1);
    const captions::Weights weights = captions::draw_weights(config, random);
    const auto features = [&](const Matrix& picture) {
      const captions::Batch batch = captions::make_batch(config, std::span(&picture, 1));
      Tape<float> tape;
      tape.clear(false);
      captions::ModelOf<Value> model;
      Matrix none;
      captions::ModelOf<Value>::each(
          [&](const std::string&, Value& value, const Matrix& weight) { value = tape.parameter(weight, none); }, model,
          weights);
      return Matrix(tape.value(captions::encode(tape, model, config, batch).features));
    };
    const Matrix grey = Matrix::Constant(pictures::kPixels, 3, 0.5F);
    Matrix dotted = grey;
    constexpr int kAt = 20;
    dotted.row(kAt * pictures::kSide + kAt).setOnes();
    const Matrix change = features(dotted) - features(grey);
    const double pitch = static_cast<double>(pictures::kSide) / grid, reach = captions::receptive_field(grid) / 2.0;
    for (int cell = 0; cell < grid * grid; ++cell) {
      const double middle_y = (cell / grid + 0.5) * pitch, middle_x = (cell % grid + 0.5) * pitch;
      const bool far = std::max(std::abs(middle_x - kAt - 0.5), std::abs(middle_y - kAt - 0.5)) > reach + 2;
      if (far) CHECK(change.row(cell).cwiseAbs().maxCoeff() == 0);
    }
    CHECK(change.cwiseAbs().maxCoeff() > 0);
  }
}

TEST_CASE("captioner: soft training's gradients agree with finite differences") {
  captions::Settings settings = small(captions::Glimpse::soft);
  settings.penalty = 0;
  captions::Training training = captions::start_training(settings).value();
  captions::Scratch scratch;
  const auto scenes = some_scenes(2);
  Random random(1);
  // Away from 0, where a cell that no unit responds to sits at the kink of the next ReLU.
  captions::Weights::each(
      [&](const std::string& name, Matrix& weight) {
        if (name.ends_with("bias") || name == "position")
          weight =
              0.2F * random_matrix<float>(static_cast<int>(weight.rows()), static_cast<int>(weight.cols()), random);
      },
      training.weights);
  captions::differentiate(training, scenes, random, scratch);
  const captions::Weights gradients = scratch.gradients;
  // One number of each weight, the one with the largest gradient: in single precision a difference of losses of about 3
  // is good to 1e-6.
  captions::Weights::each(
      [&](const std::string& name, Matrix& weight, const Matrix& gradient) {
        CAPTURE(name);
        Eigen::Index row = 0, column = 0;
        const float largest = gradient.cwiseAbs().maxCoeff(&row, &column);
        constexpr float kStep = 1e-3F;  // few numbers go through the kink of a ReLU meanwhile
        const float was = weight(row, column);
        weight(row, column) = was + kStep;
        const double above = captions::differentiate(training, scenes, random, scratch);
        weight(row, column) = was - kStep;
        const double below = captions::differentiate(training, scenes, random, scratch);
        weight(row, column) = was;
        CHECK(std::abs((above - below) / (2 * static_cast<double>(kStep)) -
                       static_cast<double>(gradient(row, column))) < 2e-3 + 0.03 * static_cast<double>(largest));
      },
      training.weights, gradients);
}

TEST_CASE("captioner: a picture that is described without contexts teaches the first state, and no looking") {
  captions::Settings settings = small(captions::Glimpse::soft);
  settings.penalty = settings.sharpness = 0;
  const auto scenes = some_scenes(4);
  for (const double blind : {0., 1.}) {
    settings.blind = blind;
    captions::Training training = captions::start_training(settings).value();
    captions::Scratch scratch;
    Random random(1);
    captions::differentiate(training, scenes, random, scratch);
    CHECK(scratch.gradients.additive.v.isZero(0) == (blind == 1));
    CHECK(scratch.gradients.feature.weight.isZero(0) == (blind == 1));
    CHECK_FALSE(scratch.gradients.summary.weight.isZero(0));
  }
}

TEST_CASE("captioner: training lowers the loss, soft and hard, and depends on the seed only") {
  for (const captions::Glimpse attention : {captions::Glimpse::soft, captions::Glimpse::hard}) {
    const auto train = [&] {
      captions::Training training = captions::start_training(small(attention)).value();
      captions::Scratch scratch;
      for (int i = 0; i < 10; ++i) REQUIRE(captions::train_step(training, scratch));
      return training;
    };
    const captions::Training one = train(), other = train();
    CHECK(one.record.loss < one.record.first_loss);
    CHECK(captions::write_checkpoint(one) == captions::write_checkpoint(other));
  }
}

TEST_CASE("captioner: training goes on from a checkpoint to the same digits") {
  for (const captions::Glimpse attention : {captions::Glimpse::soft, captions::Glimpse::hard}) {
    captions::Training whole = captions::start_training(small(attention)).value();
    captions::Scratch scratch;
    for (int i = 0; i < 3; ++i) REQUIRE(captions::train_step(whole, scratch));
    Result<captions::Training> part = captions::read_training(captions::write_checkpoint(whole), "part");
    REQUIRE(part);
    CHECK(can_resume(*part));
    captions::Scratch other;
    for (int i = 0; i < 3; ++i) {
      REQUIRE(captions::train_step(whole, scratch));
      REQUIRE(captions::train_step(*part, other));
    }
    CHECK(captions::write_checkpoint(whole) == captions::write_checkpoint(*part));
    const Result<captions::Training> read = captions::read_training(captions::write_model(whole, true), "half");
    REQUIRE(read);
    CHECK_FALSE(can_resume(*read));
  }
}

TEST_CASE("captioner: what is no captioner is said to be none") {
  captions::Training training = captions::start_training(small(captions::Glimpse::soft)).value();
  const auto says = [](const std::vector<std::byte>& bytes, std::string_view words) {
    const Result<captions::Training> read = captions::read_training(bytes, "x.safetensors");
    REQUIRE_FALSE(read);
    CAPTURE(read.error().message);
    CHECK(read.error().message.find(words) != std::string::npos);
  };
  std::vector<std::byte> bytes = captions::write_model(training, false);
  bytes.resize(bytes.size() - 3);
  says(bytes, "truncated");
  const Result<io::Safetensors> whole = io::read_safetensors(captions::write_model(training, false), "x");
  REQUIRE(whole);
  const auto changed = [&](auto&& change) {
    io::Safetensors file = *whole;
    change(file);
    return io::write_safetensors(file);
  };
  says(changed([](io::Safetensors& file) { file.metadata["format"] = "other"; }), "not a captioner");
  says(changed([](io::Safetensors& file) { file.metadata["grid"] = "5"; }), "8 or 3");
  says(changed([](io::Safetensors& file) { file.metadata["words"] = "[PAD]"; }), "another vocabulary");
  says(changed([](io::Safetensors& file) { file.metadata["task"] = "reverse"; }), "\"reverse\"; it must be caption");
  says(changed([](io::Safetensors& file) { file.metadata["hidden"] = "7"; }), "its settings ask for");
  says(changed([](io::Safetensors& file) { file.tensors.erase("position"); }), "no tensor \"position\"");
  says(changed([](io::Safetensors& file) { file.tensors["more"] = file.tensors["position"]; }), "\"more\"");
  captions::Settings five = small(captions::Glimpse::soft);
  five.grid = 5;
  CHECK_FALSE(captions::start_training(five));
}

TEST_CASE("captioner: maps are shares of one, choices are one cell, and pictures do not meddle with each other") {
  const captions::Training training = captions::start_training(small(captions::Glimpse::soft)).value();
  const auto scenes = some_scenes(3);
  Tape<float> tape;
  const captions::Batch batch = captions::make_batch(training.config, scenes);
  for (const captions::Look look : {captions::Look::soft, captions::Look::likeliest, captions::Look::drawn}) {
    const captions::DecodeOptions options{.look = look, .most_steps = 6};
    const auto together = captions::decode(tape, training.weights, training.config, batch, options);
    for (const captions::Decoded& one : together) {
      CHECK((one.weights.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-5F);
      CHECK(one.words.size() + (one.stopped ? 1 : 0) == one.probabilities.size());
      CHECK(one.places.size() == (look == captions::Look::soft ? 0 : one.probabilities.size()));
      if (look != captions::Look::likeliest) continue;
      for (std::size_t t = 0; t < one.places.size(); ++t) {
        Eigen::Index place = 0;
        one.weights.row(static_cast<Eigen::Index>(t)).maxCoeff(&place);
        CHECK(place == one.places[t]);
      }
    }
    if (look == captions::Look::drawn) continue;
    const auto alone =
        captions::decode(tape, training.weights, training.config,
                         captions::make_batch(training.config, std::span(scenes).subspan(1, 1)), options);
    CHECK(alone[0].words == together[1].words);
    CHECK(largest_difference(alone[0].weights, together[1].weights) < 1e-5);
    REQUIRE(alone[0].probabilities.size() == together[1].probabilities.size());
    for (std::size_t t = 0; t < alone[0].probabilities.size(); ++t)
      CHECK(std::abs(alone[0].probabilities[t] - together[1].probabilities[t]) < 1e-5F);
  }
}

TEST_CASE("captioner: an even map has the share of chance on the objects") {
  captions::Training training = captions::start_training(small(captions::Glimpse::soft)).value();
  training.weights.additive.v.setZero();
  // A model that always says "a": right as a first word of many captions, and never a word that counts.
  const captions::Evaluation blind = captions::evaluate(training, {.count = 20});
  CHECK(blind.count == 20);
  CHECK(blind.entropy == doctest::Approx(std::log(9.0)));
  CHECK(blind.on_object == doctest::Approx(blind.uniform_on_object));
  CHECK(blind.by_objects[0].count + blind.by_objects[1].count + blind.by_objects[2].count == 20);
}
