// Inks that are read where light falls.
#include <algorithm>
#include <array>

#include "figure/light.h"
#include "scenes/common/sentence.h"

namespace limelight::scenes {

using namespace figure;

Colour readable(const LitWords& lit, Colour wanted, Rect behind, bool large, float at_ends) {
  const bool stark_theme = lit.theme == stark(lit.theme);
  // WCAG 2.2, contrast; a little more, of what light slopes under.
  const float read = stark_theme ? 7.15F : large ? 3.1F : 4.55F;
  const float read_beside = stark_theme ? read : at_ends * read;
  const LightColours light = light_colours(lit.theme);
  std::array<Point, 7> places{
      {{0.1F, 0.5F}, {0.9F, 0.5F}, {0.25F, 0.5F}, {0.75F, 0.5F}, {0.5F, 0.5F}, {0.5F, 0}, {0.5F, 1}}};
  constexpr std::size_t kBeside = 2;  // of them, at the ends
  for (Point& place : places) place = {behind.x + place.x * behind.w, behind.y + place.y * behind.h};
  std::array<float, places.size()> sums{}, grounds{};
  lit.light.add(places, sums);
  for (std::size_t i = 0; i < places.size(); ++i) {
    grounds[i] = luminance(figure::lit(lit.ground.at(places[i].y), sums[i], light));
  }
  // Of what is wanted, where that is reached least; 1 where it is everywhere.
  const auto least = [&](Colour ink) {
    const float own = luminance(ink);
    float share = 21;
    for (std::size_t i = 0; i < places.size(); ++i)
      share = std::min(share, contrast(own, grounds[i]) / (i < kBeside ? read_beside : read));
    return share;
  };
  constexpr int kSteps = 8;
  Colour best = wanted;
  float most = least(wanted);
  const auto go_towards = [&](Colour end) {
    for (int step = 1; step <= kSteps && most < 1; ++step)
      if (const Colour ink = mix(wanted, end, static_cast<float>(step) / kSteps); least(ink) > most)
        most = least(ink), best = ink;
  };
  // In the dark an ink stays light, and on paper dark, as long as it can be read so.
  const Colour white{255, 255, 255}, black{0, 0, 0};
  if (is_dark(lit.theme)) go_towards(kCream);
  for (const Colour end : is_dark(lit.theme) ? std::array{white, black} : std::array{black, white}) go_towards(end);
  return best;
}

}  // namespace limelight::scenes
