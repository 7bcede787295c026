#include "app/difference.h"

#include <algorithm>
#include <cmath>

#include "app/widgets.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kName = 12, kLeastName = 9;  // px of letters
constexpr float kBar = 60;                   // px beside the cells, of the colour bar with its numbers
constexpr float kTitle = 24, kLongest = 56;  // px of the title; as long as a column's name may be

float widest(const std::vector<std::string>& names, float most) {
  float width = 0;
  for (const std::string& name : names) width = std::max(width, text::measure(text::Face::regular, kName, name));
  return std::min(width, most);
}

// Of finite numbers.
float largest(const Matrix& values) {
  float most = 1e-6F;
  for (const float value : values.reshaped())
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  return most;
}

// Every one that has room for its letters.
void add_names(Figure& figure, const std::string& id, const std::vector<std::string>& names, Rect first, Point step,
               Label label, bool vertical) {
  const float pitch = step.x + step.y;
  const int every = std::max(static_cast<int>(std::ceil((label.size + 2) / pitch)), 1);
  for (int i = 0; i < static_cast<int>(names.size()); i += every) {
    const float along = static_cast<float>(i);
    const Rect rect{first.x + along * step.x, first.y + along * step.y, first.w, first.h};
    label.text =
        text::fit(text::Face::regular, label.size, names[static_cast<std::size_t>(i)], vertical ? rect.h : rect.w);
    add_label(figure, id + std::to_string(i), rect, label);
    if (vertical) std::get<Text>(figure.elements.back().shape).vertical = true;
  }
}

}  // namespace

float add_difference_map(Figure& figure, const Tensor& difference, const std::string& title, Rect area, Theme theme) {
  const Palette& colours = palette(theme);
  const auto rows = static_cast<float>(difference.rows()), columns = static_cast<float>(difference.columns());
  const float labels = widest(difference.row_labels, 0.22F * area.w) + 10;
  const float cell_w = std::min((area.w - labels - kBar) / columns, 64.F);
  const float longest = widest(difference.column_labels, kLongest);
  const bool level = longest + 6 <= cell_w;
  const float names = difference.column_labels.empty() ? 0 : level ? 18 : longest + 6;
  const float cell_h = std::clamp((area.h - kTitle - names) / rows, 3.F, 34.F);
  const Rect cells{area.x + labels, area.y + kTitle + names, cell_w * columns, cell_h * rows};
  const std::string& id = difference.name;
  add_label(figure, id + ".title", {area.x, area.y, area.w, 20},
            {.text = title, .size = 14, .colour = colours.ink, .face = text::Face::semibold});
  add_names(figure, id + ".row.", difference.row_labels, {area.x, cells.y, labels - 10, cell_h}, {0, cell_h},
            {.text = {},
             .size = std::clamp(0.7F * cell_h, kLeastName, kName),
             .colour = colours.muted,
             .align = Align::right},
            false);
  add_names(figure, id + ".column.", difference.column_labels,
            {cells.x, cells.y - names, cell_w, level ? names : names - 6}, {cell_w, 0},
            {.text = {}, .size = kName, .colour = colours.muted, .align = level ? Align::centre : Align::left}, !level);
  const float most = largest(difference.values), digits = std::min({13.F, 0.5F * cell_h, 0.24F * cell_w});
  figure.add({.id = id,
              .role = Role::cell,
              .rect = cells,
              .label = title + " " + std::to_string(difference.rows()) + "×" + std::to_string(difference.columns()),
              .shape = Heatmap{.range = {id, 0, 0, difference.rows(), difference.columns()},
                               .map = ColourMap::diverging,
                               .low = -most,
                               .high = most,
                               .gap = cell_h >= 12 ? 2.F : 1.F,
                               .text_size = digits >= kLeastName ? digits : 0,
                               .mask = id,
                               .theme = theme}});
  figure.add({.id = id + ".bar",
              .rect = {cells.right() + 14, cells.y, kColourBarSize, std::max(cells.h, 60.F)},
              .shape = ColourBar{
                  .map = ColourMap::diverging, .low = -most, .high = most, .ink = colours.muted, .theme = theme}});
  return std::max(cells.bottom(), cells.y + 60);
}

}  // namespace limelight::app
