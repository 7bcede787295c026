#include "io/shares.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "io/numbers.h"

namespace limelight::io {
namespace {

// Shares that are equal: their whole units, and what is left of one beyond these.
struct Alike {
  float weight, whole, rest;
  std::size_t count;
};

std::vector<Alike> groups_of(std::span<const float> row, float units) {
  constexpr float kSame = 1e-3F;  // units
  std::vector<Alike> groups;
  for (const float w : row) {
    const auto alike = [&](const Alike& group) { return std::abs(group.weight - w) * units < kSame; };
    const auto found = std::ranges::find_if(groups, alike);
    if (found != groups.end()) {
      ++found->count;
      continue;
    }
    const float whole = std::floor(units * w + kSame);
    groups.push_back({w, whole, units * w - whole, 1});
  }
  return groups;
}

// Which groups get one unit more, so that this takes so many: those whose rests are largest together. None where no
// choice of them takes so many.
std::vector<bool> larger_by_one(std::span<const Alike> groups, std::size_t units) {
  constexpr float kNone = -1;
  std::vector<std::vector<float>> most{std::vector<float>(units + 1, kNone)};  // of the first groups, by what they take
  most[0][0] = 0;
  for (const Alike& group : groups) {
    std::vector<float> now = most.back();
    for (std::size_t taken = group.count; taken <= units; ++taken)
      if (const float before = most.back()[taken - group.count]; before != kNone)
        now[taken] = std::max(now[taken], before + static_cast<float>(group.count) * group.rest);
    most.push_back(std::move(now));
  }
  std::vector<bool> larger(groups.size(), false);
  if (most.back()[units] == kNone) return larger;
  for (std::size_t i = groups.size(); i-- > 0;) {
    larger[i] = most[i + 1][units] != most[i][units];
    if (larger[i]) units -= groups[i].count;
  }
  return larger;
}

// How many of so many units one of a row gets: its whole ones, and where the rests of all make up for more, maybe one
// more, as equal ones do. Where no choice of these is all there is, they are rounded.
float counted(std::span<const float> row, int index, float units) {
  const float weight = row[static_cast<std::size_t>(index)];
  const std::vector<Alike> groups = groups_of(row, units);
  float sum = 0, whole = 0;
  for (const float w : row) sum += w;
  for (const Alike& group : groups) whole += static_cast<float>(group.count) * group.whole;
  assert(std::isfinite(sum));
  const auto left = static_cast<std::size_t>(std::max(std::round(units * sum) - whole, 0.F));
  const std::vector<bool> larger = larger_by_one(groups, left);
  if (left > 0 && std::ranges::none_of(larger, std::identity{})) return std::round(units * weight);
  const auto own = std::ranges::min_element(groups, {}, [&](const Alike& g) { return std::abs(g.weight - weight); });
  return own->whole + (larger[static_cast<std::size_t>(own - groups.begin())] ? 1.F : 0.F);
}

}  // namespace

std::string share_text(float weight) {
  constexpr std::string_view kNarrowSpace = "\u202F", kSpace = "\u00A0";
  std::string text = format_percent(weight);
  if (const std::size_t at = text.find(kNarrowSpace); at != std::string::npos)
    text.replace(at, kNarrowSpace.size(), kSpace);
  return text;
}

std::string share_text(std::span<const float> row, int index) {
  constexpr std::size_t kMost = 8;  // of more nobody sums them up
  constexpr float kWhole = 0.01F, kLeast = 0.0005F;
  const float weight = row[static_cast<std::size_t>(index)];
  float sum = 0, seen = 0, unseen = 0;
  for (const float w : row) {
    const bool tenths = w < kWhole || w > 1 - kWhole;
    sum += 100 * w, seen += std::round(tenths ? 1000 * w : 100 * w) / (tenths ? 10 : 1);
    unseen += w > 0 && w < kLeast ? 0.1F : 0;  // "<0.1 %"
  }
  if (row.size() > kMost || weight < kLeast || std::abs(seen - sum) < 0.05F + unseen) return share_text(weight);
  return format_fixed(static_cast<double>(counted(row, index, 1000)) / 10, 1) + "\u00A0%";
}

std::string whole_share_text(std::span<const float> row, int index) {
  const float told = counted(row, index, 100);
  return (told < 1 && row[static_cast<std::size_t>(index)] > 0 ? "<1" : format_fixed(static_cast<double>(told), 0)) +
         "\u00A0%";
}

}  // namespace limelight::io
