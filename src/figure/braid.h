// What several give to several, as ribbons from stacks on the left to stacks on the right: each is as wide at both ends
// as what is given says, and those of one stack lie on each other in order.
#pragma once

#include <span>
#include <vector>

#include "core/matrix.h"
#include "figure/geometry.h"
#include "figure/ribbon.h"

namespace limelight::figure {

struct Braid {
  const Matrix& given;           // [strands, ends], of any sign
  std::span<const int> stack{};  // of each strand, in order: its place in `from`
  std::span<const Rect> from{};  // the stacks on the left, beside whose middles the strands begin
  std::span<const Rect> to{};    // of each end
  float beyond = 0;              // px that a stack on the left may be higher than its rect
};
struct Plait {
  int strand = 0, end = 0;
  Edge left{}, right{};  // upright; never thinner than a thread
};
// The widest first, so that none hides what is thinner.
std::vector<Plait> plaits_of(const Braid& braid);

}  // namespace limelight::figure
