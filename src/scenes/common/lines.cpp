#include "scenes/common/lines.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace limelight::scenes {

using namespace figure;

namespace {

constexpr float kReadable = 17;  // px; smaller letters are not set
// Where letters have the size 1: the gap between two words, and from a line's top to where its light falls.
constexpr float kWordGap = 0.5F;
constexpr float kLineHeight = 1.1F;

// The index of each line's first word, where words fill one line after the other up to this width.
std::vector<std::size_t> filled(std::span<const float> widths, float width) {
  std::vector<std::size_t> firsts;
  float x = width;
  for (std::size_t word = 0; word < widths.size(); ++word) {
    x += widths[word];
    if (x <= width) continue;
    firsts.push_back(word);
    x = widths[word];
  }
  return firsts;
}

// As few lines as `fewest`, but as narrow as so many can be, so that the last one is hardly shorter than the others.
std::vector<std::size_t> balanced(std::span<const float> widths, const std::vector<std::size_t>& fewest, float most) {
  float all = 0;
  for (const float width : widths) all += width;
  for (float width = all / static_cast<float>(fewest.size()); width < most; width += kWordGap)
    if (std::vector<std::size_t> firsts = filled(widths, width); firsts.size() == fewest.size()) return firsts;
  return fewest;
}

// Each word's place.
std::vector<Rect> places(std::span<const float> widths, std::span<const std::size_t> firsts, Rect rect, float size,
                         float below) {
  const float pitch = kLineHeight * size + below;
  std::vector<Rect> all;
  float y = rect.y + (rect.h - static_cast<float>(firsts.size()) * pitch) / 2;
  for (std::size_t line = 0; line < firsts.size(); ++line) {
    const std::size_t end = line + 1 < firsts.size() ? firsts[line + 1] : widths.size();
    const std::span<const float> words = widths.subspan(firsts[line], end - firsts[line]);
    float width = 0;
    for (const float word : words) width += word * size;
    float x = rect.centre().x - width / 2;
    for (const float word : words) {
      all.push_back({x, y, word * size, kLineHeight * size});
      x += word * size;
    }
    y += pitch;
  }
  return all;
}

}  // namespace

std::optional<Slots> lines_of(std::span<const std::string> words, Rect rect, float most, float below) {
  if (words.empty()) return std::nullopt;
  std::vector<float> widths;  // of letters of size 1
  for (const std::string& word : words) widths.push_back(kWordGap + text::measure(text::Face::display_bold, 1, word));
  const float widest = *std::ranges::max_element(widths);
  constexpr float kSmaller = 0.8F;  // letters that are set for the sake of a line less
  std::optional<Slots> best;
  std::size_t lines = words.size() + 1;
  for (float size = std::floor(most); size >= kReadable && (!best || size >= kSmaller * best->size); --size) {
    if (widest * size > rect.w) continue;
    const std::vector<std::size_t> fewest = filled(widths, rect.w / size);
    if (fewest.size() >= lines || static_cast<float>(fewest.size()) * (kLineHeight * size + below) > rect.h) continue;
    lines = fewest.size();
    const int count = static_cast<int>(words.size());
    best = Slots{.count = count, .of = count, .begin = rect.x, .size = size};
    best->lines = places(widths, balanced(widths, fewest, rect.w / size), rect, size, below);
    for (const Rect& place : best->lines) best->pitch += place.w / static_cast<float>(count);
  }
  return best;
}

}  // namespace limelight::scenes
