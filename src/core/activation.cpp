#include "core/activation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/simd.h"

namespace limelight {
namespace {

// Whole vectors in place; the rest through a buffer.
template <class F>
void for_each_vector(float* x, std::ptrdiff_t count, const F& f) {
  std::ptrdiff_t i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) simd::store(x + i, f(simd::load(x + i)));
  if (i == count) return;
  std::array<float, simd::kLanes> rest{};
  std::copy(x + i, x + count, rest.begin());
  simd::store(rest.data(), f(simd::load(rest.data())));
  std::copy_n(rest.begin(), count - i, x + i);
}

template <class F>
void for_each_number(double* x, std::ptrdiff_t count, const F& f) {
  for (std::ptrdiff_t i = 0; i < count; ++i) x[i] = f(x[i]);
}

// Beyond this, 1 + eˣ is eˣ, and its inverse is still a normal number.
constexpr float kSaturated = 80;

}  // namespace

void tanh_in_place(float* x, std::ptrdiff_t count) {
  const simd::BoundedExp exp;
  const simd::Floats one = simd::splat(1), two = simd::splat(2), lowest = simd::splat(-kSaturated);
  // 2 / (1 + e⁻²ˣ) − 1
  for_each_vector(x, count, [&](simd::Floats v) { return two / (one + exp(-simd::maximum(two * v, lowest))) - one; });
}

void tanh_in_place(double* x, std::ptrdiff_t count) {
  for_each_number(x, count, [](double v) { return std::tanh(v); });
}

void sigmoid_in_place(float* x, std::ptrdiff_t count) {
  const simd::BoundedExp exp;
  const simd::Floats one = simd::splat(1), lowest = simd::splat(-kSaturated);
  for_each_vector(x, count, [&](simd::Floats v) { return one / (one + exp(-simd::maximum(v, lowest))); });
}

void sigmoid_in_place(double* x, std::ptrdiff_t count) {
  for_each_number(x, count, [](double v) { return 1 / (1 + std::exp(-v)); });
}

void exp_in_place(float* x, std::ptrdiff_t count) { for_each_vector(x, count, simd::BoundedExp()); }

void exp_in_place(double* x, std::ptrdiff_t count) {
  for_each_number(x, count, [](double v) { return std::exp(v); });
}

}  // namespace limelight
