#include "scenes/common/chips.h"

#include <algorithm>

#include "text/font.h"

namespace limelight::scenes {

using namespace figure;

namespace {

constexpr float kGap = 5, kNameGap = 10;

float width_of(const Chip& chip, float height) {
  return std::max(text::measure(text::Face::semibold, 12, chip.text) + 18, height);
}

}  // namespace

ChipGroup chips_of(std::string_view field, std::string_view name, std::span<const io::Choice> choices, int chosen) {
  ChipGroup group{field, name, {}};
  for (std::size_t i = 0; i < choices.size(); ++i)
    group.chips.push_back(
        {std::string(choices[i].label), std::string(choices[i].value), i == static_cast<std::size_t>(chosen)});
  return group;
}

float chips_width(const ChipGroup& group, float height) {
  float width = text::measure(text::Face::regular, 12, group.name) + kNameGap - kGap;
  for (const Chip& chip : group.chips) width += width_of(chip, height) + kGap;
  return width;
}

float add_chips(Frame& frame, const std::vector<ChipGroup>& groups, Point top_left, float width, float height) {
  Figure& figure = frame.figure;
  const Palette& colours = frame.colours;
  const std::size_t from = figure.elements.size();
  const float right = top_left.x + width;
  float x = top_left.x;
  float y = top_left.y;
  for (const ChipGroup& group : groups) {
    const float name_width = text::measure(text::Face::regular, 12, group.name);
    float before = group.name.empty() ? 0 : name_width + kNameGap;  // of the next chip
    for (const Chip& chip : group.chips) {
      const float chip_width = width_of(chip, height);
      if (x + before + chip_width > right && x > top_left.x) {
        x = top_left.x;
        y += height + kGap;
      }
      if (before > 0)
        figure.add({.id = "chips." + std::string(group.key.empty() ? group.field : group.key),
                    .rect = {x, y, name_width, height},
                    .shape = Text{.text = std::string(group.name), .size = 12, .colour = colours.muted}});
      x += before;
      before = 0;
      const std::string id = group.key.empty() ? "chip." + std::string(group.field) + "." + chip.value
                                               : "chip." + std::string(group.key) + "." + chip.text;
      figure.add({.id = id,
                  .role = Role::button,
                  .rect = {x, y, chip_width, height},
                  .label = chip.label.empty() ? std::string(group.name) + ": " + chip.text : chip.label,
                  .edit = Edit{.field = std::string(group.field), .value = chip.value},
                  .shape = Rectangle{.fill = chip.on ? colours.accent : colours.sunken, .radius = height / 2}});
      figure.add({.id = id + ".text",
                  .rect = {x, y, chip_width, height},
                  .shape = Text{.text = chip.text,
                                .face = chip.on ? text::Face::semibold : text::Face::regular,
                                .size = 12,
                                .colour = chip.on ? colours.on_accent : colours.ink,
                                .align = Align::centre}});
      x += chip_width + kGap;
    }
    x += 12;
  }
  mark_furniture(figure, from);
  return y + height;
}

float add_chips(Frame& frame, const std::vector<ChipGroup>& groups, float y, float height) {
  return add_chips(frame, groups, {frame.margin(), y}, frame.inner(), height);
}

void add_press(Frame& frame, const Press& press, Rect rect) {
  Figure& figure = frame.figure;
  const Palette& colours = frame.colours;
  Element box{.id = press.id,
              .rect = rect,
              .shape = Rectangle{.fill = press.strong ? colours.accent : colours.sunken, .radius = 6}};
  if (press.edit) {
    box.role = Role::button;
    box.label = press.text;
    box.edit = press.edit;
  }
  figure.add(std::move(box));
  figure.add({.id = press.id + ".text",
              .rect = rect,
              .shape = Text{.text = press.text,
                            .face = text::Face::semibold,
                            .size = 13,
                            .colour = press.strong ? colours.on_accent
                                      : press.edit ? colours.ink
                                                   : colours.muted,
                            .align = Align::centre}});
  mark_furniture(figure, figure.elements.size() - 2);
}

float press_width(const std::string& words) { return text::measure(text::Face::semibold, 13, words) + 28; }

}  // namespace limelight::scenes
