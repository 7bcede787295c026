// Where the fixed regions of the window are; nothing overlaps, nothing floats.
#pragma once

#include "app/app.h"
#include "figure/geometry.h"

namespace limelight::app {

struct Regions {
  figure::Rect top;        // name, scene, undo, share, theme
  figure::Rect rail;       // the scenes; empty in narrow and low windows, where it is a menu
  figure::Rect fields;     // under 600 px, above the stage: examples and the sentence
  figure::Rect ground;     // the stage with the row under the figure, up to the inspector or the window's edge
  figure::Rect stage;      // the figure
  figure::Rect foot;       // in wider windows, under the figure: examples, the sentence and controls
  figure::Rect inspector;  // formula and controls; empty while it is folded up; the bottom sheet under 600 px
  figure::Rect tab;        // opens the inspector while it is folded up
  figure::Rect narration;
  figure::Rect timeline;
  figure::Rect home;  // the way out of a frame
};

Regions regions(const App& app);

inline constexpr float kSheetRest = 56;  // what shows of the closed bottom sheet
inline constexpr float kSheetHead = 44;  // what stays above the scrolling part of the open one

}  // namespace limelight::app
