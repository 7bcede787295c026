// The step Shuffle: the inputs change places, and the outputs change places with them.
#include <algorithm>

#include "scenes/layer/orders.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {

float draw_shuffle(Drawing& d, float y, float bottom) {
  // Of this moment: the inputs are shuffled, their light and its outputs come, these are compared, and it is told.
  const float t = d.view.t, foot = d.press_height() + 84;
  const auto share = [t](float from, float to) { return std::clamp((t - from) / (to - from), 0.F, 1.F); };
  const Orders orders = laid_out(d,
                                 {.before = kSelf,
                                  .after = kShuffled,
                                  .moved = smoothstep(0, 0.3F, t),
                                  .lit = share(0.3F, 0.6F),
                                  .made = share(0.4F, 0.7F),
                                  .compared = share(0.7F, 0.9F)},
                                 y, bottom, foot, false);
  add_picture(d, orders);
  const std::size_t first = d.figure.elements.size();
  y = add_checks(d, orders.rows.bottom() + 26);
  show_since(d.figure, first, smoothstep(0.92F, 1, t));
  return add_orders(d, y + 10);
}

}  // namespace limelight::scenes::layer
