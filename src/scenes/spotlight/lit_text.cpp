// A long sentence as a text under the lamp.
#include <algorithm>
#include <cmath>

#include "figure/marks.h"
#include "scenes/common/lines.h"
#include "scenes/spotlight/lit.h"

namespace limelight::scenes::spotlight {

std::optional<TextEnd> add_lit_text(Drawing& d, LitText text) {
  constexpr float kRing = 3;  // px around the cells of the word that asks
  LitStage& stage = text.stage;
  const float k = stage.scale, cells_y = 6 * k;
  const float half = 9 * std::max(k, 0.8F);  // of a percentage's height
  const float shares = (text.cell.h > 0 ? cells_y + text.cell.h + kRing + 2 : 2 * k) + half;
  const float below = std::max(stage.told ? shares + half + (text.cell.h > 0 ? 6.F : 1.F) : 8, text.air);
  std::optional<Slots> slots = lines_of(d.keys, text.place, text.largest, below);
  if (!slots || slots->size < text.smallest) return std::nullopt;
  const float feet = slots->lines.back().bottom(), lowest = text.place.bottom() - below;
  const float down = text.rests > 0 ? std::max(std::min(text.rests, lowest) - feet, 0.F) : 0;
  for (Rect& word : slots->lines) word.y += down;
  stage.slots = *slots;
  stage.slots.below = shares;
  stage.floor = slots->lines.back().bottom();
  stage.shares = stage.floor + shares;
  stage.lamp.bulb.x = slots->foot(d.row, 0).x;
  add_lit_stage(d, stage);
  add_lamp_note(d, stage);
  TextEnd end{.bottom = stage.floor + below, .asks = slots->in_line(d.row)};
  if (text.cell.h == 0) return end;
  const float columns = static_cast<float>(d.trace.at("X").columns());
  for (int word = 0; word < slots->count; ++word) {
    const Point foot = slots->foot(word, 0);
    const float w = std::min(text.cell.w * columns, slots->in_line(word).w - 0.3F * slots->size);
    const Rect cells{foot.x - w / 2, foot.y + cells_y, w, text.cell.h};
    add_embedding(d, word, cells);
    if (word == d.row) end.asks = cells;
  }
  return end;
}

std::optional<float> add_narrow_text(Drawing& d, float bottom, Numbers numbers) {
  constexpr float kSide = 12, kFarthest = 3000;  // px
  const bool cells = numbers == Numbers::all;
  const float bulb = cells ? 52 : 34, top = cells ? 78 : 50;
  // The narration below has a line more or less for each word: the text must not move for it.
  const float step = cells ? 80 : 30;
  const float height = step * std::max(std::floor((bottom - top) / step), 1.F);
  const float k = stage_scale(d);
  LitText text{.stage = {.slots = {},
                         .lamp = {.bulb = {0, bulb}, .cable_from = 0, .scale = cells ? 0.75F : 0.6F},
                         .scale = k,
                         .told = numbers != Numbers::left_out},
               .place = {kSide, top, d.figure.width - 2 * kSide, height},
               .largest = cells ? 30.F : 20.F,
               .cell = {0, 0, 8, 6}};
  if (cells)
    if (const std::optional<TextEnd> end = add_lit_text(d, text)) return end->bottom;
  for (text.cell.h = 0; text.place.h < kFarthest; text.place.h += step)
    if (const std::optional<TextEnd> end = add_lit_text(d, text)) return end->bottom;
  return std::nullopt;
}

}  // namespace limelight::scenes::spotlight
