// What Scale's narration and its inspector share.
#pragma once

#include <string>
#include <string_view>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/scale/scale.h"

namespace limelight::scenes::scale {

inline constexpr int kRaw = 0, kRoot = 1, kWhole = 2;  // of the ways

// The size from which on the weights follow the query less when the scores are not divided than when they are divided
// by √d; 0 where there is none.
int falls_behind(const State& state, const Trace& trace);

// What the inspector and the narration read.
struct Told : Facts<State> {
  [[nodiscard]] double measure(int way, int which) const { return at("measures", way, which); }
  [[nodiscard]] double median(std::string_view curve, int way) const {
    return at(curve, way * Band::count + Band::median, own_size(state));
  }
};

}  // namespace limelight::scenes::scale
