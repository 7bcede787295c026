#include "io/unicode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "io/unicode_tables.h"

namespace limelight::io::unicode {
namespace {

constexpr unsigned kLengthBits = 11;
constexpr std::uint32_t kLengthMask = (1U << kLengthBits) - 1;
constexpr std::ptrdiff_t kNone = -1;

static_assert(std::ranges::is_sorted(kLetters) && std::ranges::is_sorted(kNumbers) &&
              std::ranges::is_sorted(kPunctuation) && std::ranges::is_sorted(kNonspacingMarks) &&
              std::ranges::is_sorted(kControlsAndFormats) && std::ranges::is_sorted(kNarrowBases) &&
              std::ranges::is_sorted(kWideBases) && std::ranges::is_sorted(kLowerRuns));

bool in(char32_t c, char32_t first, char32_t last) { return first <= c && c <= last; }

// Which packed range begins last before or at the character.
std::ptrdiff_t last_before(std::span<const std::uint32_t> ranges, char32_t c) {
  if (c > 0x10FFFF) return kNone;
  const auto after = std::ranges::upper_bound(ranges, static_cast<std::uint32_t>(c) << kLengthBits | kLengthMask);
  return std::distance(ranges.begin(), after) - 1;
}

// Which packed range holds the character.
std::ptrdiff_t find(std::span<const std::uint32_t> ranges, char32_t c) {
  const std::ptrdiff_t at = last_before(ranges, c);
  if (at == kNone) return kNone;
  const std::uint32_t range = ranges[static_cast<std::size_t>(at)];
  return c - (range >> kLengthBits) <= (range & kLengthMask) ? at : kNone;
}

bool contains(std::span<const std::uint32_t> ranges, char32_t c) { return find(ranges, c) != kNone; }

// Appends the character's target, where one of the ranges has it.
template <class Target>
bool append_target(std::u32string& text, char32_t c, std::span<const std::uint32_t> ranges,
                   std::span<const std::uint16_t> starts, std::span<const Target> targets) {
  const std::ptrdiff_t at = find(ranges, c);
  if (at == kNone) return false;
  const auto range = static_cast<std::size_t>(at);
  text += static_cast<char32_t>(targets[starts[range] + (c - (ranges[range] >> kLengthBits))]);
  return true;
}

// The Unicode Standard 14.0, section 3.12.
void append_jamo(std::u32string& text, char32_t syllable) {
  constexpr char32_t kLeads = 0x1100, kVowels = 0x1161, kTails = 0x11A7, kVowelCount = 21, kTailCount = 28;
  const char32_t index = syllable - 0xAC00, tail = index % kTailCount;
  text += kLeads + index / (kVowelCount * kTailCount);
  text += kVowels + index / kTailCount % kVowelCount;
  if (tail > 0) text += kTails + tail;
}

}  // namespace

bool is_letter(char32_t c) { return contains(kLetters, c); }
bool is_number(char32_t c) { return contains(kNumbers, c); }
bool is_punctuation(char32_t c) { return contains(kPunctuation, c); }
bool is_nonspacing_mark(char32_t c) { return contains(kNonspacingMarks, c); }

bool is_control(char32_t c) {
  return contains(kControlsAndFormats, c) || in(c, 0xE000, 0xF8FF) || in(c, 0xF0000, 0xFFFFD) ||
         in(c, 0x100000, 0x10FFFD);
}

bool is_white_space(char32_t c) {
  return in(c, 0x09, 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 || in(c, 0x2000, 0x200A) ||
         in(c, 0x2028, 0x2029) || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_ideograph(char32_t c) {
  return in(c, 0x3400, 0x4DBF) || in(c, 0x4E00, 0x9FFF) || in(c, 0xF900, 0xFAFF) || in(c, 0x20000, 0x2A6DF) ||
         in(c, 0x2A700, 0x2CEAF) || in(c, 0x2F800, 0x2FA1F);
}

void append_lower(std::u32string& text, char32_t c) {
  constexpr std::uint32_t kStrideBit = 1U << (kLengthBits - 1);
  if (c == 0x130) {
    text += U"i\u0307";
    return;
  }
  const std::ptrdiff_t at = last_before(kLowerRuns, c);
  if (at != kNone) {
    const auto run = static_cast<std::size_t>(at);
    const std::uint32_t packed = kLowerRuns[run], stride = (packed & kStrideBit) != 0 ? 2 : 1,
                        distance = c - (packed >> kLengthBits);
    if (distance % stride == 0 && distance / stride <= (packed & (kStrideBit - 1)))
      c = static_cast<char32_t>(static_cast<std::int32_t>(c) + kLowerDistances[run]);
  }
  text += c;
}

void append_without_marks(std::u32string& text, char32_t c) {
  if (is_nonspacing_mark(c)) return;
  if (in(c, 0xAC00, 0xD7A3)) return append_jamo(text, c);
  if (append_target<std::uint16_t>(text, c, kNarrowBases, kNarrowBaseStarts, kNarrowBaseTargets)) return;
  if (append_target<std::uint32_t>(text, c, kWideBases, kWideBaseStarts, kWideBaseTargets)) return;
  const auto own = [](const auto& row) { return char32_t{row[0]}; };
  const auto* const several = std::ranges::lower_bound(kSeveral, c, {}, own);
  if (several == std::end(kSeveral) || own(*several) != c) {
    text += c;
    return;
  }
  for (const std::uint32_t part : std::span(*several).subspan(1))
    if (part != 0) text += static_cast<char32_t>(part);
}

}  // namespace limelight::io::unicode
