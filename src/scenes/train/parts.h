// The parts of Train's figure, which its steps put together.
#pragma once

#include <string>
#include <vector>

#include "figure/figure.h"
#include "figure/plot.h"
#include "scenes/common/night.h"
#include "scenes/common/text.h"
#include "scenes/train/words.h"

namespace limelight::scenes::train {

struct Drawing : Frame {
  const State& state;
  float corrects = 0;  // while Train's film plays how far one mistake is corrected (corrects_at)

  [[nodiscard]] Told told() const { return {state, trace}; }
};

inline constexpr float kTitleHeight = 24;
inline constexpr float kPhoneFilm = 116;  // px that the film is high there: its pictures 86, and their batches
inline constexpr float kDrawn = 0.3F;     // of each letter's light where tasks are compared, so that patterns are seen

// The buttons of the training, from the line on. Returns their bottom.
float add_buttons(Drawing& d, figure::Rect line);
// What the model reads, there to be typed. Returns its bottom.
float add_input(Drawing& d, figure::Rect line);

// What the model that is looked at makes of its input, in a dark panel.
Night night_of(const Drawing& d, figure::Rect area);

// The letter that is pointed at: a row of the weights where it is written, a column where it is read; else −1.
figure::Source pointed_letter(const Drawing& d);

// The panel, and where the letter that is lit or pointed at looks most, or what looks most at it.
void add_night_told(Drawing& d, const Night& night);

// The record as a film, to be dragged along. Returns its bottom.
float add_film(Drawing& d, figure::Rect area);

// The loss over the batches, and what is right of each length.
void add_loss(Drawing& d, figure::Rect area);
void add_by_length(Drawing& d, figure::Rect area);

}  // namespace limelight::scenes::train
