// Many cells at once: a texture of numbers, coloured by a shader.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace limelight::gfx {

inline constexpr int kMapColours = 256;

using MapTexels = std::array<std::uint8_t, 4 * kMapColours>;

struct HeatmapQuad {
  float x = 0, y = 0, width = 0, height = 0;  // CSS pixels
  int columns = 0;
  int rows = 0;
  std::vector<float> shares;      // [rows, columns]: from 0 to 1 the place on the map, −1 masked
  MapTexels colours{};            // the map
  std::array<float, 4> masked{};  // colours from 0 to 1, of masked cells and of the lines over them
  std::array<float, 4> hatching{};
  float opacity = 1;
};

class HeatmapShader {
 public:
  // CSS pixels: from line to line of the hatching along an edge, and the width of a line.
  HeatmapShader(float hatch_pitch, float hatch_width);
  ~HeatmapShader();
  HeatmapShader(const HeatmapShader&) = delete;
  HeatmapShader& operator=(const HeatmapShader&) = delete;

  // Draws with the current blending, inside `clip` (left, top, right, bottom); leaves the program and the textures
  // bound.
  void draw(const HeatmapQuad& quad, std::array<float, 4> clip, float viewport_width, float viewport_height,
            float pixel_ratio);

 private:
  unsigned program_ = 0;
  unsigned vertices_ = 0;  // an empty vertex array: the corners come from gl_VertexID
  unsigned colours_ = 0;   // a texture of the map that was drawn with last
  MapTexels written_{};
  struct {
    int rect, viewport, masked, hatching, opacity, pixel_ratio;
  } at_{};
};

}  // namespace limelight::gfx
