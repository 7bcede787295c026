// Colours: the theme's palette, where each colour has a meaning, and the maps from numbers to colours.
#pragma once

#include <cstdint>
#include <string>

namespace limelight::figure {

struct Colour {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  std::uint8_t a = 255;

  bool operator==(const Colour&) const = default;
  [[nodiscard]] Colour faded(float opacity) const;  // alpha times opacity
};

Colour mix(Colour from, Colour to, float t);
// "#rrggbb"; the alpha is left to the caller.
std::string css(Colour colour);
// WCAG 2.2 relative luminance, 0 to 1, and the contrast ratio of two opaque colours, 1 to 21.
float luminance(Colour colour);
float contrast(Colour a, Colour b);
float contrast(float luminance, float other);
// Black or white, whichever stands out more.
Colour ink_on(Colour background);

// The stark ones are for readers who ask for more contrast.
enum class Theme { light, dark, stark_light, stark_dark };
constexpr bool is_dark(Theme theme) { return theme == Theme::dark || theme == Theme::stark_dark; }
constexpr Theme stark(Theme theme) { return is_dark(theme) ? Theme::stark_dark : Theme::stark_light; }

// Each role has a dark or a light colour for text and lines, and a fill of the same hue for cells, strips and ribbons:
// the hues of The Illustrated Transformer (lime green, medium purple, orange, sky blue, hot pink).
// Purple is the query and nothing else, amber is light and nothing else; the interface wears ink and the lamp's yellow.
// Text reads at 4.5:1 on every ground, which are paper, cards, chips and both ends of the stage, and at 7:1 on a stark
// theme's.
struct Palette {
  Colour paper, surface, sunken, hairline, track;  // background, cards, chips, dividers, slider tracks
  Colour stage_top, stage_bottom;                  // what stands behind a figure runs from the one to the other
  Colour cell;                                     // of a matrix, before its number tints it
  Colour ink, muted, faint;                        // text: main, secondary, hints and words without light
  Colour accent, on_accent;
  Colour input, query, key, value, output;
  Colour input_fill, query_fill, key_fill, value_fill, output_fill;
  Colour score_fill;           // light that is not yet shared
  Colour neutral_fill;         // of numbers without a role
  Colour lamp, amber;          // a light itself, and what it is poured into: bars, arcs
  Colour amber_text;           // of numbers and words about light
  Colour beam_low, beam_high;  // of a beam where it is faint and where it is bright
  Colour warning;
  Colour good;
};
const Palette& palette(Theme theme);
// The fill of a role whose colour for text this is; neutral_fill where it is no role's.
Colour fill_of(const Palette& colours, Colour role);
// What a cell of a matrix is filled with whose number is `share` (0 to 1) of the largest: from 0 on a little, so that
// a matrix of zeros has its role too, and more with each step.
Colour cell_fill(const Palette& colours, Colour fill, float share);
// The fill of a score below 0, which is no light.
Colour unlit_score(const Palette& colours);
// A meaning's colour for text on a tint of such a colour: nearer to the ink, of the same hue.
Colour on_tint(const Palette& colours, Colour colour);

enum class ColourMap { viridis, cividis, grey, diverging };
// t from 0 to 1 (clamped); diverging has its zero at 0.5 and takes the theme's paper there.
Colour sample(ColourMap map, float t, Theme theme);

}  // namespace limelight::figure
