#include "figure/lens.h"

#include <algorithm>
#include <cstdint>

#include "figure/small_cells.h"

namespace limelight::figure {
namespace {

constexpr float kRing = 3;  // CSS pixels, at the radius of kRadius
constexpr float kRadius = 42;
constexpr float kCell = 14;    // at most
constexpr float kWithin = 59;  // the side of the largest square of cells
constexpr int kMany = 24;
constexpr int kShadows = 4;  // each a little larger and fainter

Rect square(Point centre, float half) { return {centre.x - half, centre.y - half, 2 * half, 2 * half}; }

}  // namespace

void add_lens(Figure& figure, const Lens& lens) {
  const Palette& colours = palette(lens.theme);
  const float scale = lens.radius / kRadius;
  const auto add_disc = [&](const std::string& id, float radius, float down, Rectangle style) {
    style.radius = radius;
    figure.add({.id = lens.range.tensor + id, .rect = square(lens.centre, radius).moved(0, down), .shape = style});
  };
  const auto alpha = static_cast<std::uint8_t>(is_dark(lens.theme) ? 30 : 11);
  for (int i = kShadows; i > 0; --i)
    add_disc(".shadow." + std::to_string(i), lens.radius + 2.5F * scale * static_cast<float>(i), 4 * scale,
             {.fill = {0x1b, 0x24, 0x40, alpha}});
  add_disc(".glass", lens.radius, 0, {.fill = colours.surface});
  const int most = std::max({lens.range.rows, lens.range.columns, 1});
  const float cell = scale * std::min(kCell, kWithin / static_cast<float>(most));
  // Of very many rows, or columns, cells are no squares, so that something is seen of the others.
  const float least = most > kMany ? 0.6F * kWithin * scale : 0;
  const float width = std::max(cell * static_cast<float>(lens.range.columns), least);
  const float height = std::max(cell * static_cast<float>(lens.range.rows), least);
  figure.add({.id = lens.range.tensor,
              .role = Role::cell,
              .rect = {lens.centre.x - width / 2, lens.centre.y - height / 2, width, height},
              .label = lens.label,
              .edit = lens.edit,
              .shape = small_cells(lens.range, cell, lens.tint, lens.theme)});
  add_disc(".ring", lens.radius - kRing * scale / 2, 0, {.stroke = lens.tint, .stroke_width = kRing * scale});
}

}  // namespace limelight::figure
