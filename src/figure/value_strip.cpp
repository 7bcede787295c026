#include "figure/value_strip.h"

#include <algorithm>

#include "figure/small_cells.h"

namespace limelight::figure {
namespace {

constexpr float kHairline = 2;  // CSS pixels: how high what is nearly nothing stands
constexpr float kMuch = 0.1F;   // a weight whose level is marked
constexpr float kFaint = 0.3F;  // of the glass of a weight of 0
constexpr float kBeyond = 4;    // that the mark stands out of the glass

}  // namespace

Rect filled_part(const ValueStrip& strip) {
  const Rect& glass = strip.glass;
  const float height = strip.weight > 0 ? std::clamp(strip.weight * glass.h, kHairline, glass.h) : 0;
  return {glass.x, glass.bottom() - height, glass.w, height};
}

void add_value_strip(Figure& figure, const std::string& id, const ValueStrip& strip) {
  const Palette& colours = palette(strip.theme);
  const Rect glass = strip.glass.inset(strip.glass.w < 12 ? 0 : -2), part = filled_part(strip);
  const float seen = mix(kFaint, 1, std::min(strip.weight / kMuch, 1.F));  // or one that is all but empty were a hole
  figure.add({.id = id + ".glass",
              .rect = glass,
              .shape = Rectangle{.fill = colours.surface.faded(seen * (is_dark(strip.theme) ? 0.3F : 0.34F)),
                                 .stroke = colours.track.faded(0.8F * seen),
                                 .radius = std::min(5.F, glass.w / 3)}});
  if (part.h <= 0) return;
  const float cell = part.w / static_cast<float>(std::max(strip.value.columns, 1));
  figure.add({.id = id,
              .role = Role::cell,
              .rect = part,
              .label = strip.label,
              .edit = strip.edit,
              .shape = small_cells(strip.value, cell, strip.tint, strip.theme)});
  if (strip.weight < kMuch) return;
  const float beyond = std::min(kBeyond, glass.w / 4);
  figure.add({.id = id + ".level",
              .rect = {glass.x - beyond, part.y - 2, glass.w + 2 * beyond, 2},
              .shape = Rectangle{.fill = colours.amber, .radius = 1}});
}

}  // namespace limelight::figure
