// A picture: a texture of colours.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace limelight::gfx {

struct PictureQuad {
  float x = 0, y = 0, width = 0, height = 0;  // CSS pixels
  int columns = 0;
  int rows = 0;
  std::vector<std::uint8_t> rgba;  // [rows, columns, 4]
  float opacity = 1;
};

class PictureShader {
 public:
  PictureShader();
  ~PictureShader();
  PictureShader(const PictureShader&) = delete;
  PictureShader& operator=(const PictureShader&) = delete;

  // As HeatmapShader::draw. Texels are squares where they are larger than pixels of the screen.
  void draw(const PictureQuad& quad, std::array<float, 4> clip, float viewport_width, float viewport_height,
            float pixel_ratio) const;

 private:
  unsigned program_ = 0;
  unsigned vertices_ = 0;  // an empty vertex array
};

}  // namespace limelight::gfx
