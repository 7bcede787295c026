#include "scenes/spotlight/lit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scenes/common/matrix.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr float kWidth = 1216, kHeight = 576;  // of a stage that is drawn at scale 1

// In an example whose queries are no words of the sentence none asks. bare: as a LitStage has it.
LitWords lit_words(const Drawing& d, const std::vector<float>& weights, bool bare = false) {
  const bool asks = !d.state.given();
  return {.words = d.keys,
          .weights = weights,
          .query = asks ? d.row : -1,
          .field = asks ? "query" : "",
          .tensor = bare ? std::string_view() : kWeights,
          .row = d.row,
          .weight_field = kWeights,
          .looked_at = d.view.focus(),
          .theme = d.view.theme,
          .ground = stage_ground(d.colours, d.height())};
}

LampNote lamp_note(const Drawing& d) {
  return {.name = d.query(), .asks = d.state.by_rule() ? "asks by its letters" : "asks", .letters = label_scale(d)};
}

}  // namespace

float stage_scale(const Drawing& d) {
  return std::clamp(std::min(d.figure.width / kWidth, d.height() / kHeight), 0.5F, 1.45F);
}

float label_scale(const Drawing& d) { return std::clamp(stage_scale(d), 1.F, 1.2F); }

std::vector<float> weights_of(const Drawing& d) {
  const auto row = d.trace.at("weights").values.row(d.row);
  std::vector<float> weights{row.begin(), row.end()};
  if (d.view.place.step == 1 && !d.view.compact())  // where the lamp comes on
    for (float& weight : weights) weight *= smoothstep(0.2F, 0.9F, d.view.t);
  return weights;
}

Room stage_room(const Drawing& d, float size, float gain) {
  const float k = stage_scale(d), right = std::max(76 * k, kBarRoom + 4);
  const float label = widest(d.queries, text::Face::semibold, 13 * std::max(k, 1.F), 1000) - 2;
  // At least as wide as the map's name.
  const float least = std::max(68 * k, 56.F);
  const float left = std::clamp(label + 34, least, std::max(least, 0.1F * d.figure.width - 15));
  // Few words stand together in the middle.
  const float width = d.figure.width - left - right;
  const float most = 240 * k * static_cast<float>(std::max<std::size_t>(d.keys.size(), 1));
  if (width > most) return {.left = left + (width - most) / 2, .width = most, .size = size, .gain = gain};
  return {.left = left, .width = width, .size = size, .gain = gain};
}

Slots word_slots(const Drawing& d, Room room) {
  room.beyond = std::min(room.left, d.figure.width - room.left - room.width);
  const bool words_ask = !d.state.given();
  return slots_of(d.keys, d.trace.at("weights").values, words_ask, room);
}

void add_lit_stage(Drawing& d, const LitStage& stage, void (*between)(Drawing&, const LitStage&)) {
  const std::vector<float> weights = weights_of(d);
  LitWords lit = lit_words(d, weights, stage.bare);
  add_stage_light(d, stage, lit, d.query());
  if (between != nullptr) between(d, stage);
  add_stage_words(d, stage, lit);
}

void add_lamp_note(Drawing& d, const LitStage& stage) {
  LampNote note = lamp_note(d);
  note.lit = lit_note(weights_of(d));
  add_lamp_note(d, stage, note);
}

void add_row_lamp(Drawing& d, const Element& name) {
  const Text& word = std::get<Text>(name.shape);
  const float scale = std::clamp(name.rect.h / 80, 0.26F, 0.42F * label_scale(d));
  const float x = std::max(name.rect.right() - text::measure(word.face, word.size, word.text) - 13, 32 * scale + 2);
  add_lamp(d.figure, std::string(kLampId),
           {.bulb = {x, name.rect.centre().y},
            .cable_from = std::max(x - 46 * scale, 1.F),
            .scale = scale,
            .hung = Hung::left,
            .lit = 0},
           d.view.theme);
}

// Over the word that asks hangs its lamp, lit as far as its light is shared out.
void add_glowing_words(Drawing& d, const Slots& slots, const std::vector<float>& weights, const Across& across) {
  LitWords lit = lit_words(d, weights);
  add_glowing_words(d, slots, lit, across);
  if (lit.query < 0 || !slots.shows(lit.query)) return;
  const float scale = 0.42F * std::max(across.scale, 0.8F);
  const Rect word = d.figure.find(word_id(lit.query) + ".text")->rect;
  add_lamp(d.figure, std::string(kLampId),
           {.bulb = slots.column ? Point{word.x - 18, slots.centre(lit.query)}
                                 : Point{slots.centre(lit.query), std::max(word.y - 12, 30 * scale + 2)},
            .cable_from = 0,
            .scale = scale,
            .hung = slots.column ? Hung::left : Hung::above,
            .lit = std::min(std::accumulate(weights.begin(), weights.end(), 0.F), 1.F)},
           d.view.theme);
}

float column_words(const Drawing& d) { return std::round(std::min(150.F, 0.36F * d.figure.width)); }

float add_lit_column(Drawing& d, float top, float pitch, Beside beside) {
  constexpr float kShares = 20, kShare = 60, kWordRoom = 90;  // px beside percentages; of one; that words keep
  const Tensor* X = d.trace.find(kX);
  const float cells = X == nullptr ? 0 : std::min(11.F * static_cast<float>(X->columns()), 84.F);
  const float words = column_words(d), shares = d.figure.width - kShares - kShare, cells_x = shares - 4 - cells;
  const bool shows_cells = beside == Beside::numbers && cells >= 40 && cells_x - words > kWordRoom;
  const LitColumn column{.top = top,
                         .pitch = pitch,
                         .words = words,
                         .room = (shows_cells ? cells_x : shares) - words - 8,
                         .scale = beside == Beside::nothing ? 0.85F : 1,
                         .bare = beside == Beside::bare};
  const std::vector<float> weights = weights_of(d);
  LitWords lit = lit_words(d, weights, column.bare);
  const float bottom = add_lit_column(d, column, lit, d.query());
  const int count = static_cast<int>(d.keys.size());
  const Slots slots = column_slots(column, count);
  for (int j = 0; shows_cells && j < count; ++j) add_embedding(d, j, {cells_x, slots.centre(j) - 8, cells, 16});
  return bottom;
}

std::optional<TextEnd> add_lit_text(Drawing& d, const LitText& text) {
  const std::vector<float> weights = weights_of(d);
  LitWords lit = lit_words(d, weights);
  return add_lit_text(d, text, lit, lamp_note(d));
}

std::optional<float> add_narrow_text(Drawing& d, float bottom, bool close, bool told) {
  constexpr float kSide = 12, kFarthest = 3000;  // px
  const float top = close ? 78 : 92;
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
