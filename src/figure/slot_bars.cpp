#include "figure/slot_bars.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace limelight::figure {

Rect laid(const Slots& slots, const Rect& rect) { return slots.column ? Rect{rect.y, rect.x, rect.h, rect.w} : rect; }

void lay(const Slots& slots, std::span<Element> elements) {
  if (!slots.column) return;
  const auto turn = [](std::vector<Point>& points) {
    for (Point& point : points) std::swap(point.x, point.y);
  };
  for (Element& element : elements) {
    element.rect = laid(slots, element.rect);
    if (auto* line = std::get_if<Line>(&element.shape)) turn(line->points);
    if (auto* cells = std::get_if<MatrixCells>(&element.shape)) cells->transposed = true;
    if (auto* ribbon = std::get_if<Ribbon>(&element.shape)) turn(ribbon->one), turn(ribbon->other);
  }
}

float SlotBars::y_of(float value) const {
  const float span = high - low;
  if (slots.column) return top + (span > 0 ? height * (value - low) / span : 0);
  return top + (span > 0 ? height * (high - value) / span : height);
}

Rect SlotBars::bar(int word, float value, float from) const {
  constexpr float kGap = 1.5F;  // px between two bars at least
  const float usual = std::min(widest, 0.5F * slots.pitch),
              width = std::min(std::max(usual, narrowest), slots.pitch - kGap), x = slots.middle(word) - width / 2,
              begin = y_of(from);
  if (!std::isfinite(value)) return {x, begin - 1, width, 1};
  if ((value < from) != slots.column) return {x, begin, width, std::max(y_of(value) - begin, 1.F)};
  const float end = std::min(y_of(value), begin - 1);
  return {x, end, width, begin - end};
}

void SlotBars::reach(const std::vector<float>& others) {
  for (const float value : others) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
}

Rect SlotBars::beside(const Rect& bar, Point extent, bool beyond, float air, float figure_w) const {
  if (slots.column)
    return {beyond ? bar.bottom() + air + 3 : top - extent.x - 6, bar.centre().x - extent.y / 2, extent.x, extent.y};
  const float x = std::clamp(bar.centre().x - extent.x / 2, 2.F, std::max(figure_w - extent.x - 2, 2.F));
  return {x, beyond ? bar.bottom() + air : bar.y - air - extent.y, extent.x, extent.y};
}

}  // namespace limelight::figure
