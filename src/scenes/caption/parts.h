// The parts of Caption's figure: pictures in the light of attention, maps over the grid, the film of all words.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "scenes/caption/caption.h"
#include "scenes/common/chips.h"
#include "scenes/common/strips.h"
#include "scenes/common/text.h"

namespace limelight::scenes::caption {

using namespace figure;

struct Drawing : Frame {
  const State& state;
  learn::pictures::Scene scene;
  int t;     // the word that is looked at
  int cell;  // the cell whose numbers are shown

  [[nodiscard]] float foot() const { return view.height - 12; }
  [[nodiscard]] int side() const { return state.side(); }
};

inline constexpr float kTitle = 22;  // what a title takes

float add_vector(Drawing& d, const std::string& id, const Source& row, Rect rect, const std::string& name,
                 Colour colour, const std::string& note);

// The picture; with a tensor of weights in the light of its row, of which the label then says where it is brightest.
// Without a label it is only seen.
struct Light {
  std::string tensor{};
  int row = 0;
};
void add_picture(Drawing& d, const std::string& id, Rect rect, std::string label, const Light& light = {});
// The grid's lines over a rect.
void add_grid(Drawing& d, const std::string& id, Rect rect);
Rect cell_in(const Drawing& d, Rect grid, int cell);
void add_cell_ring(Drawing& d, const std::string& id, Rect grid, int cell, Colour colour);
// The cells of a tensor's row over a rect, to be pointed at, but not seen.
void add_hidden_cells(Drawing& d, const std::string& id, Rect rect, const Source& row, const std::string& label);
// The cells of the object that a word speaks of, outlined.
void add_meant(Drawing& d, const std::string& id, Rect rect, int t);

// A tensor's row as a map of the grid.
struct Map {
  Source row{};
  std::string label{};
  ColourMap map = ColourMap::grey;
  float low = 0, high = 1;
  int decimals = 2;
};
void add_map(Drawing& d, const std::string& id, Rect rect, const Map& map);

// A thumbnail for each word of a tensor of weights [T, L²]; pressing one looks at that word. Returns the bottom.
float add_film(Drawing& d, std::string_view weights, Point at, float width);
float film_height(const Drawing& d, std::string_view weights, float width);

// What captions are held against: the world's own, which is right, or another one.
struct Reference {
  std::vector<std::string> words{};
  std::string_view other{};  // whose; empty: the world's
};
// A caption in words; those that are not in the reference are marked, which a line below says. Returns the bottom.
struct Said {
  std::string id{};
  std::string name{};
  Colour colour{};
  std::string note{};
};
float add_caption(Drawing& d, const Said& said, const std::vector<std::string>& words, const Reference& reference,
                  Point at, float width);
// What the world says, else what soft attention says.
Reference reference_of(const Drawing& d);

}  // namespace limelight::scenes::caption
