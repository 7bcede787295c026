#include "figure/callout.h"

#include <algorithm>
#include <cstdint>

namespace limelight::figure {
namespace {

constexpr float kPointer = 9;  // CSS pixels from the card to what it points at
constexpr float kRadius = 8;
constexpr float kHalf = 6;              // of the pointer's width at the card
constexpr float kCorner = kRadius + 7;  // that it keeps from the card's corners

// Soft: a few rounded cards, each a little larger and fainter.
void add_shadow(Figure& figure, const std::string& id, Rect card, Theme theme) {
  constexpr int kLayers = 6;
  for (int i = kLayers; i > 0; --i) {
    const float grown = 1.9F * static_cast<float>(i);
    const auto alpha = static_cast<std::uint8_t>((is_dark(theme) ? 26 : 9) * (kLayers + 1 - i) / kLayers);
    figure.add({.id = id + ".shadow." + std::to_string(i),
                .rect = card.inset(-grown).moved(0, 4),
                .shape = Rectangle{.fill = is_dark(theme) ? Colour{0, 0, 0, alpha} : Colour{0x1b, 0x24, 0x40, alpha},
                                   .radius = kRadius + grown}});
  }
}

}  // namespace

Rect callout_rect(Point at, Side side, float width, float height, float left, float right) {
  const float x = std::clamp(at.x - width / 2, left, std::max(left, right - width));
  return {x, side == Side::below ? at.y + kPointer : at.y - kPointer - height, width, height};
}

void add_callout(Figure& figure, const std::string& id, Rect card, std::optional<Point> tip, Theme theme) {
  const Palette& colours = palette(theme);
  add_shadow(figure, id, card, theme);
  figure.add({.id = id + ".box",
              .rect = card,
              .shape = Rectangle{.fill = colours.surface, .stroke = colours.track, .radius = kRadius}});
  if (!tip) return;
  const Point at = *tip;
  const auto within = [](float place, float from, float to) {
    return std::clamp(place, from + kCorner, std::max(from + kCorner, to - kCorner));
  };
  Point one, other;  // where the pointer leaves the card
  if (at.x < card.x || at.x > card.right()) {
    const float x = at.x < card.x ? card.x + 1 : card.right() - 1, y = within(at.y, card.y, card.bottom());
    one = {x, y - kHalf}, other = {x, y + kHalf};
  } else {
    const float y = at.y <= card.y ? card.y + 1 : card.bottom() - 1, x = within(at.x, card.x, card.right());
    one = {x - kHalf, y}, other = {x + kHalf, y};
  }
  figure.add({.id = id + ".pointer",
              .shape = Area{.points = {one, at, other}, .fill = colours.surface, .fill_to = colours.surface}});
  figure.add(
      {.id = id + ".pointer.line", .shape = Line{.points = {one, at, other}, .colour = colours.track, .width = 1}});
}

}  // namespace limelight::figure
