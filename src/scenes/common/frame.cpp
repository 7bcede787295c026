#include "scenes/common/frame.h"

#include <algorithm>
#include <cmath>

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

Figure sunk(const Frame& frame, float end, float bottom, float share) {
  constexpr float kMost = 60, kBelow = 12;  // px
  const float down = std::floor(std::clamp((bottom - end) * share, 0.F, kMost));
  Figure figure{.width = frame.view.width,
                .height = end + down + kBelow,
                .background = frame.figure.background,
                .background_to = frame.figure.background_to,
                .elements = {}};
  append(figure, frame.figure, 0, down, std::nullopt);
  return figure;
}

Area area_of(Rect rect, Colour top, Colour bottom) {
  return {.points = {{rect.x, rect.y}, {rect.right(), rect.y}, {rect.right(), rect.bottom()}, {rect.x, rect.bottom()}},
          .fill = top,
          .fill_to = bottom};
}

}  // namespace limelight::scenes
