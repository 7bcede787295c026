// Words that are written one after the other, in one line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/frame.h"

namespace limelight::scenes {

// Words side by side in a line, each a button that looks at it; those that have no room are left out, far from the one
// that is looked at. Returns where that one stands.
struct WordLine {
  std::vector<std::string> words{};
  std::string_view field{};  // that holds the place of the chosen one
  int chosen = 0;
  figure::Rect rect{};
  float size = 19;         // px at most
  bool is_written = true;  // the chosen one, too
  bool later = true;       // what comes after it is told, not only that there is something
};
figure::Rect add_word_line(Frame& d, const WordLine& line);

}  // namespace limelight::scenes
