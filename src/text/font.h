// The only measurer of text: advances and outlines of the shipped fonts. No kerning, no hinting, so that the page, the
// SVG and the raster agree to the pixel. All lengths are in the unit of `size` (CSS pixels on the screen).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limelight::text {

// display and display_bold are for words of 25 px and more.
enum class Face { regular, semibold, mono, mono_bold, math, math_italic, display, display_bold };
inline constexpr int kFaces = 8;

// What CSS and SVG call them.
std::string_view css_family(Face face);
int css_weight(Face face);
bool is_italic(Face face);
// The file below fonts/ that the page serves: "inter-regular.ttf".
std::string_view file_name(Face face);
// Whose glyphs stand in for those that the face lacks; such a face is small, and the page fetches it in one piece.
std::optional<Face> lender(Face face);

// Gives a face its bytes, which must outlive every other call here. False when they are not a font. `whole`: with them
// it is whole; else the next call adds to what there is.
bool load(Face face, std::span<const std::byte> bytes, bool whole = true);
// The faces that were asked for a character which they may have once they are whole, since this was asked last. What
// was measured with them will be of another width then.
std::vector<Face> take_wanted();

struct Metrics {
  float ascent;      // above the baseline
  float descent;     // below the baseline, positive
  float cap_height;  // of a capital H
  float x_height;
};
Metrics metrics(Face face, float size);

// True when the face has a glyph for it, or its lender. What it lacks is "foreign": one and a quarter em
// wide when East Asian or an emoji, nothing for a joining mark, 0.6 em otherwise, and painted by other means (the
// browser's canvas, the SVG's viewer, a box).
bool covers(Face face, char32_t code_point);

// A stretch of text that a painter draws in one go: all covered, or all foreign.
struct Run {
  std::string text;  // UTF-8
  float x = 0;       // from the start of the whole text
  float width = 0;
  bool foreign = false;
};
std::vector<Run> runs(Face face, float size, std::string_view utf8);

float advance(Face face, float size, char32_t code_point);
float measure(Face face, float size, std::string_view utf8);

// Greedy lines no wider than `width`, broken at spaces, a longer word broken inside. At least one line.
std::vector<std::string> wrap(Face face, float size, std::string_view utf8, float width);
// The text itself if it fits, else its longest beginning with "…".
std::string fit(Face face, float size, std::string_view utf8, float width);

// Coverage of one glyph, 0 to 255, row by row; (left, top) is from the pen on the baseline to the bitmap's corner, y
// down.
struct Bitmap {
  int width = 0;
  int height = 0;
  int left = 0;
  int top = 0;
  std::vector<std::uint8_t> coverage;
};
Bitmap rasterise(Face face, float pixel_size, char32_t code_point, float subpixel_x = 0);

}  // namespace limelight::text
