// src/learn against PyTorch: tests/golden/learn.json, which learn.py says the contents of.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "embedded/golden_learn.h"
#include "learn/adam.h"
#include "unit/core_support.h"
#include "unit/json_reader.h"

using namespace limelight;
using namespace limelight::learn;
using test::Json;

namespace {

const Json& golden(std::string_view name) {
  static const Json file = test::JsonReader(embedded::golden_learn).read();
  return file.at(name);
}

template <class Scalar>
MatrixOf<Scalar> read_tensor(const Json& tensor) {
  const std::vector<double> data = tensor.at("data").numbers();
  const auto columns = static_cast<Eigen::Index>(tensor.at("shape").items[1].number);
  MatrixOf<Scalar> matrix(static_cast<Eigen::Index>(data.size()) / columns, columns);
  for (std::size_t i = 0; i < data.size(); ++i) matrix.data()[i] = static_cast<Scalar>(data[i]);
  return matrix;
}

// Relative to the largest entry, or to 1: sums of tens of products each good to a unit of rounding (6e-8), and
// activations to 2e-7, over up to five steps of recurrence; the file has nine digits.
constexpr double kRelative = 1e-5;

void check_close(const auto& got, const Json& expected) {
  const MatrixOf<double> reference = read_tensor<double>(expected);
  CHECK(largest_difference(got, reference) < kRelative * std::max(1.0, reference.cwiseAbs().maxCoeff()));
}

// Inputs by name, on a tape with their gradients.
template <class Scalar>
struct Inputs {
  std::map<std::string, MatrixOf<Scalar>> values, gradients;
  std::map<std::string, Value> on_tape;
  Tape<Scalar> tape;

  explicit Inputs(const Json& object) {
    for (const std::string& name : object.names) {
      values[name] = read_tensor<Scalar>(object.at(name));
      gradients[name] = MatrixOf<Scalar>::Zero(values[name].rows(), values[name].cols());
      on_tape[name] = tape.parameter(values[name], gradients[name]);
    }
  }
  GruOf<Value> gru(const std::string& prefix) {
    GruOf<Value> gru;
    GruOf<Value>::each(prefix, [&](const std::string& name, Value& weight) { weight = on_tape.at(name); }, gru);
    return gru;
  }
  // Of Σ result ⊙ upstream.
  void check_gradients(Value result, const Json& of) {
    const MatrixOf<Scalar> upstream = read_tensor<Scalar>(of.at("upstream"));
    const Value weighted = multiply_entries(tape, result, tape.constant(upstream));
    const Value sums = product(tape, tape.constant(MatrixOf<Scalar>::Ones(1, upstream.rows())), weighted);
    tape.backward(product(tape, sums, tape.constant(MatrixOf<Scalar>::Ones(upstream.cols(), 1))));
    for (const auto& [name, gradient] : gradients) {
      CAPTURE(name);
      check_close(gradient, of.at("gradients").at(name));
    }
  }
};

Config read_config(const Json& json) {
  const auto number = [&](std::string_view name) { return static_cast<int>(json.at(name).number); };
  return {.source_words = number("source_words"),
          .target_words = number("target_words"),
          .embedding = number("embedding"),
          .hidden = number("hidden"),
          .attention_size = number("attention_size"),
          .attention = number("attention") != 0};
}

template <class Scalar>
WeightsOf<Scalar> read_weights(const Config& config, const Json& json) {
  WeightsOf<Scalar> weights = make_weights<Scalar>(config);
  WeightsOf<Scalar>::each(
      [&](const std::string& name, MatrixOf<Scalar>& weight) {
        if (weight.size() == 0) return;
        const MatrixOf<Scalar> read = read_tensor<Scalar>(json.at(name));
        REQUIRE(read.rows() == weight.rows());
        REQUIRE(read.cols() == weight.cols());
        weight = read;
      },
      weights);
  return weights;
}

Batch read_batch(const Json& json) {
  const auto read = [&](std::string_view name) {
    std::vector<std::vector<int>> sequences;
    for (const Json& one : json.at(name).items) {
      sequences.emplace_back();
      for (const double token : one.numbers()) sequences.back().push_back(static_cast<int>(token));
    }
    return sequences;
  };
  const auto point = [](const std::vector<std::vector<int>>& all) {
    std::vector<const std::vector<int>*> pointers;
    for (const auto& one : all) pointers.push_back(&one);
    return pointers;
  };
  const auto sources = read("sources"), targets = read("targets");
  return make_batch(point(sources), point(targets));
}

template <class Scalar>
void check_model(const Json& json) {
  const Config config = read_config(json.at("config"));
  const WeightsOf<Scalar> weights = read_weights<Scalar>(config, json.at("weights"));
  WeightsOf<Scalar> gradients = make_weights<Scalar>(config);
  const Batch batch = read_batch(json);
  Tape<Scalar> tape;
  const Value loss = batch_loss(tape, place(tape, weights, &gradients), config, batch);
  CHECK(static_cast<double>(tape.value(loss)(0, 0)) == doctest::Approx(json.at("loss").number).epsilon(kRelative));
  tape.backward(loss);
  WeightsOf<Scalar>::each(
      [&](const std::string& name, const MatrixOf<Scalar>& gradient) {
        CAPTURE(name);
        if (gradient.size() > 0) check_close(gradient, json.at("gradients").at(name));
      },
      gradients);
}

}  // namespace

