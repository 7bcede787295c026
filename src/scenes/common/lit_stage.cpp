#include "scenes/common/lit_stage.h"

#include <algorithm>
#include <cmath>

#include "figure/light.h"
#include "io/numbers.h"
#include "scenes/common/lines.h"
#include "scenes/common/matrix.h"

namespace limelight::scenes {

using namespace figure;

namespace {

// What a picture of the stage alone shows.
void add_card(Frame& frame, Rect rect, const std::string& asks) {
  frame.figure.add({.id = "stage.card", .rect = rect, .label = "The sentence in the light of " + asks});
}

void add_lamp_with_handle(Frame& frame, const Lamp& lamp, const LitWords& lit) {
  add_lamp(frame.figure, std::string(kLampId), lamp, lit.theme);
  if (!lit.field.empty()) add_lamp_handle(frame, lamp);
}

// What is seen as light. Of many words each gets so little that no beam would be seen: there it is what a word gets
// above an even share, in the same way whichever query asks and however even its weights are.
std::vector<float> light_in(std::span<const float> weights) {
  constexpr float kClear = 0.55F, kGlimmer = 0.004F;  // of a word with four even shares; of any that gets something
  std::vector<float> light(weights.begin(), weights.end());
  if (static_cast<int>(weights.size()) <= kMostOnStage) return light;
  for (int word = 0; word < static_cast<int>(weights.size()); ++word) {
    float& weight = light[static_cast<std::size_t>(word)];
    const float above = above_even(weights, word), seen = above < 1 ? kClear * above : std::max(kClear, weight);
    weight = std::max(seen, std::min(weight, kGlimmer));
  }
  return light;
}

// Of each line of a text: what its light falls on.
void add_line_floors(Frame& frame, const Slots& slots) {
  constexpr float kBeyond = 14;  // px
  int line = 0;
  for (int word = 0; word < slots.count;) {
    const Rect first = slots.in_line(word);
    Rect last = first;
    for (; word < slots.count && slots.in_line(word).y == first.y; ++word) last = slots.in_line(word);
    const float y = first.bottom(), left = std::max(first.x - kBeyond, 0.F);
    const float right = std::min(last.right() + kBeyond, frame.figure.width);
    frame.figure.add({.id = "stage.floor." + std::to_string(line++),
                      .shape = Line{.points = {{left, y}, {right, y}}, .colour = frame.colours.track}});
  }
}

// The light of a whole sentence, and its element.
void add_light(Frame& frame, const LitStage& stage, LitWords& lit, Rect rect, const std::string& asks) {
  const std::vector<float> bright = light_in(lit.weights);
  Light light = light_over(stage.lamp, stage.slots, stage.floor,
                           {.tensor = std::string(lit.tensor),
                            .row = lit.row,
                            .weights = bright,
                            .alone = alone_in(lit.looked_at, lit.tensor, lit.row),
                            .theme = lit.theme});
  lit.light = Brightness(light);
  frame.figure.add({.id = std::string(kLightId),
                    .role = stage.bare ? Role::none : Role::cell,
                    .rect = rect,
                    .label = "The light of " + asks,
                    .shape = std::move(light)});
}

// In the upper corner that the lamp leaves free.
void add_legend(Frame& frame, const LitStage& stage, const std::string& said) {
  constexpr float kSide = 24, kTop = 14;  // px
  const bool at_right = stage.lamp.bulb.x < frame.figure.width / 2;
  // Two names, so that it does not travel over the stage with the lamp.
  add_words(frame, at_right ? "stage.legend.right" : "stage.legend.left",
            {kSide, kTop, frame.figure.width - 2 * kSide, 18}, said,
            {.colour = frame.colours.faint, .align = at_right ? Align::right : Align::left});
}

}  // namespace

void add_lamp_handle(Frame& frame, const Lamp& lamp) {
  constexpr float kLampReach = 24;  // px around a lamp, for fingers
  const float reach = std::max(34 * lamp.scale, kLampReach);
  const bool held = frame.view.hovered == kLampId;
  frame.figure.add({.id = std::string(kLampId),
                    .role = Role::handle,
                    .rect = {lamp.bulb.x - reach, lamp.bulb.y - reach, 2 * reach, 2 * reach},
                    .label = "The lamp: drag it along the words",
                    .edit = Edit{.field = "query"}});
  for (const float off : {-6.F, 0.F, 6.F}) {
    const float size = 2.4F * lamp.scale;
    const Point at = on_lamp(lamp, {off, -14});
    frame.figure.add({.id = std::string(kLampId) + ".grip." + std::to_string(static_cast<int>(off)),
                      .rect = {at.x - size / 2, at.y - size / 2, size, size},
                      .shape = Rectangle{.fill = Colour{255, 255, 255, static_cast<std::uint8_t>(held ? 255 : 120)},
                                         .radius = size / 2},
                      .furniture = true});
  }
}

int alone_in(std::string_view looked_at, std::string_view tensor, int row) {
  const std::optional<Source> cell = parse_cell_id(looked_at);
  return cell && cell->tensor == tensor && cell->row == row ? cell->column : -1;
}

Light light_over(const Lamp& lamp, const Slots& slots, float floor, Lit lit) {
  std::vector<Point> places;
  std::vector<float> halves;
  for (int i = slots.first; i < slots.first + slots.count; ++i) places.push_back(slots.foot(i, floor));
  for (const Rect& word : slots.lines) halves.push_back(word.w / 2);
  lit.first = slots.first;
  lit.weights = lit.weights.subspan(static_cast<std::size_t>(slots.first), static_cast<std::size_t>(slots.count));
  lit.places = places;
  lit.words = slots.of;
  lit.letters = slots.is_text() ? slots.size : 0;
  lit.halves = halves;
  return light_of(lamp, lit);
}

void add_floor(Frame& frame, Rect rect, float edge) {
  const auto white = [](int alpha) { return Colour{255, 255, 255, static_cast<std::uint8_t>(alpha)}; };
  frame.figure.add({.id = "stage.floor", .shape = area_of(rect, white(is_dark(frame.view.theme) ? 12 : 87), white(0))});
  frame.figure.add({.id = "stage.floor.edge",
                    .shape = Line{.points = {{rect.x, edge}, {rect.right(), edge}}, .colour = frame.colours.track}});
}

void add_stage_light(Frame& frame, const LitStage& stage, LitWords& lit, const std::string& asks) {
  const float width = frame.figure.width, y = stage.floor, top = stage.lamp.bulb.y + 8;
  add_card(frame, {0, 0, width, stage.shares + 12 * stage.scale}, asks);
  if (stage.slots.is_text())
    add_line_floors(frame, stage.slots);
  else
    add_floor(frame, {0, y - 2, width, 66}, y - 1.5F);
  add_light(frame, stage, lit, {0, top, width, y + 12 - top}, asks);
}

float add_stage_words(Frame& frame, const LitStage& stage, const LitWords& lit) {
  add_lamp_with_handle(frame, stage.lamp, lit);
  return add_lit_words(frame.figure, stage.slots, lit,
                       {.words = stage.baseline,
                        .shares = stage.shares,
                        .end = stage.bare ? stage.shares + 42 * stage.scale : stage.baseline + 12 * stage.scale,
                        .from = stage.bare ? mix(stage.lamp.bulb.y, stage.floor, 0.35F) : 0,
                        .room = stage.room,
                        .scale = stage.scale,
                        .told = stage.told,
                        .columns = stage.columns});
}

Slots column_slots(const LitColumn& column, int count) {
  return {.count = count,
          .of = count,
          .begin = column.top + 40 - column.pitch / 2,
          .pitch = column.pitch,
          .size = std::min(23.F, 0.6F * column.pitch),
          .gain = std::min(16.F, 0.32F * column.pitch),
          .column = true};
}

Slots column_slots(std::span<const std::string> words, float height, float longest) {
  constexpr float kTop = 18, kClosest = 17, kWidest = 56, kLeast = 15;  // px
  const float pitch = std::clamp(height / static_cast<float>(words.size()), kClosest, kWidest);
  Slots slots = column_slots({.top = kTop - 40 + pitch / 2, .pitch = pitch}, static_cast<int>(words.size()));
  const float word = widest(words, text::Face::display_bold, slots.size + slots.gain, 1000);
  const float smaller = std::clamp(longest / word, std::min(kLeast / slots.size, 1.F), 1.F);
  slots.size *= smaller, slots.gain *= smaller;
  return slots;
}

float add_lit_column(Frame& frame, const LitColumn& column, LitWords& lit, const std::string& asks) {
  constexpr float kLamp = 48, kEdge = 20;  // px: its x; beside the percentages
  const int count = static_cast<int>(lit.words.size());
  const Slots slots = column_slots(column, count);
  const float width = frame.figure.width, bottom = slots.centre(count - 1) + 40;
  const float y = lit.query < 0 ? (slots.centre(0) + slots.centre(count - 1)) / 2 : slots.centre(lit.query);
  LitStage stage{.slots = slots,
                 .lamp = {.bulb = {kLamp, y}, .cable_from = 0, .scale = column.scale, .hung = Hung::left},
                 .floor = column.words - 4,
                 .bare = column.bare};
  // Words that are too far to be seen with the lamp get no beam: all of those together would be a bright one to
  // nowhere.
  const float reach = 1.1F * std::max(frame.view.height, 400.F);
  const auto is_far = [&](int word) { return std::abs(slots.centre(word) - y) > reach; };
  int first = 0, last = count;
  while (first < last && is_far(first)) ++first;
  while (last > first && is_far(last - 1)) --last;
  stage.slots.begin += slots.pitch * static_cast<float>(first);
  stage.slots.first = first;
  stage.slots.count = last - first;
  add_card(frame, {0, column.top + 16, width - 12, bottom - column.top - 32}, asks);
  add_light(frame, stage, lit, {56, column.top, column.words - 60, bottom - column.top}, asks);
  add_lamp_with_handle(frame, stage.lamp, lit);
  add_lit_words(
      frame.figure, slots, lit,
      {.words = column.words, .shares = width - kEdge, .end = width, .room = column.room, .scale = column.scale});
  return bottom;
}

void add_glowing_words(Frame& frame, const Slots& slots, LitWords& lit, const Across& across) {
  constexpr float kOnAsking = 0.6F;  // as bright as the word that asks can be read in its own colour
  constexpr float kOfPitch = 0.6F;
  const float k = across.scale;
  Light light{.tensor = {}, .beams = {}, .spots = {}, .theme = lit.theme};
  for (int j = slots.first; j < slots.first + slots.count; ++j) {
    const float weight = lit.weights[static_cast<std::size_t>(j)];
    if (weight < kTold) continue;
    const float high = (22 + 26 * weight) * k;
    const float wide = std::min((40 + 60 * weight) * k, kOfPitch * slots.pitch);  // it lights no neighbour
    const float length =  // of an upright word, or of one in a column
        std::clamp(text::measure(text::Face::display_bold, slots.size, lit.words[static_cast<std::size_t>(j)]),
                   0.45F * across.room, std::max(across.room, 1.F));
    const float along = 0.6F * length + 0.2F * weight * across.room;
    const Point centre{slots.centre(j), across.words - (slots.upright ? length / 2 : 9 * k)};
    light.spots.push_back({.glow = Light::Glow::haze,
                           .centre = slots.column ? Point{across.words + length / 2, centre.x} : centre,
                           .radius_x = slots.column    ? along
                                       : slots.upright ? 0.6F * high
                                                       : wide,
                           .radius_y = slots.column    ? std::min(0.6F * high, slots.pitch)
                                       : slots.upright ? along
                                                       : high,
                           .intensity = std::min(0.25F + 1.1F * weight, j == lit.query ? kOnAsking : 2.F)});
  }
  lit.light = Brightness(light);
  if (!light.spots.empty())
    frame.figure.add({.id = "sentence.glow",
                      .rect = {0, 0, frame.figure.width,
                               slots.column ? slots.to(slots.first + slots.count - 1) + 60 : across.words + 60 * k},
                      .shape = std::move(light)});
  add_lit_words(frame.figure, slots, lit, across);
}

std::string lit_note(std::span<const float> weights) {
  if (static_cast<int>(weights.size()) <= kMostOnStage) return "brighter words count more";
  // An even share of 40 words is 2.5 %: two digits, since words get hardly more or less.
  return "lit: words above an even share, " + io::format_short(100 * static_cast<double>(even_share(weights)), 2) +
         "\u00A0%";
}

void add_lamp_note(Frame& frame, const LitStage& stage, const LampNote& note) {
  const auto& [name, by, lit, told, letters] = note;
  std::string said = by;
  for (const std::string* more : {&lit, &told})
    if (!more->empty()) said += "; " + *more;
  const float size = 12.5F * letters, total = frame.figure.width;
  const float gap = std::max(50 * stage.scale, 44 * stage.lamp.scale), bulb = stage.lamp.bulb.x, air = 8;
  const float named = text::measure(text::Face::semibold, size, name);
  const auto width_of = [&] { return std::max(named, text::measure(text::Face::regular, size, said)); };
  const auto fits = [&] { return gap + width_of() + air <= std::max(bulb, total - bulb); };  // on either side
  if (!fits() && !told.empty()) said = by + "; " + told;
  if (!fits() && !told.empty()) said = told;
  if (!fits()) said = "asks";
  const float width = std::min(width_of(), std::max(bulb, total - bulb) - gap - 4);
  const bool at_left = bulb + gap + width + air > total;
  // At both sides, one of them not seen: so each goes with the lamp while the one fades and the other appears.
  for (const bool left : {false, true}) {
    const float x = left ? bulb - gap - width : bulb + gap, seen = left == at_left ? 1 : 0;
    const Align align = left ? Align::right : Align::left;
    const std::string side = left ? ".left" : ".right";
    add_words(frame, "stage.lamp.name" + side, {x, stage.lamp.bulb.y - 8 - 17 * letters, width + 1, 18}, name,
              {frame.colours.query, {text::Face::semibold, size}, align});
    frame.figure.elements.back().opacity = seen;
    add_words(frame, "stage.lamp.note" + side, {x, stage.lamp.bulb.y - 8, width + 1, 18}, said,
              {frame.colours.muted, {text::Face::regular, size}, align});
    frame.figure.elements.back().opacity = seen;
  }
}

std::optional<TextEnd> add_lit_text(Frame& frame, LitText text, LitWords& lit, LampNote note) {
  LitStage& stage = text.stage;
  const float half = 9 * std::max(stage.scale, 0.8F);  // of a percentage's height
  const float shares = 2 * stage.scale + half;
  const float below = std::max(stage.told ? shares + half + 1 : 8, text.air);
  std::optional<Slots> slots = lines_of(lit.words, text.place, text.largest, below);
  if (!slots || slots->size < text.smallest) return std::nullopt;
  const float feet = slots->lines.back().bottom(), lowest = text.place.bottom() - below;
  const float down = text.rests > 0 ? std::max(std::min(text.rests, lowest) - feet, 0.F) : 0;
  for (Rect& word : slots->lines) word.y += down;
  stage.slots = *slots;
  stage.slots.below = shares;
  stage.floor = slots->lines.back().bottom();
  stage.shares = stage.floor + shares;
  const Point asks = slots->foot(lit.query, 0);
  stage.lamp.bulb.x = asks.x;
  add_stage_light(frame, stage, lit, note.name);
  const float told_from = add_stage_words(frame, stage, lit);
  const bool fewer = stage.told && std::ranges::min(lit.weights) < told_from;  // percentages than words
  const std::string light = lit_note(lit.weights), told = fewer ? "numbers from " + share_text(told_from) + " on" : "";
  const bool beside = frame.view.compact();
  if (beside) note.lit = light, note.told = told;
  add_lamp_note(frame, stage, note);
  if (!beside) add_legend(frame, stage, light + (told.empty() ? "" : "; ") + told);
  return TextEnd{
      .bottom = stage.floor + (stage.told ? shares + half : 8), .asks = asks, .lowest = asks.y > stage.floor - 1};
}

}  // namespace limelight::scenes
