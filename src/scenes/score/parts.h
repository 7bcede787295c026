// The parts of Score's figure: the arrows' plane, the table of what they measure, bars, and the triangle of weights.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "figure/plot.h"
#include "scenes/common/text.h"
#include "scenes/score/score.h"

namespace limelight::scenes::score {

using namespace figure;

struct Drawing : Frame {
  const State& state;
  std::string query;
  std::vector<std::string> keys;
  int key;  // the one that is looked at

  [[nodiscard]] const Matrix& values(std::string_view name) const { return trace.at(name).values; }
};

// A number of the trace as text that can be pointed at. again: its name where the figure shows the same number a second
// time.
struct NumberLook {
  int decimals = 2;
  const char* unit = "";
  float size = 13;
  Align align = Align::right;
  bool bold = false;
  bool weight = false;  // 0 is exactly 0, and is written so
  std::string again{};
};
void add_number(Drawing& d, const Source& source, Rect rect, const NumberLook& how);

// Query and keys as arrows in the plane, with the angle and the projection of the key that is looked at.
void add_arrows(Drawing& d, Rect area);

// A row for each key: its cells, length, angle, dot product and cosine.
float table_height(const Drawing& d);
void add_table(Drawing& d, Rect area);

// A bar from zero for each key's number in a row of a tensor, as long as the row's own limits let it.
struct BarsLook {
  float pitch = 22;
  float low = 0;  // the range from zero that the bars share; 0 and 0: the row's own
  float high = 0;
  Colour fill{};
  std::string again{};  // what its numbers’ names end with, where they are shown a second time
};
void add_key_bars(Drawing& d, const std::string& id, std::string_view tensor, int row, Rect area, const BarsLook& how);

// Cells with their name and shape above. Returns what they take up.
struct CellsLook {
  Formula title;
  Colour colour{};
  float cell_w = 36;
  float cell_h = 22;
  bool typed = true;  // into: the tensor is a field of the state
};
Rect add_cells(Drawing& d, std::string_view tensor, Point top_left, const CellsLook& how);

// A way to make weights, drawn as its map: where scores land on the triangle of three keys.
void add_triangle(Drawing& d, Weigher weigher, Rect area);
std::string_view name_of(Weigher weigher);

// A column plot's bars in the colours of weights, `gap` narrower on either side. limit: the weight that is the map's
// brightest.
void colour_columns(Drawing& d, std::string_view tensor, int row, float limit, float gap);

}  // namespace limelight::scenes::score
