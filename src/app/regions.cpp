#include "app/regions.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/foot.h"
#include "app/hidden.h"
#include "app/narration.h"
#include "app/opened.h"
#include "app/rail.h"

namespace limelight::app {

namespace {

constexpr float kHomeWidth = 70;
constexpr float kInspector = 248, kTabWidth = 28, kTabHeight = 116;
constexpr float kNarrationMargin = 20, kTimelineMargin = 14;  // px at both sides

bool has_field(const App& app, std::string_view name) {
  return std::ranges::any_of(shown_fields(app), [name](const io::FieldInfo& info) { return info.field.name == name; });
}
bool has_sentence(const App& app) { return has_field(app, "text"); }
bool has_top_fields(const App& app) { return has_field(app, "preset") || has_sentence(app); }

// What stands below the figure, from the top.
struct Below {
  float gap, narration, timeline, height;
};
Below below_figure(const App& app, float width, float stage_width) {
  const bool low = app.low();
  const float narration = hides(app, "narration") ? 0 : narration_height(app, width, stage_width);
  const float timeline = hides(app, "timeline") ? 0 : low ? (app.fingers() ? 62 : 50) : app.fingers() ? 70 : 66;
  const float gap = low ? 2 : narration > 0 ? 11 : 0;
  const float under = low && timeline > 0 ? 0 : gap;
  return {gap, narration, timeline, gap + narration + under + timeline};
}

}  // namespace

Regions regions(const App& app) {
  const float w = app.width, h = app.height;
  const bool low = app.low();
  Regions r;
  if (app.settings.embed) {
    // Stage and timeline only.
    const float narration = hides(app, "narration") ? 0 : narration_height(app, w - 32, w);
    const float timeline = hides(app, "timeline") ? 0 : app.compact() ? 62 : 54;
    const float home = timeline == 0 ? app.control(32) : app.compact() ? 30 : 0;
    r.stage = r.ground = {0, 0, w, std::max(h - narration - timeline - home - 8, 40.F)};
    r.narration = {16, r.stage.bottom() + 8, w - 32, narration};
    r.timeline = {16, r.narration.bottom(), w - 32 - (app.compact() ? 0 : kHomeWidth + 12), timeline};
    // A finger's reach ends where that of the timeline's buttons does.
    r.home = {w - kHomeWidth - 12, h - app.control(32), kHomeWidth, app.control(32)};
    return r;
  }
  if (app.compact()) {
    const float fields = !has_top_fields(app) ? 0 : low || !has_sentence(app) ? 48 : 64;
    const float top = hides(app, "title") ? 0 : 52, timeline = hides(app, "timeline") ? 0 : 62;
    const float sheet = hides(app, "inspector") ? 0 : kSheetRest;
    r.top = {0, 0, w, top};
    r.inspector = {0, h - sheet, w, sheet};
    if (app.sheet_open && sheet > 0) r.inspector = {0, std::round(h / 2), w, h - std::round(h / 2)};
    r.fields = {16, top, w - 32, fields};
    r.timeline = {16, h - sheet - timeline, w - 32, timeline};
    const float narration = hides(app, "narration") ? 0 : narration_height(app, w - 40, w);
    r.narration = {20, r.timeline.y - narration - 4, w - 40, narration};
    r.ground = {0, top, w, std::max(r.narration.y - 8 - top, 40.F + fields)};
    r.stage = {0, top + fields, w, r.ground.h - fields};
    return r;
  }
  const float top = hides(app, "title") ? 0 : low ? app.control(40) : 48;
  const float rail = hides(app, "scenes") ? 0 : rail_width(app, h - top);
  const bool open = inspector_open(app), folded = !open && !hides(app, "inspector");
  const float inspector = open ? kInspector : 0;
  const Below below = below_figure(app, w - rail - 2 * kNarrationMargin, w - inspector - rail);
  r.top = {0, 0, w, top};
  r.rail = {0, top, rail, h - top};
  r.inspector = {w - inspector, top, inspector, h - top - below.height};
  r.ground = {rail, top, w - inspector - rail, std::max(h - top - below.height, 40.F)};
  if (folded)
    r.tab = {w - kTabWidth, r.ground.y + std::max(0.F, (r.ground.h - kTabHeight) / 2 - 2), kTabWidth, kTabHeight};
  const float foot = std::min(foot_height(app), r.ground.h - 40);
  r.stage = {rail, top, r.ground.w - (folded ? kTabWidth : 0), r.ground.h - foot};
  r.foot = {rail, r.stage.bottom(), r.ground.w, foot};
  r.narration = {rail + kNarrationMargin, r.ground.bottom() + below.gap, w - rail - 2 * kNarrationMargin,
                 below.narration};
  r.timeline = {rail + kTimelineMargin, h - below.timeline, w - rail - 2 * kTimelineMargin, below.timeline};
  return r;
}

}  // namespace limelight::app
