#include "figure/descent.h"

#include <algorithm>
#include <cmath>

namespace limelight::figure {
namespace {

constexpr float kUnder = 6, kLow = 12;  // px from the words to the lamp's row; of its height at first
constexpr float kGap = 2;               // px from one row that comes out to the next
constexpr float kClear = 0.9F;          // of a row's height: beside the row before it

}  // namespace

Element row_alone(const Element& map, int row, Rect place) {
  Heatmap cells = std::get<Heatmap>(map.shape);
  cells.range.row = row;
  cells.range.rows = 1;
  return {.id = map.id + ".coming." + std::to_string(row), .rect = place, .shape = cells};
}

std::vector<Element> Descent::rows() const {
  std::vector<Element> rows;
  const auto add = [&](int row) {
    if (row < first() || row > last() || out(row) == 0) return;
    Element coming = row_alone(of_.map, row, place(row));
    if (row != of_.asks) coming.clip = seen(row);
    if (!clear(row)) std::get<Heatmap>(coming.shape).text_size = 0;
    rows.push_back(std::move(coming));
  };
  for (int away = farthest(); away > 0; --away) {
    add(of_.asks - away);
    add(of_.asks + away);
  }
  add(of_.asks);
  return rows;
}

int Descent::farthest() const { return std::max(of_.asks - first(), last() - of_.asks); }

float Descent::height() const { return mix(std::min(kLow, of_.lamp.h), of_.lamp.h, smoothstep(0, kOpen, of_.t)); }

float Descent::out(int row) const {
  if (row == of_.asks) return 1;
  const float after = static_cast<float>(std::abs(row - of_.asks) - 1);
  const float sets = mix(kSets, kAll - kTakes, after / static_cast<float>(std::max(farthest() - 1, 1)));
  return smoothstep(sets, sets + kTakes, of_.t);
}

float Descent::all_out() const { return out(of_.asks - first() < farthest() ? last() : first()); }

Rect Descent::place(int row) const {
  const float away = cell_rect(of_.map, row, shown_.column)->y - of_.lamp.y;
  const float comes = mix(of_.words + kUnder, of_.lamp.y, smoothstep(0, kDown, of_.t));
  return {of_.map.rect.x, comes + away * out(row), of_.map.rect.w, height()};
}

Rect Descent::seen(int row) const {
  Rect at = place(row);
  if (row == of_.asks) return at;
  const float under = std::max(height() - std::abs(at.y - place(beside(row)).y), 0.F),
              hidden = under + std::min(under, kGap);
  if (row > of_.asks) at.y += hidden;
  at.h = std::max(height() - hidden, 0.F);
  return at;
}

bool Descent::clear(int row) const {
  if (row == of_.asks) return is_down();
  const float beyond = place(row).y - place(beside(row)).y;
  return (row < of_.asks ? -beyond : beyond) >= kClear * height();
}

}  // namespace limelight::figure
