// An element of a figure in one call each: what is drawn, what can be looked at, what can be pressed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenes/common/frame.h"

namespace limelight::scenes {

inline figure::Element& add_part(Frame& d, std::string id, figure::Role role, figure::Rect rect, std::string label,
                                 figure::Shape shape = {}) {
  return d.figure.add(
      {.id = std::move(id), .role = role, .rect = rect, .label = std::move(label), .shape = std::move(shape)});
}

inline void add_press(Frame& d, std::string id, figure::Role role, figure::Rect rect, std::string label,
                      figure::Edit edit) {
  figure::Element& part = add_part(d, std::move(id), role, rect, std::move(label));
  part.edit = std::move(edit), part.furniture = true;
}

inline void add_box(Frame& d, std::string id, figure::Rect rect, figure::Rectangle look) {
  add_part(d, std::move(id), figure::Role::none, rect, {}, look);
}

inline figure::Element& add_stroke(Frame& d, std::string id, std::vector<figure::Point> points, figure::Colour colour,
                                   float width = 1, bool dashed = false) {
  return d.figure.add({.id = std::move(id), .shape = figure::Line{std::move(points), colour, width, dashed}});
}

}  // namespace limelight::scenes
