#include "scenes/common/frame.h"

#include <algorithm>

namespace limelight::scenes {

using namespace figure;

float Frame::bottom() const {
  float lowest = 0;
  for (const Element& element : figure.elements) lowest = std::max(lowest, element.rect.bottom());
  return lowest;
}

Frame frame_for(const Trace& trace, const View& view) {
  Frame frame{.figure = {}, .trace = trace, .view = view, .colours = palette(view.theme)};
  frame.figure.width = view.width;
  set_ground(frame.figure, frame.colours);
  return frame;
}

Area area_of(Rect rect, Colour top, Colour bottom) {
  return {.points = {{rect.x, rect.y}, {rect.right(), rect.y}, {rect.right(), rect.bottom()}, {rect.x, rect.bottom()}},
          .fill = top,
          .fill_to = bottom};
}

}  // namespace limelight::scenes
