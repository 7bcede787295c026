// What stands in a part of a strip: whose it is and how much, as large as there is room for.
#pragma once

#include <initializer_list>
#include <string>

#include "figure/figure.h"

namespace limelight::figure {

struct PartLabel {
  enum class Kind { none, share, line, two_lines } kind = Kind::none;
  std::string name{}, share{};
  float size = 0;                 // px
  float name_w = 0, share_w = 0;  // widths
};
// extent: the part's width and height  much: with larger letters, and the share alone where its name has no room
// scale: of letters
PartLabel part_label(Point extent, const std::string& name, const std::string& share, bool much, float scale);
// A number in it: the first of these that has room there.
void add_part_number(Figure& figure, const std::string& id, const Rect& part, std::initializer_list<std::string> said,
                     float size, Colour ink);
void add_part_label(Figure& figure, const std::string& id, const Rect& part, const PartLabel& label, Colour ink);

}  // namespace limelight::figure
