// The parts of Limits' figure, which its steps put together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "figure/plot.h"
#include "scenes/common/chips.h"
#include "scenes/common/text.h"
#include "scenes/limits/limits.h"

namespace limelight::scenes::limits {

using namespace figure;

inline constexpr float kGap = 24;  // between what stands side by side

struct Drawing : Frame {
  const State& state;
  std::vector<std::string> keys;
  int key;  // whose weight or value is changed

  // So low that only the controls and one row of plots are seen at once.
  [[nodiscard]] bool shallow() const { return view.height < 320; }
  [[nodiscard]] const Matrix& values(std::string_view name) const { return trace.at(name).values; }
  [[nodiscard]] double value(std::string_view name, int i = 0, int j = 0) const {
    return static_cast<double>(values(name)(i, j));
  }
  [[nodiscard]] float press_height() const { return view.compact() ? 44 : 28; }
};

// Numbers of the trace in words, to be pointed at, from the left, broken into lines. Returns their bottom.
struct Fact {
  Source source;
  std::string words;
  Colour colour{};
};
float add_facts(Drawing& d, const std::vector<Fact>& facts, Point at, float width);

// Buttons for the values of a field. Where height is dear, those that do not fit beside their name do without it.
// Returns their bottom.
float add_choices(Drawing& d, ChipGroup group, float y);
// The queries, where there are more than one.
float add_queries(Drawing& d, float y);

// A field's slider in the figure, with what its ends mean. Returns its bottom.
float add_slider(Drawing& d, std::string_view field, Rect line, std::string_view low, std::string_view high);

// The queries and a slider: on one line where the window is low and wide, else below each other. Returns their bottom.
float add_controls(Drawing& d, std::string_view field, float y, std::string_view low, std::string_view high);

// A column for each key's number in a row of a tensor, under a title. pick: the keys' names choose the key.
struct ColumnsLook {
  std::string title;
  Colour fill{};        // of what is no weight
  bool weights = true;  // from 0 to 1, in the colours of weights
  bool pick = false;
  double high = 0;  // of the axis; 0: the row's own
  std::string quantity{"weight"};
  std::string keys{};  // what the names below are, where they do not say it themselves
};
Plot add_columns_of(Drawing& d, const std::string& id, std::string_view tensor, int row, Rect area,
                    const ColumnsLook& how);

// A row of a tensor as cells with the keys' names above. Returns its bottom.
float add_row_of(Drawing& d, std::string_view tensor, int row, Rect area, const std::string& title, bool typed);

// A of the step "axis" with its sums along and down, and its output. Returns its bottom.
float add_sums(Drawing& d, const std::string& end, Rect area, float cell_h);
// Whether the tables of both axes stand side by side.
bool sums_beside(const Drawing& d);

// Of the step "claims": the claim's experiment in the area.  Returns its bottom.
float add_experiment(Drawing& d, Rect area);

}  // namespace limelight::scenes::limits
