#include "core/simd.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

using namespace limelight;
using simd::Floats;
using simd::kLanes;

namespace {

Floats lanes(float first, float step) {
  Floats x{};
  for (int i = 0; i < kLanes; ++i) x[i] = first + static_cast<float>(i) * step;
  return x;
}

// Units in the last place of the exact value; the smallest normal number's unit below it.
double ulps(float value, double exact) {
  const int exponent = std::max(std::ilogb(exact), std::numeric_limits<float>::min_exponent - 1);
  return std::abs(static_cast<double>(value) - exact) / std::ldexp(1.0, exponent - 23);
}

// Of every `stride`-th float x from `from` to `to` in order of their bits, both of one sign.
template <class F>
double worst_exp(float from, float to, std::uint32_t stride, const F& exp) {
  double worst = 0;
  const auto first = std::bit_cast<std::uint32_t>(from), last = std::bit_cast<std::uint32_t>(to);
  for (std::uint32_t bits = first; bits <= last; bits += stride) {
    const auto x = std::bit_cast<float>(bits);
    worst = std::max(worst, ulps(exp(simd::splat(x))[0], std::exp(static_cast<double>(x))));
  }
  return worst;
}

}  // namespace

TEST_CASE("simd: each lane is loaded, computed and stored by itself, at any address") {
  float from[kLanes + 1], to[kLanes + 2];
  for (int i = 0; i <= kLanes; ++i) from[i] = static_cast<float>(i * i);
  std::fill(std::begin(to), std::end(to), -1.F);
  simd::store(to + 1, simd::multiply_add(simd::load(from + 1), simd::splat(2), lanes(1, 1)));
  CHECK(to[0] == -1);
  CHECK(to[kLanes + 1] == -1);
  for (int i = 0; i < kLanes; ++i) CHECK(to[i + 1] == static_cast<float>((i + 1) * (i + 1) * 2 + i + 1));
}

TEST_CASE("simd: maximum takes the larger lane, −∞ included") {
  const float infinity = std::numeric_limits<float>::infinity();
  const Floats rising = lanes(-1, 1), falling = lanes(1, -1);
  for (int i = 0; i < kLanes; ++i) {
    CHECK(simd::maximum(rising, falling)[i] == std::max(rising[i], falling[i]));
    CHECK(simd::maximum(rising, simd::splat(-infinity))[i] == rising[i]);
    CHECK(simd::maximum(simd::splat(-infinity), rising)[i] == rising[i]);
  }
}

TEST_CASE("simd: sum and largest go over all lanes") {
  for (int lane = 0; lane < kLanes; ++lane) {
    Floats x = simd::splat(1);
    x[lane] = 5;
    CHECK(simd::sum(x) == kLanes + 4);
    CHECK(simd::largest(x) == 5);
  }
}

TEST_CASE("exp: at most 2 ulp from the exact value wherever that is a normal number") {
  // A million of them over each half; the step, a product of primes, reaches every kind of mantissa.
  CHECK(worst_exp(0.F, simd::kExpHighest, 61 * 17, simd::exp) < 2);
  CHECK(worst_exp(-0.F, simd::kExpLowest, 61 * 17, simd::exp) < 2);
  CHECK(worst_exp(-0.F, simd::kExpLowest, 61 * 17, simd::exp_bounded) < 2);
  // Densely where it is used most and at both ends.
  CHECK(worst_exp(-0.5F, -2.F, 7, simd::exp) < 2);
  CHECK(worst_exp(-87.3F, simd::kExpLowest, 1, simd::exp) < 2);
  CHECK(worst_exp(88.7F, simd::kExpHighest, 1, simd::exp) < 2);
}

TEST_CASE("exp: it is exact at 0, and grows from 0 to infinity") {
  const float infinity = std::numeric_limits<float>::infinity();
  const float largest = std::numeric_limits<float>::max();
  CHECK(simd::exp(simd::splat(0))[0] == 1);
  CHECK(simd::exp(simd::splat(-0.F))[0] == 1);
  for (const float x : {-infinity, -largest, -1e30F, -1e4F, -150.F, -100.F, std::nextafter(simd::kExpLowest, -100.F)}) {
    CHECK(simd::exp(simd::splat(x))[0] == 0);
    CHECK(simd::exp_bounded(simd::splat(x))[0] == 0);
  }
  CHECK(simd::exp(simd::splat(simd::kExpLowest))[0] >= std::numeric_limits<float>::min());
  CHECK(simd::exp(simd::splat(simd::kExpHighest))[0] < infinity);
  for (const float x : {std::nextafter(simd::kExpHighest, 100.F), 89.F, 100.F, 1e4F, largest, infinity})
    CHECK(simd::exp(simd::splat(x))[0] == infinity);
}

TEST_CASE("exp: the limits are where the exact value leaves the normal numbers") {
  CHECK(std::exp(static_cast<double>(simd::kExpLowest)) >= std::numeric_limits<float>::min());
  CHECK(std::exp(static_cast<double>(std::nextafter(simd::kExpLowest, -100.F))) < std::numeric_limits<float>::min());
  CHECK(std::exp(static_cast<double>(simd::kExpHighest)) <= std::numeric_limits<float>::max());
  CHECK(std::exp(static_cast<double>(std::nextafter(simd::kExpHighest, 100.F))) > std::numeric_limits<float>::max());
}

TEST_CASE("exp: each lane is its own") {
  // Volatile: what a compiler computes beforehand it need not round as the machine does.
  const volatile float first = -3;
  const Floats x = lanes(first, 1.5F), together = simd::exp(x);
  for (int i = 0; i < kLanes; ++i) {
    const volatile float alone = x[i];
    CHECK(together[i] == simd::exp(simd::splat(alone))[0]);
  }
}
