#include "app/glyphs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gfx/texture.h"

namespace limelight::app {
namespace {

constexpr int kFirstSide = 1024;   // texels
constexpr int kMostTexels = 4096;  // 64 MiB; every graphics card of the last ten years has that
constexpr int kPadding = 1;
constexpr int kWhite = 3;  // texels; in the middle of a square that wide its neighbours are white too

}  // namespace

GlyphAtlas::GlyphAtlas(DrawForeign draw_foreign) : draw_foreign_(std::move(draw_foreign)) {
  largest_side_ = std::min(gfx::largest_texture(), kMostTexels);
  set_side(kFirstSide);
}

GlyphAtlas::~GlyphAtlas() { gfx::delete_texture(texture_); }

void GlyphAtlas::set_side(int side) {
  if (texture_ != 0) gfx::delete_texture(texture_);
  side_ = side;
  texture_ = gfx::make_texture_rgba(side_, side_);
  clear();
}

void GlyphAtlas::clear() {
  glyphs_.clear();
  foreign_.clear();
  x_ = y_ = row_height_ = 0;
  constexpr int rows = 256;  // at a time; the side is a multiple
  const std::vector<std::uint8_t> nothing(std::size_t{4} * rows * static_cast<std::size_t>(side_), 0);
  for (int y = 0; y < side_; y += rows) gfx::write_texture_rgba(texture_, 0, y, side_, rows, nothing);
  place(kWhite, kWhite, std::vector<std::uint8_t>(std::size_t{4} * kWhite * kWhite, 255));
}

bool GlyphAtlas::make_room() {
  if (!std::exchange(overflow_, false)) return emptied_ = false;
  // What an earlier picture left behind may have taken the room.
  if (!emptied_) {
    clear();
    return emptied_ = true;
  }
  if (2 * side_ > largest_side_) return emptied_ = false;
  set_side(2 * side_);
  return true;
}

float GlyphAtlas::white() const { return kWhite / 2.F / static_cast<float>(side_); }

Glyph GlyphAtlas::place(int width, int height, const std::vector<std::uint8_t>& rgba) {
  if (width <= 0 || height <= 0) return {};
  if (x_ + width + kPadding > side_) {
    x_ = 0;
    y_ += row_height_;
    row_height_ = 0;
  }
  if (width + kPadding > side_ || y_ + height + kPadding > side_) {
    overflow_ = true;
    return {};
  }
  gfx::write_texture_rgba(texture_, x_, y_, width, height, rgba);
  const auto side = static_cast<float>(side_);
  const Glyph glyph{.width = static_cast<float>(width),
                    .height = static_cast<float>(height),
                    .u0 = static_cast<float>(x_) / side,
                    .v0 = static_cast<float>(y_) / side,
                    .u1 = static_cast<float>(x_ + width) / side,
                    .v1 = static_cast<float>(y_ + height) / side};
  x_ += width + kPadding;
  row_height_ = std::max(row_height_, height + kPadding);
  return glyph;
}

const Glyph& GlyphAtlas::glyph(text::Face face, float pixel_size, char32_t code_point, int subpixel) {
  const auto key =
      std::tuple(static_cast<int>(face), static_cast<int>(std::lround(pixel_size * 4)), code_point, subpixel);
  const auto found = glyphs_.find(key);
  if (found != glyphs_.end()) return found->second;
  const text::Bitmap bitmap = text::rasterise(face, pixel_size, code_point, static_cast<float>(subpixel) / 4);
  std::vector<std::uint8_t> rgba;
  rgba.reserve(bitmap.coverage.size() * 4);
  for (const std::uint8_t coverage : bitmap.coverage) rgba.insert(rgba.end(), {255, 255, 255, coverage});
  Glyph glyph = place(bitmap.width, bitmap.height, rgba);
  glyph.left = static_cast<float>(bitmap.left);
  glyph.top = static_cast<float>(bitmap.top);
  return glyphs_.emplace(key, glyph).first->second;
}

const Glyph& GlyphAtlas::foreign(std::string_view text, float pixel_size, float pixel_width) {
  const auto key = std::tuple(std::string(text), static_cast<int>(std::lround(pixel_size * 4)),
                              static_cast<int>(std::lround(pixel_width)));
  const auto found = foreign_.find(key);
  if (found != foreign_.end()) return found->second;
  const ForeignBitmap bitmap = draw_foreign_ ? draw_foreign_(text, pixel_size, pixel_width) : ForeignBitmap{};
  Glyph glyph = place(bitmap.width, bitmap.height, bitmap.rgba);
  glyph.left = static_cast<float>(bitmap.left);
  glyph.top = static_cast<float>(bitmap.top);
  for (std::size_t i = 0; i + 3 < bitmap.rgba.size(); i += 4)
    if (bitmap.rgba[i + 3] > 0 && (bitmap.rgba[i] < 250 || bitmap.rgba[i + 1] < 250 || bitmap.rgba[i + 2] < 250))
      glyph.coloured = true;
  return foreign_.emplace(key, glyph).first->second;
}

}  // namespace limelight::app
