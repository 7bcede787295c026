#include "io/shares.h"

#include <cmath>
#include <string_view>

#include "io/numbers.h"

namespace limelight::io {
namespace {

// How many of so many units one of a row gets, by the largest remainder: those whose rest is largest get one more,
// until all are there. Where that is not enough for all that are equal, these are rounded instead.
float counted(std::span<const float> row, int index, float units) {
  constexpr float kSame = 1e-3F;  // units
  const auto rest = [units](float w) { return units * w - std::floor(units * w); };
  const float weight = row[static_cast<std::size_t>(index)], own = rest(weight);
  float sum = 0, given = 0, before = 0, alike = 0;  // before: those that get one first
  for (const float w : row) {
    sum += w, given += std::floor(units * w);
    const bool same = std::abs(w - weight) * units < kSame;
    alike += same ? 1 : 0, before += !same && rest(w) > own ? 1 : 0;
  }
  const float left = std::round(units * sum) - given - before;
  if (left > 0 && left < alike) return std::round(units * weight);
  return std::floor(units * weight) + (left > 0 ? 1.F : 0.F);
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
