// Adam (Kingma & Ba 2015, algorithm 1), with gradients clipped by their common norm (Pascanu et al. 2013).
#pragma once

#include <cmath>
#include <string>

#include "learn/model.h"

namespace limelight::learn {

struct AdamOptions {
  double rate = 2e-3;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double clip = 1;  // the longest that all gradients together may be
};

// What it remembers of a model's weights: the gradients' running mean and that of their squares, and how often it was
// stepped.
template <class Weights>
struct AdamOf {
  Weights mean, square;
  std::int64_t steps = 0;
};
using Adam = AdamOf<Weights>;

// Of nothing yet, for the weights that the configuration asks for.
template <class Config>
auto make_adam(const Config& config) {
  auto none = make_weights<float>(config);
  return AdamOf<decltype(none)>{none, none, 0};
}

// Of one matrix, in step number `steps`, from 1, where all gradients together have that norm.
void adam_step(const AdamOptions& options, std::int64_t steps, double norm, Matrix& mean, Matrix& square,
               const Matrix& gradient, Matrix& weight);

// √ of the sum of all squares.
template <class Weights>
double gradient_norm(const Weights& gradients) {
  double sum = 0;
  Weights::each([&](const std::string&, const Matrix& g) { sum += static_cast<double>(g.squaredNorm()); }, gradients);
  return std::sqrt(sum);
}

// Changes the weights, unless the norm is not finite; returns the norm before clipping.
template <class Weights>
double adam_step(AdamOf<Weights>& adam, const AdamOptions& options, const Weights& gradients, Weights& weights) {
  const double norm = gradient_norm(gradients);
  if (!std::isfinite(norm)) return norm;
  ++adam.steps;
  Weights::each([&](const std::string&, Matrix& mean, Matrix& square, const Matrix& gradient,
                    Matrix& weight) { adam_step(options, adam.steps, norm, mean, square, gradient, weight); },
                adam.mean, adam.square, gradients, weights);
  return norm;
}

}  // namespace limelight::learn
