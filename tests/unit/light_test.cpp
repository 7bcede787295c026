// Light: one formula for every painter.
#include "figure/light.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "figure/lamp.h"
#include "figure/light_map.h"
#include "figure/paint.h"

namespace limelight::figure {
namespace {

constexpr Box kEverywhere{0, 0, 1000, 600};

Light::Beam straight(Point from, Point to, float intensity) {
  return {.from = from,
          .control_from = mix(from, to, 0.25F),
          .control_to = mix(from, to, 0.5F),
          .to = to,
          .half_from = 8,
          .half_to = 40,
          .intensity = intensity,
          .row = 4,
          .column = 2};
}

float sum_at(const Light& light, Point point) {
  float sum = 0;
  Brightness(light).add({&point, 1}, {&sum, 1});
  return sum;
}

float sum_at(const LightMap& map, int x, int y) {
  if (x < map.x || y < map.y || x >= map.x + map.width || y >= map.y + map.height) return 0;
  return map.sums[static_cast<std::size_t>(y - map.y) * static_cast<std::size_t>(map.width) +
                  static_cast<std::size_t>(x - map.x)];
}

// The formula of light.h, written out once more for an upright beam from (500, 100) to (500, 500).
double upright(double x, double y) {
  const double s = (y - 100) / 400;
  const double half = 8 + 32 * std::pow(std::clamp(s, 0.0, 1.0), 1.05), u = std::abs(x - 500) / half;
  const auto smooth = [](double a, double b, double v) {
    const double t = std::clamp((v - a) / (b - a), 0.0, 1.0);
    return t * t * (3 - 2 * t);
  };
  if (u >= 1.9 || s <= -0.02 || s >= 1.05) return 0;
  return (0.62 * std::exp(-1.9 * u * u) + 0.38 / (1 + std::pow(u / 0.82, 8))) * (1 - smooth(1.3, 1.9, u)) *
         (0.43 + 0.85 * std::pow(1 - std::clamp(s, 0.0, 1.0), 1.25)) * smooth(-0.02, 0.05, s) *
         (1 - smooth(0.9, 1.05, s));
}

// Nine weights of one query, as those of "jumped" in the fox example, and what they fall on.
struct Scene {
  Lamp lamp{.bulb = {500, 100}, .cable_from = 0};
  std::vector<float> weights;
  std::vector<Point> places;
  Theme theme = Theme::dark;

