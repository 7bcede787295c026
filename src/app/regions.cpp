#include "app/regions.h"

#include <algorithm>
#include <cmath>

namespace limelight::app {

Regions regions(const App& app) {
  constexpr float rail_width = 208;
  const float w = app.width, h = app.height;
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
    constexpr float narration = 76, timeline = 62, fields = 64;
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
  constexpr float bottom = 120, fields = 60;
  r.top = {0, 0, w, kTopHeight};
  r.rail = {0, kTopHeight, rail, h - kTopHeight};
  r.inspector = {w - inspector, kTopHeight, inspector, h - kTopHeight - bottom};
  r.fields = {rail + 24, kTopHeight, w - inspector - rail - 48, fields};
  r.stage = {rail, kTopHeight + fields, w - inspector - rail, std::max(h - kTopHeight - fields - bottom, 40.F)};
  r.narration = {rail + 24, h - bottom + 12, w - rail - 48, 44};
  r.timeline = {rail + 24, h - bottom + 66, w - rail - 48, bottom - 66};
  return r;
}

}  // namespace limelight::app
