// What all of Sentence's drawings share: the words and where they stand, who is hidden, how heads are named and
// coloured, what could stand at a hidden place.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figure/figure.h"
#include "figure/flows.h"
#include "figure/light.h"
#include "figure/panels.h"
#include "scenes/common/chips.h"
#include "scenes/common/head_colours.h"
#include "scenes/common/parts.h"
#include "scenes/common/sentence.h"
#include "scenes/common/text.h"
#include "scenes/sentence/sentence.h"

namespace limelight::scenes::sentence {

using namespace figure;

struct Drawing : Frame {
  const State& state;
  int layers = 0, heads = 0;
  HeadPlace head{};
  int query = 0, key = 0;

  [[nodiscard]] std::string tensor(std::string_view one) const { return of_head(one, head.layer, head.head); }
  [[nodiscard]] const std::vector<std::string>& words() const { return trace.at("tokens").column_labels; }
  // With the model that made the weights, and not the weights alone.
  [[nodiscard]] bool is_read() const { return trace.find("model") != nullptr; }
  [[nodiscard]] int first() const { return is_read() ? static_cast<int>(trace.at("model").values(0, 2)) : 0; }
  [[nodiscard]] std::vector<HeadPlace> all_heads() const {
    std::vector<HeadPlace> all;
    for (int i = 0; i < layers * heads; ++i) all.push_back({i / heads, i % heads});
    return all;
  }
  // As it was typed, where it is hidden.
  [[nodiscard]] const std::string& typed(int i) const {
    return trace.at("typed").column_labels[static_cast<std::size_t>(i)];
  }
  // Of pictures and of labels, which need it less: 1 on a stage of 1208 × 560.
  [[nodiscard]] float scale() const;
  [[nodiscard]] float label_scale() const { return std::clamp(scale(), 1.F, 1.2F); }
  [[nodiscard]] TextStyle muted(float size, Align align = Align::left) const {
    return {colours.muted, {text::Face::regular, size * label_scale()}, align};
  }
  [[nodiscard]] TextStyle bold(Colour colour, float size, Align align = Align::left) const {
    return {colour, {text::Face::semibold, size * label_scale()}, align};
  }
};

inline constexpr float kTitleHeight = 26;
inline constexpr int kMostWords = 64;  // of a row; of more those around the query are shown

// The places whose tokens the model could not see, as `trace` has them.
std::vector<int> hidden_in(const Trace& trace);
std::string name_of(const HeadPlace& place);  // "3.2"
bool has(const io::CellEdits& heads, const HeadPlace& place);
std::string share_of(float share);  // "36 %"
// "before 83 %", "at many words" or kNoFixedPlace: what a head does with these tokens.
inline constexpr std::string_view kNoFixedPlace = "depends on the words";
std::string kind_of(const Trace& trace, const HeadPlace& place, int heads);
Panel zoomed(Panel panel, const Zoom& zoom);  // in the window that the reader zoomed into
// The tokens around `middle` that there is room for: {begin, end}.
std::pair<int, int> window_of(int count, int middle, int most);
// A row of a matrix of weights; empty where there is none.
std::vector<float> row_of(const Trace& trace, const std::string& tensor, int row);

enum class Side { queries, keys };
// A row of words: [START] and what the model cannot see included.
struct Words {
  Side side = Side::queries;
  std::vector<std::string> words;  // without letters where a card stands instead
  std::vector<char> cards;         // whether the word is hidden, and a black card stands for it
  Slots slots;
};
struct Setting {
  Rect room{};                  // in its middle; of upright words its height is what they may be long
  float most = 28, least = 15;  // px of letters; smaller ones stand upright
  int turns = -1;               // a word that stands on a card of its own, and the other one that is on its back
  std::string_view back{};
  bool lines = false;  // in lines, where they are too small side by side
  float below = 0;     // of a line
};
// As large as they have room, so far apart as is left between them; where `weights` are more than a little, a word is
// bold.
Words words_in(const Drawing& d, Side side, const Setting& setting, std::span<const float> weights,
               std::span<const float> others = {});
struct Look {
  std::string_view prefix = "stage.";  // of the elements' ids
  std::span<const float> weights{};    // empty: none is lit
  std::string_view tensor{};           // that they are of
  int query = -1;                      // the word that asks
  float baseline = 0;                  // of a column the x where words begin
  float shares = 0;                    // the middle of the percentages; of a column where they end
  float length = 0;                    // of upright words
  float scale = 1;
  bool asks = true;    // a press asks from there, or, of keys, looks at it
  Brightness light{};  // that they stand in
  float veil = 0;      // how much of white lies behind them
  float heavier = 1;   // words are drawn as if they had so much more weight
};
void add_row(Drawing& d, const Words& words, const Look& look);
// A dark card with three dots, for what the model cannot see.
void add_hidden(Drawing& d, const std::string& id, Rect card, bool asks);
float add_sentence(Drawing& d, float y, float width);  // in small letters, each word a button; returns the bottom

// What hides the word that is looked at, or shows it. Returns the bottom.
float add_hiding(Drawing& d, Point at, float width);
// Whose model reads, and the way to another one; `brief`: the trained one needs no words. Returns the bottom.
float add_own(Drawing& d, Point at, float width, bool brief = false);
ChipGroup layer_chips(const Drawing& d);
float add_head_chips(Drawing& d, float y);  // returns the bottom
// The likeliest tokens at the places that are guessed at; `which`: "", "_needed" or "_without", and how far these have
// come from what is said with all heads, whose outline stays. Returns the bottom.
float add_guesses(Drawing& d, const std::string& which, int place, const std::string& title, Rect area, float come = 1);
float add_all_guesses(Drawing& d, Rect area);
float add_without_model(Drawing& d, float y);  // where the step needs it
bool lacks_target(const Drawing& d);
float add_no_target(Drawing& d, float y);
float add_trying(Drawing& d, float y, const std::string& what);  // until the experiments are there

std::string points_of(float change);  // "−4.8"
// What a word's probability loses, hanging down from `zero`, or gains, standing up: `unit` px for all of it.
void add_change(Drawing& d, const Source& of, const std::string& label, const Rect& zero, float unit, bool told);

// Whether there is another word for one of the sentence, and the model has read it.
bool turns(const Drawing& d);
int brightest(std::span<const float> weights);  // the place that has most of a row
// The sentence under the lamp from the top down; swung: with the other word. Returns where it ends.
float add_lamp_stage(Drawing& d, bool swung);

// Heads as light in dark panels, each a button that calls it up.
struct Small {
  HeadPlace head{};
  Rect panel{};
};
void add_small(Drawing& d, std::span<const Small> heads);
inline constexpr int kMostLayersSmall = 4;  // that are shown as small panels all at once
// All heads, layer below layer, small; of many layers only this one's. Returns the bottom.
float add_panels_of_heads(Drawing& d, Rect area);
// Where light begins or ends in one, from or at so many words.
Feet feet_in(const Rect& panel, Side side, Eigen::Index count);

// What makes the step's numbers.
Inspection formula_of(const State& state, const Trace& trace, const View& view);

}  // namespace limelight::scenes::sentence
