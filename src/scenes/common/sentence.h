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
#include "scenes/scene.h"

namespace limelight::scenes {

inline constexpr int kMostOnStage = 16;  // words side by side; more stand upright
inline constexpr float kTold = 0.1F;     // a weight that is much: its word glows, and pictures that tell some tell it

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

// Punctuation, and what stands for no word, such as [START]: smaller than words.
bool is_mark(std::string_view word);

// What each word gets where all that are not masked get the same.
float even_share(std::span<const float> weights);
// What a word gets above an even share: 0 where it gets no more, 1 from four times as much on.
float above_even(std::span<const float> weights, int word);
// Whether an element belongs to the sentence: its words, their percentages and numbers, its light.
bool is_of_words(std::string_view id);

// Where words stand: in a row, side by side or each upright, in a column below each other, or in lines as a text does.
// Lengths are CSS pixels.
struct Slots {
  int first = 0;  // the word in the first slot
  int count = 0;
  int of = 0;       // words of the whole sentence
  float begin = 0;  // of the first slot: an x, or in a column a y
  float pitch = 0;
  float size = 0;                     // of a word without light
  float gain = 0;                     // as much larger is one that gets all of it
  bool cut = false;                   // words are cut to their slots, since they have no room at any size
  bool column = false;                // below each other
  bool upright = false;               // read from bottom to top
  std::vector<float> beside{};        // how far words stand from the middles of their slots; empty: all are there
  std::vector<figure::Rect> lines{};  // of a text: each word's place, on whose lower edge its light falls
  float below = 0;                    // of a text: from a line to the middle of its percentages

  // The middle of a slot, and of the word in it.
  [[nodiscard]] float middle(int word) const { return begin + pitch * (static_cast<float>(word - first) + 0.5F); }
  [[nodiscard]] float centre(int word) const { return middle(word) + shift(word); }
  [[nodiscard]] bool is_text() const { return !lines.empty(); }
  [[nodiscard]] const figure::Rect& in_line(int word) const { return lines[static_cast<std::size_t>(word - first)]; }
  // Where its light falls: on the floor, of a column an x; but in a text on its line.
  [[nodiscard]] figure::Point foot(int word, float floor) const {
    if (column) return {floor, centre(word)};
    if (!is_text()) return {centre(word), floor};
    return {in_line(word).centre().x, in_line(word).bottom()};
  }
  [[nodiscard]] bool shows(int word) const { return word >= first && word < first + count; }
  // Where the pointer is on the word: these touch each other.
  [[nodiscard]] float from(int word) const { return middle(word) + (shift(word - 1) + shift(word) - pitch) / 2; }
  [[nodiscard]] float to(int word) const { return from(word + 1); }

 private:
  [[nodiscard]] float shift(int word) const {
    return beside.empty() || !shows(word) ? 0 : beside[static_cast<std::size_t>(word - first)];
  }
};

struct Room {
  float left = 0, width = 0;
  float beyond = 0;  // as far as the first and the last word may stand out of it
  float size = 36;   // the largest of a word without light
  float gain = 21;
  float beside = 0.4F;  // as far as small words may stand from the middles of their slots, in pitches
};
// A row of words, as large as leaves air between them whichever query asks; where that would be small, they stand a
// little beside their slots; where that does not help, all stand upright, or, of up to eight words, long ones are cut.
// weights: [queries, words];
// `words_ask`: whether query i is word i.
Slots slots_of(std::span<const std::string> words, const Matrix& weights, bool words_ask, Room room);
// `count` of `of` words from `first` on, each upright in its slot.
Slots upright_slots(int first, int count, int of, Room room);

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
// A weight in per cent for the numbers' face, which has no narrow space.
std::string share_text(float weight);
// The same of one of a row's: in tenths where whole percents would be seen to sum to another number than they do, and
// rounded so that these do not.
std::string share_text(std::span<const float> row, int index);
// The same in whole percents, or "<1 %", where there is no room for tenths.
std::string whole_share_text(std::span<const float> row, int index);

// The ink of a word: the query's where it asks, else dim without light, black or cream in it.
figure::Colour ink_of(const LitWords& lit, int word, figure::Rect behind, bool large);
// Of letters in bright light, in the dark.
inline constexpr figure::Colour kCream{0xff, 0xf9, 0xe6};
// As near to an ink as can be read on what lies behind it; large letters with less contrast. at_ends: of that contrast,
// what is enough for the first and last letters.
figure::Colour readable(const LitWords& lit, figure::Colour wanted, figure::Rect behind, bool large, float at_ends = 1);

}  // namespace limelight::scenes
