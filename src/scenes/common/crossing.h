// A few words and what they look at, as light between two lines in the dark.
#pragma once

#include <string>
#include <string_view>

#include "scenes/common/frame.h"

namespace limelight::scenes {

struct Crossing {
  std::string_view tensor{};  // of the weights; its rows look, its columns are looked at
  int row = 0, rows = 0;      // the first that are shown, and how many
  int column = 0, columns = 0;
  std::string title{};
  std::string_view field{};  // that a press on a word that looks sets to its row
};
// Ids begin with "turn.": those that are looked at stand above. Returns the bottom.
float add_crossing(Frame& d, const Crossing& crossing, figure::Rect panel);

}  // namespace limelight::scenes
