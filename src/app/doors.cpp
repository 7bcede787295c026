#include "app/doors.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "figure/lamp.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr Theme kTheme = Theme::dark;
constexpr float kHeight = 112;  // px of a picture that is drawn at scale 1
constexpr Colour kCream{0xff, 0xf9, 0xe6};

float width_of(std::string_view word, float size, text::Face face = text::Face::semibold) {
  return text::measure(face, size, std::string(word));
}

void add_word(Figure& figure, const std::string& id, Point middle, std::string_view word, float size, Colour colour) {
  const float width = width_of(word, size) + 2;
  figure.add({.id = id,
              .rect = {middle.x - width / 2, middle.y - size * 0.7F, width, size * 1.4F},
              .shape = Text{.text = std::string(word),
                            .face = text::Face::semibold,
                            .size = size,
                            .colour = colour,
                            .align = Align::centre}});
}

// Middles of words side by side, `gap` apart, as a whole in the middle of the rect.
template <std::size_t N>
std::array<float, N> spread(const std::array<std::string_view, N>& words, Rect rect, float size, float gap) {
  float whole = gap * static_cast<float>(N - 1);
  for (const std::string_view word : words) whole += width_of(word, size);
  std::array<float, N> middles{};
  float x = rect.centre().x - whole / 2;
  for (std::size_t i = 0; i < N; ++i) {
    const float width = width_of(words[i], size);
    middles[i] = x + width / 2;
    x += width + gap;
  }
  return middles;
}

void take_light(Light& all, Light one) {
  std::ranges::move(one.beams, std::back_inserter(all.beams));
  std::ranges::move(one.spots, std::back_inserter(all.spots));
}

// How much of the door's light falls on a thing: what the cells have whose middles lie on it.
float light_on(const DoorThing& thing) {
  constexpr float kCell = static_cast<float>(kDoorPixels) / kDoorCells;
  float sum = 0;
  for (const DoorCell& cell : kDoorLight) {
    const float x = (static_cast<float>(cell.column) + 0.5F) * kCell, y = (static_cast<float>(cell.row) + 0.5F) * kCell;
    if (std::max(std::abs(x - thing.centre.x), std::abs(y - thing.centre.y)) <= thing.half + kCell / 2)
      sum += cell.weight;
  }
  return sum;
}

}  // namespace

void add_words_door(Figure& figure, const std::string& id, Rect rect, std::span<const float> weights, int query) {
  if (weights.empty()) return;
  const float k = rect.h / kHeight;
  const Palette& colours = palette(kTheme);
  const float left = rect.x + 18 * k, pitch = (rect.w - 36 * k) / static_cast<float>(weights.size());
  const float floor = rect.y + 92 * k;
  const auto middle = [&](std::size_t i) { return left + pitch * (static_cast<float>(i) + 0.5F); };
  std::vector<Point> places;
  for (std::size_t i = 0; i < weights.size(); ++i) places.push_back({middle(i), floor});
  const Lamp lamp{
      .bulb = {middle(static_cast<std::size_t>(query)), rect.y + 16 * k}, .cable_from = rect.y, .scale = 0.36F * k};
  figure.add(
      {.id = id + ".light",
       .shape = light_of(
           lamp, {.weights = weights, .places = places, .words = static_cast<int>(weights.size()), .theme = kTheme})});
  add_lamp(figure, id + ".lamp", lamp, kTheme);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const bool asks = static_cast<int>(i) == query;
    const float share = std::clamp(2.4F * weights[i], 0.F, 1.F), half = (0.28F + 0.14F * share) * pitch;
    figure.add({.id = id + ".word." + std::to_string(i),
                .rect = {middle(i) - half, floor - (10 + 2 * share) * k, 2 * half, (6 + 2 * share) * k},
                .shape = Rectangle{.fill = asks ? colours.query : mix(colours.faint, kCream, std::sqrt(share)),
                                   .radius = 3 * k}});
  }
}

void add_translation_door(Figure& figure, const std::string& id, Rect rect) {
  const float k = rect.h / kHeight, size = 14.5F * k;
  const Palette& colours = palette(kTheme);
  const auto source = spread(kDoorSource, rect, size, 36 * k);
  const auto output = spread(kDoorOutput, rect, size, 42 * k);
  const float above = rect.y + 28 * k, below = rect.y + 90 * k;
  Light light{.theme = kTheme};
  for (std::size_t i = 0; i < output.size(); ++i) {
    std::vector<Point> places;
    for (const float x : source) places.push_back({x, above + 10 * k});
    take_light(light, light_of({.bulb = {output[i], below - 13 * k}, .scale = 0.2F * k},
                               {.weights = kDoorAlignment[i],
                                .places = places,
                                .words = static_cast<int>(source.size()),
                                .theme = kTheme}));
  }
  figure.add({.id = id + ".light", .shape = std::move(light)});
  for (std::size_t j = 0; j < source.size(); ++j)
    add_word(figure, id + ".source." + std::to_string(j), {source[j], above}, kDoorSource[j], size, kCream);
  for (std::size_t i = 0; i < output.size(); ++i)
    add_word(figure, id + ".output." + std::to_string(i), {output[i], below}, kDoorOutput[i], size, colours.output);
}

void add_pictures_door(Figure& figure, const std::string& id, Rect rect) {
  constexpr float kCut = 10;  // pixels above and below that are left out
  const float k = rect.h / kHeight, pixel = rect.h / (kDoorPixels - 2 * kCut);
  const float cell = pixel * kDoorPixels / kDoorCells, size = 14.5F * k;
  const Palette& colours = palette(kTheme);
  float words = 0;
  for (const std::string_view word : kDoorCaption) words += width_of(word, size, text::Face::regular) + 6 * k;
  const Point corner{rect.centre().x - (kDoorPixels * pixel + words) / 2, rect.y - kCut * pixel};
  Light light{.theme = kTheme};
  for (const DoorCell& one : kDoorLight)
    light.spots.push_back({.glow = Light::Glow::haze,
                           .centre = {corner.x + (static_cast<float>(one.column) + 0.5F) * cell,
                                      corner.y + (static_cast<float>(one.row) + 0.5F) * cell},
                           .radius_x = 1.7F * cell,
                           .radius_y = 1.7F * cell,
                           .intensity = 1.3F * one.weight});
  figure.add({.id = id + ".light", .shape = std::move(light)});
  int i = 0;
  for (const DoorThing& thing : kDoorThings) {
    const float half = thing.half * pixel;
    const Point middle{corner.x + thing.centre.x * pixel, corner.y + thing.centre.y * pixel};
    figure.add({.id = id + ".thing." + std::to_string(i++),
                .rect = {middle.x - half, middle.y - half, 2 * half, 2 * half},
                .shape = Rectangle{.fill = mix(colours.stage_top, thing.colour, 0.5F + 0.5F * light_on(thing)),
                                   .radius = thing.round ? half : 1.5F * k}});
  }
  float x = corner.x + kDoorPixels * pixel;
  for (std::size_t word = 0; word < kDoorCaption.size(); ++word) {
    const bool looks = static_cast<int>(word) == kDoorWord;
    const text::Face face = looks ? text::Face::semibold : text::Face::regular;
    const float width = width_of(kDoorCaption[word], size, face);
    figure.add({.id = id + ".word." + std::to_string(word),
                .rect = {x, rect.y + 60 * k, width + 1, size * 1.4F},
                .shape = Text{.text = std::string(kDoorCaption[word]),
                              .face = face,
                              .size = size,
                              .colour = looks ? colours.amber_text : colours.muted}});
    x += width + 6 * k;
  }
}

}  // namespace limelight::app
