// Adam (Kingma & Ba 2015, algorithm 1), with gradients clipped by their common norm (Pascanu et al. 2013).
#pragma once

#include "learn/model.h"

namespace limelight::learn {

struct AdamOptions {
  double rate = 2e-3;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double clip = 1;  // the longest that all gradients together may be
};

// What it remembers: the gradients' running mean and that of their squares, and how often it was stepped.
struct Adam {
  Weights mean, square;
  std::int64_t steps = 0;
};

Adam make_adam(const Config& config);

// √ of the sum of all squares.
double gradient_norm(const Weights& gradients);

// Changes the weights, unless the norm is not finite; returns the norm before clipping.
double adam_step(Adam& adam, const AdamOptions& options, const Weights& gradients, Weights& weights);

}  // namespace limelight::learn
