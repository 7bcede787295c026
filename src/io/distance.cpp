#include "io/distance.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace limelight::io {

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 'a' - 'A');
  return lower;
}

int distance(std::string_view from, std::string_view to) {
  // Only names are compared; a text of another kind is far from all of them.
  constexpr std::size_t kLongestCompared = 64;
  if (from.size() > kLongestCompared || to.size() > kLongestCompared)
    return static_cast<int>(std::max(from.size(), to.size()));
  std::vector<int> before_last(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last[to.size()];
}

}  // namespace limelight::io
