// Light added up on the CPU: for the raster, and for the image in an SVG.
#pragma once

#include <vector>

#include "figure/canvas.h"
#include "figure/light.h"

namespace limelight::figure {

// Sums of light before toning, [height, width] pixels whose top left corner is (x, y).
struct LightMap {
  int x = 0, y = 0;
  int width = 0, height = 0;
  std::vector<float> sums;
};
// `scale` pixels for one CSS pixel; as large as what the light reaches within `bounds` (in pixels).
LightMap light_map(const Light& light, float scale, const Box& bounds);

// Lays the toned light over what is painted, inside the clip.
void paint(Canvas& canvas, const LightMap& map, const LightColours& colours, const Box& clip);

// The toned light as a picture with transparency. On a dark ground it is meant to be screened on; laid over it is a
// little darker where the ground is not black.
Image image_of(const LightMap& map, const LightColours& colours);

}  // namespace limelight::figure
