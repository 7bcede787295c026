#include "app/scene_list.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/widgets.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kButton = 44;

struct Spacing {
  float margin, heading, between_groups, row;
};
constexpr Spacing kRoomy{16, 22, 10, 46}, kTight{6, 18, 4, 44};

// Below the scenes: what the page says in dialogs of its own, and what the top bar has no room for.
struct Foot {
  const char* id;
  const char* text;
  const char* action;
  float until = 1e6F;  // the window's width from which on the top bar has it
  float from = 0;      // and that from which on it is of use
};
constexpr Foot kFoot[] = {
    {"shell.menu.export", "Export", "export", kExportInBar},
    {"shell.menu.compare", "Compare", "compare", kCompareInBar},
    {"shell.glossary", "Glossary", "glossary"},
    {"shell.about", "About", "about"},
    {"shell.projector", "Large text", "projector", 1e6F, kExportInBar},
};
constexpr float kFootSize = 12, kFootPad = 8;  // their words are smaller than those of the scenes
constexpr float kRail = 208, kMenu = 280;      // px that one column is wide

std::vector<Foot> foot_of(const App& app) {
  std::vector<Foot> foot;
  std::ranges::copy_if(kFoot, std::back_inserter(foot),
                       [&app](const Foot& one) { return app.width < one.until && app.width >= one.from; });
  for (Foot& one : foot) {
    const std::string_view action = one.action;
    if (app.compared && action == "compare") one.text = "End comparing";
    if (app.settings.projector && action == "projector") one.text = "Usual text";
  }
  return foot;
}

float foot_width(const Foot& one) { return text::measure(text::Face::regular, kFootSize, one.text) + 2 * kFootPad; }

float list_width(const App& app) { return app.medium() ? std::min(kMenu, app.width - 60) : kRail; }

// In as many lines as one column's width asks for.
float foot_height(const App& app) {
  const float room = list_width(app) - 16;
  float x = 0;
  int lines = 1;
  for (const Foot& one : foot_of(app)) {
    if (x > 0 && x + foot_width(one) > room) ++lines, x = 0;
    x += foot_width(one);
  }
  return kButton * static_cast<float>(lines);
}

// A scene's button, and the heading over the first of a group and of a column.
struct Entry {
  const scenes::SceneDef* scene;
  int column;
  float heading, row;  // their tops; the heading's is below 0 where there is none
};

struct Places {
  std::vector<Entry> entries;
  int columns = 1;
  float bottom = 0;  // of the lowest in the last column
};

// Downwards, and on in the next column where a row would end below `height`.
Places place_with(const Spacing& spacing, float height) {
  std::vector<Entry> entries;
  std::string_view group;
  int column = 0;
  float y = spacing.margin;
  for (const scenes::SceneDef* scene : scenes::all()) {
    bool headed = scene->group != group;
    group = scene->group;
    if (headed && y > spacing.margin) y += spacing.between_groups;
    if (y > spacing.margin && y + (headed ? spacing.heading : 0) + kButton > height) {
      ++column;
      y = spacing.margin;
      headed = true;
    }
    const float heading = headed ? y : -1;
    if (headed) y += spacing.heading;
    entries.push_back({scene, column, heading, y});
    y += spacing.row;
  }
  return {std::move(entries), column + 1, y};
}

// As roomy as the fewest columns let it be.
Places place_entries(float height) {
  Places tight = place_with(kTight, height), roomy = place_with(kRoomy, height);
  return tight.columns < roomy.columns ? std::move(tight) : std::move(roomy);
}

std::string in_capitals(std::string_view text) {
  std::string capitals(text);
  std::ranges::transform(capitals, capitals.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return capitals;
}

void add_scene(Figure& figure, const App& app, const scenes::SceneDef& scene, Rect row) {
  const Palette& colours = palette(app.theme());
  const std::string id = "shell.scene." + std::string(scene.id);
  const bool on = &scene == app.scene;
  figure.add({.id = id,
              .role = Role::button,
              .rect = row,
              .label = std::string(scene.title) + ": " + std::string(scene.question),
              .edit = Edit{"scene", std::string(scene.id)},
              .shape = Rectangle{.fill = on || app.hovered == id ? colours.sunken : Colour{0, 0, 0, 0}, .radius = 6}});
  if (on)
    figure.add({.id = id + ".mark",
                .rect = {row.x, row.y + 12, 3, 20},
                .shape = Rectangle{.fill = colours.accent, .radius = 1.5F}});
  add_label(figure, id + ".title", {row.x + 12, row.y + 4, row.w - 16, 20},
            {.text = std::string(scene.title), .size = 14, .colour = colours.ink});
  add_label(
      figure, id + ".question", {row.x + 12, row.y + 23, row.w - 16, 16},
      {.text = text::fit(text::Face::regular, 11, scene.question, row.w - 13), .size = 11, .colour = colours.muted});
}

}  // namespace

float scene_list_height(const App& app) { return place_with(kTight, 1e6F).bottom + foot_height(app); }

float scene_list_width(const App& app, float height) {
  const auto columns = static_cast<float>(place_entries(height - foot_height(app)).columns);
  return std::min(kMenu * columns, app.width - 60);
}

void add_scene_list(Figure& figure, const App& app, Rect area) {
  const Palette& colours = palette(app.theme());
  const float foot = foot_height(app);
  const Places places = place_entries(area.h - foot);
  const float width = area.w / static_cast<float>(places.columns);
  for (const Entry& entry : places.entries) {
    const float x = area.x + width * static_cast<float>(entry.column);
    if (entry.heading >= 0)
      add_label(
          figure, "shell.group." + std::to_string(entry.column) + "." + std::string(entry.scene->group),
          {x + 20, area.y + entry.heading, width - 40, 16},
          {.text = in_capitals(entry.scene->group), .size = 11, .colour = colours.faint, .face = text::Face::semibold});
    add_scene(figure, app, *entry.scene, {x + 8, area.y + entry.row, width - 16, kButton});
  }
  const float left = area.x + 12;
  Point at{left, area.bottom() - foot};
  for (const Foot& one : foot_of(app)) {
    const float button = foot_width(one);
    if (at.x > left && at.x + button > left + list_width(app) - 16) at = {left, at.y + kButton};
    add_button(figure, app, {at.x, at.y, button, kButton},
               {.id = one.id,
                .text = one.text,
                .edit = {"do", one.action},
                .plain = true,
                .size = kFootSize,
                .ink = colours.muted});
    at.x += button;
  }
}

}  // namespace limelight::app
