// Every operation of learn/operations.h against finite differences, in double, and in single against double.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/score.h"
#include "learn/operations.h"
#include "unit/core_support.h"
#include "unit/tape_support.h"

using namespace limelight;
using namespace limelight::learn;

namespace {

// Three sequences of 4, 2 and 3 steps, by time.
constexpr std::uint8_t kPresent[] = {1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0};
constexpr int kSequences = 3, kSteps = 4;

constexpr int kIds[] = {2, 0, 2, 3};
constexpr int kTargets[] = {1, -1, 0, 3};

}  // namespace

TEST_CASE("tape: every product's gradients agree with finite differences, transposed or not") {
  for (const bool transpose_a : {false, true})
    for (const bool transpose_b : {false, true}) {
      CAPTURE(transpose_a);
      CAPTURE(transpose_b);
      check_gradients({transpose_a ? Shape{4, 3} : Shape{3, 4}, transpose_b ? Shape{5, 4} : Shape{4, 5}},
                      [=](auto& tape, const std::vector<Value>& x) {
                        return product(tape, x[0], x[1], {.transpose_a = transpose_a, .transpose_b = transpose_b});
                      });
    }
}

TEST_CASE("tape: the gradients of sums, products of entries and functions agree with finite differences") {
  check_gradients({{3, 5}, {3, 5}}, [](auto& tape, const std::vector<Value>& x) { return add(tape, x[0], x[1]); });
  check_gradients({{3, 5}, {1, 5}}, [](auto& tape, const std::vector<Value>& x) { return add_row(tape, x[0], x[1]); });
  check_gradients({{3, 5}, {3, 5}},
                  [](auto& tape, const std::vector<Value>& x) { return multiply_entries(tape, x[0], x[1]); });
  check_gradients({{3, 5}}, [](auto& tape, const std::vector<Value>& x) { return learn::tanh(tape, x[0]); });
  check_gradients({{3, 5}}, [](auto& tape, const std::vector<Value>& x) { return sigmoid(tape, x[0]); });
  check_gradients({{3, 2}, {3, 4}},
                  [](auto& tape, const std::vector<Value>& x) { return concatenate(tape, x[0], x[1]); });
  check_gradients({{3, 4}, {4, 5}, {1, 5}},
                  [](auto& tape, const std::vector<Value>& x) { return linear(tape, x[0], x[1], x[2]); });
}

TEST_CASE("tape: a value that is used twice, and parts of it, get the sum of their gradients") {
  check_gradients({{4, 6}}, [](auto& tape, const std::vector<Value>& x) {
    const Value left = tape.columns(tape.rows(x[0], 1, 2), 0, 3), right = tape.columns(tape.rows(x[0], 2, 2), 3, 3);
    return add(tape, multiply_entries(tape, left, right), learn::tanh(tape, left));
  });
}

TEST_CASE("tape: a table's rows get the gradients of all places that they went to") {
  check_gradients({{5, 3}}, [](auto& tape, const std::vector<Value>& x) { return gather(tape, x[0], kIds); });
}

TEST_CASE("tape: a layer unrolled over steps has the gradients of the layer applied at once") {
  check_gradients({{4, 3}, {3, 5}, {1, 5}}, [](auto& tape, const std::vector<Value>& x) {
    const Unrolled layer = unroll(tape, x[0], x[1], x[2]);
    apply(tape, layer, 0, 2);
    apply(tape, layer, 2, 2);
    return layer.y;
  });
  check_gradients({{4, 3}, {3, 5}, {4, 5}}, [](auto& tape, const std::vector<Value>& x) {
    const Unrolled layer = unroll_onto(tape, x[0], x[1], add(tape, x[2], x[2]));
    apply(tape, layer, 0, 1);
    apply(tape, layer, 1, 3);
    return layer.y;
  });
}

TEST_CASE("tape: masked softmax has the gradients of finite differences, and none from what is absent") {
  check_gradients({{kSequences, kSteps}},
                  [](auto& tape, const std::vector<Value>& x) { return masked_softmax(tape, x[0], kPresent); });
}

TEST_CASE("tape: additive scores and weighted sums agree with finite differences where sequences have ended, too") {
  check_gradients({{kSequences, 5}, {kSequences * kSteps, 5}, {5, 1}}, [](auto& tape, const std::vector<Value>& x) {
    return additive_scores(tape, x[0], x[1], x[2], kPresent);
  });
  check_gradients({{kSequences, kSteps}, {kSequences * kSteps, 5}}, [](auto& tape, const std::vector<Value>& x) {
    return weighted_sum(tape, x[0], x[1], tape.zeros(kSequences, 5));
  });
}

TEST_CASE("tape: dot scores are core/score.h's, and agree with finite differences where sequences have ended, too") {
  check_gradients({{kSequences, 5}, {kSequences * kSteps, 5}},
                  [](auto& tape, const std::vector<Value>& x) { return dot_scores(tape, x[0], x[1], kPresent); });
  Random random(12);
  const auto query = random_matrix<float>(kSequences, 6, random),
             keys = random_matrix<float>(kSequences * kSteps, 6, random);
  const std::vector<std::uint8_t> present(kSequences * kSteps, 1);
  Tape<float> tape;
  tape.clear(false);
  const Value scores = dot_scores<float>(tape, tape.constant(query), tape.constant(keys), present);
  for (int b = 0; b < kSequences; ++b) {
    Matrix of_sequence(kSteps, 6);
    for (int j = 0; j < kSteps; ++j) of_sequence.row(j) = keys.row(j * kSequences + b);
    CHECK(largest_difference(tape.value(scores).row(b), score<float>(Score::dot, query.row(b), of_sequence)) < 2e-6);
  }
}

