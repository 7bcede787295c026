#include "figure/braid.h"

#include <algorithm>

#include "figure/order.h"

namespace limelight::figure {
namespace {

constexpr float kThread = 0.7F, kFull = 0.96F, kNothing = 1e-6F;  // px; of a stack that is filled; less is nothing

Edge upright(float x, float from, float size) {
  const float more = std::max(kThread - size, 0.F) / 2;
  return {{x, from - more}, {x, from + size + more}};
}

}  // namespace

std::vector<Plait> plaits_of(const Braid& braid) {
  const Matrix size = braid.given.cwiseAbs();
  const auto at = [](std::span<const Rect> rects, int index) { return rects[static_cast<std::size_t>(index)]; };
  std::vector<float> begins(braid.from.size()), ends;  // what each stack holds; then as far as it is filled
  for (int s = 0; s < static_cast<int>(size.rows()); ++s)
    begins[static_cast<std::size_t>(braid.stack[static_cast<std::size_t>(s)])] += size.row(s).sum();
  float from = 1e9F;  // px for 1, on the left and on the right
  for (std::size_t i = 0; i < begins.size(); ++i)
    from = std::min(from, (braid.from[i].h + braid.beyond) / std::max(begins[i], kNothing));
  const float to = kFull * braid.to.front().h / std::max(size.colwise().sum().maxCoeff(), kNothing);
  for (std::size_t i = 0; i < begins.size(); ++i) begins[i] = braid.from[i].centre().y - from * begins[i] / 2;
  for (int j = 0; j < static_cast<int>(size.cols()); ++j)
    ends.push_back(at(braid.to, j).centre().y - to * size.col(j).sum() / 2);
  std::vector<Plait> plaits;
  std::vector<float> widths;
  for (int s = 0; s < static_cast<int>(size.rows()); ++s)
    for (int j = 0; j < static_cast<int>(size.cols()); ++j) {
      const int stack = braid.stack[static_cast<std::size_t>(s)];
      float &begin = begins[static_cast<std::size_t>(stack)], &end = ends[static_cast<std::size_t>(j)];
      const float left = from * size(s, j), right = to * size(s, j);
      plaits.push_back(
          {s, j, upright(at(braid.from, stack).right(), begin, left), upright(at(braid.to, j).x, end, right)});
      widths.push_back(-left - right);
      begin += left;
      end += right;
    }
  std::vector<Plait> ordered;
  for (const int index : smallest_first(std::move(widths))) ordered.push_back(plaits[static_cast<std::size_t>(index)]);
  return ordered;
}

}  // namespace limelight::figure
