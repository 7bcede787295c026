#include "app/regions.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/hidden.h"
#include "app/narration.h"
#include "app/rail.h"

namespace limelight::app {

namespace {

constexpr float kHomeWidth = 70;

bool has_field(const App& app, std::string_view name) {
  return std::ranges::any_of(shown_fields(app), [name](const io::FieldInfo& info) { return info.field.name == name; });
}
bool has_sentence(const App& app) { return has_field(app, "text"); }
bool has_top_fields(const App& app) { return has_field(app, "preset") || has_sentence(app); }

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
    r.stage = {0, 0, w, std::max(h - narration - timeline - home - 8, 40.F)};
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
    r.stage = {0, top + fields, w, std::max(r.narration.y - 8 - top - fields, 40.F)};
    return r;
  }
  const float top = hides(app, "title") ? 0 : low ? app.control(40) : 48;
  const float fields = !has_top_fields(app) ? 0 : !low ? 60 : has_sentence(app) ? 46 : 0;
  const float rail = hides(app, "scenes") ? 0 : rail_width(app, h - top);
  const float inspector = hides(app, "inspector") ? 0 : app.medium() ? 280 : 316;
  const float narration = hides(app, "narration") ? 0 : narration_height(app, w - rail - 48, w - inspector - rail);
  const float timeline = hides(app, "timeline") ? 0
                         : low                  ? 50
                                                : 54,
              gap = low ? 2 : 12, bottom = gap + narration + timeline + (low ? 0 : 10);
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
