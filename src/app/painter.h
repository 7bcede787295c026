// Paints a Figure with Dear ImGui's draw lists.
#pragma once

#include <deque>
#include <memory>

#include "app/glyphs.h"
#include "core/trace.h"
#include "figure/figure.h"
#include "gfx/heatmap.h"

struct ImDrawList;

namespace limelight::app {

class Painter {
 public:
  explicit Painter(DrawForeign draw_foreign);
  ~Painter();

  // Fills the background list of this frame of the user interface with the figure, in CSS pixels. The list is to be
  // rendered before the next call.
  void paint(const figure::Figure& figure, const Trace& trace, ImDrawList& list, float pixel_ratio);

 private:
  struct HeatmapCall {
    gfx::HeatmapQuad quad;
    const gfx::HeatmapShader* shader;
    float width, height, pixel_ratio;
  };
  struct Brush;

  void paint_once(const figure::Figure& figure, const Trace& trace, ImDrawList& list, float pixel_ratio);

  GlyphAtlas glyphs_;
  gfx::HeatmapShader shader_;
  std::deque<HeatmapCall> calls_;  // of this frame: the draw list points to them
};

}  // namespace limelight::app
