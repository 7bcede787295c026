#include "app/scene_list.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/miniatures.h"

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
  float height = 0;    // the window's, from which on there is room for it
};
constexpr Foot kFoot[] = {
    {"shell.menu.export", "Export", "export", kExportInBar},
    {"shell.menu.compare", "Compare", "compare", kCompareInBar},
    {"shell.glossary", "Glossary", "glossary"},
    {"shell.about", "About", "about"},
    {"shell.menu.opening", "Opening", "opening", kCompareInBar, 0, 560},
    {"shell.projector", "Large text", "projector", 1e6F, kExportInBar},
};
constexpr float kFootSize = 12, kFootPad = 8;  // their words are smaller than those of the scenes
constexpr float kFootLine = 26;                // px from one line of them to the next
constexpr float kMenu = 280;                   // px that one column is wide
constexpr float kBesideMiniature = 56;         // px from a miniature's left edge to the words beside it

std::vector<Foot> foot_of(const App& app) {
  std::vector<Foot> foot;
  std::ranges::copy_if(kFoot, std::back_inserter(foot), [&app](const Foot& one) {
    return app.width < one.until && app.width >= one.from && app.height >= one.height;
  });
  for (Foot& one : foot) {
    const std::string_view action = one.action;
    if (app.compared && action == "compare") one.text = "End comparing";
    if (app.settings.projector && action == "projector") one.text = "Usual text";
  }
  return foot;
}

float foot_width(const Foot& one) { return text::measure(text::Face::regular, kFootSize, one.text) + 2 * kFootPad; }

Button button_of(const Foot& one, const Palette& colours) {
  return {.id = one.id,
          .text = one.text,
          .edit = {"do", one.action},
          .plain = true,
          .size = kFootSize,
          .ink = colours.muted};
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
  return {std::move(entries), column + 1};
}

// As roomy as the fewest columns let it be.
Places place_entries(float height) {
  Places tight = place_with(kTight, height), roomy = place_with(kRoomy, height);
  return tight.columns < roomy.columns ? std::move(tight) : std::move(roomy);
}

void add_scene(Figure& figure, const App& app, const scenes::SceneDef& scene, Rect row) {
  const Palette& colours = palette(app.theme());
  const std::string id = "shell.scene." + std::string(scene.id);
  add_scene_button(figure, app, scene, row);
  float x = row.x + 12;
  if (row.w >= kMenu / 2) {
    add_miniature(figure, id + ".miniature", scene.id, {row.x + 6, row.centre().y - kMiniatureHeight / 2},
                  {.theme = app.theme(), .lit = &scene == app.scene});
    x = row.x + 6 + kBesideMiniature;
  }
  const float width = row.right() - x - 4;
  add_label(figure, id + ".title", {x, row.y + 4, width, 20},
            {.text = std::string(scene.title), .size = 14, .colour = colours.ink});
  add_label(figure, id + ".question", {x, row.y + 23, width, 16},
            {.text = text::fit(text::Face::regular, 11, scene.question, width), .size = 11, .colour = colours.muted});
}

float column_width(const App& app) { return std::min(kMenu, app.width - 60); }

}  // namespace

std::string in_capitals(std::string_view text) {
  std::string capitals(text);
  std::ranges::transform(capitals, capitals.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return capitals;
}

void add_scene_button(Figure& figure, const App& app, const scenes::SceneDef& scene, Rect rect) {
  const std::string id = "shell.scene." + std::string(scene.id);
  const bool marked = &scene == app.scene || app.hovered == id;
  figure.add({.id = id,
              .role = Role::button,
              .rect = rect,
              .label = std::string(scene.title) + ": " + std::string(scene.question),
              .edit = Edit{"scene", std::string(scene.id)},
              .shape = Rectangle{.fill = marked ? palette(app.theme()).sunken : Colour{0, 0, 0, 0}, .radius = 6}});
}

float add_dialog_buttons(Figure& figure, const App& app, Point top_left, float width) {
  const Palette& colours = palette(app.theme());
  const float height = app.control(kFootLine);
  Point at = top_left;
  for (const Foot& one : foot_of(app)) {
    const float button = foot_width(one);
    if (at.x > top_left.x && at.x + button > top_left.x + width) at = {top_left.x, at.y + height};
    add_button(figure, app, {at.x, at.y, button, height}, button_of(one, colours));
    at.x += button;
  }
  return at.y + height - top_left.y;
}

float dialog_buttons_height(const App& app, float width) {
  Figure trial;
  return add_dialog_buttons(trial, app, {}, width);
}

float add_dialog_column(Figure& figure, const App& app, Point top_left, float width) {
  const Palette& colours = palette(app.theme());
  const float height = app.control(kFootLine);
  float y = top_left.y;
  for (const Foot& one : foot_of(app)) {
    Button button = button_of(one, colours);
    button.size = 10.5F;
    add_button(figure, app, {top_left.x, y, width, height}, button);
    y += height;
  }
  return y - top_left.y;
}

float dialog_column_height(const App& app) {
  Figure trial;
  return add_dialog_column(trial, app, {}, 0);
}

float scene_list_width(const App& app, float height) {
  const float foot = dialog_buttons_height(app, column_width(app) - 16);
  return std::min(kMenu * static_cast<float>(place_entries(height - foot).columns), app.width - 60);
}

void add_scene_list(Figure& figure, const App& app, Rect area) {
  const Palette& colours = palette(app.theme());
  const float foot = dialog_buttons_height(app, column_width(app) - 16);
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
  add_dialog_buttons(figure, app, {area.x + 12, area.bottom() - foot}, column_width(app) - 16);
}

}  // namespace limelight::app
