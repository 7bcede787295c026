// Paints a Figure with Dear ImGui's draw lists.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "app/glyphs.h"
#include "core/trace.h"
#include "figure/figure.h"
#include "figure/paint.h"
#include "gfx/draw_list.h"
#include "gfx/heatmap.h"
#include "gfx/light.h"
#include "gfx/picture.h"

struct ImDrawList;
struct ImDrawListSharedData;

namespace limelight::app {

class Painter {
 public:
  explicit Painter(DrawForeign draw_foreign);
  ~Painter();

  // Paints over what is there.
  void paint(const figure::Figure& figure, const Trace& trace, float pixel_ratio);

 private:
  template <class Quad, class Shader>
  struct Call {
    Quad quad;
    Shader* shader;
    float width, height, pixel_ratio;
  };
  using HeatmapCall = Call<gfx::HeatmapQuad, gfx::HeatmapShader>;
  using PictureCall = Call<gfx::PictureQuad, gfx::PictureShader>;
  using LightCall = Call<gfx::LightQuad, gfx::LightShader>;
  struct Brush;

  const gfx::MapTexels& texels(figure::ColourMap map, figure::Theme theme);
  void fill_list(const figure::Figure& figure, const Trace& trace, float pixel_ratio);

  GlyphAtlas glyphs_;
  gfx::HeatmapShader heatmaps_{figure::kHatchPitch, figure::kHatchWidth};
  gfx::PictureShader pictures_;
  gfx::LightShader lights_;
  gfx::DrawListShader lists_;
  std::unique_ptr<ImDrawListSharedData> style_;
  std::unique_ptr<ImDrawList> list_;       // in CSS pixels; every command takes the glyphs' texture
  std::deque<HeatmapCall> heatmap_calls_;  // of this frame: the draw list points to them
  std::deque<PictureCall> picture_calls_;
  std::deque<LightCall> light_calls_;
  std::map<std::pair<figure::ColourMap, figure::Theme>, gfx::MapTexels> texels_;
};

}  // namespace limelight::app
