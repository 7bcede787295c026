#include "scenes/common/row_words.h"

#include <algorithm>
#include <cmath>

#include "figure/figure.h"
#include "io/utf8.h"
#include "scenes/common/explain.h"
#include "scenes/common/words.h"

namespace limelight::scenes {

std::size_t named_of(std::size_t count, std::size_t most) {
  return most == kNamed && count == kNamed + 1 ? count : std::min(count, most);
}

std::string RowInWords::name(std::size_t i) const {
  const int column = order[i];
  if (among && column == row) return "itself";
  return pointing(words[static_cast<std::size_t>(column)], figure::cell_id({std::string(tensor), row, column}), role);
}

std::string RowInWords::names(std::size_t from, std::size_t to, std::size_t shown) const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < shown; ++i) all.push_back(name(from + i));
  if (from + shown < to) all.push_back(std::to_string(to - from - shown) + " more");
  return io::all_of(all);
}

std::size_t RowInWords::count_from(float least) const {
  std::size_t count = 0;
  while (count < order.size() && number(count) >= least) ++count;
  return count;
}

std::string RowInWords::where_light_falls(const std::string& asks) const {
  const auto share = [&](std::size_t i) { return percent(number(i)); };
  const float even = 1 / static_cast<float>(order.size());
  if (number(0) < 1.05F * even) return asks + " looks at all words alike, " + share(0) + " of its light on each";
  // Behind the words that get as much as the one at `from`.
  const auto behind = [&](std::size_t from) {
    std::size_t to = from;
    while (to < order.size() && share(to) == share(from)) ++to;
    return to;
  };
  const std::size_t first = behind(0);
  const std::string text = asks + " looks most at " + names(0, first, named_of(first, kNamed)) + ", " + share(0) +
                           " of its light" + (first > 1 ? " each" : "");
  if (first >= kNamed || first == order.size() || number(first) <= even) return text;
  const std::size_t next = behind(first);
  return text + ", and at " + names(first, next, named_of(next - first, kNamed - first)) + ", " + share(first) +
         (next > first + 1 ? " each" : "");
}

std::string RowInWords::lit(std::size_t most) const {
  constexpr float kClearly = 1.2F;
  const std::size_t clear = count_from(kClearly / static_cast<float>(order.size()));
  const auto as_much = [&](std::size_t i) {  // as far as the figure says
    return std::abs(number(i) - number(most - 1)) < (number(i) < 0.1F ? 0.0005F : 0.005F);
  };
  std::size_t alike = std::min(clear, most);
  while (alike < clear && as_much(alike)) ++alike;
  if (named_of(alike, most) < alike) {  // of equals all are named or, after others, none
    std::size_t others = named_of(alike, most);
    while (others > 0 && as_much(others - 1)) --others;
    if (others > 0) alike = others;
  }
  return names(0, alike, alike <= kNamed ? alike : named_of(alike, most));
}

std::vector<std::string> told_apart(const std::vector<std::string>& words) {
  std::vector<int> before(words.size()), after(words.size());  // how often each stands there
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (words[i] == words[j]) ++before[i], ++after[j];
  std::vector<std::string> told;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string name = io::decode_utf8(words[i]).size() < 2 ? quoted(words[i]) : in_sentence(words[i]);
    if (before[i] + after[i] > 0) name += " (" + std::to_string(before[i] + 1) + ")";
    told.push_back(std::move(name));
  }
  return told;
}

}  // namespace limelight::scenes
