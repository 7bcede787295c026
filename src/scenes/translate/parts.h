// What all of Translate's drawings share: which output word is looked at, numbers as bars, the words that are written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "scenes/common/bars.h"
#include "scenes/common/strips.h"
#include "scenes/common/text.h"
#include "scenes/translate/translate.h"

namespace limelight::scenes::translate {

using namespace figure;

struct Drawing : Frame {
  const State& state;
  int row;                             // of the output word that is looked at
  std::string_view source = "source";  // whose labels are the words that are read

  [[nodiscard]] const std::vector<std::string>& sources() const { return trace.at(source).column_labels; }
  // Of pictures and of labels, which need it less: 1 on a stage of 1208 × 564.
  [[nodiscard]] float scale() const { return std::clamp(std::min(view.width / 1208, view.height / 564), 0.5F, 1.45F); }
  [[nodiscard]] float label_scale() const { return std::clamp(scale(), 1.F, 1.2F); }
  // The example by hand: numbers that can be read and set.
  [[nodiscard]] bool by_hand() const { return !state.trained(); }
};

// For fingers a stepper through the output words. Returns the bottom.
float add_steps_through(Drawing& d, float y);
// The largest first; of equal ones the left one.
std::vector<int> largest_of(const Matrix& values, int row);

}  // namespace limelight::scenes::translate
