// Where words stand, each in a slot of its own, as large as its light makes it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "figure/geometry.h"
#include "text/font.h"

namespace limelight::figure {

inline constexpr int kMostOnStage = 16;           // words side by side; more stand upright
inline constexpr float kBetweenWords = 12;        // CSS pixels from a word to the next one
inline constexpr float kSmallestUpright = 10.5F;  // CSS pixels of letters
inline constexpr float kHeavy = 0.16F;            // a weight from which a word is bold
inline constexpr float kAsks = 0.06F;             // as much larger is the word that asks
inline constexpr float kBoldLarge = 18.66F;       // CSS pixels from which bold letters are large (WCAG 2.2)

// Punctuation, and what stands for no word, such as [START]: smaller than words.
bool is_mark(std::string_view word);

// Where words stand: in a row, side by side or each upright, in a column below each other, or in lines as a text does.
// Lengths are CSS pixels.
struct Slots {
  int first = 0;  // the word in the first slot
  int count = 0;
  int of = 0;       // words of the whole sentence
  float begin = 0;  // of the first slot: an x, or in a column a y
  float pitch = 0;
  float size = 0;               // of a word without light
  float gain = 0;               // as much larger is one that gets all of it
  bool cut = false;             // words are cut to their slots, since they have no room at any size
  bool column = false;          // below each other
  bool upright = false;         // read from bottom to top
  std::vector<float> beside{};  // how far words stand from the middles of their slots; empty: all are there
  std::vector<Rect> lines{};    // of a text: each word's place, on whose lower edge its light falls
  float below = 0;              // of a text: from a line to the middle of its percentages

  // The middle of a slot, and of the word in it.
  [[nodiscard]] float middle(int word) const { return begin + pitch * (static_cast<float>(word - first) + 0.5F); }
  [[nodiscard]] float centre(int word) const { return middle(word) + shift(word); }
  [[nodiscard]] bool is_text() const { return !lines.empty(); }
  [[nodiscard]] const Rect& in_line(int word) const { return lines[static_cast<std::size_t>(word - first)]; }
  // Where its light falls: on the floor, of a column an x; but in a text on its line.
  [[nodiscard]] Point foot(int word, float floor) const {
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

// A word in the light of one query.
struct WordSetting {
  text::Face face;
  float size;  // CSS pixels
};
WordSetting setting_of(const Slots& slots, std::string_view word, float weight, bool asks);

}  // namespace limelight::figure
