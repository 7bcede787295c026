// The parts of Translate's figure: which output word is looked at, rows of source words with their numbers, strips.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "scenes/common/strips.h"
#include "scenes/common/text.h"
#include "scenes/translate/translate.h"

namespace limelight::scenes::translate {

using namespace figure;

struct Drawing : Frame {
  const State& state;
  int row;  // of the output word that is looked at
};

// The output words, each a button that looks at it; for fingers a stepper. Returns the bottom.
float add_output_words(Drawing& d, float y);
// One's own translation, there to be typed. Returns the bottom.
float add_translation_input(Drawing& d, float y);

// A column of numbers beside the source words: a row of a tensor [T, S], or all of one [S, N].
struct Column {
  enum class Kind { numbers, weights, heat, bars };
  std::string tensor;
  std::string title;
  Colour colour;
  Kind kind = Kind::numbers;
  float width = 64;
  bool by_word = false;  // of [T, S], the row that is looked at
  bool editable = false;
  std::string note{};
};
// Source words below each other with columns beside them. Returns the columns' rects.
std::vector<Rect> add_ledger(Drawing& d, Rect area, const std::vector<Column>& columns);
float ledger_height(const Drawing& d, float room);

float add_strip(Drawing& d, const std::string& id, const Source& row, Rect rect, const std::string& title,
                Colour colour, const std::string& note = {}, bool editable = false);

// What the colours of a strip or a column mean, at the right. Returns the bottom.
float add_scale(Drawing& d, float limit, float y);

// The words that could come, the likeliest first. Returns the bottom.
float add_likeliest(Drawing& d, float y, float width, float x);

}  // namespace limelight::scenes::translate
