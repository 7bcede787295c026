#include "scenes/cost/numbers.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "core/fused.h"
#include "core/linear.h"
#include "core/sort.h"

namespace limelight::scenes::cost {

double pairs_in_window(int n, int window) {
  const double w = std::min(window, n - 1);
  return n * (2 * w + 1) - w * (w + 1);
}

double products(int way, const Shape& shape) {
  const double n = shape.n, d = shape.d;
  if (way == Way::windowed) return 2 * d * pairs_in_window(shape.n, shape.window);
  if (way == Way::linear) return 2 * n * d * (d + 1);
  return 2 * n * n * d;
}

double memory(int way, const Shape& shape) {
  const double n = shape.n;
  if (way == Way::linear) return static_cast<double>(LinearAttention::bytes_for(shape.d, shape.d));
  const auto held = static_cast<double>(FusedAttention::bytes_for(shape.n, shape.d, shape.d, way == Way::traced));
  return way == Way::traced ? held + static_cast<double>(sizeof(float)) * n * n : held;
}

double PowerLaw::at(double x) const { return fitted() ? factor * std::pow(x, exponent) : 0; }

PowerLaw fit_power(std::span<const double> x, std::span<const double> y, double from) {
  assert(x.size() == y.size());
  PowerLaw fit;
  double count = 0, mean_x = 0, mean_y = 0;
  const auto each = [&](const auto& take) {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] >= from && y[i] > 0) take(std::log(x[i]), std::log(y[i]), x[i]);
  };
  each([&](double log_x, double log_y, double at) {
    if (count++ == 0) fit.from = at;
    fit.to = at;
    mean_x += log_x;
    mean_y += log_y;
  });
  if (count < 3) return {};
  mean_x /= count;
  mean_y /= count;
  double both = 0, squares = 0;
  each([&](double log_x, double log_y, double) {
    both += (log_x - mean_x) * (log_y - mean_y);
    squares += (log_x - mean_x) * (log_x - mean_x);
  });
  fit.exponent = both / squares;
  fit.factor = std::exp(mean_y - fit.exponent * mean_x);
  double apart = 0;
  each([&](double log_x, double log_y, double) {
    const double distance = log_y - mean_y - fit.exponent * (log_x - mean_x);
    apart += distance * distance;
  });
  fit.spread = std::sqrt(apart / count);
  if (fit.spread > kNoise) return {.spread = fit.spread};
  return fit;
}

double time_of_slices(std::span<const double> seconds) {
  if (seconds.empty()) return 0;
  std::vector<double> sorted(seconds.begin(), seconds.end());
  heap_sort(sorted);
  const double middle = sorted[sorted.size() / 2];
  double sum = 0;
  for (const double one : seconds) sum += middle > 0 && one > 3 * middle ? middle : one;
  return sum;
}

Tokens::Tokens(int rows, int d, Data kind, int seed)
    : query(rows, d),
      key(rows, d),
      value(rows, d),
      data(kind),
      random(hash_text("tokens", static_cast<std::uint64_t>(seed))) {}

void draw_rows(Tokens& tokens, int up_to) {
  const float kept = static_cast<float>(kKept), fresh = static_cast<float>(std::sqrt(1 - kKept * kKept));
  const auto draw = [&](Matrix& matrix, int row) {
    // (u − 1/2) √12 has variance 1.
    for (float& x : matrix.row(row)) x = static_cast<float>((tokens.random.uniform() - 0.5) * std::sqrt(12.));
  };
  for (; tokens.drawn < up_to; ++tokens.drawn) {
    const int row = tokens.drawn;
    draw(tokens.query, row);
    if (tokens.data == Data::random) {
      draw(tokens.key, row);
    } else {
      if (row > 0) tokens.query.row(row) = kept * tokens.query.row(row - 1) + fresh * tokens.query.row(row);
      tokens.key.row(row) = tokens.query.row(row);
    }
    draw(tokens.value, row);
  }
}

AttentionOptions options_for(int way, const Shape& shape) {
  return {.scale = 1 / std::sqrt(static_cast<double>(shape.d)),
          .mask = way == Way::windowed ? Mask::window(shape.window) : Mask::none()};
}

double relative_difference(const ConstMatrixRef& a, const ConstMatrixRef& b) {
  assert(a.rows() == b.rows() && a.cols() == b.cols());
  double apart = 0, size = 0;
  // Where the page is built for size, a fraction of the time of Eigen's expressions.
  for (Eigen::Index i = 0; i < b.rows(); ++i)
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      const auto of_b = static_cast<double>(b(i, j)), between = static_cast<double>(a(i, j)) - of_b;
      apart += between * between;
      size += of_b * of_b;
    }
  return std::sqrt(apart / size);
}

}  // namespace limelight::scenes::cost
