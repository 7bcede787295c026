#include "figure/grid.h"

namespace limelight::figure {

std::vector<Rect> rows(Rect rect, float gap, std::span<const float> heights) {
  std::vector<Rect> made;
  for (float y = rect.y; const float height : heights) {
    made.push_back({rect.x, y, rect.w, height});
    y += height + gap;
  }
  return made;
}

std::vector<Rect> grid(Rect rect, int columns, int rows, Gap gap) {
  const float w = (rect.w - gap.across * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const float h = (rect.h - gap.down * static_cast<float>(rows - 1)) / static_cast<float>(rows);
  std::vector<Rect> made;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      made.push_back({rect.x + static_cast<float>(column) * (w + gap.across),
                      rect.y + static_cast<float>(row) * (h + gap.down), w, h});
  return made;
}

std::vector<Rect> beside(Rect rect, int count, Gap gap, bool compact) {
  if (compact) return rows(rect, gap.down, std::vector<float>(static_cast<std::size_t>(count), rect.h));
  return grid(rect, count, 1, gap);
}

}  // namespace limelight::figure
