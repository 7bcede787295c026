#include "learn/adam.h"

#include <cmath>

namespace limelight::learn {

Adam make_adam(const Config& config) { return {make_weights<float>(config), make_weights<float>(config), 0}; }

double gradient_norm(const Weights& gradients) {
  double sum = 0;
  Weights::each([&](const std::string&, const Matrix& g) { sum += static_cast<double>(g.squaredNorm()); }, gradients);
  return std::sqrt(sum);
}

double adam_step(Adam& adam, const AdamOptions& options, const Weights& gradients, Weights& weights) {
  const double norm = gradient_norm(gradients);
  if (!std::isfinite(norm)) return norm;
  ++adam.steps;
  const auto clip = static_cast<float>(norm > options.clip ? options.clip / norm : 1);
  const auto beta1 = static_cast<float>(options.beta1), beta2 = static_cast<float>(options.beta2);
  // The means start from 0; both corrections for that are in the rate and in epsilon.
  const auto count = static_cast<double>(adam.steps);
  const double root = std::sqrt(1 - std::pow(options.beta2, count));
  const auto rate = static_cast<float>(options.rate * root / (1 - std::pow(options.beta1, count)));
  const auto epsilon = static_cast<float>(options.epsilon * root);
  Weights::each(
      [&](const std::string&, Matrix& mean, Matrix& square, const Matrix& gradient, Matrix& weight) {
        float *const m = mean.data(), *const v = square.data(), *const w = weight.data();
        const float* const grad = gradient.data();
        for (Eigen::Index i = 0; i < weight.size(); ++i) {
          const float g = clip * grad[i];
          m[i] += (1 - beta1) * (g - m[i]);
          v[i] += (1 - beta2) * (g * g - v[i]);
          w[i] -= rate * m[i] / (std::sqrt(v[i]) + epsilon);
        }
      },
      adam.mean, adam.square, gradients, weights);
  return norm;
}

}  // namespace limelight::learn
