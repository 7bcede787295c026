#include "figure/power_curve.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "figure/colour.h"
#include "figure/geometry.h"
#include "io/numbers.h"

namespace limelight::figure {

void add_power_curve(Figure& figure, const std::string& id, const PowerCurve& curve) {
  constexpr int kPoints = 40;
  const Palette& colours = palette(curve.theme);
  const Rect& box = curve.box;
  const float air = 8 * curve.letters, radius = 4 * curve.letters;
  float low = -1;
  for (const float number : curve.numbers)
    if (std::isfinite(number)) low = std::min(low, number);
  const auto point = [&](float x, float y) {
    return Point{mix(box.right(), box.x, x / low), mix(box.bottom(), box.y, y)};
  };
  Line line{.points = {}, .colour = colours.muted, .width = 1.5F};
  for (int i = 0; i <= kPoints; ++i) {
    const float x = low * static_cast<float>(i) / kPoints;
    line.points.push_back(point(x, std::exp(x)));
  }
  figure.add({.id = id + ".axis",
              .shape = Line{.points = {{box.x - air, box.bottom()}, {box.right() + air, box.bottom()}},
                            .colour = colours.track}});
  figure.add({.id = id, .shape = std::move(line)});
  for (std::size_t i = 0; i < curve.numbers.size(); ++i)
    if (const float x = curve.numbers[i]; std::isfinite(x)) {
      const Point dot = point(x, curve.come * std::exp(x));
      figure.add({.id = id + ".drop." + std::to_string(i),
                  .shape = Line{.points = {dot, {dot.x, box.bottom()}}, .colour = colours.muted, .dashed = true}});
      figure.add({.id = id + ".dot." + std::to_string(i),
                  .rect = {dot.x - radius, dot.y - radius, 2 * radius, 2 * radius},
                  .shape = Rectangle{.fill = colours.score_fill, .radius = radius}});
    }
  const auto say = [&](const char* part, Point middle, const std::string& words) {
    figure.add({.id = id + part,
                .rect = {middle.x - 40, middle.y - air, 80, 2 * air},
                .shape = Text{.text = words,
                              .face = text::Face::mono,
                              .size = 11.5F * curve.letters,
                              .colour = colours.muted,
                              .align = Align::centre}});
  };
  // What is far enough from those told before it is told as well.
  std::vector<float> told{low, 0};
  for (const float x : curve.numbers) {
    const float apart = 46 * curve.letters / box.w * -low;
    if (!std::isfinite(x) || std::ranges::any_of(told, [&](float other) { return std::abs(x - other) < apart; }))
      continue;
    told.push_back(x);
    say((".number." + std::to_string(told.size())).c_str(), {point(x, 0).x, box.bottom() + 11 * curve.letters},
        io::format_fixed(static_cast<double>(x), 2));
  }
  say(".low", {box.x, box.bottom() + 11 * curve.letters}, io::format_fixed(static_cast<double>(low), 2));
  say(".zero", {box.right(), box.bottom() + 11 * curve.letters}, "0");
  say(".one", {box.right() + 18 * curve.letters, box.y}, "1");
}

}  // namespace limelight::figure
