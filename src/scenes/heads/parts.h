// What the steps of Heads have in common: the colours and names of heads, what is chosen below a drawing, and the
// bench, on which the word that is looked at has its heads' outputs side by side, and all other words theirs, small.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "scenes/common/chips.h"
#include "scenes/common/head_colours.h"
#include "scenes/common/text.h"
#include "scenes/heads/heads.h"

namespace limelight::scenes::heads {

using namespace figure;

struct Drawing : Frame {
  const State& state;
  int row = 0;        // of the word that is looked at
  int alone = -1;     // the head that is pointed at, else the one that is chosen; −1: all are looked at
  bool cuts = false;  // heads that are switched off are cut here; in other steps they are as they were

  [[nodiscard]] bool looked_at(int head) const { return alone < 0 || alone == head; }
  // Of a head, for fills; and for words about it.
  [[nodiscard]] Colour of(int head) const { return head_colour(head, view.theme); }
  [[nodiscard]] Colour ink_of(int head) const { return head_ink(head, view.theme); }
  // As much larger as labels are on a wide stage.
  [[nodiscard]] float letters() const { return std::clamp(figure.width / 1208, 1.F, 1.25F); }
  [[nodiscard]] bool is_on(int head) const { return !cuts || !state.off[static_cast<std::size_t>(head)]; }
};
// The state in which the word that is pointed at asks, where words do so.
State with_asking(const State& state, const View& view);
Drawing drawing_for(const State& state, const Trace& trace, const View& view);

// "previous", "next word" or "here: cat": where a head's pattern looks, or where a computed one does by habit; if it
// has none, what the word that is looked at gets.
std::string habit(const State& state, const Trace& trace, int head);
// A press looks at this head alone, or, once more, at all.
Edit look_at(const State& state, int head);
// What can be chosen, in lines that end at `bottom`. Returns where they begin.
float add_choices(Drawing& d, std::vector<ChipGroup> groups, float bottom);
// The second sentence of cross-attention, there to be typed: above a place, in a narrow view below it. Returns where
// what is beyond it may begin.
float add_other(Drawing& d, float at);
ChipGroup patterns_of(const Drawing& d);
ChipGroup which_head(const Drawing& d);

// Numbers of an output that are drawn one by one; more are summed up.
inline constexpr int kFew = 12;
// Of the output of the word that is looked at as many numbers as have room, the largest.
inline constexpr int kMostNumbers = 8;

struct Bench {
  Rect card;                 // of the word that is looked at
  std::vector<Rect> boxes;   // in it: its heads' outputs
  std::vector<int> numbers;  // of its output that are shown
  std::vector<Rect> cells;   // of each of them
  Rect bars;                 // what each head gave to it
  float mixed = 0;           // where the outputs begin that have just been mixed
  Rect left, right;          // as wide as small rows of outputs and of what becomes of them
  float words_end = 0;       // where the words end
  float pitch = 0;           // from one other word to the next; 0: they have no room
  bool named = true;         // heads have their names over their boxes

  // The middle of a word's row, in the trace's order.
  [[nodiscard]] float middle(int word, int of) const;
};
// switches: px that are left free before each box.
Bench bench_of(const Drawing& d, float y, float bottom, float switches);
// The card, the names of words, what all others have, small; where the outputs stand, left or right.
enum class Side { left, right };
void add_bench(Drawing& d, const Bench& bench, Side outputs);
void add_titles(Drawing& d, const Bench& bench, Side outputs, float y);
// Each head's output of the word that is looked at, under its name. `at`: where the boxes are.
void add_boxes(Drawing& d, const Bench& bench, const std::vector<Rect>& at);
// How its output is made of them by W_O, and what each gave. `t`: how far that has come; of what is cut nothing is
// left but the ghost.
void add_braid(Drawing& d, const Bench& bench, float t);

}  // namespace limelight::scenes::heads
