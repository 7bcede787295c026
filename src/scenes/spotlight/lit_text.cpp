// A long sentence as a text under the lamp.
#include <algorithm>
#include <cmath>

#include "figure/marks.h"
#include "scenes/common/lines.h"
#include "scenes/common/text.h"
#include "scenes/spotlight/lit.h"

namespace limelight::scenes::spotlight {
namespace {

// In the upper corner that the lamp leaves free.
void add_legend(Drawing& d, const LitStage& stage, const std::string& said) {
  constexpr float kSide = 24, kTop = 14;  // px
  const bool at_right = stage.lamp.bulb.x < d.figure.width / 2;
  // Two names, so that it does not travel over the stage with the lamp.
  add_words(d, at_right ? "stage.legend.right" : "stage.legend.left", {kSide, kTop, d.figure.width - 2 * kSide, 18},
            said, {.colour = d.colours.faint, .align = at_right ? Align::right : Align::left});
}

}  // namespace

std::optional<TextEnd> add_lit_text(Drawing& d, LitText text) {
  LitStage& stage = text.stage;
  const float half = 9 * std::max(stage.scale, 0.8F);  // of a percentage's height
  const float shares = 2 * stage.scale + half;
  const float below = std::max(stage.told ? shares + half + 1 : 8, text.air);
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
  const float told_from = add_lit_stage(d, stage);
  const std::string lit = lit_note(d), told = told_note(d, stage.told ? told_from : 0);
  if (d.view.compact()) {
    add_lamp_note(d, stage, lit, told);
  } else {
    add_lamp_note(d, stage, {});
    add_legend(d, stage, lit + (told.empty() ? told : "; " + told));
  }
  const Point asks = slots->foot(d.row, 0);
  return TextEnd{
      .bottom = stage.floor + (stage.told ? shares + half : 8), .asks = asks, .lowest = asks.y > stage.floor - 1};
}

std::optional<float> add_narrow_text(Drawing& d, float bottom, bool close, bool told) {
  constexpr float kSide = 12, kFarthest = 3000;  // px
  const float top = close ? 50 : 92;
  // The narration below has a line more or less for each word: the text must not move for it.
  const float step = close ? 30 : 60;
  const float height = step * std::max(std::floor((bottom - top) / step), 1.F);
  const float least = told ? 22 : 0;  // px, so that no percentage is taken for one of the line below it
  LitText text{.stage = {.slots = {},
                         .lamp = {.bulb = {0, close ? 34.F : 52.F}, .cable_from = 0, .scale = close ? 0.6F : 0.75F},
                         .scale = stage_scale(d),
                         .told = told},
               .place = {kSide, top, d.figure.width - 2 * kSide, height},
               .largest = close ? 20.F : 30.F,
               .air = close ? least : 38.F};
  for (; text.place.h < kFarthest; text.place.h += step) {
    if (const std::optional<TextEnd> end = add_lit_text(d, text)) return end->bottom;
    text.air = least;  // closer lines, before any is below what is seen
  }
  return std::nullopt;
}

}  // namespace limelight::scenes::spotlight
