#include "scenes/scale/numbers.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/analysis.h"
#include "core/attention.h"
#include "core/fused.h"
#include "core/normalize.h"

namespace limelight::scenes::scale {

double log_bessel_k(double order, double x) {
  assert(order >= 0 && x > 0);
  // Natural logarithm of the integrand.
  const auto exponent = [&](double t) {
    const double decay = 2 * order * t;
    return order * t - x * std::cosh(t) + (decay < 40 ? std::log1p(std::exp(-decay)) : 0) - std::numbers::ln2;
  };
  constexpr double smallest = -45;  // e⁻⁴⁵ of the peak is beyond double precision
  const double peak = std::asinh(order / x);
  const double top = exponent(peak);
  // Half of the peak's own width, as of a normal curve, and fine enough for the integrand's strip of analyticity.
  const double pitch = std::min(0.125, 0.5 / std::sqrt(std::hypot(x, order)));
  const auto middle = static_cast<int>(peak / pitch);
  double sum = 0;
  for (int i = middle; i >= 0; --i) {
    const double e = exponent(i * pitch) - top;
    if (e < smallest) break;
    sum += (i == 0 ? 0.5 : 1) * std::exp(e);
  }
  for (int i = middle + 1;; ++i) {
    const double e = exponent(i * pitch) - top;
    if (e < smallest) break;
    sum += std::exp(e);
  }
  return top + std::log(pitch * sum);
}

double dot_density(int d, double x) {
  const double order = (d - 1) / 2.;
  x = std::abs(x);
  if (x == 0) {
    if (d == 1) return std::numeric_limits<double>::infinity();
    return std::exp(std::lgamma(order) - std::lgamma(order + 0.5)) / (2 * std::sqrt(std::numbers::pi));
  }
  return std::exp(order * std::log(x / 2) + log_bessel_k(order, x) - std::lgamma(d / 2.)) / std::sqrt(std::numbers::pi);
}

double normal_density(double x, double deviation) {
  const double z = x / deviation;
  return std::exp(-z * z / 2) / (deviation * std::sqrt(2 * std::numbers::pi));
}

double draw_gamma(Random& random, double shape) {
  assert(shape > 0);
  if (shape < 1) {
    const double larger = draw_gamma(random, shape + 1);
    return larger * std::pow(1 - random.uniform(), 1 / shape);
  }
  const double d = shape - 1 / 3., c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = random.normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(1 - random.uniform()) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

double draw_length(Random& random, int d) { return d == 0 ? 0 : std::sqrt(2 * draw_gamma(random, d / 2.)); }

double draw_dot(Random& random, int d) {
  const double length = draw_length(random, d);
  return length * random.normal();
}

Turned draw_turned(Random& random, int d, int keys) {
  const int rest = std::min(keys, d - 1);
  Turned drawn{.key = Matrix::Zero(keys, 1 + rest)};
  for (int j = 0; j < keys; ++j) drawn.key(j, 0) = static_cast<float>(random.normal());
  drawn.length = draw_length(random, d);
  for (int j = 0; j < keys; ++j) {
    for (int axis = 0; axis < std::min(j, rest); ++axis) drawn.key(j, 1 + axis) = static_cast<float>(random.normal());
    if (j < rest) drawn.key(j, 1 + j) = static_cast<float>(draw_length(random, d - 1 - j));
  }
  return drawn;
}

Weighted weigh(const Matrix& scores, const Matrix& key, const Factors& factors, double temperature) {
  Matrix scaled(kWays, scores.cols());
  for (int way = 0; way < kWays; ++way)
    scaled.row(way) = scores.row(0) * static_cast<float>(factors[static_cast<std::size_t>(way)] / temperature);
  Weighted made{.weights = normalize<float>(Normalizer::softmax, scaled), .measures = Matrix(kWays, Measure::count)};
  made.measures.col(Measure::largest) = largest_weight(made.weights);
  made.measures.col(Measure::entropy) = entropy(made.weights);
  made.measures.col(Measure::effective) = made.measures.col(Measure::entropy).array().exp();
  made.measures.col(Measure::gradient_score) = softmax_jacobian_norm(made.weights, temperature);
  made.measures.col(Measure::gradient_query) = query_jacobian_norm(made.weights, key, 1, temperature);
  for (int way = 0; way < kWays; ++way)
    made.measures(way, Measure::gradient_query) *= static_cast<float>(factors[static_cast<std::size_t>(way)]);
  return made;
}

void Histogram::take(double x) {
  ++total;
  sum += x;
  squares += x * x;
  const double place = (x + half) / width();
  if (place >= 0 && place < static_cast<double>(counts.size()))
    ++counts[static_cast<std::size_t>(place)];
  else
    ++beyond;
}

double Histogram::deviation() const { return std::sqrt(std::max(0., squares / total - mean() * mean())); }

double quantile(std::span<const float> sorted, double share) {
  assert(!sorted.empty());
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = place - static_cast<double>(below);
  return static_cast<double>(sorted[below]) * (1 - part) + static_cast<double>(sorted[above]) * part;
}

double round_up(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double times : {1., 1.5, 2., 3., 4., 5., 6., 8.})
    if (times * power >= value * (1 - 1e-9)) return times * power;
  return 10 * power;
}

ClassRun run_class(Random& random) {
  ClassRun run;
  run.M.resize(kClassSize, kClassTokens);
  for (float& entry : run.M.reshaped<Eigen::RowMajor>()) entry = static_cast<float>(random.uniform());
  const double d = kClassSize;
  const AttentionOptions written{.scale = 1 / (std::sqrt(d) * d * d)};
  run.output.resize(kClassSize, kClassTokens);
  for (int row = 0; row < kClassSize; row += kClassRows) {
    WeightsAndOutput made = attend_weights(run.M.middleRows(row, kClassRows), run.M, run.M, written);
    run.smallest = std::min(run.smallest, made.weights.minCoeff());
    run.largest = std::max(run.largest, made.weights.maxCoeff());
    run.output.middleRows(row, kClassRows) = made.output * static_cast<float>(d * d);
    if (row == 0) run.weights = std::move(made.weights);
  }
  const Matrix X = run.M.transpose();
  AttentionSteps<float> tokens = attend_traced<float>(X, X, X, {.scale = 1 / std::sqrt(d)});
  run.token_weights = std::move(tokens.weights);
  run.token_output = std::move(tokens.output);
  return run;
}

}  // namespace limelight::scenes::scale
