#include "figure/flows.h"

#include <algorithm>
#include <tuple>

#include "core/sort.h"
#include "figure/light.h"
#include "figure/order.h"

namespace limelight::figure {
namespace {

constexpr float kLeast = 0.005F;  // smaller weights are not drawn

// The columns of a row's largest weights that together reach the share.
std::vector<int> heaviest(const Matrix& weights, Eigen::Index row, float share) {
  const auto values = weights.row(row);
  const std::vector<float> all(values.begin(), values.end());
  std::vector<int> taken;
  float sum = 0;
  for (const int column : largest_first(all)) {
    const float weight = all[static_cast<std::size_t>(column)];
    if (weight < kLeast || sum >= share * values.sum()) break;
    sum += weight;
    taken.push_back(column);
  }
  return taken;
}

Light::Beam between(Point from, Point to, bool level) {
  const float half = level ? (from.x + to.x) / 2 : (from.y + to.y) / 2;
  return {.from = from,
          .control_from = level ? Point{half, from.y} : Point{from.x, half},
          .control_to = level ? Point{half, to.y} : Point{to.x, half},
          .to = to};
}

}  // namespace

Light flows_of(const Tensor& weights, const Feet& from, const Feet& to, const Flows& how, Theme theme, bool level) {
  Light light{.tensor = weights.name, .theme = theme};
  struct Way {
    bool bright;
    float weight;
    int row, column;
  };
  std::vector<Way> ways;
  for (int row = from.first; row < from.first + static_cast<int>(from.at.size()); ++row) {
    if (how.alone && row != how.query) continue;
    for (const int column : heaviest(weights.values, row, how.share))
      if (column >= to.first && column < to.first + static_cast<int>(to.at.size()))
        ways.push_back({row == how.query, weights.values(row, column), row, column});
  }
  const auto order = [](const Way& a, const Way& b) {
    return std::tuple(a.bright, a.weight) > std::tuple(b.bright, b.weight);
  };
  heap_sort(ways, order);
  if (std::ssize(ways) > how.most) ways.resize(static_cast<std::size_t>(how.most));
  for (const Way& flow : ways) {
    Light::Beam beam = between(from.at[static_cast<std::size_t>(flow.row - from.first)],
                               to.at[static_cast<std::size_t>(flow.column - to.first)], level);
    const float w = std::clamp(flow.weight, 0.F, 1.F);
    const float wide = flow.bright ? 1 : 0.45F;
    beam.half_from = (1.3F + 4 * wide * w) * how.scale;
    beam.half_to = (1.3F + (level ? 8 : 14) * wide * w) * how.scale;
    beam.intensity = (flow.bright ? 0.2F + 1.5F * w : how.faint * (0.3F + 0.7F * w)) * light_gain(theme);
    beam.row = flow.row;
    beam.column = flow.column;
    light.beams.push_back(beam);
  }
  return light;
}

}  // namespace limelight::figure
