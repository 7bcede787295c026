// The lamps over the sentence: the light of one of them, and in their colours where the others shine.
#include <cmath>

#include "figure/light.h"
#include "figure/order.h"
#include "scenes/common/lit_stage.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

constexpr float kHinted = 0.1F;  // the least weight of a head that is not lit that is hinted at

// Of a head's lamp: its rim and its cable in its colour, what it is pressed by, and its number.
void wear(Drawing& d, const Stage& stage, int head) {
  const Lamp& lamp = stage.lamps[static_cast<std::size_t>(head)];
  const std::string id = "head." + std::to_string(head + 1) + ".lamp", says = habit(d.state, d.trace, head);
  for (Element& element : d.figure.elements)
    if (element.id == id + ".rim" || element.id == id + ".cable") {
      auto& line = std::get<Line>(element.shape);
      line.colour = d.of(head), line.width = element.id.ends_with(".rim") ? 4 * lamp.scale + 1 : 2;
    }
  const float half = std::max(44 * lamp.scale, d.fingers() ? 17.F : 0.F), top = d.narrow() ? 0 : lamp.cable_from - 22;
  add_head_button(d, id, head, {lamp.bulb.x - half, top, 2 * half, lamp.bulb.y + 14 - top},
                  "Head " + std::to_string(head + 1) + ", " + says);
  if (d.narrow()) return add_disc(d, id + ".disc", {lamp.bulb.x, lamp.bulb.y - 34}, head, 8);
  add_disc(d, id + ".disc", {lamp.bulb.x, lamp.cable_from - 10}, head, head == d.lit ? 12.F : 10.F);
}

}  // namespace

Slots slots_for(const Drawing& d) {
  Matrix most = d.trace.at(of_head("A", 0)).values;
  for (int h = 1; h < d.state.heads; ++h) most = most.cwiseMax(d.trace.at(of_head("A", h)).values);
  const float k = d.scale(), wide = std::clamp(d.figure.width / 1208, 0.88F, 1.45F),
              left = d.narrow() ? 34 : 148 * wide + 16;
  return slots_of(key_words(d.state), most, !d.state.crossed(),
                  {.left = left,
                   .width = d.figure.width - left - d.margin() + (d.narrow() ? 8 : 0),
                   .beyond = 8,
                   .size = d.narrow() ? 26 : 32 * k,
                   .gain = 10 * k});
}

Stage stage_of(const Drawing& d, float y, float bottom, float under, bool single, float spread) {
  const bool narrow = d.narrow();
  const float k = d.scale(), lamp_y = y + (narrow ? 44 : 74 * k);
  Stage stage{.slots = slots_for(d), .lamps = {}, .names = narrow ? 8 : d.margin(), .spread = spread};
  stage.room = 40 * k;
  for (const std::string& word : key_words(d.state))  // upright, and larger with light
    if (stage.slots.upright)
      stage.room = std::clamp(1.2F * text::measure(type::name.face, stage.slots.size, word) + 10, stage.room, 96.F);
  const float least = lamp_y + stage.room + 60 + (narrow ? 40 : 110 * k);
  stage.below = std::min(std::max(bottom - under, least), bottom), stage.shares = stage.below - 20;
  stage.floor = stage.shares - 18, stage.baseline = stage.floor - (stage.slots.upright ? (single ? 22 : 8) : 30 * k);
  const int count = single ? 1 : d.state.heads;
  const float from = narrow ? d.margin() : stage.slots.begin, width = narrow ? d.inner() : stage.width();
  const float apart = width / static_cast<float>(count), middle = from + width / 2;
  const float cable = single ? 0 : (narrow ? lamp_y - 26 : y + 22);
  for (int h = 0; h < count; ++h) {
    const float own = std::min(0.62F * k, apart / 78);
    Lamp lamp{.bulb = {std::lerp(middle, from + apart * (static_cast<float>(h) + 0.5F), spread), lamp_y},
              .cable_from = cable,
              .scale = single ? k : std::lerp(k, own, spread)};
    const std::vector<float> weights = d.weights(of_head("A", h));
    const int best = static_cast<int>(std::ranges::max_element(weights) - weights.begin());
    const float aside = (stage.slots.centre(best) - lamp.bulb.x) / std::max(stage.floor - lamp_y, 1.F);
    lamp.tilt = single ? 0 : spread * std::clamp(0.6F * std::atan(aside), -0.5F, 0.5F);
    stage.lamps.push_back(lamp);
  }
  return stage;
}

void add_hints(Drawing& d, const Stage& stage, int head, std::span<const float> weights, float share) {
  const Lamp& lamp = stage.lamps[stage.lamps.size() > 1 ? static_cast<std::size_t>(head) : 0];
  const float mouth = 9 * lamp.scale;
  for (int j = 0; j < stage.slots.count; ++j) {
    const float weight = weights[static_cast<std::size_t>(j)];
    if (weight < kHinted) continue;
    const float x = stage.slots.centre(j), half = std::min(0.16F * stage.slots.pitch, 20 * d.scale()) * weight,
                y = lamp.bulb.y;
    // Down to the floor, or to what keeps it from the word.
    const bool falls = stage.lamps.size() > 1;
    const float end = falls ? stage.floor : stage.baseline - stage.room,
                length = std::hypot(x - lamp.bulb.x, end - y);  // over the word
    const Point across{(end - y) / length, (lamp.bulb.x - x) / length};
    const auto edge = [&](float side) -> std::vector<Point> {
      const float from = side * mouth * weight, to = side * half;
      return {{lamp.bulb.x + from * across.x, y + from * across.y}, {x + to * across.x, end + to * across.y}};
    };
    const Colour colour = d.of(head), last = colour.faded(0.03F * share);
    d.figure.add({.id = "head." + std::to_string(head + 1) + ".hint." + std::to_string(j),
                  .shape = Ribbon{.one = edge(-1),
                                  .other = edge(1),
                                  .stops = {{0, colour.faded(0.6F * share)},
                                            {0.55F, colour.faded(0.25F * share)},
                                            {0.75F, last},
                                            {1, falls ? last : last.faded(0)}}}});
    if (falls)
      add_fill(d, "head." + std::to_string(head + 1) + ".pool." + std::to_string(j),
               {x - 1.5F * half, stage.floor - 3, 3 * half, 6}, colour.faded(0.45F * share), 3);
  }
}

