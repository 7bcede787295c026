#include "figure/part_label.h"

#include <algorithm>

namespace limelight::figure {
namespace {

constexpr float kBetween = 12;  // px between name and share in one line

}  // namespace

PartLabel part_label(Point extent, const std::string& name, const std::string& share, bool much, float scale) {
  using Kind = PartLabel::Kind;
  constexpr float kAround = 8;                     // px beside them together
  constexpr float kTwoLines = 26, kSmall = 11.5F;  // px of height; of letters
  const auto measured = [&](Kind kind, float size) {
    return PartLabel{kind,
                     name,
                     share,
                     size,
                     text::measure(text::Face::semibold, size, name),
                     text::measure(text::Face::mono_bold, size, share)};
  };
  const PartLabel line = measured(Kind::line, (much ? 15 : 12.5F) * scale);
  if (line.name_w + line.share_w + kBetween + 2 * kAround < extent.x) return line;
  const PartLabel two = measured(Kind::two_lines, kSmall * scale);
  if (extent.y >= kTwoLines * scale && std::max(two.name_w, two.share_w) + kAround < extent.x) return two;
  return much && line.share_w + 6 <= extent.x ? measured(Kind::share, line.size) : PartLabel{};
}

void add_part_number(Figure& figure, const std::string& id, const Rect& part, std::initializer_list<std::string> said,
                     float size, Colour ink) {
  constexpr text::Face kFace = text::Face::semibold;  // the numbers' own has no "÷"
  for (const std::string& words : said) {
    if (text::measure(kFace, size, words) + 6 >= part.w || size >= part.h) continue;
    figure.add({.id = id + ".number",
                .rect = part,
                .shape = Text{.text = words, .face = kFace, .size = size, .colour = ink, .align = Align::centre}});
    return;
  }
}

void add_part_label(Figure& figure, const std::string& id, const Rect& part, const PartLabel& label, Colour ink) {
  using Kind = PartLabel::Kind;
  if (label.kind == Kind::none) return;
  const bool two = label.kind == Kind::two_lines, named = label.kind != Kind::share;
  const auto say = [&](const char* which, Rect rect, const std::string& words, text::Face face) {
    figure.add({.id = id + which,
                .rect = rect,
                .shape = Text{.text = words,
                              .face = face,
                              .size = label.size,
                              .colour = ink,
                              .align = two ? Align::centre : Align::left}});
  };
  const float half = std::min(part.h / 2, 1.3F * label.size), middle = part.centre().y,
              name = named ? label.name_w + kBetween : 0, x = part.centre().x - (label.share_w + name) / 2;
  if (named)
    say(".word", two ? Rect{part.x, middle - half + 1, part.w, half} : Rect{x, part.y, label.name_w + 1, part.h},
        label.name, text::Face::semibold);
  say(".share", two ? Rect{part.x, middle - 1, part.w, half} : Rect{x + name, part.y, label.share_w + 1, part.h},
      label.share, text::Face::mono_bold);
}

}  // namespace limelight::figure
