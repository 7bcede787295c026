// The parts of Heads' figure that are no plain matrices: what is chosen above them, the grid of all
// heads' maps, the mask's cells, the switches.
#pragma once

#include <string>
#include <string_view>

#include "figure/figure.h"
#include "scenes/common/text.h"
#include "scenes/heads/heads.h"

namespace limelight::scenes::heads {

using namespace figure;

struct Drawing : Frame {
  const State& state;
};

std::string pattern_name(const State& state, int head);

// What is chosen above a step's drawing: self- or cross-attention (and the number of heads), the pattern of a head, a
// head, W_O, a mask, whether all heads are alike. Each returns its bottom.
float add_kinds(Drawing& d, float y, bool counts);
float add_patterns(Drawing& d, float y);
float add_heads(Drawing& d, float y);
float add_mixings(Drawing& d, float y);
float add_masks(Drawing& d, float y);
float add_likeness(Drawing& d, float y);

// Above the columns (or, of W_O, beside the rows) of a matrix that holds all heads: which head they are.
enum class Bands {
  plain,
  chosen,
  buttons
};  // chosen: the head that is looked at stands out; buttons: and each chooses
void add_column_bands(Drawing& d, const std::string& id, Bands how);
void add_row_bands(Drawing& d, const std::string& id);
// C as what it is made of: the outputs of the heads, each with its own numbers, this far apart.
void split_concatenation(Drawing& d, float gap);

// All heads' weights, small; the one that is looked at in a frame. Returns the bottom.
float add_grid(Drawing& d, Rect area, int columns);
// What their colours mean, beside them.
void add_grid_bar(Drawing& d, float x);

// The query's row of each head's weights, below each other, its columns those of the enlarged map. Returns the bottom.
float strips_height(const Drawing& d);
float add_strips(Drawing& d, float y);

// The mask's cells become buttons that hide or show; then the rows that see nothing, in a sentence. Returns the bottom.
void add_mask_buttons(Drawing& d);
float add_mask_words(Drawing& d, float y);

// A row for each head: its switch, and how far the output moves without it. Returns the bottom.
float add_switches(Drawing& d, float y);
// The changes' sizes, in numbers. Returns the bottom.
float sizes_height(const Drawing& d);
float add_sizes(Drawing& d, float y);

}  // namespace limelight::scenes::heads