  explicit Scene(std::vector<float> of) : weights(std::move(of)) {
    const float pitch = 1000.0F / static_cast<float>(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) places.push_back({(static_cast<float>(i) + 0.5F) * pitch, 400});
  }
  [[nodiscard]] Light light() const {
    return light_of(lamp, {.tensor = "weights",
                           .row = 4,
                           .weights = weights,
                           .places = places,
                           .words = static_cast<int>(weights.size()),
                           .theme = theme});
  }
};
const std::vector<float> kFox = {0.02F, 0.02F, 0.02F, 0.52F, 0.02F, 0.34F, 0.02F, 0.02F, 0.02F};

}  // namespace

TEST_CASE("light: a map of a straight beam is the formula at every pixel") {
  const Light light{.beams = {straight({500, 100}, {500, 500}, 1.4F)}};
  const LightMap map = light_map(light, 1, kEverywhere);
  for (int y = 60; y < 560; y += 7)
    for (int x = 380; x < 620; x += 3)
      CHECK(static_cast<double>(sum_at(map, x, y)) == doctest::Approx(1.4 * upright(x + 0.5, y + 0.5)).epsilon(2e-3));
}

TEST_CASE("light: no pixel of a beam is counted twice or left out, however it lies") {
  for (const Point to : {Point{500, 500}, Point{137.3F, 411.7F}, Point{900, 130}}) {
    const Light light{.beams = {straight({500, 100}, to, 1)}};
    const LightMap map = light_map(light, 1, kEverywhere);
    const float length = std::hypot(to.x - 500, to.y - 100);
    for (int i = 10; i < 90; ++i) {  // along its middle the triangles of its quad meet
      const Point p = mix(Point{500, 100}, to, static_cast<float>(i) / 100);
      const int x = static_cast<int>(p.x), y = static_cast<int>(p.y);
      const double off = std::abs((to.x - 500) * (y + 0.5 - 100) - (to.y - 100) * (x + 0.5 - 500)) / length;
      const double s = ((to.x - 500) * (x + 0.5 - 500) + (to.y - 100) * (y + 0.5 - 100)) / length;
      CHECK(static_cast<double>(sum_at(map, x, y)) ==
            doctest::Approx(upright(500 + off, 100 + s / length * 400)).epsilon(5e-3));
    }
  }
}

TEST_CASE("light: a curve that is hardly bent is as bright as the straight beam") {
  Light::Beam bent = straight({200, 100}, {800, 500}, 1);
  bent.control_to.y += 0.2F;
  const LightMap one = light_map({.beams = {bent}}, 1, kEverywhere);
  const LightMap other = light_map({.beams = {straight({200, 100}, {800, 500}, 1)}}, 1, kEverywhere);
  float worst = 0;
  for (int y = 90; y < 520; ++y)
    for (int x = 150; x < 850; ++x) worst = std::max(worst, std::abs(sum_at(one, x, y) - sum_at(other, x, y)));
  CHECK(worst < 0.02F);  // its length is cut into 32 pieces whose share changes evenly
}

TEST_CASE("light: a beam that bends more closely than it is wide does not lie over itself") {
  Light::Beam bent = straight({44.8F, 158}, {307.7F, 70}, 2.6F);
  bent.control_from = {44.8F, 114};
  bent.control_to = {307.7F, 114};
  bent.half_from = 3.3F;
  bent.half_to = 9.6F;
  const std::vector<figure::LightVertex> corners = figure::light_triangles({.beams = {bent}});
  bool left = false, right = false;
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    const Point a = corners[i].at, b = corners[i + 1].at, c = corners[i + 2].at;
    const float turn = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    left = left || turn < -1e-3F;
    right = right || turn > 1e-3F;
  }
  CHECK(left != right);  // all turn to the same side
}

TEST_CASE("light: more of it is never darker, and it is never more than the whole") {
  for (const Theme theme : {Theme::light, Theme::dark, Theme::stark_light, Theme::stark_dark}) {
    const LightColours colours = light_colours(theme);
    CHECK(toned(0, colours).opacity == 0);
    float before = 0;
    for (float sum = 0.001F; sum < 50; sum *= 1.2F) {
      const Toned now = toned(sum, colours);
      CHECK(now.opacity >= before);
      CHECK(now.opacity <= 1);
      before = now.opacity;
    }
  }
}

TEST_CASE("light: sixty-four equal weights neither glare nor fall apart") {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    Scene scene(std::vector<float>(64, 1 / 64.F));
    scene.theme = theme;
    const LightMap map = light_map(scene.light(), 1, kEverywhere);
    float brightest = 0;
    for (int x = 0; x < 1000; ++x)
      brightest = std::max(brightest, toned(sum_at(map, x, 380), light_colours(theme)).opacity);
    CHECK(brightest > 0.015F);
    CHECK(brightest < 0.5F);
  }
}

TEST_CASE("light: who gets more is brighter") {
  const Scene scene(kFox);
  const LightMap map = light_map(scene.light(), 1, kEverywhere);
  const auto under = [&](std::size_t word) { return sum_at(map, static_cast<int>(scene.places[word].x), 398); };
  CHECK(under(3) > under(5));
  CHECK(under(5) > 3 * under(0));
  CHECK(under(0) > 0);
}

TEST_CASE("light: of a weight of 0 nothing is seen") {
  const Scene scene({0, 1});
  const Light light = scene.light();
  CHECK(light.beams[0].intensity == 0);
  CHECK(light.beams[1].intensity > 1);
}

