// The parts of Patches' figure, which its steps put together.
#pragma once

#include <string>

#include "figure/figure.h"
#include "scenes/common/text.h"
#include "scenes/patches/patches.h"

namespace limelight::scenes::patches {

struct Drawing : Frame {
  const State& state;
  Cut cut;
  int query;

  [[nodiscard]] double at(const char* tensor, int row, int column) const {
    return static_cast<double>(trace.at(tensor).values(row, column));
  }
};

inline constexpr float kTitle = 24;  // a heading's height

// The picture, or the one that attention rebuilt, over the square; with a light as bright as its weights. Its patches
// can be pointed at and clicked: they are the cells of the grid, one of the [L, L] tensors.
struct Map {
  std::string pixels = "picture";
  std::string grid = "a";
  std::string light{};  // an [L, L] tensor of weights; empty: daylight
  bool lines = false;   // where the cuts are
  std::string label{};
};
void add_map(Drawing& d, const std::string& id, figure::Rect square, const Map& map);

// A few pixels, enlarged.
void add_enlarged(Drawing& d, const std::string& id, figure::Rect rect, const std::string& tensor,
                  const std::string& label);

// The query's features, raw and standardised, in their groups. Returns the bottom.
float add_features(Drawing& d, figure::Rect area);
// The query's edges as strokes of their orientation, the strongest as long as the circle is wide; shorter where it has
// less than a quarter of the picture's strongest.
void add_rose(Drawing& d, figure::Rect square);
// The query's scores over the picture's patches.
void add_scores(Drawing& d, figure::Rect square);
// The whole matrix, the query's row marked.
void add_matrix(Drawing& d, figure::Rect square);
// What the query's patch is mixed from. Returns the bottom.
float add_mixture(Drawing& d, figure::Rect area);

// How to give a picture of one's own, and what becomes of it. Returns the bottom.
float add_own(Drawing& d, figure::Point at, float width);

}  // namespace limelight::scenes::patches
