// Sorting in place by a heap. Every instance of std::sort brings some 2 kB of code to a reader's device, this a few
// hundred bytes; what is sorted here is short.
#pragma once

#include <algorithm>
#include <functional>
#include <ranges>

namespace limelight {

// Equal elements may change places.
template <std::ranges::random_access_range Range, class Less = std::ranges::less, class Projection = std::identity>
void heap_sort(Range&& range, Less less = {}, Projection projection = {}) {
  std::ranges::partial_sort(range, std::ranges::end(range), less, projection);
}

}  // namespace limelight
