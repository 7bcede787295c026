#include "scenes/spotlight/lit.h"

#include <algorithm>
#include <cmath>

#include "figure/light.h"
#include "io/numbers.h"
#include "scenes/common/lamp_handle.h"
#include "scenes/common/strips.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr float kWidth = 1216, kHeight = 576;  // of a stage that is drawn at scale 1

// A word of the sentence that asks; in an example whose queries are no words of it none does.
int asking(const Drawing& d) { return d.state.given() ? -1 : d.row; }

// What a picture of the stage alone shows.
void add_card(Drawing& d, Rect rect) {
  d.figure.add({.id = "stage.card",
                .rect = rect,
                .label = "The sentence in the light of " + d.queries[static_cast<std::size_t>(d.row)]});
}

// The column of the weight that is looked at, where it is one of this row; else −1.
int alone_in(const LitWords& lit) {
  const std::optional<Source> cell = parse_cell_id(lit.looked_at);
  return cell && cell->tensor == lit.tensor && cell->row == lit.row ? cell->column : -1;
}

// An example whose queries are no words has no lamp to be taken.
void add_handle(Drawing& d, const Lamp& lamp) {
  if (!d.state.given()) add_lamp_handle(d.figure, lamp, d.view.hovered == kLampId);
}

// What is seen as light. Of many words each gets so little that no beam would be seen: there it is what a word gets
// above an even share, in the same way whichever query asks and however even its weights are.
std::vector<float> light_in(std::vector<float> weights) {
  constexpr float kClear = 0.55F, kGlimmer = 0.004F;  // of a word with four even shares; of any that gets something
  if (static_cast<int>(weights.size()) <= kMostOnStage) return weights;
  std::vector<float> light;
  for (int word = 0; word < static_cast<int>(weights.size()); ++word) {
    const float weight = weights[static_cast<std::size_t>(word)], above = above_even(weights, word);
    const float seen = above < 1 ? kClear * above : std::max(kClear, weight);
    light.push_back(std::max(seen, std::min(weight, kGlimmer)));
  }
  return light;
}

void add_floor(Drawing& d, float y) {
  const bool dark = is_dark(d.view.theme);
  const float end = d.figure.width;
  const auto white = [](int alpha) { return Colour{255, 255, 255, static_cast<std::uint8_t>(alpha)}; };
  d.figure.add({.id = "stage.floor",
                .shape = Area{.points = {{0, y - 2}, {end, y - 2}, {end, y + 64}, {0, y + 64}},
                              .fill = white(dark ? 12 : 87),
                              .fill_to = white(0)}});
  d.figure.add(
      {.id = "stage.floor.edge", .shape = Line{.points = {{0, y - 1.5F}, {end, y - 1.5F}}, .colour = d.colours.track}});
}

// Of each line of a text: what its light falls on.
void add_line_floors(Drawing& d, const Slots& slots) {
  constexpr float kBeyond = 14;  // px
  int line = 0;
  for (int word = 0; word < slots.count;) {
    const Rect first = slots.in_line(word);
    Rect last = first;
    for (; word < slots.count && slots.in_line(word).y == first.y; ++word) last = slots.in_line(word);
    const float y = first.bottom(), left = std::max(first.x - kBeyond, 0.F);
    const float right = std::min(last.right() + kBeyond, d.figure.width);
    d.figure.add({.id = "stage.floor." + std::to_string(line++),
                  .shape = Line{.points = {{left, y}, {right, y}}, .colour = d.colours.track}});
  }
}

}  // namespace

float stage_scale(const Drawing& d) {
  return std::clamp(std::min(d.figure.width / kWidth, d.height() / kHeight), 0.5F, 1.45F);
}

float label_scale(const Drawing& d) { return std::clamp(stage_scale(d), 1.F, 1.2F); }

std::vector<float> weights_of(const Drawing& d) {
  const auto row = d.trace.at("weights").values.row(d.row);
  return {row.begin(), row.end()};
}

