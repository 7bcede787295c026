// Figures as files: SVG with real text, PNG without a display, and words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "figure/figure.h"

namespace limelight::figure {

// What every painter does alike, in CSS pixels. The stroke of a rectangle runs inside it, as a CSS border does; lines
// end square and turn round. A dashed line is on and off in turn; masked cells bear lines rising to the right.
inline constexpr float kDashOn = 4;
inline constexpr float kDashOff = 3;
inline constexpr float kHatchPitch = 6;  // from line to line, along an edge
inline constexpr float kHatchWidth = 1;
inline constexpr float kHatchOpacity = 0.3F;  // of the palette's `faint` on its `sunken`
// Past this many cells in all heatmaps of a figure each of them becomes an image in its SVG.
inline constexpr int kMostCells = 4096;

// A complete SVG 1.1 document that needs no script: real <text> with textLength, <title> from `title`, <desc> from
// `description`. Heatmaps that together have more than 4,096 cells are embedded images.
std::string svg(const Figure& figure, const Trace& trace, std::string_view title, std::string_view description);

// Painted on the CPU, anti-aliased, `scale` pixels for one CSS pixel. RGBA, row by row.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;
};
// A picture's pixels as they are seen, in its light.
Image image_of(const Pixels& pixels, const Trace& trace);
Image raster(const Figure& figure, const Trace& trace, float scale);
std::vector<std::byte> png(const Image& image);

}  // namespace limelight::figure
