// The parts of Train's figure, which its steps put together.
#pragma once

#include <string>

#include "figure/figure.h"
#include "figure/plot.h"
#include "scenes/common/text.h"
#include "scenes/train/words.h"

namespace limelight::scenes::train {

struct Drawing : Frame {
  const State& state;

  [[nodiscard]] Told told() const { return {state, trace}; }
};

inline constexpr float kTitleHeight = 24;

// The buttons of the training, broken into lines. Returns their bottom.
float add_buttons(Drawing& d, float y);
// What the model reads, there to be typed. Returns its bottom.
float add_input(Drawing& d, float y);
// Attention on and off. Returns its bottom.
float add_switch(Drawing& d, float y);

// The letters of a tensor's columns as cells in a row, no wider than the width; wrong ones are marked. Returns the
// bottom.
struct Letters {
  std::string_view tensor;
  std::string title;
  figure::Colour colour{};
};
float add_letters(Drawing& d, const Letters& letters, figure::Point at, float width);
// What it writes, letter by letter, beside the truth. Returns the bottom.
float add_output(Drawing& d, figure::Point at, float width, bool pick);

// The weights as a heatmap, target × source; without attention what there is instead. row: outlined, if not −1. Returns
// the bottom.
float add_heatmap(Drawing& d, figure::Rect area, int row);

// The loss over the batches, and what is held out.
void add_loss(Drawing& d, figure::Rect area);
void add_held_out(Drawing& d, figure::Rect area);
void add_by_length(Drawing& d, figure::Rect area);

// The unrolled network of this example. Returns the bottom.
float add_network(Drawing& d, figure::Rect area);
// How many weights each part has. Returns the bottom.
float add_part_table(Drawing& d, figure::Point at, float width);

// Of the step "inside": every source letter with its score and weight for one output letter, and the likeliest letters.
// Return the bottom.
float add_weights_of(Drawing& d, figure::Rect area);
float add_likeliest(Drawing& d, figure::Point at, float width);

}  // namespace limelight::scenes::train