TEST_CASE_TEMPLATE("a gated recurrent unit and its gradients are PyTorch's", Scalar, float, double) {
  const Json& json = golden("gru_cell");
  Inputs<Scalar> inputs(json.at("inputs"));
  const GruOf<Value> gru = inputs.gru("");
  auto& tape = inputs.tape;
  const Value before = inputs.on_tape["before"];
  const Value after = gru_step(tape, linear(tape, inputs.on_tape["x"], gru.input_weight, gru.input_bias),
                               linear(tape, before, gru.hidden_weight, gru.hidden_bias), before, tape.zeros(3, 5));
  check_close(tape.value(after), json.at("after"));
  inputs.check_gradients(after, json);
}

TEST_CASE_TEMPLATE("a bidirectional GRU over sequences of several lengths is PyTorch's", Scalar, float, double) {
  const Json& json = golden("bidirectional");
  Inputs<Scalar> inputs(json.at("inputs"));
  std::vector<std::uint8_t> present;
  for (int t = 0; t < 4; ++t)
    for (const double length : json.at("lengths").numbers()) present.push_back(t < length ? 1 : 0);
  const Value states = run_bidirectional(inputs.tape, inputs.gru("forward."), inputs.gru("backward."),
                                         inputs.on_tape["x"], {.sequences = 3, .count = 4, .present = present});
  const MatrixOf<Scalar> expected = read_tensor<Scalar>(json.at("states"));
  for (std::size_t i = 0; i < present.size(); ++i)
    if (present[i] != 0) {
      const auto row = static_cast<Eigen::Index>(i);
      CHECK(largest_difference(inputs.tape.value(states).row(row), expected.row(row)) < kRelative);
    }
  inputs.check_gradients(states, json);
}

TEST_CASE_TEMPLATE("additive attention over sequences of several lengths is PyTorch's", Scalar, float, double) {
  const Json& json = golden("additive");
  Inputs<Scalar> inputs(json.at("inputs"));
  std::vector<std::uint8_t> present;
  for (const double one : json.at("present").numbers()) present.push_back(static_cast<std::uint8_t>(one));
  auto& tape = inputs.tape;
  auto& on = inputs.on_tape;
  const Value scores = additive_scores(tape, on["query"], on["keys"], on["v"], present);
  const Value weights = masked_softmax(tape, scores, present);
  const Value context = weighted_sum(tape, weights, on["values"], tape.zeros(3, 4));
  check_close(tape.value(scores), json.at("scores"));
  check_close(tape.value(weights), json.at("weights"));
  check_close(tape.value(context), json.at("context"));
  inputs.check_gradients(context, json);
}

TEST_CASE_TEMPLATE("the loss and every gradient of the encoder and decoder are PyTorch's", Scalar, float, double) {
  SUBCASE("with attention") { check_model<Scalar>(golden("with_attention")); }
  SUBCASE("without") { check_model<Scalar>(golden("without_attention")); }
}

TEST_CASE("two steps of Adam with clipping are PyTorch's") {
  for (const char* name : {"with_attention", "without_attention"}) {
    CAPTURE(name);
    const Json& json = golden(name);
    const Config config = read_config(json.at("config"));
    Weights weights = read_weights<float>(config, json.at("weights"));
    const Batch batch = read_batch(json);
    Adam adam = make_adam(config);
    Tape<float> tape;
    for (const double norm : json.at("norms").numbers()) {
      Weights gradients = make_weights<float>(config);
      tape.clear();
      tape.backward(batch_loss(tape, place(tape, weights, &gradients), config, batch));
      CHECK(adam_step(adam, {.rate = 0.01, .epsilon = 1e-4, .clip = 0.5}, gradients, weights) ==
            doctest::Approx(norm).epsilon(kRelative));
    }
    Weights::each(
        [&](const std::string& of, const Matrix& weight) {
          CAPTURE(of);
          if (weight.size() > 0) check_close(weight, json.at("adam").at(of));
        },
        weights);
  }
}
