// Glyphs and foreign text as pictures in one texture, rasterised at the size in which they appear, so that text is
// sharp at every pixel ratio.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "text/font.h"

namespace limelight::app {

// Text that the fonts lack, drawn white (or in colours of its own) by whoever can; empty when nobody can.
struct ForeignBitmap {
  int width = 0;
  int height = 0;
  int left = 0;  // from the pen on the baseline to the corner
  int top = 0;
  std::vector<std::uint8_t> rgba;
};
using DrawForeign = std::function<ForeignBitmap(std::string_view text, float pixel_size, float pixel_width)>;

struct Glyph {
  float left = 0, top = 0, width = 0, height = 0;  // pixels, from the pen on the baseline
  float u0 = 0, v0 = 0, u1 = 0, v1 = 0;
  bool coloured = false;  // not to be tinted
};

class GlyphAtlas {
 public:
  explicit GlyphAtlas(DrawForeign draw_foreign);
  ~GlyphAtlas();
  GlyphAtlas(const GlyphAtlas&) = delete;
  GlyphAtlas& operator=(const GlyphAtlas&) = delete;

  // subpixel: quarters of a pixel, 0 to 3.
  const Glyph& glyph(text::Face face, float pixel_size, char32_t code_point, int subpixel);
  const Glyph& foreign(std::string_view text, float pixel_size, float pixel_width);
  [[nodiscard]] unsigned texture() const { return texture_; }
  // Where the texture is white, as u and v: the texture of all that is no text.
  [[nodiscard]] float white() const;
  // After a picture was painted. True when something found no room and there is room now: the picture is to be painted
  // again. False when all had room, and when the texture cannot grow: what fits is shown. Painting while this is true
  // comes to an end after a few times.
  bool make_room();

 private:
  Glyph place(int width, int height, const std::vector<std::uint8_t>& rgba);
  void clear();
  void set_side(int side);

  DrawForeign draw_foreign_;
  unsigned texture_ = 0;
  int side_ = 0;  // texels
  int largest_side_;
  int x_ = 0, y_ = 0, row_height_ = 0;
  bool overflow_ = false;
  bool emptied_ = false;  // for the picture that is being painted
  std::map<std::tuple<int, int, char32_t, int>, Glyph> glyphs_;
  std::map<std::tuple<std::string, int, int>, Glyph> foreign_;
};

}  // namespace limelight::app
