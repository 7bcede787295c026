// The lamp over a sentence: the floor that its light falls on, the light, the lamp by its handle, and the words. They
// stand side by side, each upright, in the lines of a text, or below each other with the lamp to their left.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "figure/lamp.h"
#include "scenes/common/sentence.h"
#include "scenes/common/text.h"

namespace limelight::scenes {

// Where it stands; CSS pixels.
struct LitStage {
  Slots slots;
  figure::Lamp lamp;
  float scale = 1;       // of all that is drawn
  float baseline = 0;    // of the words; of upright ones, where they begin
  float floor = 0;       // where the light falls
  float shares = 0;      // the middle of the percentages
  float arcs = 0;        // where arcs from word to word begin and end
  float room = 0;        // how long upright words may be
  bool columns = false;  // percentages stand over the columns of a map
  bool told = true;      // whether there are percentages
  bool bare = false;     // nothing leads to the weights, faint ones are not told, and words are hit in their light, too
};

// The column of the weight of this row that is looked at; −1: it is none of them.
int alone_in(std::string_view looked_at, std::string_view tensor, int row);
// What a lamp lights of words in slots. floor: where the light falls; of a column an x, before its words. lit has the
// weights of the whole sentence.
figure::Light light_over(const figure::Lamp& lamp, const Slots& slots, float floor, figure::Lit lit);
// Of the floor: bright in this rect, with an edge.
void add_floor(Frame& frame, figure::Rect rect, float edge);

// By which the lamp is taken and moved along the words: three dots on it, and around it, wide enough for a finger, what
// is dragged.
void add_lamp_handle(Frame& frame, const figure::Lamp& lamp);

// The floor and the light on it, in which the words then stand. asks: whose light it is.
void add_stage_light(Frame& frame, const LitStage& stage, LitWords& lit, const std::string& asks);
// The lamp, the words and their percentages. Returns the least weight whose percentage a text tells.
float add_stage_words(Frame& frame, const LitStage& stage, const LitWords& lit);

// Words below each other with the lamp to their left.
struct LitColumn {
  float top = 0, pitch = 0;  // from one word to the next
  float words = 0;           // the x where they begin
  float room = 0;            // how long they may be
  float scale = 1;           // less where they stand close
  bool bare = false;         // as a LitStage has it
};
Slots column_slots(const LitColumn& column, int count);
// Of words without a lamp beside them, in a room so high if it is enough, none longer than that unless it were small.
Slots column_slots(std::span<const std::string> words, float height, float longest);
// Returns its bottom.
float add_lit_column(Frame& frame, const LitColumn& column, LitWords& lit, const std::string& asks);

// Words without a lamp over them, each that is lit in a glow as the lamp's light would be there.
void add_glowing_words(Frame& frame, const Slots& slots, LitWords& lit, const Across& across);

// What the light says.
std::string lit_note(std::span<const float> weights);
// Beside the lamp: who asks, how ("asks by its letters"), and as much of the notes as has room there. letters: their
// scale.
struct LampNote {
  std::string name{}, asks{}, lit{}, told{};
  float letters = 1;
};
void add_lamp_note(Frame& frame, const LitStage& stage, const LampNote& note);

// A long sentence in lines under the lamp.
struct LitText {
  LitStage stage;      // its lamp's height and scale
  figure::Rect place;  // of the lines
  float largest = 0;   // px of letters
  float smallest = 0;  // … below which none are set
  float air = 0;       // least from a line's letters to the next one
  float rests = 0;     // a y down to which the last line goes, where the lines have room to; 0: in the middle
};
struct TextEnd {
  float bottom;        // of the last line, its percentages included
  figure::Point asks;  // the foot of the word that asks
  bool lowest;         // whether that is on the last line
};
// Nothing is drawn, and nothing returned, where it has no room. The notes go beside the lamp, or where that is wide,
// into the upper corner that it leaves free.
std::optional<TextEnd> add_lit_text(Frame& frame, LitText text, LitWords& lit, LampNote note);

}  // namespace limelight::scenes
