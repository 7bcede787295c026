// Operations on a tape against finite differences, in double, and in single against double.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include "learn/operations.h"
#include "unit/core_support.h"

namespace limelight::learn {

// Central differences of losses of about 10 with third derivatives of about 10.
inline constexpr double kDifference = 1e-8;
// Sums of some tens of terms of about 1, each with a few units of rounding.
inline constexpr double kSingle = 2e-5;

template <class Scalar>
using Build = std::function<Value(Tape<Scalar>&, const std::vector<Value>&)>;

// The loss Σ result ⊙ (fixed random numbers), and the gradients with respect to all inputs.
template <class Scalar>
double differentiate(Tape<Scalar>& tape, const std::vector<MatrixOf<Scalar>>& inputs, const Build<Scalar>& build,
                     std::vector<MatrixOf<Scalar>>& gradients) {
  tape.clear();
  gradients.clear();
  for (const auto& input : inputs) gradients.push_back(MatrixOf<Scalar>::Zero(input.rows(), input.cols()));
  std::vector<Value> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) values.push_back(tape.parameter(inputs[i], gradients[i]));
  const Value result = build(tape, values);
  const auto shape = tape.value(result);
  Random random(5);
  const auto weights = random_matrix<Scalar>(static_cast<int>(shape.rows()), static_cast<int>(shape.cols()), random);
  const Value weighted = multiply_entries(tape, result, tape.constant(weights));
  const Value by_column = product(tape, tape.constant(MatrixOf<Scalar>::Ones(1, shape.rows())), weighted);
  const Value loss = product(tape, by_column, tape.constant(MatrixOf<Scalar>::Ones(shape.cols(), 1)));
  tape.backward(loss);
  return static_cast<double>(tape.value(loss)(0, 0));
}

struct Shape {
  int rows, columns;
};

// `build` is a generic lambda: it is tried in both precisions.
template <class F>
void check_gradients(const std::vector<Shape>& shapes, F&& build) {
  Random random(7);
  std::vector<MatrixOf<double>> inputs;
  for (const Shape& shape : shapes) inputs.push_back(random_matrix<double>(shape.rows, shape.columns, random));
  Tape<double> tape;
  std::vector<MatrixOf<double>> gradients, ignored;
  const Build<double> of_double = build;
  differentiate(tape, inputs, of_double, gradients);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    CAPTURE(i);
    const auto loss = [&] { return differentiate(tape, inputs, of_double, ignored); };
    CHECK(largest_difference(gradients[i], finite_difference(inputs[i], loss)) < kDifference);
  }
  std::vector<Matrix> single, single_gradients;
  for (const auto& input : inputs) single.push_back(input.cast<float>());
  Tape<float> single_tape;
  differentiate<float>(single_tape, single, build, single_gradients);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    CHECK(largest_difference(single_gradients[i], gradients[i]) < kSingle);
}

}  // namespace limelight::learn
