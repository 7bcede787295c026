// Light that adds up: triangles whose intensities are summed in a texture, which is then toned over the page once.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "gfx/program.h"

namespace limelight::gfx {

// A corner of a triangle. `a` and `b` change evenly over it, the rest is the same at its corners.
struct LightVertex {
  float x = 0, y = 0;  // CSS pixels
  float a = 0, b = 0;  // where in its beam or spot it lies
  float half_from = 0, half_to = 0, intensity = 0;
  float kind = 0;  // as the constants BEAM and POOL number them
};

struct LightQuad {
  std::vector<LightVertex> triangles;
  std::array<float, 3> low{}, high{};  // colours from 0 to 1, where there is little light and where there is much
  bool dark = false;                   // screened on; else laid over
  std::array<float, 4> clip{};         // left, top, right, bottom in CSS pixels
  // What add_up made of it: a texture, and what it shows, in pixels of the window from its lower left.
  struct Sums {
    unsigned texture = 0;
    int x = 0, y = 0, width = 0, height = 0;
  } sums{};
};

class LightShader {
 public:
  // The constants of the formulas, as light.frag and tone.frag call them.
  explicit LightShader(Constants constants);
  ~LightShader();
  LightShader(const LightShader&) = delete;
  LightShader& operator=(const LightShader&) = delete;

  // Before a page is painted: no light is added up yet.
  void begin() { used_ = 0; }
  // Adds a light's triangles up, outside of a draw list; leaves the window's framebuffer and viewport as they were.
  void add_up(LightQuad& quad, float viewport_width, float viewport_height, float pixel_ratio);
  // As HeatmapShader::draw, what was added up; leaves the page's alpha alone, and a blending of its own.
  void draw(const LightQuad& quad, std::array<float, 4> clip, float viewport_width, float viewport_height,
            float pixel_ratio) const;

 private:
  // Half as large as what it shows.
  struct Target {
    unsigned texture = 0;
    unsigned framebuffer = 0;
    int width = 0, height = 0;  // texels
  };
  unsigned bind_target(int width, int height);  // its texture

  unsigned sum_program_ = 0;
  unsigned tone_program_ = 0;
  unsigned triangles_ = 0;  // a vertex array
  unsigned vertex_buffer_ = 0;
  unsigned corners_ = 0;  // an empty vertex array
  // One for each light of a page, kept from page to page; they only grow.
  std::vector<Target> targets_;
  std::size_t used_ = 0;
  int area_ = -1;
  struct {
    int rect, viewport, origin, height, low, high, dark;
  } at_{};
};

}  // namespace limelight::gfx
