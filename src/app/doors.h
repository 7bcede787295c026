// What stands on the opening's doors: small pictures of what other scenes show. Their weights are the scenes' own, kept
// here because the opening comes before models and functions of those; a test computes them anew.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "figure/figure.h"

namespace limelight::app {

// The scene Translate as it begins, where the order of the words turns round: how much each output word, from this one
// on, looks at each source word from that one on.
inline constexpr int kDoorFirstOutput = 4, kDoorFirstSource = 4;
inline constexpr std::array<std::string_view, 3> kDoorSource{"European", "Economic", "Area"};
inline constexpr std::array<std::string_view, 3> kDoorOutput{"zone", "économique", "européenne"};
inline constexpr float kDoorAlignment[3][3] = {
    {0.0027F, 0.0112F, 0.9840F}, {0.0088F, 0.9902F, 0.0001F}, {0.9072F, 0.0469F, 0.0001F}};

// The scene Caption as it begins: what the word `kDoorWord` looks at, in 8 × 8 cells of a picture of 64 × 64 pixels.
inline constexpr std::array<std::string_view, 4> kDoorCaption{"a", "big", "red", "circle"};
inline constexpr int kDoorWord = 3, kDoorCells = 8, kDoorPixels = 64;
struct DoorCell {
  int row, column;
  float weight;
};
// Those above a hundredth.
inline constexpr DoorCell kDoorLight[] = {{1, 5, 0.0122F}, {2, 5, 0.0596F}, {3, 2, 0.0373F},
                                          {4, 1, 0.0287F}, {4, 2, 0.4611F}, {4, 3, 0.0743F},
                                          {5, 1, 0.0189F}, {5, 2, 0.2584F}, {5, 3, 0.0296F}};
struct DoorThing {
  figure::Point centre;  // pixels
  float half;            // its radius, or half its side
  bool round;
  figure::Colour colour;
};
inline constexpr DoorThing kDoorThings[] = {{{20, 40}, 9.6F, true, {219, 41, 41}},
                                            {{47, 20}, 4.8F, false, {41, 82, 219}}};

// Each on a dark ground in its rect, which it may outshine a little; ids begin with `id`.
void add_words_door(figure::Figure& figure, const std::string& id, figure::Rect rect, std::span<const float> weights,
                    int query);
void add_translation_door(figure::Figure& figure, const std::string& id, figure::Rect rect);
void add_pictures_door(figure::Figure& figure, const std::string& id, figure::Rect rect);

}  // namespace limelight::app
