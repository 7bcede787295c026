// What Cost's narration, its inspector and its figure share: how its large and small numbers are written.
#pragma once

#include <string>
#include <string_view>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/cost/cost.h"

namespace limelight::scenes::cost {

// "16,384"
std::string grouped(int value);
// "16,384", "16.8 million", "34.4 billion"
std::string many(double value);
// "640 B", "67.1 MB": powers of 1,000.
std::string bytes(double value);
// "45 µs", "3.2 ms", "1.4 s"
std::string duration(double milliseconds);
// "±32 keys"
std::string window_name(const State& state);

struct Told : Facts<State> {
  bool asks = false;  // as View's

  [[nodiscard]] double here(std::string_view tensor, int row) const { return at(tensor, row, state.at()); }
  // The last size at which this way was measured; −1 where it was at none.
  [[nodiscard]] int last_measured(int way) const;
  // Whether enough was measured for a law, and it lies around none.
  [[nodiscard]] bool noisy(const Measured& quantity, int way) const {
    return at(quantity.fit, way, Fit::spread) > kNoise;
  }
  // Whether a law could be fitted to a way's quantity.
  [[nodiscard]] bool fitted(const Measured& quantity, int way) const {
    return at(quantity.fit, way, Fit::to) > at(quantity.fit, way, Fit::from);
  }
};

}  // namespace limelight::scenes::cost