Room stage_room(const Drawing& d, float size, float gain) {
  const float k = stage_scale(d), right = std::max(76 * k, kBarRoom + 4);
  float label = 0;
  for (const std::string& word : d.queries)
    label = std::max(label, text::measure(text::Face::semibold, 13 * std::max(k, 1.F), word));
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

Slots narrow_slots(const Drawing& d) {
  constexpr float kLeft = 14;
  const int count = static_cast<int>(d.keys.size());
  return upright_slots(0, count, count, {.left = kLeft, .width = d.figure.width - 2 * kLeft, .size = 26, .gain = 8});
}

LitWords lit_words(const Drawing& d, const std::vector<float>& weights) {
  return {.words = d.keys,
          .weights = weights,
          .query = asking(d),
          .field = d.state.given() ? "" : "query",
          .tensor = "weights",
          .row = d.row,
          .weight_field = "weights",
          .looked_at = d.view.focus(),
          .theme = d.view.theme,
          .ground = d.colours.stage_top,
          .ground_to = d.colours.stage_bottom,
          .ground_height = d.height()};
}

float add_lit_stage(Drawing& d, const LitStage& stage, void (*between)(Drawing&, const LitStage&)) {
  const std::vector<float> weights = weights_of(d);
  LitWords lit = lit_words(d, weights);
  if (stage.bare) lit.tensor = {};
  const std::vector<float> bright = light_in(weights);
  const auto shown = std::span(bright).subspan(static_cast<std::size_t>(stage.slots.first),
                                               static_cast<std::size_t>(stage.slots.count));
  std::vector<Point> places;
  std::vector<float> halves;
  for (int i = 0; i < stage.slots.count; ++i) places.push_back(stage.slots.foot(stage.slots.first + i, stage.floor));
  for (const Rect& word : stage.slots.lines) halves.push_back(word.w / 2);
  add_card(d, {0, 0, d.figure.width, stage.shares + 12 * stage.scale});
  if (stage.slots.is_text())
    add_line_floors(d, stage.slots);
  else
    add_floor(d, stage.floor);
  Light light = light_of(stage.lamp, {.tensor = std::string(lit.tensor),
                                      .row = d.row,
                                      .first = stage.slots.first,
                                      .weights = shown,
                                      .places = places,
                                      .words = stage.slots.of,
                                      .letters = stage.slots.is_text() ? stage.slots.size : 0,
                                      .halves = halves,
                                      .alone = alone_in(lit),
                                      .theme = d.view.theme});
  lit.light = Brightness(light);
  const float top = stage.lamp.bulb.y + 8;
  d.figure.add({.id = std::string(kLightId),
                .role = stage.bare ? Role::none : Role::cell,
                .rect = {0, top, d.figure.width, stage.floor + 12 - top},
                .label = "The light of " + d.queries[static_cast<std::size_t>(d.row)],
                .shape = std::move(light)});

  if (between != nullptr) between(d, stage);
  add_lamp(d.figure, std::string(kLampId), stage.lamp, d.view.theme);
  add_handle(d, stage.lamp);
  return add_lit_words(d.figure, stage.slots, lit,
                       {.words = stage.baseline,
                        .shares = stage.shares,
                        .end = stage.bare ? stage.shares + 42 * stage.scale : stage.baseline + 12 * stage.scale,
                        .from = stage.bare ? mix(stage.lamp.bulb.y, stage.floor, 0.35F) : 0,
                        .room = stage.room,
                        .scale = stage.scale,
                        .told = stage.told,
                        .columns = stage.columns});
}

std::string lit_note(const Drawing& d) {
  const std::vector<float> weights = weights_of(d);
  if (static_cast<int>(weights.size()) <= kMostOnStage) return "brighter words count more";
  // An even share of 40 words is 2.5 %: two digits, since words get hardly more or less.
  return "lit: words above an even share, " + io::format_short(100 * static_cast<double>(even_share(weights)), 2) +
         "\u00A0%";
}

std::string told_note(const Drawing& d, float from) {
  return std::ranges::min(weights_of(d)) < from ? "numbers from " + share_text(from) + " on" : "";
}

void add_lamp_note(Drawing& d, const LitStage& stage, const std::string& lit, const std::string& told) {
  const std::string& name = d.queries[static_cast<std::size_t>(d.row)];
  const std::string by = d.state.by_rule() ? "asks by its letters" : "asks";
  std::string said = by;
  for (const std::string* more : {&lit, &told})
    if (!more->empty()) said += "; " + *more;
  const float labels = label_scale(d), size = 12.5F * labels;
  const float gap = std::max(50 * stage.scale, 44 * stage.lamp.scale), bulb = stage.lamp.bulb.x, air = 8;
  const float named = text::measure(text::Face::semibold, size, name);
  const auto width_of = [&] { return std::max(named, text::measure(text::Face::regular, size, said)); };
  const auto fits = [&] { return gap + width_of() + air <= std::max(bulb, d.figure.width - bulb); };  // on either side
  if (!fits() && !told.empty()) said = by + "; " + told;
  if (!fits() && !told.empty()) said = told;
  if (!fits()) said = "asks";
  const float width = std::min(width_of(), std::max(bulb, d.figure.width - bulb) - gap - 4);
  const bool at_left = bulb + gap + width + air > d.figure.width;
  // At both sides, one of them not seen: so each goes with the lamp while the one fades and the other appears.
  for (const bool left : {false, true}) {
    const float x = left ? bulb - gap - width : bulb + gap, seen = left == at_left ? 1 : 0;
    const Align align = left ? Align::right : Align::left;
    const std::string side = left ? ".left" : ".right";
    add_words(d, "stage.lamp.name" + side, {x, stage.lamp.bulb.y - 8 - 17 * labels, width + 1, 18}, name,
              {d.colours.query, {text::Face::semibold, size}, align});
    d.figure.elements.back().opacity = seen;
    add_words(d, "stage.lamp.note" + side, {x, stage.lamp.bulb.y - 8, width + 1, 18}, said,
              {d.colours.muted, {text::Face::regular, size}, align});
    d.figure.elements.back().opacity = seen;
  }
}

void add_glowing_words(Drawing& d, const Slots& slots, const std::vector<float>& weights, const Across& across) {
  constexpr float kOnAsking = 0.6F;  // as bright as the word that asks can be read in its own colour
  const float k = across.scale, up = slots.upright ? 0.4F * across.room : 9 * k;
  LitWords lit = lit_words(d, weights);
  Light light{.tensor = {}, .beams = {}, .spots = {}, .theme = d.view.theme};
  for (int j = slots.first; j < slots.first + slots.count; ++j) {
    const float weight = weights[static_cast<std::size_t>(j)];
    if (weight < kTold) continue;
    const float wide = (40 + 60 * weight) * k, high = (22 + 26 * weight) * k;
    light.spots.push_back({.glow = Light::Glow::haze,
                           .centre = {slots.centre(j), across.words - up},
                           .radius_x = slots.upright ? 0.6F * high : wide,
                           .radius_y = slots.upright ? (0.5F + 0.2F * weight) * across.room : high,
                           .intensity = std::min(0.25F + 1.1F * weight, j == lit.query ? kOnAsking : 2.F)});
  }
  lit.light = Brightness(light);
  if (!light.spots.empty())
    d.figure.add(
        {.id = "sentence.glow", .rect = {0, 0, d.figure.width, across.words + 60 * k}, .shape = std::move(light)});
  add_lit_words(d.figure, slots, lit, across);
}

float column_words(const Drawing& d) { return std::round(std::min(150.F, 0.36F * d.figure.width)); }

float add_lit_column(Drawing& d, float top, float pitch, Beside beside) {
  const bool bare = beside == Beside::bare;
  constexpr float kShare = 60, kWordRoom = 90;  // px of a percentage; that words keep beside their numbers
  const std::vector<float> weights = weights_of(d);
  const int count = static_cast<int>(d.keys.size());
  const Slots slots{.count = count,
                    .of = count,
                    .begin = top + 40 - pitch / 2,
                    .pitch = pitch,
                    .size = std::min(23.F, 0.6F * pitch),
                    .gain = std::min(16.F, 0.32F * pitch),
                    .column = true};
  const float width = d.figure.width, words_x = column_words(d);
  const float asks = d.state.given() ? (slots.centre(0) + slots.centre(count - 1)) / 2 : slots.centre(d.row);
  const float small = beside == Beside::nothing ? 0.85F : 1;  // where words stand close
  const Lamp lamp{.bulb = {48, asks}, .cable_from = 0, .scale = small, .hung = Hung::left};
  // Words that are too far to be seen with the lamp get no beam: all of those together would be a bright one to
  // nowhere.
  const float reach = 1.1F * std::max(d.view.height, 400.F);
  int first = 0;
  std::vector<Point> places;
  for (int j = 0; j < count; ++j) {
    if (std::abs(slots.centre(j) - asks) <= reach)
      places.push_back({words_x - 4, slots.centre(j)});
    else if (places.empty())
      first = j + 1;
  }
  const std::vector<float> bright = light_in(weights);
  const float bottom = slots.centre(count - 1) + 40;
  add_card(d, {0, top + 16, width - 12, bottom - top - 32});
  LitWords lit = lit_words(d, weights);
  if (bare) lit.tensor = {};
  Light light = light_of(lamp, {.tensor = std::string(lit.tensor),
                                .row = d.row,
                                .first = first,
                                .weights = std::span(bright).subspan(static_cast<std::size_t>(first), places.size()),
                                .places = places,
                                .words = count,
                                .alone = alone_in(lit),
                                .theme = d.view.theme});
  lit.light = Brightness(light);
  d.figure.add({.id = std::string(kLightId),
                .role = bare ? Role::none : Role::cell,
                .rect = {56, top, words_x - 60, bottom - top},
                .label = "The light of " + d.queries[static_cast<std::size_t>(d.row)],
                .shape = std::move(light)});

  add_lamp(d.figure, std::string(kLampId), lamp, d.view.theme);
  add_handle(d, lamp);
  const Tensor* X = d.trace.find("X");
  const float cells = X == nullptr ? 0 : std::min(11.F * static_cast<float>(X->columns()), 84.F);
  const float shares = width - 20, cells_x = shares - kShare - 4 - cells;
  const bool shows_cells = beside == Beside::numbers && cells >= 40 && cells_x - words_x > kWordRoom;
  add_lit_words(d.figure, slots, lit,
                {.words = words_x,
                 .shares = shares,
                 .end = width,
                 .room = (shows_cells ? cells_x : shares - kShare) - words_x - 8,
                 .scale = small});
  for (int j = 0; shows_cells && j < count; ++j) add_embedding(d, j, {cells_x, slots.centre(j) - 8, cells, 16});
  return bottom;
}

}  // namespace limelight::scenes::spotlight
