#include "app/scene_list.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/widgets.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kMargin = 16, kHeading = 22, kBetweenGroups = 10, kRow = 46, kButton = 44;

// A scene's button, and the heading over the first of a group and of a column.
struct Entry {
  const scenes::SceneDef* scene;
  int column;
  float heading, row;  // their tops; the heading's is below 0 where there is none
};

// Downwards, and on in the next column where a row would end below `height`.
std::vector<Entry> place_entries(float height) {
  std::vector<Entry> entries;
  std::string_view group;
  int column = 0;
  float y = kMargin;
  for (const scenes::SceneDef* scene : scenes::all()) {
    bool headed = scene->group != group;
    group = scene->group;
    if (headed && y > kMargin) y += kBetweenGroups;
    if (y > kMargin && y + (headed ? kHeading : 0) + kButton > height) {
      ++column;
      y = kMargin;
      headed = true;
    }
    const float heading = headed ? y : -1;
    if (headed) y += kHeading;
    entries.push_back({scene, column, heading, y});
    y += kRow;
  }
  return entries;
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

float scene_list_height() { return place_entries(1e6F).back().row + kButton; }

int scene_list_columns(float height) { return place_entries(height).back().column + 1; }

void add_scene_list(Figure& figure, const App& app, Rect area) {
  const Palette& colours = palette(app.theme());
  const std::vector<Entry> entries = place_entries(area.h);
  const float width = area.w / static_cast<float>(entries.back().column + 1);
  for (const Entry& entry : entries) {
    const float x = area.x + width * static_cast<float>(entry.column);
    if (entry.heading >= 0)
      add_label(
          figure, "shell.group." + std::to_string(entry.column) + "." + std::string(entry.scene->group),
          {x + 20, area.y + entry.heading, width - 40, 16},
          {.text = in_capitals(entry.scene->group), .size = 11, .colour = colours.faint, .face = text::Face::semibold});
    add_scene(figure, app, *entry.scene, {x + 8, area.y + entry.row, width - 16, kButton});
  }
}

}  // namespace limelight::app
