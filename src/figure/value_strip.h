// A value that is poured: as high as its weight, in a glass that a weight of 1 would fill.
#pragma once

#include <optional>
#include <string>

#include "figure/figure.h"

namespace limelight::figure {

struct ValueStrip {
  Rect glass{};
  float weight = 0;   // from 0 to 1
  CellRange value{};  // one row: its numbers stand side by side, tinted
  Colour tint{};      // the fill of its role
  std::string label{};
  std::optional<Edit> edit{};
  Theme theme = Theme::light;
};
// `id` is the cells'; those of glass and level begin with it. A weight of 0 has no cells.
void add_value_strip(Figure& figure, const std::string& id, const ValueStrip& strip);
// Where its cells are.
Rect filled_part(const ValueStrip& strip);

}  // namespace limelight::figure
