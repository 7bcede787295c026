// Bars in the slots of words, and what is drawn for words side by side, laid where they stand below each other.
#pragma once

#include <span>
#include <vector>

#include "figure/figure.h"
#include "figure/slots.h"

namespace limelight::figure {

// What is drawn for words side by side: where these stand below each other, its two directions change places.
Rect laid(const Slots& slots, const Rect& rect);
void lay(const Slots& slots, std::span<Element> elements);

constexpr float kWidestBar = 46;  // px of a bar that becomes light, times the stage's scale

// Up or down from 0; to the right or left where the words stand below each other, in a rect that is yet to be laid.
// Lengths are CSS pixels.
struct SlotBars {
  Slots slots;
  std::vector<float> values;  // −∞ where masked
  float low = 0, high = 0;    // the span of the bars: from 0 to both ends
  float top = 0, height = 0;  // of the highest bar, and from there to the end of the lowest
  float widest = kWidestBar;  // of a bar
  float narrowest = 0;        // of a bar; less where words stand closer

  [[nodiscard]] float y_of(float value) const;
  [[nodiscard]] float end() const { return top + height; }
  // A value where a word stands, from another one on: of one that is not finite, a line there.
  [[nodiscard]] Rect bar(int word, float value, float from = 0) const;
  [[nodiscard]] Rect bar(int word) const { return bar(word, values[static_cast<std::size_t>(word)]); }
  // Makes room for these, too.
  void reach(const std::vector<float>& others);
  // A number that needs so much: beside a bar, towards its word or `beyond` it; as it lies in a figure so wide.
  [[nodiscard]] Rect beside(const Rect& bar, Point extent, bool beyond, float air, float figure_w) const;
};

}  // namespace limelight::figure
