// The parts of Scale's figure, which its steps put together.
#pragma once

#include <string>

#include "figure/figure.h"
#include "figure/plot.h"
#include "scenes/common/text.h"
#include "scenes/scale/scale.h"

namespace limelight::scenes::scale {

struct Drawing : Frame {
  const State& state;

  [[nodiscard]] float value(std::string_view tensor, int row, int column) const {
    return trace.at(tensor).values(row, column);
  }
};

// The colour of a way of dividing, wherever it is drawn.
figure::Colour way_colour(const figure::Palette& colours, int way);

inline constexpr float kTitleHeight = 24;
// Some of a tensor's cells with numbers, their labels beside and above them. Returns the bottom.
struct Window {
  std::string id{};  // the tensor's name when empty
  figure::CellRange range{};
  figure::Colour tint{};
  float largest = 0;  // as that of MatrixCells
  float cell_w = 56;
  float cell_h = 28;
  int decimals = 2;
  bool row_labels = true;
  bool column_labels = false;
};
inline constexpr float kRowLabel = 68;
inline constexpr float kColumnLabel = 18;
float add_window(Drawing& d, const Window& window, figure::Point at);

// Each below its heading, in an area. `id`: what their elements' ids begin with.
void add_sum(Drawing& d, figure::Rect area);
// Its deviation stands in the frame where there is room, else above it.
void add_histogram(Drawing& d, figure::Rect area);
// The weights of one way as columns, and what can be said of them.
void add_weights(Drawing& d, int way, figure::Rect area);
// One curve for each way over d, with a legend where the step has none. curve: of kCurveTensors.
void add_curves(Drawing& d, int curve, figure::Rect area, bool logarithmic, bool legend = false);
// Returns its height.
float add_ways_legend(Drawing& d, figure::Point at, float width);
// An article's class, step by step, beside the same with its tokens as rows.
float add_class(Drawing& d, float y);

}  // namespace limelight::scenes::scale
