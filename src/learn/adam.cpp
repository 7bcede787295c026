#include "learn/adam.h"

#include <cmath>

namespace limelight::learn {

void adam_step(const AdamOptions& options, std::int64_t steps, double norm, Matrix& mean, Matrix& square,
               const Matrix& gradient, Matrix& weight) {
  const auto clip = static_cast<float>(norm > options.clip ? options.clip / norm : 1);
  const auto beta1 = static_cast<float>(options.beta1), beta2 = static_cast<float>(options.beta2);
  // The means start from 0; both corrections for that are in the rate and in epsilon.
  const auto count = static_cast<double>(steps);
  const double root = std::sqrt(1 - std::pow(options.beta2, count));
  const auto rate = static_cast<float>(options.rate * root / (1 - std::pow(options.beta1, count)));
  const auto epsilon = static_cast<float>(options.epsilon * root);
  float *const m = mean.data(), *const v = square.data(), *const w = weight.data();
  const float* const grad = gradient.data();
  for (Eigen::Index i = 0; i < weight.size(); ++i) {
    const float g = clip * grad[i];
    m[i] += (1 - beta1) * (g - m[i]);
    v[i] += (1 - beta2) * (g * g - v[i]);
    w[i] -= rate * m[i] / (std::sqrt(v[i]) + epsilon);
  }
}

}  // namespace limelight::learn
