// The numbers of the cost scene: what each way to attend multiplies and holds, exactly, and what is fitted to them.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/attention.h"
#include "core/matrix.h"
#include "core/random.h"

namespace limelight::scenes::cost {

// The numbers of tokens: 64 · 2ⁱ.
inline constexpr int kSizes = 9;
inline constexpr int kLongest = 16384;
constexpr int size_at(int index) { return 64 << index; }

// The ways to attend. Traced keeps all weights; fused and scalar, which is fused without SIMD, go over tiles. These
// three are the same function; windowed and linear are others.
struct Way {
  enum : int { traced, fused, windowed, linear, scalar, count };
};
inline constexpr int kComputed = 4;  // scalar multiplies and holds as much as fused

struct Shape {
  int n = 64;       // tokens
  int d = 64;       // of each query, key and value
  int window = 64;  // keys to each side that windowed sees
};

// The pairs of a query and a key that a window of so many keys to each side leaves, of n · n.
double pairs_in_window(int n, int window);
// Multiplications of scores and outputs (softmax's n² exponentials and divisions are not among them):
// 2 n² d; 2 d for each pair in the window; 2 n d (d + 1) with linear attention's sums (Katharopoulos et al. 2020).
double products(int way, const Shape& shape);
// Bytes held beside query, key, value and output, which every way needs: what the core allocates for as long as it
// computes. Traced: 4 n² for the weights and what fused holds; fused and windowed: packed keys and values, and tiles.
double memory(int way, const Shape& shape);
inline constexpr double kBudget = 256e6;  // bytes; traced is not run beyond it

// ---- y = c xˢ ----

struct PowerLaw {
  double exponent = 0;
  double factor = 0;
  double from = 0;  // the range of x that it was fitted over
  double to = 0;
  double spread = 0;  // root mean square of the points' distances from it, in natural logarithms

  [[nodiscard]] bool fitted() const { return to > from; }
  [[nodiscard]] double at(double x) const;  // 0 where nothing was fitted
};
// Least squares on the logarithms of both, over the points with x ≥ from and y > 0; not fitted with fewer than three,
// and not beyond kNoise: then only its spread is known.
PowerLaw fit_power(std::span<const double> x, std::span<const double> y, double from);
inline constexpr double kFitFrom = 512;      // below it, what does not grow with n counts
inline constexpr double kFitTimeFrom = 256;  // so that the fewest that are timed, up to 1,024, are three
inline constexpr double kNoise = 0.25;       // spread; a factor of 1.3: nothing is concluded from more

// The time of equal slices together. One that took over three times as long as the middle one, since something else
// ran meanwhile, counts as the middle one.
double time_of_slices(std::span<const double> seconds);

// ---- inputs ----

enum class Data { random, alike };
inline constexpr double kKept = 0.9;  // of the token before, where neighbours are alike

// Query, key and value of one head, drawn row after row, so that fewer tokens are the first of more.
// random: entries independent, uniform, mean 0, variance 1. alike: query = key = a walk x_i = 0.9 x_(i−1) + √(1 − 0.9²)
// times such a row, values as above.
struct Tokens {
  Matrix query, key, value;  // [rows, d]
  int drawn = 0;             // of the rows
  Data data = Data::random;
  Random random;

  Tokens(int rows, int d, Data kind, int seed);
};
void draw_rows(Tokens& tokens, int up_to);

AttentionOptions options_for(int way, const Shape& shape);

// ‖a − b‖ / ‖b‖ over all entries: 0 the same, 1 as far off as answering 0.
double relative_difference(const ConstMatrixRef& a, const ConstMatrixRef& b);

}  // namespace limelight::scenes::cost
