#include "figure/order.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "core/sort.h"

namespace limelight::figure {

std::vector<int> largest_first(std::span<const float> values) {
  std::vector<int> places(values.size());
  std::iota(places.begin(), places.end(), 0);
  const auto key = [&](int place) {
    const float value = values[static_cast<std::size_t>(place)];
    return std::isnan(value) ? std::numeric_limits<float>::infinity() : value;
  };
  heap_sort(places, [&](int a, int b) { return key(a) != key(b) ? key(a) > key(b) : a < b; });
  return places;
}

std::vector<int> smallest_first(std::vector<float> values) {
  for (float& value : values) value = -value;
  return largest_first(values);
}

std::vector<bool> largest_apart(std::span<const float> values, int reach) {
  const int count = static_cast<int>(values.size());
  std::vector<bool> taken(values.size()), done(values.size());
  for (const int place : largest_first(values)) {
    if (done[static_cast<std::size_t>(place)]) continue;
    taken[static_cast<std::size_t>(place)] = true;
    for (int i = std::max(place - reach, 0); i <= std::min(place + reach, count - 1); ++i)
      done[static_cast<std::size_t>(i)] = true;
  }
  return taken;
}

}  // namespace limelight::figure
