#include "figure/vessel.h"

#include <algorithm>

namespace limelight::figure {

std::vector<Ribbon::Stop> poured(float seen, Theme theme) {
  const Palette& colours = palette(theme);
  const bool dark = is_dark(theme);
  // Never through purple, which is the query's; through a pale rose, on a light ground still darker than that.
  const Colour pale = dark ? Colour{0xe6, 0xe2, 0xf2} : Colour{0xe0, 0xb8, 0xd2};
  const auto near = [&](Colour colour) { return mix(colour, pale, dark ? 0.55F : 0.3F).faded(seen); };
  return {{0, colours.value_fill.faded(seen)},
          {dark ? 0.3F : 0.4F, near(colours.value_fill)},
          {0.52F, pale.faded(dark ? 0.85F * seen : seen)},
          {dark ? 0.76F : 0.66F, near(colours.output_fill)},
          {1, colours.output_fill.faded(seen)}};
}

Rect add_vessel(Figure& figure, const std::string& id, Rect glass, float level, Theme theme) {
  const Palette& colours = palette(theme);
  const float lip = std::min(7.F, 0.05F * glass.w), full = 0.72F * glass.h * level;
  if (level > 0)
    figure.add({.id = id + ".fluid",
                .rect = {glass.x + 2, glass.bottom() - full, glass.w - 4, full},
                .shape = Rectangle{.fill = colours.output_fill.faded(0.85F), .radius = std::min(10.F, full / 2)}});
  const float r = std::min(12.F, glass.h / 3);
  figure.add({.id = id + ".glass",
              .shape = Line{.points = {{glass.x - lip, glass.y},
                                       {glass.x, glass.y},
                                       {glass.x, glass.bottom() - r},
                                       {glass.x + 0.3F * r, glass.bottom() - 0.3F * r},
                                       {glass.x + r, glass.bottom()},
                                       {glass.right() - r, glass.bottom()},
                                       {glass.right() - 0.3F * r, glass.bottom() - 0.3F * r},
                                       {glass.right(), glass.bottom() - r},
                                       {glass.right(), glass.y},
                                       {glass.right() + lip, glass.y}},
                            .colour = colours.ink,
                            .width = 2}});
  const float high = std::min(0.36F * glass.h, 26.F);
  return {glass.x + 12, glass.bottom() - high - 0.13F * glass.h, glass.w - 24, high};
}

}  // namespace limelight::figure
