#include "scenes/common/head_colours.h"

#include <iterator>

namespace limelight::scenes {

using namespace figure;

Colour head_colour(int head, Theme theme) {
  static constexpr Colour light[] = {{0x12, 0x92, 0x8f}, {0xdd, 0x51, 0x42}, {0x34, 0x47, 0x9e}, {0xa9, 0x76, 0x3f},
                                     {0x8c, 0x2f, 0x5b}, {0x64, 0x78, 0x8d}, {0x74, 0x81, 0x2f}, {0x4f, 0xb5, 0x8a}};
  static constexpr Colour dark[] = {{0x3c, 0xc7, 0xc2}, {0xff, 0x7d, 0x6c}, {0x82, 0x96, 0xf0}, {0xd9, 0xaa, 0x72},
                                    {0xd7, 0x7a, 0xa8}, {0x9d, 0xb1, 0xc5}, {0xb3, 0xc0, 0x62}, {0x86, 0xe0, 0xba}};
  return (is_dark(theme) ? dark : light)[static_cast<std::size_t>(head) % std::size(light)];
}

Colour head_ink(int head, Theme theme) {
  const Colour ink = palette(theme).ink;
  if (theme == stark(theme)) return ink;
  return mix(head_colour(head, theme), ink, is_dark(theme) ? 0.25F : 0.45F);
}

void add_fill(Frame& frame, const std::string& id, Rect rect, Colour fill, float radius, float opacity) {
  frame.figure.add({.id = id, .rect = rect, .shape = Rectangle{.fill = fill, .radius = radius}, .opacity = opacity});
}

void add_disc(Frame& frame, const std::string& id, Point middle, int head, float radius) {
  const Rect rect{middle.x - radius, middle.y - radius, 2 * radius, 2 * radius};
  const Colour fill = head_colour(head, frame.view.theme);
  add_fill(frame, id, rect, fill, radius);
  add_words(frame, id + ".number", rect, std::to_string(head + 1),
            {ink_on(fill), {text::Face::semibold, 1.3F * radius}, Align::centre});
}

}  // namespace limelight::scenes
