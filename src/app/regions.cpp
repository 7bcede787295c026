#include "app/regions.h"

#include <algorithm>
#include <cmath>

#include "app/narration.h"
#include "app/scene_list.h"

namespace limelight::app {

namespace {

constexpr float kHomeWidth = 70;

bool has_sentence(const App& app) {
  return std::ranges::any_of(app.scene->fields(app.state),
                             [](const io::FieldInfo& info) { return info.field.name == "text"; });
}

}  // namespace

Regions regions(const App& app) {
  constexpr float rail_width = 208;
  const float w = app.width, h = app.height;
  const bool low = app.low();
  Regions r;
  if (app.embed) {
    // Stage and timeline only.
    const float narration = narration_height(app, w - 32, w), timeline = app.compact() ? 62 : 54;
    const float home = app.compact() ? 30 : 0;
    r.stage = {0, 0, w, std::max(h - narration - timeline - home - 8, 40.F)};
    r.narration = {16, r.stage.bottom() + 8, w - 32, narration};
    r.timeline = {16, r.narration.bottom(), w - 32 - (app.compact() ? 0 : kHomeWidth + 12), timeline};
    // A finger's reach ends where that of the timeline's buttons does.
    r.home = {w - kHomeWidth - 12, h - app.control(32), kHomeWidth, app.control(32)};
    return r;
  }
  if (app.compact()) {
    const float fields = low || !has_sentence(app) ? 48 : 64;
    constexpr float timeline = 62;
    r.top = {0, 0, w, 52};
    r.inspector = {0, h - kSheetRest, w, kSheetRest};
    if (app.sheet_open) r.inspector = {0, std::round(h / 2), w, h - std::round(h / 2)};
    r.fields = {16, 52, w - 32, fields};
    r.timeline = {16, h - kSheetRest - timeline, w - 32, timeline};
    const float narration = narration_height(app, w - 40, w);
    r.narration = {20, r.timeline.y - narration - 4, w - 40, narration};
    r.stage = {0, 52 + fields, w, std::max(r.narration.y - 8 - 52 - fields, 40.F)};
    return r;
  }
  const float top = low ? app.control(40) : 48, fields = !low ? 60 : has_sentence(app) ? 46 : 0;
  const float rail = app.medium() || top + scene_list_height() > h ? 0 : rail_width;
  const float inspector = app.medium() ? 280 : 316;
  const float narration = narration_height(app, w - rail - 48, w - inspector - rail);
  const float timeline = low ? 50 : 54, gap = low ? 2 : 12, bottom = gap + narration + timeline + (low ? 0 : 10);
  r.top = {0, 0, w, top};
  r.rail = {0, top, rail, h - top};
  r.inspector = {w - inspector, top, inspector, h - top - bottom};
  r.fields = {rail + 24, top, w - inspector - rail - 48, fields};
  r.stage = {rail, top + fields, w - inspector - rail, std::max(h - top - fields - bottom, 40.F)};
  r.narration = {rail + 24, h - bottom + gap, w - rail - 48, narration};
  r.timeline = {rail + 24, h - timeline, w - rail - 48, timeline};
  return r;
}

}  // namespace limelight::app
