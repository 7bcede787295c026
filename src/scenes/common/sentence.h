// The sentence on the stage: each word in a slot of its own, as large and as bright as the light that it gets. All that
// belongs to a word, such as its numbers or its column of a matrix, stands in the same slot.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "figure/figure.h"
#include "figure/light.h"
#include "figure/slots.h"
#include "io/shares.h"
#include "scenes/scene.h"

namespace limelight::scenes {

using figure::Slots;
using io::share_text, io::whole_share_text;

inline constexpr float kTold = 0.1F;  // a weight that is much: its word glows, and pictures that tell some tell it

// The lamp's, which is dragged along the words.
inline constexpr std::string_view kLampId = "stage.lamp";
inline constexpr std::string_view kLightId = "stage.light";
// The id of a word's element, "stage.word.3", and back. A word that is pointed at asks while it is: in the view only.
std::string word_id(int word);
std::optional<int> word_at(std::string_view id);
// The word of a line of written words (word_line.h) that is pointed at: "target.word.3".
std::optional<int> line_word_at(std::string_view id);
// The word that asks: of so many the one that is pointed at, as long as it is; else the query.
int asking_word(const View& view, int query, int count);
// The row of a weight, "weights[3,0]", or of a row's name, "weights.row.3".
std::optional<int> map_row_at(std::string_view id);
// … of one of these tensors.
std::optional<int> row_in(std::span<const std::string_view> tensors, std::string_view id);

// What each word gets where all that are not masked get the same.
float even_share(std::span<const float> weights);
// What a word gets above an even share: 0 where it gets no more, 1 from four times as much on.
float above_even(std::span<const float> weights, int word);
// Whether an element belongs to the sentence: its words, their percentages and numbers, its light.
bool is_of_words(std::string_view id);

// A stage without its light: its colour at the top, and this far down.
struct Ground {
  figure::Colour top{}, bottom{};
  float height = 1;

  [[nodiscard]] figure::Colour at(float y) const { return figure::mix(top, bottom, std::clamp(y / height, 0.F, 1.F)); }
};
// Of a figure as high as its view, or higher.
inline Ground stage_ground(const figure::Palette& colours, float height) {
  return {colours.stage_top, colours.stage_bottom, height};
}

struct LitWords {
  std::span<const std::string> words{};
  std::span<const float> weights{};  // one for each word of the sentence
  int query = -1;                    // the word that asks; −1: it is none of these
  std::string_view field{};          // that a click on a word sets; empty: none does
  std::string_view tensor{};         // of the weights; empty: nothing leads to them, and faint ones are not told
  int row = 0;                       // in it
  std::string_view weight_field{};   // that sets a weight by hand; empty: none does
  std::string_view looked_at{};      // the id of a weight, whose number is outlined
  figure::Theme theme = figure::Theme::light;
  figure::Brightness light{};  // that they stand in
  Ground ground{};             // behind them, where there is no light
};
// The other direction of a row, or of a column.
struct Across {
  float words = 0;       // the baseline; of a column and of upright words, where they begin; of a text, none
  float shares = 0;      // the middle of the percentages; of a column, where they end; of a text, none
  float end = 0;         // words are hit from just before their letters to here; of a row, below the letters
  float from = 0;        // … in a row from here, where that is higher; 0: it is not
  float room = 0;        // of a column and of upright words: how long they may be
  float scale = 1;       // of the percentages
  bool told = true;      // whether there are percentages
  bool columns = false;  // of a row: they stand in the middles of their slots, as the columns below do
};
// Words, as large and as bright as their weights; the light above their letters can be pointed at. And their
// percentages. Returns the least weight whose percentage a text tells.
float add_lit_words(figure::Figure& figure, const Slots& slots, const LitWords& lit, const Across& across);
// The ink of a word: the query's where it asks, else dim without light, black or cream in it.
figure::Colour ink_of(const LitWords& lit, int word, figure::Rect behind, bool large);
// Of letters in bright light, in the dark.
inline constexpr figure::Colour kCream{0xff, 0xf9, 0xe6};
// As near to an ink as can be read on what lies behind it; large letters with less contrast. at_ends: of that contrast,
// what is enough for the first and last letters.
figure::Colour readable(const LitWords& lit, figure::Colour wanted, figure::Rect behind, bool large, float at_ends = 1);

}  // namespace limelight::scenes