TEST_CASE("tape: additive scores and their gradients are those of core/score.h for each sequence") {
  Random random(11);
  const auto query = random_matrix<float>(kSequences, 6, random),
             keys = random_matrix<float>(kSequences * kSteps, 6, random), v = random_matrix<float>(6, 1, random),
             grad = random_matrix<float>(kSequences, kSteps, random);
  Matrix grad_query = Matrix::Zero(kSequences, 6), grad_keys = Matrix::Zero(kSequences * kSteps, 6),
         grad_v = Matrix::Zero(6, 1);
  const std::vector<std::uint8_t> present(kSequences * kSteps, 1);
  Tape<float> tape;
  const Value scores = additive_scores<float>(tape, tape.parameter(query, grad_query), tape.parameter(keys, grad_keys),
                                              tape.parameter(v, grad_v), present);
  const Value weighted = multiply_entries(tape, scores, tape.constant(grad));
  const Value sum = product(tape, tape.constant(Matrix::Ones(1, kSequences)), weighted);
  tape.backward(product(tape, sum, tape.constant(Matrix::Ones(kSteps, 1))));
  Matrix expected_v = Matrix::Zero(6, 1);
  for (int b = 0; b < kSequences; ++b) {
    Matrix of_sequence(kSteps, 6), grad_of_sequence(kSteps, 6);
    for (int j = 0; j < kSteps; ++j) {
      of_sequence.row(j) = keys.row(j * kSequences + b);
      grad_of_sequence.row(j) = grad_keys.row(j * kSequences + b);
    }
    const ScoreParameters<float> parameters{.w_query = Matrix::Identity(6, 6), .w_key = Matrix::Identity(6, 6), .v = v};
    CHECK(largest_difference(tape.value(scores).row(b),
                             score<float>(Score::additive, query.row(b), of_sequence, parameters)) < 2e-6);
    const auto gradients = score_backward<float>(Score::additive, query.row(b), of_sequence, parameters, grad.row(b));
    CHECK(largest_difference(grad_query.row(b), gradients.query) < 1e-5);
    CHECK(largest_difference(grad_of_sequence, gradients.key) < 1e-5);
    expected_v += gradients.parameters.v;
  }
  CHECK(largest_difference(grad_v, expected_v) < 1e-5);
}

TEST_CASE("tape: a gated recurrent unit's gradients agree with finite differences over several steps") {
  // from input, U, first state
  check_gradients({{kSequences * kSteps, 6}, {2, 6}, {kSequences, 2}}, [](auto& tape, const std::vector<Value>& x) {
    const Value states = tape.zeros(kSequences * kSteps, 2);
    Value before = x[2];
    for (int t = 0; t < kSteps; ++t) {
      const Value from_input = tape.rows(x[0], t * kSequences, kSequences);
      const Value out = tape.rows(states, t * kSequences, kSequences);
      const std::span<const std::uint8_t> present(kPresent + t * kSequences, kSequences);
      before = gru_step(tape, from_input, product(tape, before, x[1]), before, out, present);
    }
    return states;
  });
}

TEST_CASE("tape: cross-entropy's gradient agrees with finite differences, and skips what has no target") {
  check_gradients({{4, 4}},
                  [](auto& tape, const std::vector<Value>& x) { return cross_entropy(tape, x[0], kTargets); });
}

TEST_CASE("tape: cross-entropy of equal logits is the logarithm of how many there are") {
  Tape<float> tape;
  CHECK(tape.value(cross_entropy(tape, tape.zeros(4, 7), kTargets))(0, 0) == doctest::Approx(std::log(7.0)));
}

TEST_CASE("tape: a second step lies where the first did, and allocates nothing") {
  Tape<float> tape;
  const Matrix x = Matrix::Ones(64, 64);
  const auto step = [&] {
    tape.clear();
    Value value = tape.constant(x);
    for (int i = 0; i < 40; ++i) value = learn::tanh(tape, value);
    return tape.value(value).data();
  };
  const float* const first = step();
  const std::size_t held = tape.capacity();
  CHECK(step() == first);
  CHECK(tape.capacity() == held);
}

TEST_CASE("tape: what goes back to a mark keeps what came before it, and takes the place of what came after") {
  Tape<float> tape;
  const Value first = tape.constant(Matrix::Constant(8, 8, 0.5F));
  const Tape<float>::Mark mark = tape.mark();
  const auto go_on = [&] {
    tape.go_back(mark);
    Value value = first;
    for (int i = 0; i < 5000; ++i) value = learn::tanh(tape, value);
    return value;
  };
  const Value one = go_on();
  const Matrix made = tape.value(one);
  const std::size_t held = tape.capacity();
  const Value other = go_on();
  CHECK(other.index == one.index);
  CHECK(tape.value(other) == made);
  CHECK(tape.value(first) == Matrix::Constant(8, 8, 0.5F));
  CHECK(tape.capacity() == held);
}
