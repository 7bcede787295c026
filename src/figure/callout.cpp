#include "figure/callout.h"

#include <algorithm>
#include <cstdint>

namespace limelight::figure {
namespace {

constexpr float kPointer = 9;  // CSS pixels from the card to what it points at
constexpr float kRadius = 8;

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

void add_callout(Figure& figure, const std::string& id, Rect card, Point at, Theme theme) {
  const Palette& colours = palette(theme);
  add_shadow(figure, id, card, theme);
  figure.add({.id = id + ".box",
              .rect = card,
              .shape = Rectangle{.fill = colours.surface, .stroke = colours.track, .radius = kRadius}});
  const bool below = at.y <= card.y;
  const float edge = below ? card.y + 1 : card.bottom() - 1;
  const float x = std::clamp(at.x, card.x + kRadius + 7, std::max(card.x + kRadius + 7, card.right() - kRadius - 7));
  figure.add({.id = id + ".pointer",
              .shape = Area{
                  .points = {{x - 6, edge}, at, {x + 6, edge}}, .fill = colours.surface, .fill_to = colours.surface}});
  figure.add({.id = id + ".pointer.line",
              .shape = Line{.points = {{x - 6, edge}, at, {x + 6, edge}}, .colour = colours.track, .width = 1}});
}

}  // namespace limelight::figure
