#include "scenes/common/lines.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace limelight::scenes {

using namespace figure;

namespace {

constexpr float kReadable = 17;      // px of letters
constexpr float kApart = 0.5F;       // between two words, and
constexpr float kLineHeight = 1.1F;  // of a line to where its light falls: where letters are 1

// The index of each line's first word, filled one after the other.
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

}  // namespace

std::optional<Slots> lines_of(std::span<const std::string> words, Rect rect, float most, float below) {
  if (words.empty()) return std::nullopt;
  std::vector<float> widths;  // of letters of size 1, with the gap
  float all = 0, widest = 0;
  for (const std::string& word : words) {
    widths.push_back(kApart + text::measure(text::Face::display_bold, 1, word));
    all += widths.back();
    widest = std::max(widest, widths.back());
  }
  float size = std::floor(most);
  std::vector<std::size_t> firsts;
  const auto height = [&] { return static_cast<float>(firsts.size()) * (kLineHeight * size + below); };
  for (; size >= kReadable; --size) {
    firsts = filled(widths, rect.w / size);
    if (widest * size <= rect.w && height() <= rect.h) break;
  }
  if (size < kReadable) return std::nullopt;
  // As narrow as the same number of lines can be, so that the last one is no shorter than it must be.
  const std::size_t lines = firsts.size();
  float width = std::max(all / static_cast<float>(lines), widest);
  for (; filled(widths, width).size() > lines; width += kApart) {
  }
  firsts = filled(widths, width);
  const int count = static_cast<int>(words.size());
  Slots slots{
      .count = count, .of = count, .begin = rect.x, .pitch = all * size / static_cast<float>(count), .size = size};
  float y = rect.y + (rect.h - height()) / 2;
  for (std::size_t line = 0; line < lines; ++line) {
    const std::size_t end = line + 1 < lines ? firsts[line + 1] : widths.size();
    float long_by = 0;
    for (std::size_t word = firsts[line]; word < end; ++word) long_by += widths[word] * size;
    float x = rect.centre().x - long_by / 2;
    for (std::size_t word = firsts[line]; word < end; ++word) {
      slots.lines.push_back({x, y, widths[word] * size, kLineHeight * size});
      x += widths[word] * size;
    }
    y += kLineHeight * size + below;
  }
  return slots;
}

}  // namespace limelight::scenes