void add_stage(Drawing& d, const Stage& stage, const std::string& tensor, std::span<const float> weights, bool single,
               float hints) {
  const std::vector<std::string> words = key_words(d.state);
  const Lamp& lit = stage.lamps[single ? 0 : static_cast<std::size_t>(d.lit)];
  Light light = light_over(lit, stage.slots, stage.floor,
                           {.tensor = tensor, .row = d.row, .weights = weights, .theme = d.view.theme});
  for (Light::Spot& spot : light.spots)
    if (spot.centre.y > stage.floor - 60) spot.radius_x = std::min(spot.radius_x, stage.pool);
  for (int h = 0; h < d.state.heads && !single; ++h)
    if (h != d.lit) add_hints(d, stage, h, d.weights(of_head("A", h)), hints);
  d.figure.add({.id = std::string(kLightId), .rect = {0, 0, d.figure.width, stage.below}, .shape = light});
  for (int h = 0; h < static_cast<int>(stage.lamps.size()); ++h) {
    const std::string id = single ? std::string(kLampId) : "head." + std::to_string(h + 1) + ".lamp";
    const std::size_t first = d.figure.elements.size();
    add_lamp(d.figure, id, stage.lamps[static_cast<std::size_t>(h)], d.view.theme);
    if (const int own = read_name(tensor).head; single && d.state.heads > 1) {
      const float x = lit.bulb.x + 40 * lit.scale, y = lit.bulb.y - 42 * lit.scale;
      std::string said =
          "one lamp for all " + std::to_string(d.state.heads) + (d.narrow() ? "" : " heads: their average");
      if (own >= 0) said = "head " + std::to_string(own + 1) + " → " + label_of(words, largest_first(weights).front());
      add_words(d, "stage.lamp.name", {x, y, d.figure.width - x, 18}, said,
                {own < 0 ? d.colours.muted : d.ink_of(own), type::name});
    }
    if (single) break;
    for (std::size_t i = first; i < d.figure.elements.size() && h != d.lit; ++i) d.figure.elements[i].opacity *= 0.72F;
    const std::size_t worn = d.figure.elements.size();
    wear(d, stage, h);
    show_since(d.figure, worn, smoothstep(0.5F, 1, stage.spread));
  }
  const bool by_hand = read_name(tensor).head >= 0 && (!d.state.alike || d.lit == 0);
  LitWords shown{.words = words, .weights = weights, .tensor = tensor, .row = d.row, .theme = d.view.theme};
  if (!d.state.crossed()) shown.query = d.row, shown.field = "query";
  if (by_hand) shown.weight_field = tensor;
  shown.looked_at = d.view.focus(), shown.light = Brightness(light);
  shown.ground = stage_ground(d.colours, d.view.height);
  add_lit_words(d.figure, stage.slots, shown,
                {.words = stage.baseline, .shares = stage.shares, .end = stage.shares + 10, .room = stage.room});
  // Where a share has no room stands a dot, which means nothing where there are rows of bars below.
  if (d.narrow())
    std::erase_if(d.figure.elements, [](const Element& element) {
      const auto* text = std::get_if<Text>(&element.shape);
      return text != nullptr && text->text == "·";
    });
}

void add_name(Drawing& d, Rect row, const std::string& letter, const std::string& name, Colour colour,
              const std::vector<std::string>& lines) {
  const std::string id = letter + ".title";
  const float size = 19 * d.letters(), line = 15 * d.letters();
  if (d.narrow()) {
    const float below = row.y + 22;  // upright
    if (below + 46 < d.view.height)
      add_words(d, letter + ".name", {4, below, 22, 90}, name, {d.colours.muted, type::caption, Align::right, true});
    return add_symbol(d, id, {8, row.y}, letter, colour, 17);
  }
  const float x = d.margin(), high = size + 6 + line * static_cast<float>(lines.size());
  float y = std::min(row.centre().y - high / 2, row.bottom() - high);
  add_symbol(d, id, {x, y}, letter, colour, size);
  const float beside = x + symbol_width(letter, size) + 7;
  add_words(d, letter + ".name", {beside, y + 2, row.x - beside - 4, size + 4}, name,
            {colour, {text::Face::semibold, 13 * d.letters()}});
  y += size + 6;
  for (std::size_t i = 0; i < lines.size(); ++i, y += line)
    add_words(d, letter + ".said." + std::to_string(i), {x, y, row.x - x - 6, line}, lines[i],
              {d.colours.muted, {text::Face::regular, 12 * d.letters()}});
}

}  // namespace limelight::scenes::heads
