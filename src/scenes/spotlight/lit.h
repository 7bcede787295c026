// The sentence under the lamp, as Spotlight's steps show it: its scale, its slots, and who asks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenes/common/lit_stage.h"
#include "scenes/spotlight/parts.h"

namespace limelight::scenes::spotlight {

// What grows and shrinks with the stage; 1 on one of 1216 × 576.
float stage_scale(const Drawing& d);
// What labels grow by with it, which need it less than a picture.
float label_scale(const Drawing& d);
inline constexpr float kBarRoom = 56;  // px of a colour bar beside a map, with its numbers
// What the slots take of its width: the same in all steps, so that words keep their places. The
// names of a matrix's rows stand to their left, its colour bar to their right. size, gain: of a Room.
Room stage_room(const Drawing& d, float size, float gain);
// The slots of the keys.
Slots word_slots(const Drawing& d, Room room);
// The weights of the query that is looked at, one for each key.
std::vector<float> weights_of(const Drawing& d);

// The lamp of the row that this name is of, to its left, unlit: no weight is known yet.
inline constexpr float kRowLamp = 22;  // px beside the longest name, times the labels' scale
void add_row_lamp(Drawing& d, const Element& name);
// The floor, the light, what is `between`, the lamp, the words and their percentages.
void add_lit_stage(Drawing& d, const LitStage& stage, void (*between)(Drawing&, const LitStage&) = nullptr);
std::optional<TextEnd> add_lit_text(Drawing& d, const LitText& text);
// The same on a phone, down to this y, or further where that is too little. `close`: as small as can be read, beside
// another picture; `told`: with the percentages of the words that are lit.
std::optional<float> add_narrow_text(Drawing& d, float bottom, bool close, bool told);
// The query's row of the output, as far as it is gathered, with its name and those of its columns.
void add_output(Drawing& d, Rect cells, float gathered);
// On a phone the words stand below each other, a pitch from one to the next, and the lamp to their left. Returns the
// bottom. Beside the words: their numbers where there is room; nothing; or nothing and bare, as LitStage has it.
float column_words(const Drawing& d);  // the x where they begin
enum class Beside { numbers, nothing, bare };
float add_lit_column(Drawing& d, float top, float pitch, Beside beside = Beside::numbers);
// Words without a lamp over them, each in a glow of its own.
void add_glowing_words(Drawing& d, const Slots& slots, const std::vector<float>& weights, const Across& across);
// What the query is, beside the lamp, and what its light says.
void add_lamp_note(Drawing& d, const LitStage& stage);

}  // namespace limelight::scenes::spotlight
