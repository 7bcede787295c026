// A layer as the steps about order show it: what stands at each place, the light that goes from there to each output,
// and the outputs, each in line with its place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenes/layer/pairs.h"

namespace limelight::scenes::layer {

struct Run {
  const Attention& names;    // whose weights and outputs
  std::vector<int> order{};  // the input in each place
  bool below = false;        // the dots stand below it
  float scale = 1;
  Rect rows{};                        // of all places
  float card = 0, most = 0;           // the width of what stands in a column, and how high it may be
  float inputs = 0, outputs = 0;      // the left edges of the two columns
  float from = 0;                     // where the light begins
  const Attention* before = nullptr;  // what the weights were before they change
  float changed = 1;                  // how far they have changed, from 0 to 1
  [[nodiscard]] int count() const { return static_cast<int>(order.size()); }
  [[nodiscard]] Rect at(int i, float x) const;
};

// Its places in this order: where the dots stand beside it as high as there is room, `foot` px above the bottom; else
// as high as its cards.
void lay_out(const Drawing& d, Run& run, std::vector<int> order, float y, float bottom, float foot);
// Words above a column, or above what is between two.
void add_head(Drawing& d, const Run& run, const std::string& id, float x, float width, const std::string& words);
// The dots of the outputs at their right, or below, and what they are. Returns the bottom.
float add_dots(Drawing& d, const Run& run, const std::vector<Pair>& pairs, float landed);

// The part of a card that is a picture; its name may stand below.
Rect shown_of(const Drawing& d, Rect card);
// An input where it stands: its film, or its word.
// `name_of`: what it is recognised by, where it moves.
void add_input(Drawing& d, const std::string& name_of, const std::string& id, int input, Rect rect,
               std::optional<Edit> edit, std::string label);
// The input in a place, which can be dragged to another.
void add_placed(Drawing& d, const Run& run, int place, Rect rect);

// The place of the output that is looked at; else of the first input that has moved.
int looked_at(const Drawing& d, const std::vector<int>& order);
// The light of all outputs, that of the place looked at bright and with its percentages, and the outputs. `id`: what
// the ids begin with. lit, made: how much has come of the light and of the outputs, place by place, from 0 to 1.
void add_run(Drawing& d, const Run& run, const std::string& id, int place, float lit, float made);

}  // namespace limelight::scenes::layer
