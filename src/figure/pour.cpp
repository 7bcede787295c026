#include "figure/pour.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "figure/ribbon.h"
#include "figure/vessel.h"

namespace limelight::figure {

std::vector<Contribution> contributions(const Matrix& values, std::span<const float> weights, const Rect& output) {
  const int columns = static_cast<int>(values.cols());
  std::vector<float> all(static_cast<std::size_t>(columns), 0);
  std::vector<Contribution> parts;
  for (int row = 0; row < static_cast<int>(weights.size()); ++row)
    for (int column = 0; column < columns; ++column) {
      float& before = all[static_cast<std::size_t>(column)];
      const float adds = weights[static_cast<std::size_t>(row)] * values(row, column), size = std::abs(adds);
      if (size > 0) parts.push_back({row, column, adds, before, size});
      before += size;
    }
  constexpr float kFull = 0.9F;  // of its cell, that of the largest
  const float cell = output.w / static_cast<float>(columns), unit = kFull * cell / *std::ranges::max_element(all);
  for (Contribution& part : parts) {
    const float middle = output.x + cell * (static_cast<float>(part.column) + 0.5F);
    part.x = middle + unit * (part.x - all[static_cast<std::size_t>(part.column)] / 2);
    part.width *= unit;
  }
  return parts;
}

void add_stream(Figure& figure, Element stream, const Contribution& part, const CellRange& value, const Rect& glass,
                float lands, float seen, Theme theme) {
  constexpr float kHairline = 0.8F;  // px
  const float cell = glass.w / static_cast<float>(value.columns);
  const float width = std::max(part.width, kHairline), top = std::min(width, cell) / 2;
  const float middle = glass.x + cell * (static_cast<float>(part.column) + 0.5F);
  const float left = middle - top, right = middle + top, pours = glass.bottom();
  const float begin = part.x + (part.width - width) / 2, end = begin + width;
  const Palette& colours = palette(theme);
  const Colour grey = unlit_score(colours).faded(seen);
  stream.rect = {std::min(left, begin), pours, std::max(right, end) - std::min(left, begin), lands - pours};
  std::vector<Ribbon::Stop> stops =
      part.adds < 0 ? std::vector<Ribbon::Stop>{{0, colours.value_fill.faded(seen)}, {0.4F, grey}, {1, grey}}
                    : poured(seen, theme);
  // As wide on a slope as at its ends; a broad one could not turn so.
  constexpr float kBroad = 24;  // px
  const Point from{middle, pours}, to{begin + width / 2, lands};
  const float half = (pours + lands) / 2;
  stream.shape = width < kBroad ? along({from, {from.x, half}, {to.x, half}, to, {}, width}, std::move(stops))
                                : flowing({{left, pours}, {right, pours}}, {{begin, lands}, {end, lands}},
                                          Flow::upright, std::move(stops));
  figure.add(std::move(stream));
}

float fallen(float fall, int row, int count) {
  constexpr float kLater = 0.4F;  // of the time, the last value's
  const float turn = kLater * static_cast<float>(row) / static_cast<float>(count);
  return std::clamp((fall - turn) / (1 - kLater), 0.F, 1.F);
}

std::vector<float> gathered(std::span<const Contribution> parts, float fall, int count, int columns) {
  std::vector<float> sums(static_cast<std::size_t>(columns), 0);
  for (const Contribution& part : parts)
    sums[static_cast<std::size_t>(part.column)] += part.adds * smoothstep(0.8F, 1, fallen(fall, part.row, count));
  return sums;
}

Reach reach_of(const Matrix& Q, int query, const Matrix& K) {
  Reach reach;
  for (int j = 0; j < static_cast<int>(K.rows()); ++j) {
    float sum = 0;
    for (int k = 0; k < static_cast<int>(K.cols()); ++k) {
      sum += Q(query, k) * K(j, k);
      reach = {std::min(reach.low, sum), std::max(reach.high, sum)};
    }
  }
  return reach;
}

}  // namespace limelight::figure
