#include "app/regions.h"

#include <algorithm>
#include <cmath>

namespace limelight::app {

Regions regions(const App& app) {
  constexpr float rail_width = 208;
  const float w = app.width, h = app.height;
  // A phone on its side: what surrounds the figure leaves it most of the height.
  const bool low = h < 500;
  Regions r;
  if (app.embed) {
    // Stage and timeline only.
    const float narration = app.compact() ? 66 : 44, timeline = app.compact() ? 62 : 46, home = 18;
    r.stage = {0, 0, w, std::max(h - narration - timeline - home - 4, 40.F)};
    r.narration = {16, r.stage.bottom() + 4, w - 32, narration};
    r.timeline = {16, r.narration.bottom(), w - 32, timeline};
    return r;
  }
  if (app.compact()) {
    const float narration = low ? 40 : 76, fields = low ? 48 : 64;
    constexpr float timeline = 62;
    r.top = {0, 0, w, 52};
    r.inspector = {0, h - kSheetRest, w, kSheetRest};
    if (app.sheet_open) r.inspector = {0, std::round(h / 2), w, h - std::round(h / 2)};
    r.fields = {16, 52, w - 32, fields};
    const float bottom = h - kSheetRest - narration - timeline;
    r.stage = {0, 52 + fields, w, std::max(bottom - 52 - fields, 40.F)};
    r.narration = {20, bottom + 4, w - 40, narration - 4};
    r.timeline = {16, bottom + narration, w - 32, timeline};
    return r;
  }
  const float rail = app.medium() ? 0 : rail_width;
  const float inspector = app.medium() ? 280 : 316;
  const float top = low ? 40 : 48, fields = low ? 46 : 60;
  const float narration = low ? 34 : 44, gap = low ? 2 : 12, bottom = gap + narration + (low ? 52 : 64);
  r.top = {0, 0, w, top};
  r.rail = {0, top, rail, h - top};
  r.inspector = {w - inspector, top, inspector, h - top - bottom};
  r.fields = {rail + 24, top, w - inspector - rail - 48, fields};
  r.stage = {rail, top + fields, w - inspector - rail, std::max(h - top - fields - bottom, 40.F)};
  r.narration = {rail + 24, h - bottom + gap, w - rail - 48, narration};
  r.timeline = {rail + 24, h - 54, w - rail - 48, 54};
  return r;
}

}  // namespace limelight::app
