#include "core/activation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace limelight;

namespace {

// From the middle of each function far into where it no longer changes, and the ends.
std::vector<float> arguments() {
  std::vector<float> x = {0,
                          -0.F,
                          1e-30F,
                          -1e-30F,
                          88.8F,
                          -88.8F,
                          1e30F,
                          -1e30F,
                          std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()};
  for (int i = -4000; i <= 4000; ++i) x.push_back(static_cast<float>(i) * 0.01F);
  return x;
}

template <class F>
double largest_error(void (*in_place)(float*, std::ptrdiff_t), F&& exact, const std::vector<float>& x) {
  std::vector<float> y = x;
  in_place(y.data(), static_cast<std::ptrdiff_t>(y.size()));
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = std::abs(static_cast<double>(y[i]) - exact(static_cast<double>(x[i])));
    largest = error <= largest ? largest : std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
  }
  return largest;
}

}  // namespace

TEST_CASE("tanh and sigmoid are within two units of rounding of 1, however large their arguments") {
  CHECK(largest_error(tanh_in_place, [](double x) { return std::tanh(x); }, arguments()) < 2e-7);
  CHECK(largest_error(sigmoid_in_place, [](double x) { return 1 / (1 + std::exp(-x)); }, arguments()) < 2e-7);
}

TEST_CASE("exp of what is not positive is within a unit of rounding of 1, and 0 of minus infinity") {
  std::vector<float> x;
  for (const float v : arguments()) x.push_back(-std::abs(v));
  CHECK(largest_error(exp_in_place, [](double v) { return std::exp(v); }, x) < 1e-7);
}

TEST_CASE("a number's function does not depend on where among others it stands") {
  for (int count = 1; count <= 19; ++count) {
    std::vector<float> many(static_cast<std::size_t>(count), 0.7F), one = {0.7F};
    tanh_in_place(many.data(), count);
    tanh_in_place(one.data(), 1);
    for (const float y : many) CHECK(y == one[0]);
  }
}
