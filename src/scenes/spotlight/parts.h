// The parts of Spotlight's figure that are no matrices: the map of the steps, word cards, bars, arcs and the stage.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "scenes/spotlight/spotlight.h"

namespace limelight::scenes::spotlight {

using namespace figure;

inline constexpr float kLowest = 280;  // CSS pixels that a drawing takes in any view

// Everything that the drawing functions need, gathered once.
struct Drawing {
  Figure figure;
  const State& state;
  const Trace& trace;
  const View& view;
  const Palette& colours;
  std::vector<std::string> queries;
  std::vector<std::string> keys;
  int row;  // the query token

  [[nodiscard]] float inner() const { return figure.width - 2 * margin(); }
  [[nodiscard]] float margin() const { return view.compact() ? 16 : 24.F; }
  // As embedded in an article: what can be left out is.
  [[nodiscard]] bool low() const { return !view.compact() && view.height < 420; }
  // So low, as on a phone on its side, that nothing could be read: the drawing is higher than the view, which scrolls.
  [[nodiscard]] bool scrolls() const { return view.compact() || view.height < kLowest; }
  [[nodiscard]] float height() const { return std::max(view.height, kLowest); }
  // So many words that none is more than a dot or a chip.
  [[nodiscard]] bool crowded() const { return keys.size() > 24; }
};

// The block diagram of Vaswani et al. 2017, figure 2, lying on its side; each block leads to its step. y: its top.
float map_height(const Drawing& d);
void add_map(Drawing& d, float y);

// Each word on a card with its numbers. False when there are too many words or numbers for cards; then nothing was
// added.
bool add_word_cards(Drawing& d, Rect area);

// What the query token looks at, heaviest first when not all have room.
float bars_height(const Drawing& d);
void add_bars(Drawing& d, Rect area);

// The query is the lamp, brightness is the weight. The height that the stage likes at a width.
float stage_height(const Drawing& d, float width);
void add_stage(Drawing& d, Rect card);

// From each query on the left to each key on the right.
void add_arcs(Drawing& d, Rect area);

}  // namespace limelight::scenes::spotlight
