// The parts of Sentence's figure that are no plain matrices: the words, the choice of a head, arcs, the grid of all
// heads, what could stand at a hidden place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "figure/panels.h"
#include "scenes/common/text.h"
#include "scenes/sentence/sentence.h"

namespace limelight::scenes::sentence {

using namespace figure;

struct Drawing : Frame {
  const State& state;
  int layers = 0, heads = 0;
  HeadPlace head{};
  int query = 0, key = 0;

  [[nodiscard]] float fingers_height() const { return view.compact() ? 44.F : 40.F; }
  [[nodiscard]] std::string tensor(std::string_view one) const { return of_head(one, head.layer, head.head); }
  [[nodiscard]] const std::vector<std::string>& words() const { return trace.at("tokens").column_labels; }
  // With the model that made the weights, and not the weights alone.
  [[nodiscard]] bool is_read() const { return trace.find("model") != nullptr; }
  [[nodiscard]] int first() const { return is_read() ? static_cast<int>(trace.at("model").values(0, 2)) : 0; }
};

inline constexpr float kTitleHeight = 26;

// The places whose tokens the model could not see, as `trace` has them.
std::vector<int> hidden_in(const Trace& trace);
std::string name_of(const HeadPlace& place);  // "3.2"
// "previous 83 %", "spread" or "no fixed place": what a head does with these tokens.
std::string kind_of(const Trace& trace, const HeadPlace& place, int heads);
// The tokens around `middle` that there is room for: {begin, end}.
std::pair<int, int> window_of(int count, int middle, int most);
Colour colour_of_arcs(const Drawing& d, int index);

// The words as chips: a click looks from one, a double click hides it. Returns the bottom.
float add_word_chips(Drawing& d, float y);
// What hides the word that is looked at, or shows it. Returns the bottom.
float add_hiding(Drawing& d, float y);
// Whose model reads, and the way to another one. Returns the bottom.
float add_own(Drawing& d, float y);
// Layer and head. Returns the bottom.
float add_head_chips(Drawing& d, float y);
// The likeliest tokens at a place; `which`: "", "_swapped" or "_without". Returns the bottom.
float add_guesses(Drawing& d, const std::string& which, int place, const std::string& title, Point at, float width);
// All heads, in the order of the trace; each a button that calls it up. Below the row of the chosen one, what is
// unfolded of it. Returns the bottom.
float add_grid(Drawing& d, Point at, float width, const Figure& unfolded);
// Two columns of words with arcs between them. Returns the bottom.
float add_arcs(Drawing& d, Rect area);
// A number for each head, in rows of layers; on a click each does what `edit` says. Returns the bottom.
struct HeadMap {
  std::string tensor;  // [layers, heads]
  std::string title, note;
  bool diverging = false;
  bool switches = false;  // they are switched off and on; else they are called up
};
float add_head_map(Drawing& d, const HeadMap& map, Point at, float width);

// What makes the step's numbers.
Inspection formula_of(const State& state, const Trace& trace, const View& view);

}  // namespace limelight::scenes::sentence
