#include "app/rail.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/miniatures.h"
#include "app/scene_list.h"
#include "app/widgets.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kNarrowRail = 72, kWideRail = 216;  // px
constexpr float kWideFrom = 1600;                   // px of the window
constexpr float kLit = 24;                          // px: how many scenes were seen, at the wide rail's end
constexpr float kFootMargin = 8;                    // above and below what is at its foot

struct Pitch {
  float margin;   // above the first scene and below the last
  float heading;  // of a group, where it has one
  float between;  // two groups
  float row;      // from scene to scene of a group
};
// A miniature with a name below it; its groups move together before the scenes do.
constexpr Pitch kNames{12, 0, 12, 50}, kClosedUp{4, 0, 8, 42};
// A miniature with a name and a question beside it, in two lines or in one.
constexpr Pitch kTwoLines{16, 24, 10, 58}, kOneLine{8, 20, 6, 44};

struct Entry {
  const scenes::SceneDef* scene;
  float y;        // of its row
  float heading;  // the top of its group's name, or where there is a line above its row, of that; below 0 for all but
                  // the first of a group
};

struct Rows {
  std::vector<Entry> entries;
  Pitch pitch;
  float height = 0;
};

Rows rows_with(const Pitch& pitch) {
  Rows rows{.entries = {}, .pitch = pitch};
  std::string_view group;
  float y = pitch.margin;
  for (const scenes::SceneDef* scene : scenes::all()) {
    float heading = -1;
    if (scene->group != group) {
      if (!rows.entries.empty()) y += pitch.between;
      if (pitch.heading > 0 || !rows.entries.empty()) heading = y;
      y += pitch.heading;
    }
    group = scene->group;
    rows.entries.push_back({scene, y, heading});
    y += pitch.row;
  }
  rows.height = y + pitch.margin;
  return rows;
}

float foot_height(const App& app, bool wide) {
  return 2 * kFootMargin + (wide ? dialog_buttons_height(app, kWideRail - 16) + kLit : dialog_column_height(app));
}

// As roomy as the height lets them be; a finger needs more than the closest rows have.
Rows fitted(const App& app, float room, Pitch roomy, Pitch close) {
  close.row = std::max(close.row, app.fingers() ? kFinger : 0);
  const Rows loose = rows_with(roomy), tight = rows_with(close);
  if (loose.height <= room) return loose;
  const float share = (room - tight.height) / (loose.height - tight.height);
  if (share <= 0) return tight;
  return rows_with({mix(close.margin, roomy.margin, share), mix(close.heading, roomy.heading, share),
                    mix(close.between, roomy.between, share), mix(close.row, roomy.row, share)});
}

Rows rows_in(const App& app, Rect area) {
  const float room = rail_window(app, area).h;
  return area.w > kNarrowRail ? fitted(app, room, kTwoLines, kOneLine) : fitted(app, room, kNames, kClosedUp);
}

void add_visited(Figure& figure, const App& app, const scenes::SceneDef& scene, float x, float y) {
  if (&scene == app.scene || !app.visited.contains(&scene)) return;
  const Palette& light = palette(app.theme());
  figure.add({.id = "shell.visited." + std::string(scene.id),
              .rect = {x - 2.5F, y - 2.5F, 5, 5},
              .shape = Rectangle{.fill = is_dark(app.theme()) ? light.lamp : light.amber, .radius = 2.5F}});
}

void add_narrow(Figure& figure, const App& app, const Entry& entry, Rect row) {
  const Palette& colours = palette(app.theme());
  const std::string id = "shell.scene." + std::string(entry.scene->id);
  const bool here = entry.scene == app.scene;
  const float gap = row.h >= 46 ? 2 : 0;  // px between them, where there is room
  const float top = row.y + (row.h - 42 - gap) / 2;
  add_scene_button(figure, app, *entry.scene, row);
  add_miniature(figure, id + ".miniature", entry.scene->id, {row.centre().x - kMiniatureWidth / 2, top + 1},
                {.theme = app.theme(), .lit = here});
  add_visited(figure, app, *entry.scene, row.x + 7, top + 1 + kMiniatureHeight / 2);
  const text::Face face = here ? text::Face::semibold : text::Face::regular;
  add_label(figure, id + ".title", {row.x + 1, top + 29 + gap, row.w - 2, 13},
            {.text = text::fit(face, 10.5F, entry.scene->title, row.w - 2),
             .size = 10.5F,
             .colour = here ? colours.ink : colours.muted,
             .face = face,
             .align = Align::centre});
}

