// The sentence on the stage: each word in a slot of its own, as large and as bright as the light that it gets. All that
// belongs to a word, such as its numbers or its column of a matrix, stands in the same slot.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"

namespace limelight::scenes {

inline constexpr int kMostOnStage = 16;  // words; of more, a window is seen

// The id of a word's element, "stage.word.3", and back. A word that is pointed at asks while it is: in the view only.
std::string word_id(int word);
std::optional<int> word_at(std::string_view id);

// Where words stand. Lengths are CSS pixels.
struct Slots {
  int first = 0;  // the word in the first slot
  int count = 0;
  int of = 0;  // words of the whole sentence
  float left = 0;
  float pitch = 0;
  float beside = 0;        // what is free on each side of them
  float size = 0;          // of a word without light
  float gain = 0;          // as much larger is one that gets all of it
  bool cut = false;        // words are cut to their slots, since they have no room at any size
  bool staggered = false;  // every other word a line lower, since side by side they have no room

  [[nodiscard]] float centre(int word) const { return left + pitch * (static_cast<float>(word - first) + 0.5F); }
  [[nodiscard]] bool shows(int word) const { return word >= first && word < first + count; }
  [[nodiscard]] float line_height() const { return size * 1.15F; }
  [[nodiscard]] float height() const { return size + gain / 2 + (staggered ? line_height() : 0); }
};

struct Room {
  float left = 0, width = 0, right = 0;  // what is free before the slots, what they take, what is free behind them
  float size = 36;                       // the largest of a word without light
  float gain = 21;
};
// `most`: the largest weight that each word ever gets, so that it has room then; `middle`: the word around which the
// window of a long sentence lies.
Slots slots_of(std::span<const std::string> words, std::span<const float> most, int middle, Room room);

struct LitWords {
  std::span<const std::string> words{};
  std::span<const float> weights{};  // one for each word of the sentence
  int query = -1;                    // the word that asks; −1: it is none of these
  std::string_view field{};          // that a click on a word sets; empty: none does
  std::string_view tensor{};         // of the weights
  int row = 0;                       // in it
  figure::Theme theme = figure::Theme::light;
  figure::Light light{};    // that they stand in
  figure::Colour ground{};  // behind them, where there is no light
};
// Words on the baseline; each is hit from `top` to `bottom`, without gaps between them.
void add_lit_words(figure::Figure& figure, const Slots& slots, const LitWords& lit, float baseline, float top,
                   float bottom);
// Their percentages, each in the middle of its slot.
void add_shares(figure::Figure& figure, const Slots& slots, const LitWords& lit, float middle, float scale);
// A weight in per cent for the numbers' face, which has no narrow space.
std::string share_text(float weight);
// Before and behind a window: how many words are there, and what light they get; a press moves the query there.
void add_window_ends(figure::Figure& figure, const Slots& slots, const LitWords& lit, float middle);

// The ink of a word: the query's where it asks, else dim without light, black or cream in it; another one where that
// would not be read on what lies behind the word.
figure::Colour ink_of(const LitWords& lit, int word, figure::Rect behind);

}  // namespace limelight::scenes
