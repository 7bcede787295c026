#include "figure/choreography.h"

#include <algorithm>

#include "figure/geometry.h"

namespace limelight::figure {
namespace {

// The other rows, from one moment on: all are there a little before the end, so that the last does not jump in at rest.
float rows_from(float begin, float t) { return std::clamp((t - begin) / (0.95F - begin), 0.F, 1.F); }

}  // namespace

RowTimesColumn row_times_column(float t) {
  constexpr float kFirst = 0.74F;  // of the time, for the first cell
  const float first = t / kFirst;
  return {.lift = smoothstep(0, 0.1F, first),
          .turn = smoothstep(0.1F, 0.42F, first),
          .multiply = std::clamp((first - 0.42F) / 0.26F, 0.F, 1.F),
          .add = smoothstep(0.68F, 0.88F, first),
          .drop = smoothstep(0.88F, 1, first),
          .others = rows_from(kFirst, t)};
}

WeightedSum weighted_sum(float t) {
  return {.fill = smoothstep(0, 0.25F, t), .fall = smoothstep(0.25F, 0.85F, t), .gather = smoothstep(0.5F, 0.97F, t)};
}

ShareLight share_light(float t) {
  return {.open = std::clamp(t / 0.56F, 0.F, 1.F), .name = smoothstep(0.5F, 0.75F, t), .others = rows_from(0.6F, t)};
}

Change change(float t) { return {.own = smoothstep(0, 0.55F, t), .others = rows_from(0.55F, t)}; }

Fly fly(float t) {
  return {.there = smoothstep(0, 0.35F, t), .on = smoothstep(0.35F, 0.7F, t), .others = rows_from(0.7F, t)};
}

float Phase::along(float t) const { return std::clamp((t - from) / (to - from), 0.F, 1.F); }
float Phase::share(float t) const { return smoothstep(from, to, t); }

float in_turn(float t, int index, int count) {
  const float takes = 2 / static_cast<float>(count + 1), begin = static_cast<float>(index) * takes / 2;
  return smoothstep(begin, begin + takes, t);
}

}  // namespace limelight::figure