TEST_CASE(
    "light: however aslant a beam falls, none of it is below its floor, and there it is as wide as its weight says") {
  std::vector<float> weights(9, 0.001F);
  float upright = 0;
  for (const std::size_t word : {4U, 6U, 8U, 0U}) {  // from below the lamp to its sides
    CAPTURE(word);
    Scene scene(weights);
    scene.weights[word] = 0.99F;
    Light light = scene.light();
    light.spots.clear();
    std::erase_if(light.beams, [&](const Light::Beam& beam) { return beam.column != static_cast<int>(word); });
    const float floor = scene.places[0].y, deepest = floor + 0.05F * (floor - scene.lamp.bulb.y) + 1;
    for (float x = 0; x <= 1000; x += 5)
      for (float y = deepest; y <= 600; y += 5) REQUIRE(sum_at(light, {x, y}) == 0);
    // From its middle on the floor to where a quarter of that is left.
    const Point to = scene.places[word];
    const float middle = sum_at(light, {to.x, floor - 12});
    REQUIRE(middle > 0);
    float wide = 0;
    while (sum_at(light, {to.x + wide, floor - 12}) > middle / 4) wide += 1;
    float other = 0;
    while (sum_at(light, {to.x - other, floor - 12}) > middle / 4) other += 1;
    if (upright == 0) upright = (wide + other) / 2;
    CHECK((wide + other) / 2 == doctest::Approx(upright).epsilon(0.1));
  }
}

TEST_CASE("light: what is said of a point is what is painted there, also where beams fall aslant") {
  for (const bool aslant : {true, false}) {
    Light light = Scene(kFox).light();
    if (!aslant)
      for (Light::Beam& beam : light.beams) beam.floor = {};
    const LightMap map = light_map(light, 1, kEverywhere);
    for (int x = 3; x < 1000; x += 37)
      for (int y = 105; y < 430; y += 13) {
        const Point middle{static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F};
        CHECK(sum_at(map, x, y) == doctest::Approx(sum_at(light, middle)).epsilon(0.01).scale(1));
      }
  }
}

TEST_CASE("light: a beam that is pointed at says its weight") {
  const Scene scene(kFox);
  Figure figure{.width = 1000, .height = 600};
  figure.add({.id = "light", .role = Role::cell, .rect = {0, 0, 1000, 600}, .shape = scene.light()});
  for (std::size_t j = 0; j < kFox.size(); ++j) {
    const Point p = mix(scene.lamp.bulb, scene.places[j], 0.9F);
    const Hit at = hit(figure, p);
    REQUIRE(at.source);
    CHECK(at.source->tensor == "weights");
    CHECK(at.source->row == 4);
    CHECK(at.source->column == static_cast<int>(j));
  }
  CHECK_FALSE(hit(figure, {30, 30}).source);
}

TEST_CASE("light: between two queries every beam is between its two") {
  const Scene from(kFox);
  Scene to({0.9F, 0.1F, 0, 0, 0, 0, 0, 0, 0});
  to.lamp.bulb.x = 100;
  Figure a, b;
  a.add({.id = "light", .shape = from.light()});
  b.add({.id = "light", .shape = to.light()});
  const Figure half = blend(a, b, 0.5F);
  const auto& light = std::get<Light>(half.find("light")->shape);
  const Light one = from.light(), other = to.light();
  for (std::size_t i = 0; i < light.beams.size(); ++i) {
    CHECK(light.beams[i].intensity == doctest::Approx((one.beams[i].intensity + other.beams[i].intensity) / 2));
    CHECK(light.beams[i].from.x == doctest::Approx((one.beams[i].from.x + other.beams[i].from.x) / 2));
  }
}

