// What Translate's narration is told from.
#pragma once

#include <string>
#include <string_view>

#include "scenes/common/explain.h"
#include "scenes/translate/translate.h"

namespace limelight::scenes::translate {

struct Told {
  const State& state;
  const Trace& trace;
  int t;     // the output word that is looked at, from 0
  int part;  // of the step; 0: all of it

  [[nodiscard]] std::string word() const { return bold(label_of(written(trace), t)); }
  [[nodiscard]] double of(std::string_view tensor, int row, int column) const {
    return static_cast<double>(trace.at(tensor).values(row, column));
  }
};

}  // namespace limelight::scenes::translate
