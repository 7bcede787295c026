// What the steps of Heads share: heads' colours and names, choices, the lamps, and the bar of all heads' outputs.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figure/lamp.h"
#include "scenes/common/chips.h"
#include "scenes/common/head_colours.h"
#include "scenes/common/rows.h"
#include "scenes/common/sentence.h"
#include "scenes/common/text.h"
#include "scenes/heads/heads.h"

namespace limelight::scenes::heads {

using namespace figure;

struct Drawing : Frame {
  const State& state;
  int row = 0;        // of the word that is looked at
  int alone = -1;     // the head that is pointed at, else the one that is chosen; −1: all are looked at
  int covered = 1;    // the word that the model guesses
  int lit = 0;        // the head whose light is seen: that one, or else the clearest one
  bool cuts = false;  // heads that are switched off are cut here; in other steps they are as they were

  [[nodiscard]] bool looked_at(int head) const { return alone < 0 || alone == head; }
  // Of a head, for fills; and for words about it.
  [[nodiscard]] Colour of(int head) const { return head_colour(head, view.theme); }
  [[nodiscard]] Colour ink_of(int head) const { return head_ink(head, view.theme); }
  // As much larger as all is on a wide stage, and labels.
  [[nodiscard]] float scale() const {
    return std::clamp(std::min(figure.width / 1208, view.height / 576), 0.5F, 1.45F);
  }
  [[nodiscard]] float letters() const { return std::clamp(figure.width / 1208, 1.F, 1.25F); }
  [[nodiscard]] bool is_on(int head) const { return !cuts || !state.off[static_cast<std::size_t>(head)]; }
  // How much of a head is there: its switch goes first, and then what it gave.
  [[nodiscard]] float kept(int head) const { return is_on(head) ? 1 : 1 - smoothstep(0, 0.15F, view.t); }
  [[nodiscard]] float gone() const { return smoothstep(0.4F, 0.85F, view.t); }
  [[nodiscard]] std::vector<float> weights(const std::string& tensor) const {
    const auto values = trace.at(tensor).values.row(row);
    return {values.begin(), values.end()};
  }
};
// The state in which the word that is pointed at asks, where words do so, and the head that is pointed at is chosen.
State as_looked_at(const State& state, const View& view);

// The head that is chosen; else the one that will be missed in Without; else the one that looks most clearly from the
// word to another one, signs aside.
int lit_head(const State& state, const Trace& trace);
// A head's weights as if there were no mask, where they are computed.
Matrix unmasked_weights(const State& state, const Trace& trace, int head);
// The one that the mask is shown with: the chosen one, or the one that by its Q and K looks most at what comes later.
int masked_head(const State& state, const Trace& trace);
// Of a head's light the share that falls on what comes later.
inline float later_share(const Matrix& A) {
  return A.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().sum() / static_cast<float>(A.rows());
}
// "previous", "next word" or "→ cat": where a head looks by its pattern or its habit; else from the word that asks.
std::string habit(const State& state, const Trace& trace, int head);
// A press looks at this head alone, or, once more, at all.
void add_head_button(Drawing& d, const std::string& id, int head, Rect rect, const std::string& label);
// What can be chosen, in lines that end at `bottom`. Returns where they begin.
float add_choices(Drawing& d, std::vector<ChipGroup> groups, float bottom);
// The second sentence, there to be typed: above a place, in a narrow view below it. Returns where it ends.
float add_other(Drawing& d, float at);
ChipGroup patterns_of(const Drawing& d);
// Of cross-attention, whose first sentence is not on the stage; else none.
std::vector<ChipGroup> askers(const Drawing& d);

// ---- the lamps

struct Stage {
  Slots slots;
  std::vector<Lamp> lamps;
  float baseline = 0, floor = 0, shares = 0, room = 0;
  float below = 0;    // where what stands under the words begins
  float names = 0;    // where the names of what stands there begin
  float pool = 1e4F;  // half as wide is one on the floor at most
  float spread = 1;   // how far the lamps are apart, from 0 to 1
  [[nodiscard]] float width() const { return slots.pitch * static_cast<float>(slots.count); }
};
// Where words and bars stand, beside what their rows are called.
Slots slots_for(const Drawing& d);
// With one lamp, or with all, as far apart as `spread` says. under: px that are wanted for what stands below.
Stage stage_of(const Drawing& d, float y, float bottom, float under, bool single, float spread = 1);
// The words in the light of one lamp, and what the others light as hints in their colours.
void add_stage(Drawing& d, const Stage& stage, const std::string& tensor, std::span<const float> weights, bool single,
               float hints = 1);
// From a lamp, in its head's colour, to over the words: as wide as what it would give them.
void add_hints(Drawing& d, const Stage& stage, int head, std::span<const float> weights, float share);
// What a row is called, at its left: its letter and its name, and more of it where there is room.
void add_name(Drawing& d, Rect row, const std::string& letter, const std::string& name, Colour colour,
              const std::vector<std::string>& lines);

// ---- numbers, and all heads' outputs beside each other

// A row's numbers: few as cells, many as columns, `most` as high as there is room. values: in place of its own.
struct Numbers {
  CellRange range;
  Rect rect;
  Colour tint;
  float most = 1;
  std::string label{};
  float opacity = 1;
  float come = 1;  // how far they have, from 0 to 1
  std::span<const float> values{};
  bool editable = false;
};
// Of so many numbers each is drawn for itself; of more, matrices are drawn by blocks.
inline constexpr int kMostSingle = 24;
void add_numbers(Drawing& d, const Numbers& numbers);
// What each head adds to the word's output, and behind them the bias, where there is one. [heads + 1, d]
Matrix parts_of(const Drawing& d);
// The word's output as far as it has come, beside a ghost of the whole one.
void add_output(Drawing& d, Rect rect, const Matrix& whole, const Matrix& now);
// The largest number of a tensor, 0 excepted.
float largest_in(const Drawing& d, std::string_view tensor);
// Where bars begin, and how wide they are.
Rect bars_of(const Drawing& d);

// All heads' parts of a word's numbers, side by side.
struct HeadBar {
  Rect rect{};
  float label = 0;               // px over it for their names
  float opacity = 1;             // of the heads that are not looked at
  std::string_view letter{"O"};  // of the tensors; others than outputs are in the colour of their role
  int row = 0;
  Colour tint{};
  float come = 1;                         // how far the numbers have, from 0 to 1
  std::array<float, kMostHeads> above{};  // px that each head's part is above its place
  [[nodiscard]] Rect segment(int head, int heads) const {
    const float width = rect.w / static_cast<float>(heads);
    const float y = rect.y - above[static_cast<std::size_t>(head)];
    return {rect.x + width * static_cast<float>(head) + 2, y, width - 4, rect.h};
  }
};
void add_head_bar(Drawing& d, const HeadBar& bar);
// Of that of their outputs.
inline void add_concat_name(Drawing& d, Rect bar) {
  add_name(d, bar, "C", "outputs", d.colours.ink, {"what each head finds,", "side by side"});
}
// A matrix whose columns are the heads', in their colours; of a large one bands.
void add_matrix(Drawing& d, const std::string& name, Rect cells);

// The sentence, in which the word is chosen. Returns its bottom.
float add_sentence(Drawing& d, float y);

// ---- a row for each step: all that it is

using Draw = float(Drawing& d, float y, float bottom);  // between these two; returns where it ends
using Tell = std::string(const State& state, const Trace& trace);

struct Row {
  Step step;
  Shows<Draw, Tell> shows;                      // its result "A" is that of the head that is looked at
  bool has_weights = false;                     // where the weights come from is the first of them
  bool words_ask = false;                       // while they are pointed at
  std::array<std::string_view, 3> equations{};  // tensors
};
const Row& row_at(Place place);

Draw draw_weights, draw_outputs, draw_join, draw_without, draw_mask, draw_split, draw_one;
Tell tell_weights, tell_outputs, tell_join, tell_without, tell_mask, tell_split, tell_one;

}  // namespace limelight::scenes::heads
