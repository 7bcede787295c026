// The lamp over the sentence, as the first and the last step show it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/lamp.h"
#include "scenes/common/sentence.h"
#include "scenes/spotlight/parts.h"

namespace limelight::scenes::spotlight {

// Where it stands; CSS pixels.
struct LitStage {
  Slots slots;
  Lamp lamp;
  float scale = 1;       // of all that is drawn: 1 on a stage of 1216 × 576
  float baseline = 0;    // of the words; of upright ones, where they begin
  float floor = 0;       // where the light falls
  float shares = 0;      // the middle of the percentages
  float arcs = 0;        // where arcs from word to word begin and end
  float room = 0;        // how long upright words may be
  bool columns = false;  // percentages stand over the columns of a map
  bool told = true;      // whether there are percentages
  bool bare = false;     // nothing leads to the weights, faint ones are not told, and words are hit in their light, too
};

// What grows and shrinks with the stage; 1 on one of 1216 × 576.
float stage_scale(const Drawing& d);
// What labels grow by with it, which need it less than a picture.
float label_scale(const Drawing& d);
inline constexpr float kTold = 0.1F;   // a weight that is much: its word glows, and pictures that tell some tell it
inline constexpr float kBarRoom = 56;  // px of a colour bar beside a map, with its numbers
// What the slots take of its width: the same in all steps, so that words keep their places. The
// names of a matrix's rows stand to their left, its colour bar to their right. size, gain: of a Room.
Room stage_room(const Drawing& d, float size, float gain);
// The slots of the keys.
Slots word_slots(const Drawing& d, Room room);
// On a phone, where words stand upright side by side.
Slots narrow_slots(const Drawing& d);
LitWords lit_words(const Drawing& d, const std::vector<float>& weights);
// The weights of the query that is looked at, one for each key.
std::vector<float> weights_of(const Drawing& d);

// The floor, the light, what is `between`, the lamp, the words and their percentages. Returns the least weight whose
// percentage a text tells.
float add_lit_stage(Drawing& d, const LitStage& stage, void (*between)(Drawing&, const LitStage&) = nullptr);
// A long sentence in lines under the lamp.
struct LitText {
  LitStage stage;      // its lamp's height and scale
  Rect place;          // of the lines
  float largest = 0;   // px of letters
  float smallest = 0;  // … below which none are set
  float air = 0;       // least from a line's letters to the next one
  float rests = 0;     // a y down to which the last line goes, where the lines have room to; 0: in the middle
};
struct TextEnd {
  float bottom;  // of the last line, its percentages included
  Point asks;    // the foot of the word that asks
  bool lowest;   // whether that is on the last line
};
// Nothing is drawn, and nothing returned, where it has no room.
std::optional<TextEnd> add_lit_text(Drawing& d, LitText text);
// The same on a phone, down to this y, or further where that is too little. `close`: as small as can be read, beside
// another picture; `told`: with the percentages of the words that are lit.
std::optional<float> add_narrow_text(Drawing& d, float bottom, bool close, bool told);
// On a phone the words stand below each other, a pitch from one to the next, and the lamp to their left. Returns the
// bottom. Beside the words: their numbers where there is room; nothing; or nothing and bare, as LitStage has it.
float column_words(const Drawing& d);  // the x where they begin
enum class Beside { numbers, nothing, bare };
float add_lit_column(Drawing& d, float top, float pitch, Beside beside = Beside::numbers);
// Words without a lamp over them, each that is lit in a glow as the lamp's light would be there.
void add_glowing_words(Drawing& d, const Slots& slots, const std::vector<float>& weights, const Across& across);
// What the light says, and from which weight on percentages are told: empty where all are.
std::string lit_note(const Drawing& d);
std::string told_note(const Drawing& d, float from);
// What the query is, beside the lamp, and as much of the notes as has room there.
void add_lamp_note(Drawing& d, const LitStage& stage, const std::string& lit, const std::string& told = {});

}  // namespace limelight::scenes::spotlight
