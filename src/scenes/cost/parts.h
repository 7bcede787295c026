// The parts of Cost's figure, which its steps put together.
#pragma once

#include <span>
#include <string>

#include "figure/figure.h"
#include "figure/plot.h"
#include "scenes/common/text.h"
#include "scenes/cost/words.h"

namespace limelight::scenes::cost {

struct Drawing : Frame {
  const State& state;

  [[nodiscard]] Told told() const { return {{state, trace}}; }
};

inline constexpr float kTitleHeight = 26;
inline constexpr float kRowHeight = 26;

figure::Colour way_colour(const figure::Palette& colours, int way);
// The mark of a way's curve, around a point.
void add_mark(Drawing& d, const std::string& id, int way, figure::Point at, float radius);
// What a quantity's numbers look like.
struct Look {
  const Measured* quantity;
  const char* title;
  const char* axis;
  std::string (*write)(double);
};
const Look& products_look();
const Look& memory_look();
const Look& time_look();
// Times where there are any, else products.
const Look& cost_look(const Drawing& d);

// A heading and one curve for each way over n; dashed where it is not measured, or beyond the budget.
struct Curves {
  const Look* look = nullptr;
  std::span<const int> ways{};
  bool budget = false;    // a rule at kBudget
  bool has_table = true;  // the numbers at n stand in a table: their dots are no cells
  int strong = -1;        // the way that stands out
};
void add_curves(Drawing& d, const Curves& curves, figure::Rect area);
// Their marks and names in lines. Returns the height.
float add_legend_of(Drawing& d, const Curves& curves, figure::Point at, float width);
// Each way's number at n and its slope. Returns the bottom.
float add_table(Drawing& d, const Curves& curves, figure::Point at, float width);

// The button that starts and stops the measurement, large enough for a finger where there is one. Returns its bottom.
float add_measure(Drawing& d, figure::Point at, float width);

// The square of all pairs, within those of more tokens.
void add_squares(Drawing& d, figure::Point at, float side);
float add_growth_table(Drawing& d, figure::Point at, float width);
void add_growth_curve(Drawing& d, figure::Rect area);

// The difference of the other functions over the window, and their share of the products.
void add_near(Drawing& d, bool share, figure::Rect area);
float add_near_table(Drawing& d, figure::Point at, float width);

// Products of one row, gathered in instructions. Returns the bottom.
float add_lanes(Drawing& d, figure::Point at, float width);

}  // namespace limelight::scenes::cost
