// One query's scores, or what softmax makes of them, as bars below the words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/slot_bars.h"
#include "scenes/spotlight/parts.h"

namespace limelight::scenes::spotlight {

// Two decimals, or two digits of what is smaller; of exponentials three, so that what is seen adds up. The smallest is
// still more than 0.
std::string bar_text(float value, std::string_view tensor);
// "÷ √6", "× 0.5"; empty where scores are not scaled.
std::string scaling(const Drawing& d);
// Grey below 0, as in a matrix.
Colour score_colour(const Drawing& d, float score);
// The query's row of this tensor, a number for each key.
SlotBars score_bars(const Drawing& d, std::string_view tensor, const Slots& slots);

struct BarsSaid {
  std::string how{};   // is done: "÷ √6 = 2.45"; of bars end to end the whole, "Σ = 1.93"
  std::string rows{};  // of all queries' numbers, beside their name
  std::string each{};  // "÷ √6", in each bar that has room for it
  // The weights that would come of the numbers before, which two strips hold against those that do; empty: no strips.
  std::vector<float> undivided{};
};
// A step that makes of each score another number, the tensor's, as its recipe says: bars are hollow before it and full
// after it, and below them stand the numbers of all queries.
float draw_bar_change(Drawing& d, std::string_view tensor, const BarsSaid& said);

// Where softmax and its parts have the words, their bars, the strip and the map; CSS pixels. All but the map is yet to
// be laid.
struct Sharing {
  Slots slots;
  float scale = 1;
  float baseline = 0, room = 0;  // of the words, as a LitStage has them
  float bars = 0, bars_h = 0;    // the top of the highest bar, and from it to the end of the lowest
  Rect strip{};                  // as wide as a weight of 1
  Rect map{};                    // unused on a phone
};
Sharing wide_sharing(const Drawing& d, const Slots& slots, std::size_t rows);
Sharing narrow_sharing(const Drawing& d);  // on a phone
void add_words_over(Drawing& d, const Sharing& at, const std::vector<float>& light);
// To the right of a matrix: room for a column of one number for each row, and that column.
Rect beside_of(const Drawing& d, const Rect& map);
void add_beside(Drawing& d, std::string_view tensor, const Rect& beside, std::string_view rows);
// From a bar down to its part of the sum.
Element summed(const Drawing& d, const Rect& bar, const Rect& part, int word, float seen);

}  // namespace limelight::scenes::spotlight
