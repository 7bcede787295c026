// The laws of orders.
#include "figure/order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "core/random.h"

using limelight::figure::largest_apart;
using limelight::figure::largest_first;
using limelight::figure::smallest_first;

TEST_CASE("order: every place once, from the largest value to the smallest, equal ones as they came") {
  limelight::Random random(7);
  for (const int count : {0, 1, 2, 3, 17, 400}) {
    std::vector<float> values;
    for (int i = 0; i < count; ++i)
      values.push_back(std::floor(9 * static_cast<float>(random.uniform())) - 4);  // many are equal
    for (const bool down : {true, false}) {
      const std::vector<int> places = down ? largest_first(values) : smallest_first(values);
      std::vector<int> sorted = places, all(values.size());
      std::ranges::sort(sorted);
      std::iota(all.begin(), all.end(), 0);
      CHECK(sorted == all);
      for (std::size_t i = 1; i < places.size(); ++i) {
        const float before = values[static_cast<std::size_t>(places[i - 1])];
        const float here = values[static_cast<std::size_t>(places[i])];
        CHECK((before == here ? places[i - 1] < places[i] : (before > here) == down));
      }
    }
  }
}

TEST_CASE("order: what is not a number, and what is infinite, comes first of the largest") {
  const float infinite = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
  CHECK(largest_first(std::vector<float>{1, none, -infinite, infinite, 2}) == std::vector<int>{1, 3, 4, 0, 2});
}

TEST_CASE("order: of values apart the largest is taken, none beside a larger one that is, and no other has room") {
  limelight::Random random(8);
  for (const int count : {1, 2, 17, 64})
    for (const int reach : {0, 1, 3}) {
      std::vector<float> values;
      for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(random.uniform()));
      const std::vector<bool> taken = largest_apart(values, reach);
      CHECK(taken[static_cast<std::size_t>(largest_first(values)[0])]);
      for (int i = 0; i < count; ++i) {
        float beside = -1;  // the largest that is taken
        for (int j = std::max(i - reach, 0); j <= std::min(i + reach, count - 1); ++j)
          if (j != i && taken[static_cast<std::size_t>(j)])
            beside = std::max(beside, values[static_cast<std::size_t>(j)]);
        CHECK(taken[static_cast<std::size_t>(i)] == (beside < 0));
      }
    }
}
