#include "scenes/common/word_line.h"

#include <algorithm>

#include "scenes/common/text.h"

namespace limelight::scenes {

using namespace figure;

Rect add_word_line(Frame& d, const WordLine& line) {
  constexpr float kApartWords = 0.62F, kPad = 8;  // of the size; px around the chosen one
  const int count = static_cast<int>(line.words.size());
  const auto face = [&](int i) { return i == line.chosen ? text::Face::display_bold : text::Face::display; };
  const auto width = [&](int i, float size) {
    return std::max(text::measure(face(i), size, line.words[static_cast<std::size_t>(i)]), size * 0.5F);
  };
  const auto all = [&](int from, int to, float size) {
    float sum = 2 * kPad;  // around the chosen one
    for (int i = from; i < to; ++i) sum += width(i, size) + (i > from ? kApartWords * size : 0);
    return sum;
  };
  float size = line.size;
  const float least = std::min(13.F, line.size);
  while (size > least && all(0, count, size) > line.rect.w) size -= 0.5F;
  int from = 0, to = count;
  constexpr float kEnd = 16;  // px for what leads on
  while (all(from, to, size) > line.rect.w - (to - from < count ? 2 * kEnd : 0) && to - from > 1)
    (line.chosen - from > to - 1 - line.chosen ? ++from : --to);
  const float total = all(from, to, size);
  float x = line.rect.centre().x - total / 2;
  Rect chosen{};
  const auto add = [&](const std::string& id, int leads_to, Rect rect, const std::string& word, TextStyle style) {
    d.figure.add(
        {.id = id,
         .role = Role::token,
         .rect = {rect.x - kApartWords * size / 2, line.rect.y, rect.w + kApartWords * size, line.rect.h},
         .label = "Output word " + std::to_string(leads_to + 1) + ": " + line.words[static_cast<std::size_t>(leads_to)],
         .edit = Edit{std::string(line.field), std::to_string(leads_to)}});
    add_words(d.figure, id + ".text", rect, word, style);
  };
  const Type small{text::Face::display, size};
  if (from > 0)
    add("target.before", from - 1, {x - kEnd - 4, line.rect.y, kEnd, line.rect.h}, "…", {d.colours.muted, small});
  for (int i = from; i < to; ++i) {
    const float wide = width(i, size);
    if (i == line.chosen) x += kPad;
    const Rect rect{x, line.rect.y, wide + 1, line.rect.h};
    const std::string& word = line.words[static_cast<std::size_t>(i)];
    const std::string id = "target.word." + std::to_string(i);
    if (i == line.chosen) {
      chosen = {x - kPad, line.rect.y, wide + 2 * kPad, line.rect.h};
      d.figure.add(
          {.id = "target.box",
           .rect = chosen,
           .shape = Rectangle{.fill = d.colours.surface, .stroke = d.colours.ink, .stroke_width = 2, .radius = 7}});
    }
    const bool blank = i > line.chosen && !line.later;
    add(id, i, rect, blank || (i == line.chosen && !line.is_written) ? "" : word,
        {i > line.chosen ? d.colours.faint : d.colours.ink, {face(i), size}, Align::centre});
    if (blank)
      d.figure.add({.id = id + ".blank",
                    .rect = {rect.x, rect.bottom() - 0.3F * size, wide, 2},
                    .shape = Rectangle{.fill = d.colours.track, .radius = 1}});
    x += wide + kApartWords * size + (i == line.chosen ? kPad : 0);
  }
  if (to < count) add("target.after", to, {x + 2, line.rect.y, kEnd, line.rect.h}, "…", {d.colours.muted, small});
  return chosen;
}

}  // namespace limelight::scenes
