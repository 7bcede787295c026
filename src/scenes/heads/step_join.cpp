// The step Join: the heads' outputs go through W_O, and every number of the output draws on all of them.
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {

float draw_join(Drawing& d, float y, float bottom) {
  if (!d.state.trained)
    bottom = add_choices(d, {chips_of("mixing", "output matrix", kMixings, static_cast<int>(d.state.mixing))}, bottom);
  add_braid(d, y, bottom, d.view.t);
  return bottom;
}

}  // namespace limelight::scenes::heads
