#include "core/random.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>

using namespace limelight;

namespace {

struct Golden {
  std::uint64_t seed;
  std::array<std::uint64_t, 5> first;
  std::uint64_t thousandth;
};
// Computed by another program from the reference code of https://prng.di.unimi.it: splitmix64.c fills
// xoshiro256starstar.c.
constexpr Golden kGoldens[] = {
    {0,
     {0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0, 0x6aa594f1262d2d2c, 0xbba5ad4a1f842e59},
     0x7aac8c483a2edd2f},
    {1,
     {0xb3f2af6d0fc710c5, 0x853b559647364cea, 0x92f89756082a4514, 0x642e1c7bc266a3a7, 0xb27a48e29a233673},
     0xb8517c33c344d153},
    {~std::uint64_t{0},
     {0x8f5520d52a7ead08, 0xc476a018caa1802d, 0x81de31c0d260469e, 0xbf658d7e065f3c2f, 0x913593fda1bca32a},
     0xc3c93ea5cde434cc},
};

}  // namespace

TEST_CASE("random: a seed gives the numbers of the published generator, on every platform") {
  for (const Golden& golden : kGoldens) {
    Random random(golden.seed);
    for (const std::uint64_t expected : golden.first) CHECK(random.bits() == expected);
    for (int i = 6; i < 1000; ++i) random.bits();
    CHECK(random.bits() == golden.thousandth);
  }
}

TEST_CASE("random: the same seed gives the same normal numbers, another seed others") {
  Random a(42), b(42), c(43);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const double x = a.normal();
    CHECK(x == b.normal());
    differs = differs || x != c.normal();
  }
  CHECK(differs);
}

TEST_CASE("random: uniform numbers lie in [0, 1), have mean 1/2 and variance 1/12") {
  constexpr int kDraws = 100'000;
  Random random(5);
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.uniform();
    REQUIRE(x >= 0);
    REQUIRE(x < 1);
    sum += x;
    squares += (x - 0.5) * (x - 0.5);
  }
  // Five standard errors: of the mean √(1/12 / n), of the variance √(1/180 / n).
  CHECK(std::abs(sum / kDraws - 0.5) < 5 * std::sqrt(1.0 / 12 / kDraws));
  CHECK(std::abs(squares / kDraws - 1.0 / 12) < 5 * std::sqrt(1.0 / 180 / kDraws));
}

TEST_CASE("random: normal numbers have mean 0, variance 1 and two thirds of them within 1") {
  constexpr int kDraws = 100'000;
  Random random(6);
  double sum = 0, squares = 0, near = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    REQUIRE(std::isfinite(x));
    sum += x;
    squares += x * x;
    near += std::abs(x) < 1 ? 1 : 0;
  }
  // Five standard errors: of the mean 1/√n, of the variance √(2/n), of a share p √(p (1 − p)/n).
  constexpr double kWithinOne = 0.682689492137;
  CHECK(std::abs(sum / kDraws) < 5 / std::sqrt(kDraws));
  CHECK(std::abs(squares / kDraws - 1) < 5 * std::sqrt(2.0 / kDraws));
  CHECK(std::abs(near / kDraws - kWithinOne) < 5 * std::sqrt(kWithinOne * (1 - kWithinOne) / kDraws));
}

TEST_CASE("random: one normal number does not tell the next") {
  constexpr int kDraws = 100'000;
  Random random(7);
  double last = random.normal();
  double product = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    product += last * x;
    last = x;
  }
  CHECK(std::abs(product / kDraws) < 5 / std::sqrt(kDraws));  // five standard errors of a correlation of 0
}

TEST_CASE("hash_text: the published values of FNV-1a, and a seed that counts") {
  CHECK(hash_text("") == 0xcbf29ce484222325);
  CHECK(hash_text("a") == 0xaf63dc4c8601ec8c);
  CHECK(hash_text("foobar") == 0x85944171f73967e8);
  CHECK(hash_text("W_q", 1) != hash_text("W_q", 2));
  CHECK(hash_text("W_q", 1) != hash_text("W_k", 1));
}
