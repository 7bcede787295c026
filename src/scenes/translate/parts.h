// What all of Translate's drawings share: which output word is looked at, numbers as bars, the words that are written.
#pragma once

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

  [[nodiscard]] const std::vector<std::string>& sources() const { return trace.at("source").column_labels; }
  // Of pictures and of labels, which need it less: 1 on a stage of 1208 × 564.
  [[nodiscard]] float scale() const { return std::clamp(std::min(view.width / 1208, view.height / 564), 0.5F, 1.45F); }
  [[nodiscard]] float label_scale() const { return std::clamp(scale(), 1.F, 1.2F); }
  // The example by hand: numbers that can be read and set.
  [[nodiscard]] bool by_hand() const { return !state.trained(); }
};

// A row of a tensor as cells below each other, or, of a flat one, beside each other: up to kFew numbers as numbers,
// else the first kShown, tinted.
inline constexpr int kFew = 4, kShown = 16;
struct Bar {
  std::string tensor{};
  int row = 0;
  Colour colour{};  // of its role
  Rect rect{};
  std::string label{};
  bool flat = false;
  bool editable = false;
  int first = 0;           // column
  int count = kShown;      // of them
};
void add_bar(Drawing& d, const Bar& bar);
// "16 of 192 numbers"
std::string shown_of(const Tensor& tensor);

// Words side by side in a line, each a button that looks at it; those that have no room are left out, far from the one
// that is looked at. Returns where that one stands.
struct WordLine {
  std::vector<std::string> words{};
  int chosen = 0;
  Rect rect{};
  float size = 19;         // px at most
  bool is_written = true;  // the chosen one, too
};
Rect add_line_of_words(Drawing& d, const WordLine& line);

// For fingers a stepper through the output words. Returns the bottom.
float add_steps_through(Drawing& d, float y);
// One's own translation, there to be typed. Returns the bottom.
float add_translation_input(Drawing& d, float y);

// A name at the left of a row, and what it is below that.
void add_row_name(Drawing& d, const std::string& id, Point at, const std::string& name, Colour colour,
                  const std::string& note = {});

// The largest first; of equal ones the left one.
std::vector<int> largest_of(const Matrix& values, int row);

}  // namespace limelight::scenes::translate