TEST_CASE("light: moved with its figure, it falls as much to the side") {
  Figure part, page;
  part.add({.id = "light", .shape = Scene(kFox).light()});
  append(page, part, 30, 40, std::nullopt);
  const Light before = Scene(kFox).light();
  const auto& after = std::get<Light>(page.find("light")->shape);
  CHECK(after.beams[3].to == Point{before.beams[3].to.x + 30, before.beams[3].to.y + 40});
  CHECK(after.spots[0].centre == Point{before.spots[0].centre.x + 30, before.spots[0].centre.y + 40});
}

TEST_CASE("light: an SVG's image of it is the raster's to within 4 of 255") {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    Scene scene(kFox);
    scene.theme = theme;
    const LightColours colours = light_colours(theme);
    const Colour ground = palette(theme).stage_bottom;
    Figure figure{.width = 1000, .height = 600, .background = ground};
    figure.add({.id = "light", .shape = scene.light()});
    const Image whole = raster(figure, {}, 1);
    const LightMap map = light_map(scene.light(), 0.25F, {0, 0, 250, 150});
    const Image small = image_of(map, colours);
    // Bilinear, as viewers enlarge it; in steps of the small picture's pixels.
    int worst = 0;
    for (int j = 1; j + 1 < map.height; ++j)
      for (int i = 1; i + 1 < map.width; ++i) {
        const std::uint8_t* pixel = small.rgba.data() + 4 * (j * map.width + i);
        const int x = (map.x + i) * 4 + 2, y = (map.y + j) * 4 + 2;
        if (x >= 999 || y >= 599) continue;
        for (int c = 0; c < 3; ++c) {
          const float base = static_cast<float>(c == 0 ? ground.r : c == 1 ? ground.g : ground.b) / 255;
          const float alpha = static_cast<float>(pixel[3]) / 255, colour = static_cast<float>(pixel[c]) / 255;
          const float lit = colours.dark ? 1 - (1 - base) * (1 - alpha * colour) : base + (colour - base) * alpha;
          // Its middle is the corner of four of the raster's pixels.
          float mean = 0;
          for (const int dx : {-1, 0})
            for (const int dy : {-1, 0})
              mean += static_cast<float>(whole.rgba[4 * static_cast<std::size_t>((y + dy) * 1000 + x + dx) +
                                                    static_cast<std::size_t>(c)]) /
                      4;
          worst = std::max(worst, static_cast<int>(std::lround(std::abs(lit * 255 - mean))));
        }
      }
    CHECK(worst <= 4);
  }
}

TEST_CASE("lamp: it swings about the end of its cable, as far as is said, and keeps its form") {
  const Lamp lamp{.bulb = {100, 200}, .cable_from = 0, .scale = 1.5F};
  Figure still, swung;
  add_lamp(still, "lamp", lamp, Theme::dark);
  add_lamp(swung, "lamp", lamp, Theme::dark);
  swing(swung, "lamp", 0.1F);
  const Point end = std::get<Line>(still.find("lamp.cable")->shape).points.back();
  const Point hangs = std::get<Line>(swung.find("lamp.cable")->shape).points.back();
  CHECK(hangs.x == end.x);
  CHECK(hangs.y == end.y);
  const auto& before = std::get<Area>(still.find("lamp.bulb")->shape).points;
  const auto& after = std::get<Area>(swung.find("lamp.bulb")->shape).points;
  REQUIRE(before.size() == after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Point a{before[i].x - end.x, before[i].y - end.y}, b{after[i].x - end.x, after[i].y - end.y};
    CHECK(std::hypot(a.x, a.y) == doctest::Approx(std::hypot(b.x, b.y)));
    CHECK(std::atan2(a.y, a.x) - std::atan2(b.y, b.x) == doctest::Approx(0.1).epsilon(0.001));
  }
  const auto& rim = std::get<Line>(swung.find("lamp.rim")->shape).points;
  CHECK(rim[0].y > rim[1].y);  // it looks to the right
  Figure none;
  swing(none, "lamp", 0.1F);
  CHECK(none.elements.empty());
}

}  // namespace limelight::figure
