// A matrix as a lens: what goes through it comes out multiplied by it.
#pragma once

#include <optional>
#include <string>

#include "figure/figure.h"

namespace limelight::figure {

struct Lens {
  Point centre{};
  float radius = 42;  // CSS pixels
  CellRange range{};  // of its matrix, as cells without digits
  Colour tint{};      // the fill of its role
  std::string label{};
  std::optional<Edit> edit{};
  Theme theme = Theme::light;
};
// The cells' id is the tensor's name; those of glass, shadow and ring begin with it.
void add_lens(Figure& figure, const Lens& lens);

}  // namespace limelight::figure
