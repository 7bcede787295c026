#include "figure/lamp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "figure/light.h"
#include "figure/ribbon.h"

namespace limelight::figure {
namespace {

// ---- the lamp: lengths in CSS pixels at scale 1, from the bulb's middle, y upwards negative -------------------------

constexpr float kMouth = 32;  // half the shade's width
constexpr float kRim = 2;     // below the bulb's middle
constexpr float kTop = -30;

// How far above the rim the shade's outline is at a distance from its middle.
float shade_height(float x) {
  const float off = std::abs(x);
  if (off <= 6) return kTop;
  if (off <= 9) return mix(kTop, -22, (off - 6) / 3);
  // A dome from the neck to the rim.
  const float t = (off - 9) / (kMouth - 9);
  return mix(-22, kRim, 1 - std::sqrt(std::max(1 - t * t, 0.0F))) + 3 * t * (1 - t);
}

Ribbon shade_of(const Lamp& lamp, Theme theme) {
  const bool dark = is_dark(theme);
  const Colour body = dark ? Colour{0x26, 0x2b, 0x3a} : Colour{0x1d, 0x21, 0x30};
  const Colour black{0, 0, 0}, white{255, 255, 255};
  Ribbon shade{.stops = {{.at = 0, .colour = mix(body, black, 0.25F)},
                         {.at = 0.35F, .colour = mix(body, white, dark ? 0.14F : 0.18F)},
                         {.at = 0.6F, .colour = body},
                         {.at = 1, .colour = mix(body, black, 0.35F)}}};
  constexpr std::array<float, 19> xs = {-32, -31, -29, -26, -22, -18, -14, -9, -6, 0, 6, 9, 14, 18, 22, 26, 29, 31, 32};
  for (const float x : xs) {
    shade.one.push_back(on_lamp(lamp, {x, shade_height(x)}));
    shade.other.push_back(on_lamp(lamp, {x, kRim}));
  }
  return shade;
}

Area bulb_of(const Lamp& lamp, const Palette& colours) {
  constexpr int kCorners = 32;
  Area bulb{.points = {},
            .fill = mix(colours.track, {0xff, 0xfd, 0xf0}, lamp.lit),
            .fill_to = mix(colours.track, colours.lamp, lamp.lit)};
  for (int i = 0; i < kCorners; ++i) {
    const float angle = 6.2831853F * static_cast<float>(i) / kCorners;
    bulb.points.push_back(on_lamp(lamp, {22 * std::cos(angle), kRim + 6 * std::sin(angle)}));
  }
  return bulb;
}

// ---- its light ------------------------------------------------------------------------------------------------------

// A little light for whatever is not 0, less of it where there are many.
float glimmer(float weight, int words, float strength) {
  return strength * smoothstep(0.002F, 0.012F, weight) * std::min(1.0F, 9.0F / static_cast<float>(std::max(words, 1)));
}

// As bright as a weight is, but words stay readable in the brightest light.
float brightness(float weight) {
  constexpr float kFrom = 0.5F, kSlope = 0.2F;
  return weight < kFrom ? weight : kFrom + kSlope * (weight - kFrom);
}

// Beams leave the mouth on the side to which they go.
Point mouth(const Lamp& lamp, Point to) {
  const float dx = to.x - lamp.bulb.x, dy = to.y - lamp.bulb.y;
  const float length = std::max(std::hypot(dx, dy), 1.0F);
  return lamp.hung == Hung::above ? on_lamp(lamp, {14 * dx / length, kRim}) : on_lamp(lamp, {-14 * dy / length, kRim});
}

// Half of the widest beam where it falls; beside words below each other it leaves the next ones dark.
float most_of(const Lit& lit, const Lamp& lamp) {
  constexpr float kShare = 0.55F, kLeast = 36;  // of the way from one place to the next; px at scale 1
  constexpr float kBeside = 0.45F;
  if (lit.places.size() < 2) return lamp.hung == Hung::left ? kLeast * lamp.scale : 1e6F;
  const Point first = lit.places.front(), last = lit.places.back();
  const float pitch = std::hypot(last.x - first.x, last.y - first.y) / static_cast<float>(lit.places.size() - 1);
  return lamp.hung == Hung::left ? kBeside * pitch : std::max(kShare * pitch, kLeast * lamp.scale);
}

// The column that is lit alone; −1 where all are, also since that one has no light.
int alone_of(const Lit& lit) {
  const int at = lit.alone - lit.first, count = static_cast<int>(std::min(lit.weights.size(), lit.places.size()));
  return at >= 0 && at < count && lit.weights[static_cast<std::size_t>(at)] > 0 ? lit.alone : -1;
}

// On the floor all are as wide as their weights say, so those that fall aslant are narrower; none ends in a point.
void add_straight(Light& light, Light::Beam beam) {
  beam = straight(beam);
  beam.floor = {1, 0};
  beam.half_to = std::max(beam.half_to / slant_of(beam), std::min(beam.half_from, beam.half_to));
  light.beams.push_back(beam);
}

// To words below each other: level where it comes to its word, and on into the haze that lies over it.
void add_bent(Light& light, Light::Beam beam, float beyond) {
  const Point word = beam.to;
  beam.to.x += beyond;
  beam.control_from = mix(beam.from, word, 0.45F);
  beam.control_to = {mix(beam.from.x, word.x, 0.7F), word.y};
  light.beams.push_back(beam);
}

void add_falling(Light& light, const Lamp& lamp, const Lit& lit, std::size_t i) {
  const float weight = std::clamp(lit.weights[i], 0.0F, 1.0F);
  // Of a text's many words none gets much: the one that gets most is as bright as if it got up to 2.5 times that.
  const float crowd = lit.letters > 0 ? std::clamp(0.5F / *std::ranges::max_element(lit.weights), 1.F, 2.5F) : 1;
  const float bright = brightness(crowd * weight);
  const Point to = lit.places[i];
  const Point from = mouth(lamp, to);
  constexpr float kDimmed = 0.6F;
  const int column = lit.first + static_cast<int>(i), alone = alone_of(lit);
  const bool asks = column == lit.row;  // so that its letters, in the query's colour, are read in less light
  const float k = lamp.scale, gain = light_gain(lit.theme) * (alone < 0 || alone == column ? 1 : kDimmed);
  Light::Beam beam{.from = from,
                   .to = to,
                   .half_from = (5 + 8 * weight) * k,
                   .half_to = (5 + 118 * weight) * k,
                   .intensity = (glimmer(weight, lit.words, 0.055F) + 1.42F * bright) * gain,
                   .row = lit.row,
                   .column = column};
  Light::Spot pool{.glow = Light::Glow::pool,
                   .centre = to,
                   .radius_x = (10 + 148 * weight) * k,
                   .radius_y = (5 + 18 * weight) * k,
                   .intensity = (glimmer(weight, lit.words, 0.05F) + 1.15F * bright) * gain};
  Light::Spot bloom{.glow = Light::Glow::haze,
                    .centre = {to.x, to.y - 26 * k},
                    .radius_x = 224 * weight * k,
                    .radius_y = 60 * k,
                    .intensity = weight > 0.1F ? 0.34F * bright * gain : 0};
  if (lamp.hung == Hung::left) {
    beam.half_from = (4 + 6 * weight) * k;
    beam.half_to = (3 + 46 * weight) * k;
    beam.intensity *= 0.73F;
    // Over the word and on to its percentage.
    pool = {.glow = Light::Glow::haze,
            .centre = {to.x + ((asks ? 26 : 38) + 40 * weight) * k, to.y},
            .radius_x = (20 + 150 * weight) * k,
            .radius_y = (5 + 36 * weight) * k,
            .intensity = (glimmer(weight, lit.words, 0.04F) + 0.54F * bright) * gain};
    bloom.intensity = 0;
  }
  if (lit.letters > 0) {
    // Down to the letters, so that it crosses none beside them; in several lines a faint thread, whichever line it ends
    // on, or what it passes on its way would be taken for lit. What it falls on tells then how much it is.
    constexpr float kHigh = 0.95F;  // of the letters over where the light falls
    // How much of a beam's light the thread has: among more words it crosses more of them.
    const float thread = std::min(0.3F, 10 / static_cast<float>(lit.words));
    const bool lines = lit.places.back().y > lit.places.front().y + 1;
    beam.to = {to.x, to.y - kHigh * lit.letters};
    beam.half_from = (3 + 6 * weight) * k;
    beam.half_to = ((lines ? 3 : 4) + (lines ? 26 : 48) * weight) * k;
    if (lines) beam.intensity *= thread;
    // On its line, and behind the word's letters: in the dark so faint that they stay bright, each in one ink.
    const float behind = is_dark(lit.theme) ? 0.42F : 1;
    pool.intensity *= behind;
    pool.radius_x = (0.7F + 2.4F * weight) * lit.letters;
    pool.radius_y = (0.16F + 0.5F * weight) * lit.letters;
    bloom = {.glow = Light::Glow::haze,
             .centre = {to.x, to.y - 0.6F * lit.letters},
             .radius_x = std::min((0.9F + 1.4F * weight) * lit.letters, lit.halves[i]),
             .radius_y = (0.5F + 0.7F * weight) * lit.letters,
             .intensity = (glimmer(weight, lit.words, 0.04F) + 1.1F * bright) * gain * behind};
  }
  // What falls on one leaves its neighbours their own light.
  const float most = lit.letters > 0 ? lit.halves[i] : most_of(lit, lamp);
  beam.half_to = std::min(beam.half_to, most);
  float& across = lamp.hung == Hung::above ? pool.radius_x : pool.radius_y;
  across = std::min(across, 1.25F * most);
  if (lamp.hung == Hung::above)
    add_straight(light, beam);
  else
    add_bent(light, beam, asks ? 0 : (20 + 40 * weight) * k);
  light.spots.push_back(pool);
  light.spots.push_back(bloom);
}

}  // namespace

Point on_lamp(const Lamp& lamp, Point point) {
  const float turn = lamp.hung == Hung::left ? -1.5707964F : 0;
  const float angle = turn - lamp.tilt;
  const float c = std::cos(angle), s = std::sin(angle);
  return {lamp.bulb.x + (point.x * c - point.y * s) * lamp.scale,
          lamp.bulb.y + (point.x * s + point.y * c) * lamp.scale};
}

void add_lamp(Figure& figure, const std::string& id, const Lamp& lamp, Theme theme) {
  const Palette& colours = palette(theme);
  const Colour cable = is_dark(theme) ? Colour{0x4a, 0x51, 0x66} : Colour{0x3a, 0x41, 0x55};
  const Point top = on_lamp(lamp, {0, kTop});
  const Point begin =
      lamp.hung == Hung::above ? Point{lamp.bulb.x, lamp.cable_from} : Point{lamp.cable_from, lamp.bulb.y};
  figure.add({.id = id + ".cable", .shape = Line{.points = {begin, top}, .colour = cable, .width = 1.6F * lamp.scale}});
  figure.add({.id = id + ".shade", .shape = shade_of(lamp, theme)});
  figure.add({.id = id + ".rim",
              .shape = Line{.points = {on_lamp(lamp, {-31, 0}), on_lamp(lamp, {31, 0})},
                            .colour = colours.query,
                            .width = 2.2F * lamp.scale}});
  figure.add({.id = id + ".bulb", .shape = bulb_of(lamp, colours)});
  if (lamp.lit == 1) return;
  // Without light it is as dark as a dark stage.
  if (is_dark(theme))
    figure.add({.id = id + ".edge",
                .shape = Line{.points = shade_of(lamp, theme).one,
                              .colour = colours.muted.faded(1 - lamp.lit),
                              .width = std::max(2 * lamp.scale, 0.9F)}});
  std::vector<Point> glass = bulb_of(lamp, colours).points;
  glass.push_back(glass.front());
  figure.add({.id = id + ".glass",
              .shape = Line{.points = std::move(glass), .colour = colours.muted.faded(1 - lamp.lit), .width = 1.2F}});
}

void swing(Figure& figure, const std::string& id, float angle) {
  const Element* cable = figure.find(id + ".cable");
  if (cable == nullptr) return;
  const Point about = std::get<Line>(cable->shape).points.back();
  const float c = std::cos(angle), s = std::sin(angle);
  const auto turn = [&](std::vector<Point>& points) {
    for (Point& p : points) {
      const float x = p.x - about.x, y = p.y - about.y;
      p = {about.x + x * c + y * s, about.y - x * s + y * c};
    }
  };
  for (Element& element : figure.elements) {
    if (!element.id.starts_with(id + ".")) continue;
    if (auto* shade = std::get_if<Ribbon>(&element.shape)) {
      turn(shade->one);
      turn(shade->other);
    } else if (auto* bulb = std::get_if<Area>(&element.shape)) {
      turn(bulb->points);
    } else if (std::holds_alternative<Rectangle>(element.shape)) {  // small, so that its own turn is not seen
      const Point from = element.rect.centre();
      std::vector<Point> centre{from};
      turn(centre);
      element.rect = element.rect.moved(centre[0].x - from.x, centre[0].y - from.y);
    } else if (auto* rim = std::get_if<Line>(&element.shape); rim != nullptr && element.id.ends_with(".rim")) {
      turn(rim->points);
    }
  }
}

Light light_of(const Lamp& lamp, const Lit& lit) {
  Light light{.tensor = lit.tensor, .theme = lit.theme};
  for (std::size_t i = 0; i < std::min(lit.weights.size(), lit.places.size()); ++i) add_falling(light, lamp, lit, i);
  const bool left = lamp.hung == Hung::left;
  const auto glow = [&](float along, float away, float intensity) {
    light.spots.push_back({.glow = Light::Glow::haze,
                           .centre = lamp.bulb,
                           .radius_x = (left ? away : along) * lamp.scale,
                           .radius_y = (left ? along : away) * lamp.scale,
                           .intensity = intensity * light_gain(lit.theme) / 1.6F});
  };
  glow(46, 34, 0.9F);
  if (!left && lit.letters == 0) glow(120, 90, 0.18F);
  return light;
}

Light light_upwards(const Lamp& lamp, const Lit& lit, std::span<const Rect> bars, float y, float come) {
  constexpr float kLeast = 0.004F, kGlows = 0.02F;  // weights that are seen, and that light more than a hairline
  Light light{.tensor = lit.tensor, .theme = lit.theme};
  const float gain = light_gain(lit.theme) * come, k = lamp.scale / 0.72F;
  const auto glow = [&](Point centre, float radius_x, float radius_y, float intensity) {
    light.spots.push_back({.glow = Light::Glow::haze,
                           .centre = centre,
                           .radius_x = radius_x,
                           .radius_y = radius_y,
                           .intensity = intensity});
  };
  for (std::size_t j = 0; j < std::min(lit.weights.size(), bars.size()); ++j) {
    const float w = lit.weights[j], bright = brightness(w);
    if (w < kLeast) continue;
    const Rect& bar = bars[j];
    Light::Beam beam{.to = mix(lamp.bulb, {bar.centre().x, bar.y + 0.6F * bar.h}, come),
                     .half_from = (4 + 5 * w) * k,
                     .half_to = (2 + 34 * w) * k,
                     .intensity = 1.1F * bright * gain,
                     .row = lit.row,
                     .column = lit.first + static_cast<int>(j)};
    const float length = std::max(std::hypot(beam.to.x - lamp.bulb.x, beam.to.y - lamp.bulb.y), 1.F);
    beam.from = mix(lamp.bulb, beam.to, std::min(3 * k / length, 1.F));
    light.beams.push_back(straight(beam));
    if (w < kGlows) continue;
    const float letters = (is_dark(lit.theme) ? 0.8F : 1.3F) * bright * gain;
    glow({bar.centre().x, y}, (12 + 46 * w) * k, (6 + 11 * w) * k, letters);
    glow(bar.centre(), (8 + 26 * w) * k, 0.55F * bar.h, 1.2F * bright * gain);
  }
  glow(lamp.bulb, 34 * k, 34 * k, 0.5F * come);
  return light;
}

Lamp aimed(Lamp lamp, Point at) {
  lamp.hung = Hung::left;
  lamp.tilt = std::atan2(lamp.bulb.y - at.y, at.x - lamp.bulb.x);
  lamp.cable_from = lamp.bulb.x;
  return lamp;
}

}  // namespace limelight::figure
