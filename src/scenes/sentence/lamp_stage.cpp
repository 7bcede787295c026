// The sentence under the lamp of one head at one word, and a card on which one word can be turned into another.
#include <algorithm>
#include <cmath>

#include "figure/lamp.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/lit_stage.h"
#include "scenes/sentence/parts.h"

namespace limelight::scenes::sentence {
namespace {

struct LampStage {
  Words words;
  std::vector<float> weights, before;  // of the row that is shown, and of the other word's; empty: there is none
  Lamp lamp{};
  float scale = 1, baseline = 0, floor = 0, shares = 0;
  bool swung = false;
  int turned = -1;  // the word on the card

  [[nodiscard]] const Slots& slots() const { return words.slots; }
};

void add_truss(Drawing& d, float y) {
  const float left = d.margin(), right = d.figure.width - d.margin(), high = 10, step = 15;
  std::vector<Point> zigzag;
  for (float x = left; x <= right; x += step) zigzag.push_back({x, zigzag.size() % 2 == 0 ? y + high : y});
  const Colour colour = mix(d.colours.track, d.colours.faint, 0.35F);
  add_stroke(d, "truss.top", {{left, y}, {right, y}}, colour, 1.6F);
  add_stroke(d, "truss.bottom", {{left, y + high}, {right, y + high}}, colour, 1.6F);
  add_stroke(d, "truss.bars", zigzag, colour);
}

// Where light falls: on the floor, or before the words of a column.
float ground_of(const LampStage& s) { return s.slots().column ? s.baseline - 4 : s.floor; }

// The lamp hangs over the word that asks, and is turned to where most of its light goes.
Lamp lamp_for(const Drawing& d, const LampStage& s, float top) {
  const int most = brightest(s.weights);
  const Point to = s.slots().foot(s.slots().shows(most) ? most : d.query, ground_of(s));
  Lamp lamp{.bulb = {}, .cable_from = 0, .scale = 1.1F * s.scale};
  if (s.slots().column) {
    lamp.bulb = {44, s.slots().centre(d.query)};
    lamp.hung = Hung::left;
    lamp.scale = 0.85F;
    lamp.tilt = std::clamp(-0.6F * std::atan2(to.y - lamp.bulb.y, to.x - lamp.bulb.x), -0.8F, 0.8F);
    return lamp;
  }
  const float x = s.slots().foot(d.query, s.floor).x;
  lamp.bulb = {std::clamp(x, 44.F, d.figure.width - 44), top};
  lamp.cable_from = d.narrow() ? 0 : 30 * s.scale;
  lamp.tilt = std::clamp(0.72F * std::atan2(to.x - lamp.bulb.x, to.y - lamp.bulb.y), -0.85F, 0.85F);
  return lamp;
}

Light light_for(const Drawing& d, const LampStage& s) {
  const Slots& slots = s.slots();
  const std::string tensor = d.tensor(s.swung ? "B" : "A");
  const int alone = alone_in(d.view.focus(), tensor, d.query);
  Light light =
      light_over(s.lamp, slots, ground_of(s),
                 {.tensor = tensor, .row = d.query, .weights = s.weights, .alone = alone, .theme = d.view.theme});
  // It falls far: wider than where lamps hang low, and on paper brighter; in the dark the words that it only passes
  // over stay dim.
  for (Light::Beam& beam : light.beams)
    if (!slots.column && !slots.is_text()) beam.half_to *= 1.3F, beam.intensity *= is_dark(d.view.theme) ? 0.85F : 1.4F;
  // No glow is cut by the figure's edge.
  for (Light::Spot& spot : light.spots)
    if (slots.column && spot.centre.x > s.baseline)
      spot.radius_x = std::min(spot.radius_x, (spot.centre.x - s.lamp.bulb.x) / 1.7F), spot.intensity *= 0.9F;
    else if (spot.glow == Light::Glow::haze && !slots.column)
      spot.radius_x =
          std::min(spot.radius_x, std::max(std::min(spot.centre.x, d.figure.width - spot.centre.x) / 1.5F, 20.F));
  // The beam that was the brightest is the one that is now: on the way it swings from the one word to the other.
  if (s.swung && !s.before.empty()) {
    const int was = brightest(s.before) - slots.first, is = brightest(s.weights) - slots.first;
    const auto there = [&](int i) { return i >= 0 && i < std::ssize(light.beams); };
    if (was != is && there(was) && there(is)) {
      const auto a = static_cast<std::size_t>(was), b = static_cast<std::size_t>(is);
      std::swap(light.beams[a], light.beams[b]);
      std::swap(light.spots[2 * a], light.spots[2 * b]);
      std::swap(light.spots[2 * a + 1], light.spots[2 * b + 1]);
    }
  }
  return light;
}

Rect letters_of(const LampStage& s, int word, float width) {
  const Slots& slots = s.slots();
  const float cap = 0.73F * slots.size;
  if (slots.column) return {s.baseline, slots.centre(word) - cap / 2, width, cap};
  const Point foot = slots.foot(word, s.baseline);
  const float base = slots.is_text() ? foot.y - 0.32F * slots.size : s.baseline;
  return {foot.x - width / 2, base - cap, width, cap};
}

// What stood in the light before, where that has gone elsewhere.
void add_ghost(Drawing& d, const LampStage& s) {
  const int was = brightest(s.before), is = brightest(s.weights);
  if (was == is || !s.slots().shows(was) || s.words.cards[static_cast<std::size_t>(was)] != 0) return;
  const Slots& slots = s.slots();
  const std::string& word = d.words()[static_cast<std::size_t>(was)];
  const float pad = 0.32F * slots.size, width = text::measure(text::Face::display, slots.size, word);
  const Rect box = letters_of(s, was, width).inset(-pad);
  add_box(d, "ghost.box", box, {.stroke = d.colours.amber_text.faded(0.8F), .stroke_width = 1.4F, .radius = 4});
  const std::string said = "before: " + share_text(s.before[static_cast<std::size_t>(was)]);
  const TextStyle style{d.colours.amber_text,
                        {text::Face::semibold, 12.5F * d.label_scale()},
                        slots.column ? Align::right : Align::centre};
  if (slots.column)
    return add_words(d.figure, "ghost.said", {box.right() + 8, box.y, s.shares - box.right() - 8, box.h}, said, style);
  if (slots.is_text()) return;
  add_words(d.figure, "ghost.said", {box.centre().x - 60, s.shares - 9, 120, 18}, said, style);
  const Point bulb = s.lamp.bulb;
  const auto edge = [&](float side) {
    const Point end{box.centre().x + side * box.w / 2, box.y};
    return std::vector{mix(bulb, end, 0.1F), end};
  };
  d.figure.add({.id = "ghost.beam",
                .shape = Ribbon{.one = edge(-1),
                                .other = edge(1),
                                .stops = {{0, d.colours.amber.faded(0.34F)}, {1, d.colours.amber.faded(0.16F)}}}});
}

// The word that can be turned, on a card with its two hinges.
void add_turning(Drawing& d, const LampStage& s) {
  if (s.turned < 0 || !s.slots().shows(s.turned)) return;
  const Slots& slots = s.slots();
  const std::string front = d.typed(s.turned), back = d.state.instead, &shown = s.swung ? back : front,
                    &other = s.swung ? front : back;
  const float width = std::max(text::measure(text::Face::display_bold, slots.size, front),
                               text::measure(text::Face::display_bold, slots.size, back));
  const float pad = 0.42F * slots.size;
  Rect card = letters_of(s, s.turned, width).inset(-pad);
  if (slots.column) card = card.inset(0.1F * slots.size);
  const bool hidden = s.words.cards[static_cast<std::size_t>(s.turned)] != 0;
  const std::string label = hidden    ? (s.swung ? std::string("hide it again") : "put " + quoted(back) + " there")
                            : s.swung ? "back to " + quoted(other)
                                      : "turn to " + quoted(other);
  const Edit edit = s.swung ? Edit{.field = "step", .value = "words"} : Edit{.field = "do", .value = "next"};
  if (!hidden || s.swung) {
    for (const float grown : {6.F, 4.F, 2.F})
      add_box(d, "turn.shadow." + std::to_string(static_cast<int>(grown)), card.inset(-grown).moved(0, 3),
              {.fill = {0x1b, 0x24, 0x40, 14}, .radius = 8 + grown});
    add_part(d, "turn.face", Role::button, card, "The card " + shown + ": " + label,
             Rectangle{.fill = d.colours.surface, .stroke = d.colours.ink, .stroke_width = 2, .radius = 8})
        .edit = edit;
    for (const float x : {card.x, card.right()})
      add_box(d, x == card.x ? "turn.hinge.left" : "turn.hinge.right", Rect{x - 2.5F, card.centre().y - 5, 5, 10},
              {.fill = d.colours.ink, .radius = 2});
    add_part(d, "turn.word", Role::none, card, {},
             Text{shown, text::Face::display_bold, slots.size, d.colours.ink, Align::centre});
  }
  if (slots.is_text()) return;
  const auto at_word = static_cast<std::size_t>(s.turned);
  const float size = 12.5F * d.label_scale(), wide = text::measure(text::Face::semibold, size, label) + 24,
              was = s.swung ? s.before[at_word] : 0, is = s.weights[at_word];
  const float x = std::min(card.centre().x - wide / 2, d.figure.width - wide - 4);
  const Rect press = slots.column  ? Rect{card.right() + 10, card.centre().y - 13, wide, 26}
                     : is >= kTold ? Rect{x, s.shares + 11 * s.scale, wide, 22}
                                   : Rect{x, s.shares - 12, wide, 24};
  if (was >= kTold && is >= kTold && !slots.column)  // beside what it gets now
    add_words(d.figure, "ghost.said", {card.centre().x + 32 * s.scale, s.shares - 9, 100, 18},
              "before: " + share_text(was), d.muted(12.5F));
  add_press(d, "turn.press", Role::button, press, label, edit);
  d.figure.elements.back().shape = Rectangle{.fill = d.colours.accent, .radius = press.h / 2};
  add_words(d.figure, "turn.press.text", press, label,
            {d.colours.on_accent, {text::Face::semibold, size}, Align::centre});
  d.figure.elements.back().furniture = true;
}

// What the model says now at the hidden word that asks.
void add_said(Drawing& d, const LampStage& s) {
  const Tensor* guess = d.trace.find(of_place("guess_swapped", d.query));
  const Slots& slots = s.slots();
  const bool turned = s.turned == d.query;
  if (guess == nullptr || slots.is_text() || (slots.column && turned)) return;
  const float size = 12.5F * d.label_scale(), x = slots.centre(d.query), k = s.scale;
  const std::string said = "says " + quoted(guess->column_labels[0]) + ", " + share_text(guess->values(0, 0)),
                    first = d.trace.at(of_place("guess", d.query)).column_labels[0];
  const bool other = first != guess->column_labels[0];
  const Rect at = slots.column
                      ? Rect{s.baseline + 2.3F * slots.size + 14, x - 9, 150, 18}
                      : Rect{std::min(x - 96, d.figure.width - 196), s.shares + (turned ? 8 + 6 * k : -4 * k), 192, 18};
  if (other && !slots.column) {  // the former answer stays as a ghost, away from the card
    const bool right = d.state.place < d.query;
    add_words(d.figure, "said.before", {right ? at.right() + 4 : at.x - 120, at.y, 116, 18}, "before: " + quoted(first),
              {d.colours.muted, {text::Face::regular, size}, right ? Align::left : Align::right});
  }
  add_words(d.figure, "said", at, said,
            {other ? d.colours.output : d.colours.muted,
             {other ? text::Face::semibold : text::Face::regular, other ? 20 * d.label_scale() : size},
             slots.column ? Align::left : Align::centre});
  Element& told = d.figure.elements.back();
  told.role = Role::cell, told.source = Source{guess->name, 0, 0}, told.label = said;
}

void add_lamp_name(Drawing& d, const LampStage& s) {
  const float size = 13 * d.label_scale(), bulb = s.lamp.bulb.x, gap = 52 * s.scale;
  const bool hidden = s.words.cards[static_cast<std::size_t>(d.query)] != 0;
  const std::string head = "head " + name_of(d.head),
                    whose = "layer " + std::to_string(d.head.layer + 1) + ", head " + std::to_string(d.head.head + 1) +
                            "; " + (hidden ? "the hidden word" : quoted(d.words()[static_cast<std::size_t>(d.query)])) +
                            " asks";
  if (s.slots().column) {
    add_words(d.figure, "lamp.name", {8, s.lamp.bulb.y + (s.lamp.bulb.y < 76 ? 38 : -58), 90, 18}, head,
              d.bold(d.colours.ink, 13));
    return;
  }
  const float width =
      std::max(text::measure(text::Face::semibold, size, head), text::measure(text::Face::regular, size, whose)) + 2;
  const bool left = bulb + gap + width > d.figure.width - 8;
  const float x = left ? bulb - gap - width : bulb + gap, y = s.lamp.bulb.y;
  const Align align = left ? Align::right : Align::left;
  add_words(d.figure, "lamp.name", {x, y - 19 * d.label_scale(), width, 18}, head, d.bold(d.colours.ink, 13, align));
  add_words(d.figure, "lamp.whose", {x, y, width, 18}, whose, d.muted(13, align));
}

}  // namespace

bool turns(const Drawing& d) { return d.trace.find("moved") != nullptr; }

int brightest(std::span<const float> weights) {
  return static_cast<int>(std::ranges::max_element(weights) - weights.begin());
}

float add_lamp_stage(Drawing& d, bool swung) {
  constexpr float kBelow = 206, kBelowColumn = 246;  // px that it leaves for what stands below it
  const float bottom = d.narrow() ? std::max(d.view.height - kBelowColumn, 300.F)
                                  : std::max(d.view.height, 380.F) - 12 - kBelow * d.scale();
  LampStage s;
  s.scale = d.scale(), s.swung = swung, s.turned = turns(d) ? d.state.place : -1;
  const std::vector<float> a = row_of(d.trace, d.tensor("A"), d.query), b = row_of(d.trace, d.tensor("B"), d.query);
  s.weights = swung ? b : a;
  s.before = swung ? a : std::vector<float>{};
  const float k = s.scale, top = 74 * k;
  constexpr int kFewWords = 9;
  const bool column = d.narrow() && std::ssize(a) <= 18;
  Setting setting{.room = {d.margin(), top + 40 * k, d.inner(), bottom - top - 40 * k},
                  .most = std::round((std::ssize(a) <= kFewWords ? 38 : 29) * k)};
  setting.least = 17, setting.turns = s.turned, setting.back = d.state.instead;
  setting.lines = true, setting.below = 30 * k;
  if (column) setting.least = 1000, setting.lines = false;
  s.words = words_in(d, Side::queries, setting, a, b);
  s.baseline = std::round(bottom - 74 * k);
  s.floor = s.baseline + 27 * k;
  s.shares = s.floor + 23 * k;
  Slots& slots = s.words.slots;
  float end = bottom;
  if (column) {
    const int count = static_cast<int>(a.size());
    const float pitch = std::clamp((bottom - 24) / static_cast<float>(count), 22.F, 38.F);
    slots = {.count = count, .of = count, .begin = 10, .pitch = pitch, .size = std::min(21.F, 0.62F * pitch)};
    slots.gain = std::min(6.F, 0.16F * pitch), slots.column = true;
    s.baseline = std::round(0.33F * d.figure.width);
    s.shares = d.figure.width - 16;
    end = slots.begin + pitch * static_cast<float>(count) + 8;
  } else if (slots.is_text()) {
    s.floor = slots.lines.back().bottom();
    end = s.floor + slots.below + 20;
  }
  s.lamp = lamp_for(d, s, top);
  add_part(d, "stage.card", Role::none, {0, 0, d.figure.width, end},
           "Head " + name_of(d.head) + " at " + d.words()[static_cast<std::size_t>(d.query)]);
  if (!d.narrow()) add_truss(d, 20 * k);
  if (!column && !slots.is_text()) add_floor(d, {0, s.floor, d.figure.width, 56}, s.floor);
  Light light = light_for(d, s);
  const Brightness brightness(light);
  add_part(d, std::string(kLightId), Role::cell,
           column ? Rect{60, 0, s.baseline - 60, end} : Rect{0, top + 10, d.figure.width, s.floor + 10 - top},
           "The light of head " + name_of(d.head), std::move(light));
  if (swung) add_ghost(d, s);
  add_lamp(d.figure, std::string(kLampId), s.lamp, d.view.theme);
  add_lamp_handle(d, s.lamp);
  add_lamp_name(d, s);
  const std::string tensor = d.tensor(swung ? "B" : "A");
  Look look{.weights = s.weights, .tensor = tensor, .query = d.query, .baseline = s.baseline, .scale = k};
  look.shares = slots.is_text() ? 1 : s.shares, look.light = brightness;
  add_row(d, s.words, look);
  add_turning(d, s);
  if (swung) add_said(d, s);
  return end;
}

}  // namespace limelight::scenes::sentence
