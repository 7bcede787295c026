// The colours of heads, of which there are up to eight beside each other.
#pragma once

#include <array>

#include "figure/colour.h"

namespace limelight::scenes {

inline constexpr int kHeadColours = 8;

// head: from 0
inline figure::Colour head_colour(int head, figure::Theme theme) {
  static constexpr std::array<figure::Colour, kHeadColours> kLight{{{0x12, 0x92, 0x8f},
                                                                    {0xdd, 0x51, 0x42},
                                                                    {0x34, 0x47, 0x9e},
                                                                    {0xa9, 0x76, 0x3f},
                                                                    {0x8c, 0x2f, 0x5b},
                                                                    {0x64, 0x78, 0x8d},
                                                                    {0x74, 0x81, 0x2f},
                                                                    {0x4f, 0xb5, 0x8a}}};
  static constexpr std::array<figure::Colour, kHeadColours> kDark{{{0x3c, 0xc7, 0xc2},
                                                                   {0xff, 0x7d, 0x6c},
                                                                   {0x82, 0x96, 0xf0},
                                                                   {0xd9, 0xaa, 0x72},
                                                                   {0xd7, 0x7a, 0xa8},
                                                                   {0x9d, 0xb1, 0xc5},
                                                                   {0xb3, 0xc0, 0x62},
                                                                   {0x86, 0xe0, 0xba}}};
  return (figure::is_dark(theme) ? kDark : kLight)[static_cast<std::size_t>(head % kHeadColours)];
}
// For words about it on paper or a card.
inline figure::Colour head_ink(int head, figure::Theme theme) {
  const figure::Colour ink = figure::palette(theme).ink;
  if (theme == figure::stark(theme)) return ink;
  return figure::mix(head_colour(head, theme), ink, figure::is_dark(theme) ? 0.25F : 0.45F);
}

}  // namespace limelight::scenes
