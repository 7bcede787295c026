// What all models have in common, whatever weights they are made of. A model is a template over what a weight is, a
// matrix or a Value on a tape, with a function each(visit, models …) that names every weight once.
#pragma once

#include <cassert>
#include <cmath>
#include <string>

#include "core/random.h"
#include "learn/tape.h"

namespace limelight::learn {

// The weights on a tape; no gradients: for a tape that keeps none.
template <template <class> class Model, class Scalar>
Model<Value> place_on(Tape<Scalar>& tape, const Model<MatrixOf<Scalar>>& weights, Model<MatrixOf<Scalar>>* gradients) {
  assert(gradients != nullptr || !tape.records());
  Model<Value> model;
  MatrixOf<Scalar> none;
  if (gradients != nullptr)
    Model<Value>::each([&](const std::string&, Value& value, const MatrixOf<Scalar>& weight,
                           MatrixOf<Scalar>& gradient) { value = tape.parameter(weight, gradient); },
                       model, weights, *gradients);
  else
    Model<Value>::each(
        [&](const std::string&, Value& value, const MatrixOf<Scalar>& weight) { value = tape.parameter(weight, none); },
        model, weights);
  return model;
}

// Uniform up to gain(name)/√(inputs) either way; embeddings are normal with the deviation 1, biases 0.
template <class Weights, class Gain>
void draw_each(Weights& weights, Random& random, Gain&& gain) {
  Weights::each(
      [&](const std::string& name, Matrix& weight) {
        if (name.ends_with("bias")) return;
        const bool embedding = name.ends_with("embedding");
        const double bound = gain(name) / std::sqrt(static_cast<double>(std::max<Eigen::Index>(weight.rows(), 1)));
        for (Eigen::Index i = 0; i < weight.size(); ++i)
          weight.data()[i] = static_cast<float>(embedding ? random.normal() : bound * (2 * random.uniform() - 1));
      },
      weights);
}

// How many numbers there are to learn.
template <class Weights>
std::size_t count_each(const Weights& weights) {
  std::size_t count = 0;
  Weights::each([&](const std::string&, const Matrix& weight) { count += static_cast<std::size_t>(weight.size()); },
                weights);
  return count;
}

template <class Weights>
void clear_each(Weights& gradients) {
  Weights::each([](const std::string&, Matrix& gradient) { gradient.setZero(); }, gradients);
}

}  // namespace limelight::learn