void add_wide(Figure& figure, const App& app, const Entry& entry, Rect row) {
  const Palette& colours = palette(app.theme());
  const std::string id = "shell.scene." + std::string(entry.scene->id);
  const bool here = entry.scene == app.scene;
  const bool two = row.h >= 54;
  add_scene_button(figure, app, *entry.scene, {row.x + 8, row.y + 1, row.w - 16, row.h - 2});
  const float y = row.y + (two ? 4 : (row.h - 36) / 2);
  add_miniature(figure, id + ".miniature", entry.scene->id,
                {row.x + 16, two ? y + 8 : row.centre().y - kMiniatureHeight / 2}, {.theme = app.theme(), .lit = here});
  add_visited(figure, app, *entry.scene, row.x + 7, two ? y + 8 + kMiniatureHeight / 2 : row.centre().y);
  const float x = row.x + 72, width = row.right() - x - 14;
  add_label(figure, id + ".title", {x, y, width, 19},
            {.text = text::fit(text::Face::semibold, 14, entry.scene->title, width),
             .size = 14,
             .colour = colours.ink,
             .face = text::Face::semibold});
  std::vector<std::string> lines = text::wrap(text::Face::regular, 12, entry.scene->question, width);
  if (!two || lines.size() > 2) lines = {text::fit(text::Face::regular, 12, entry.scene->question, width)};
  for (std::size_t i = 0; i < lines.size(); ++i)
    add_label(figure, id + ".question" + (i == 0 ? "" : ".next"), {x, y + 19 + 15 * static_cast<float>(i), width, 15},
              {.text = lines[i], .size = 12, .colour = colours.muted});
}

void add_group(Figure& figure, const App& app, const Entry& entry, const Pitch& pitch, float width) {
  const Palette& colours = palette(app.theme());
  const std::string id = "shell.group." + std::string(entry.scene->group);
  if (pitch.heading > 0)
    add_label(
        figure, id, {16, entry.heading, width - 32, pitch.heading},
        {.text = in_capitals(entry.scene->group), .size = 11, .colour = colours.faint, .face = text::Face::semibold});
  else
    figure.add({.id = id,
                .rect = {width / 2 - 12, entry.heading - pitch.between / 2 - 0.5F, 24, 1},
                .shape = Rectangle{.fill = colours.track}});
}

void add_foot(Figure& figure, const App& app, Rect area) {
  const bool wide = area.w > kNarrowRail;
  const float top = area.bottom() - foot_height(app, wide), y = top + kFootMargin;
  figure.add({.id = "shell.rail.foot.line",
              .rect = {area.x, top, area.w - 1, 1},
              .shape = Rectangle{.fill = palette(app.theme()).hairline}});
  if (!wide) {
    add_dialog_column(figure, app, {area.x + 2, y}, area.w - 5);
    return;
  }
  const float height = add_dialog_buttons(figure, app, {area.x + 8, y}, kWideRail - 16);
  const bool here_before = app.visited.contains(app.scene);
  add_label(figure, "shell.lit", {area.x + 16, y + height, kWideRail - 32, 18},
            {.text = std::to_string(app.visited.size() + (here_before ? 0 : 1)) + " of " +
                     std::to_string(scenes::all().size()) + " scenes lit",
             .size = 12,
             .colour = palette(app.theme()).muted});
}

}  // namespace

float rail_width(const App& app, float height) {
  if (app.medium() || app.low()) return 0;
  const float room = height - foot_height(app, true);
  return app.width >= kWideFrom && rows_with(kOneLine).height <= room ? kWideRail : kNarrowRail;
}

Rect rail_window(const App& app, Rect area) {
  return {area.x, area.y, area.w, area.h - foot_height(app, area.w > kNarrowRail)};
}

float add_rail(Figure& figure, const App& app, Rect area) {
  const Palette& colours = palette(app.theme());
  figure.add({.id = "shell.rail", .rect = area, .shape = Rectangle{.fill = colours.surface}});
  const Rows rows = rows_in(app, area);
  const Rect window = rail_window(app, area);
  const float scroll = std::clamp(app.rail_scroll, 0.F, std::max(0.F, rows.height - window.h));
  Figure content;
  for (const Entry& entry : rows.entries) {
    if (entry.heading >= 0) add_group(content, app, entry, rows.pitch, area.w);
    const Rect row{0, entry.y, area.w - 1, rows.pitch.row};
    if (area.w > kNarrowRail)
      add_wide(content, app, entry, row);
    else
      add_narrow(content, app, entry, row);
  }
  append(figure, content, window.x, window.y - scroll, window);
  add_scroll_fades(figure, app, "shell.rail.more", window, scroll, rows.height,
                   {.above = colours.surface, .below = colours.surface});
  add_foot(figure, app, area);
  figure.add({.id = "shell.rail.line",
              .rect = {area.right() - 1, area.y, 1, area.h},
              .shape = Rectangle{.fill = colours.hairline}});
  return rows.height;
}

void show_in_rail(App& app, Rect area) {
  if (area.w == 0) return;
  const Rows rows = rows_in(app, area);
  const Rect window = rail_window(app, area);
  for (const Entry& entry : rows.entries) {
    if (entry.scene != app.scene) continue;
    // A row more is seen on both sides, as far as there is room.
    const float most = std::max(0.F, entry.y - rows.pitch.row);
    const float least = std::min(most, std::max(0.F, entry.y + 2 * rows.pitch.row - window.h));
    app.rail_scroll = std::clamp(app.rail_scroll, least, most);
  }
}

}  // namespace limelight::app
