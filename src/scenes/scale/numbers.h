// The mathematics of the scale scene: how q·k is distributed, how it is drawn, and what softmax makes of it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/random.h"

namespace limelight::scenes::scale {

// ---- the distribution of q·k: d independent products of two standard normal numbers ----

// ln K_ν(x), the modified Bessel function of the second kind, without overflow at any order. ν ≥ 0, x > 0.
// The trapezoidal rule on ∫₀^∞ exp(−x cosh t) cosh(νt) dt (DLMF 10.32.9), which converges exponentially since the
// integrand is even and analytic (Trefethen & Weideman 2014).
double log_bessel_k(double order, double x);
// The variance-gamma density |x|^ν K_ν(|x|) / (√π 2^ν Γ(d/2)), ν = (d − 1)/2; infinite at x = 0 for d = 1.
double dot_density(int d, double x);
double normal_density(double x, double deviation);

// ---- draws ----

// Gamma with this shape and scale 1 (Marsaglia & Tsang 2000). shape > 0.
double draw_gamma(Random& random, double shape);
// The length of d standard normal numbers: χ with d degrees of freedom; 0 for d = 0.
double draw_length(Random& random, int d);
// q·k itself: given q, it is normal with deviation |q|, so a length and a normal number stand for 2 d numbers. Exact.
double draw_dot(Random& random, int d);

// A query and n keys, turned so that q points along the first axis and the keys need no more axes than there are keys:
// their products, with q and with each other, are distributed as those of n whole keys (Bartlett 1933). Exact.
// Where the keys lie along q is drawn first, so that from equal seeds it is the same for every d.
struct Turned {
  double length = 0;  // of q
  Matrix key;         // [n, 1 + min(n, d − 1)]
};
Turned draw_turned(Random& random, int d, int keys);

// ---- what softmax makes of scores ----

inline constexpr int kWays = 4;
using Factors = std::array<double, kWays>;  // what each way multiplies the scores by

// Columns of the measures.
struct Measure {
  enum : int { largest, entropy, effective, gradient_score, gradient_query, count };
};

// One query's scores weighted in each way.
struct Weighted {
  Matrix weights;   // [kWays, n]
  Matrix measures;  // [kWays, Measure::count]
};
// scores: [1, n]; key: [n, any], what ‖∂a/∂q‖ is taken of; temperature divides the scaled scores.
Weighted weigh(const Matrix& scores, const Matrix& key, const Factors& factors, double temperature);

// ---- a histogram ----

// Counts of equal intervals between −half and half; what lies beyond is counted, and part of mean and deviation.
struct Histogram {
  double half = 1;
  std::vector<int> counts;
  int total = 0;
  int beyond = 0;
  double sum = 0;
  double squares = 0;

  Histogram(double half_width, int bins) : half(half_width), counts(static_cast<std::size_t>(bins), 0) {}
  void take(double x);
  [[nodiscard]] double width() const { return 2 * half / static_cast<double>(counts.size()); }
  [[nodiscard]] double mean() const { return sum / total; }
  [[nodiscard]] double deviation() const;
};

// The value below which this share of the values lies, between neighbours. Sorted upwards; at least one.
double quantile(std::span<const float> sorted, double share);
// One of 1, 1.5, 2, 3, 4, 5, 6 and 8 times a power of ten, at least `value` > 0.
double round_up(double value);

// ---- an article's class ----

// A self-attention class as an article prints it, in NumPy, for d = 512 and 6 tokens. It draws its own matrix M [512,
// 6], uniform in [0, 1), whatever input it was given, and takes query = key = value = M: the rows that it compares are
// features. Its scores M Mᵀ / √d are divided by d² once more, its output is multiplied by d².
inline constexpr int kClassSize = 512;
inline constexpr int kClassTokens = 6;
inline constexpr int kClassRows = 64;  // of the weights, as many as are computed at a time
struct ClassRun {
  Matrix M;            // [512, 6]
  Matrix weights;      // [64, 512]: the first rows of 512
  float smallest = 1;  // of all 512×512
  float largest = 0;
  Matrix output;         // [512, 6]
  Matrix token_weights;  // [6, 6]: of X = Mᵀ, scaled by 1/√d alone
  Matrix token_output;   // [6, 512]
};
ClassRun run_class(Random& random);

}  // namespace limelight::scenes::scale
