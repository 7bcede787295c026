// The page's painter beside the raster: what WebGL makes of a figure, and the formulas on the CPU. In a browser, on a
// canvas of the page around it.
#include "app/painter.h"

#include <doctest/doctest.h>
#include <emscripten/html5_webgl.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "figure/lamp.h"
#include "figure/light.h"
#include "figure/paint.h"
#include "figure/ribbon.h"
#include "gfx/gl.h"
#include "gfx/texture.h"

using namespace limelight;
using namespace limelight::figure;

namespace {

constexpr float kWidth = 960, kHeight = 480;  // CSS pixels
constexpr Theme kThemes[] = {Theme::light, Theme::dark};

// One painter for all tests, as the page has one for all its figures.
app::Painter& painter() {
  static app::Painter* const one = [] {
    EmscriptenWebGLContextAttributes attributes;
    emscripten_webgl_init_context_attributes(&attributes);
    attributes.majorVersion = 2;
    attributes.antialias = false;
    const auto context = emscripten_webgl_create_context("#canvas", &attributes);
    REQUIRE(context > 0);
    emscripten_webgl_make_context_current(context);
    return new app::Painter({});
  }();
  return *one;
}

Image painted(const Figure& figure, float ratio) {
  app::Painter& by = painter();
  Image image{
      .width = static_cast<int>(figure.width * ratio), .height = static_cast<int>(figure.height * ratio), .rgba = {}};
  emscripten_set_canvas_element_size("#canvas", image.width, image.height);
  gfx::clear_screen(image.width, image.height, 0, 0, 0, 1);
  by.paint(figure, {}, ratio);
  std::vector<std::uint8_t> upwards(static_cast<std::size_t>(4 * image.width * image.height));
  glReadPixels(0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, upwards.data());
  const auto row = static_cast<std::ptrdiff_t>(4 * image.width);
  for (auto from = upwards.end(); from != upwards.begin(); from -= row)
    image.rgba.insert(image.rgba.end(), from - row, from);
  REQUIRE(glGetError() == GL_NO_ERROR);
  return image;
}

// Of two images of one size.
struct Difference {
  int worst = 0;         // of a channel, of 255
  int x = 0, y = 0;      // where
  double above_two = 0;  // share of the pixels that differ by more than 2
};
Difference difference(const Image& one, const Image& other) {
  REQUIRE(one.rgba.size() == other.rgba.size());
  Difference found;
  for (int pixel = 0; pixel < one.width * one.height; ++pixel) {
    int here = 0;
    for (int channel = 0; channel < 3; ++channel) {
      const auto at = static_cast<std::size_t>(4 * pixel + channel);
      here = std::max(here, std::abs(one.rgba[at] - other.rgba[at]));
    }
    if (here > 2) found.above_two += 1.0 / (one.width * one.height);
    if (here <= found.worst) continue;
    found = {.worst = here, .x = pixel % one.width, .y = pixel / one.width, .above_two = found.above_two};
  }
  return found;
}

// Both paint a figure, and differ by at most 4 of 255 anywhere, or by what is given; nearly nowhere by more than 2.
void check_alike(const Figure& figure, int worst = 4) {
  for (const float ratio : {1.F, 2.F}) {
    const Difference found = difference(painted(figure, ratio), raster(figure, {}, ratio));
    CAPTURE(ratio);
    CAPTURE(found.x);
    CAPTURE(found.y);
    CHECK(found.worst <= worst);
    CHECK(found.above_two <= 0.002);
  }
}

// A stage, its ground painted as the page's is.
Figure stage(Theme theme) {
  const Palette& colours = palette(theme);
  Figure figure{.width = kWidth, .height = kHeight};
  figure.add({.shape = Area{.points = {{0, 0}, {kWidth, 0}, {kWidth, kHeight}, {0, kHeight}},
                            .fill = colours.stage_top,
                            .fill_to = colours.stage_bottom}});
  return figure;
}

Figure lit_stage(const std::vector<float>& weights, Theme theme) {
  std::vector<Point> places;
  const float pitch = kWidth / static_cast<float>(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) places.push_back({(static_cast<float>(i) + 0.5F) * pitch, 400});
  Figure figure = stage(theme);
  figure.add({.shape = light_of({.bulb = {430, 40}}, {.tensor = "weights",
                                                      .weights = weights,
                                                      .places = places,
                                                      .words = static_cast<int>(weights.size()),
                                                      .theme = theme})});
  return figure;
}

}  // namespace

TEST_CASE("painter: a stage's ground is the raster's") {
  for (const Theme theme : kThemes) check_alike(stage(theme), 1);
}

TEST_CASE("painter: nine words in a lamp's light") {
  for (const Theme theme : kThemes)
    check_alike(lit_stage({0.02F, 0.02F, 0.02F, 0.52F, 0.02F, 0.34F, 0.02F, 0.02F, 0.02F}, theme));
}

TEST_CASE("painter: sixty-four words in the same light") {
  for (const Theme theme : kThemes) check_alike(lit_stage(std::vector<float>(64, 1 / 64.F), theme));
}

TEST_CASE("painter: one word that gets everything") {
  for (const Theme theme : kThemes) check_alike(lit_stage({1}, theme));
}

// Where two of the curve's pieces meet, a texel of the half-sized sums has a little of both or of neither.
TEST_CASE("painter: a beam along a curve") {
  for (const Theme theme : kThemes) {
    Figure figure = stage(theme);
    figure.add({.shape = Light{.beams = {{.from = {100, 400},
                                          .control_from = {260, 40},
                                          .control_to = {640, 40},
                                          .to = {840, 400},
                                          .half_from = 8,
                                          .half_to = 46,
                                          .intensity = 1.4F}},
                               .theme = theme}});
    check_alike(figure, 6);
  }
}

TEST_CASE("painter: light ends where its element is cut") {
  for (const Theme theme : kThemes) {
    Figure figure = lit_stage({0.3F, 0.7F}, theme);
    figure.elements.back().clip = Rect{300, 100, 400, 250};
    check_alike(figure);
  }
}

// At its edges: a fringe of a pixel is there for what the raster covers exactly.
TEST_CASE("painter: a ribbon from one colour to another") {
  for (const Theme theme : kThemes) {
    Figure figure = stage(theme);
    const Palette& colours = palette(theme);
    figure.add({.shape = flowing({{100, 60}, {100, 200}}, {{860, 300}, {860, 330}}, Flow::level,
                                 {{.at = 0, .colour = colours.value_fill}, {.at = 1, .colour = colours.output_fill}}),
                .opacity = 0.78F});
    check_alike(figure, 10);
  }
}

TEST_CASE("painter: a ribbon that spreads to both sides until its edges are nearly level") {
  for (const Theme theme : kThemes) {
    Figure figure = stage(theme);
    const Colour lamp = palette(theme).lamp;
    figure.add({.shape = flowing({{440, 220}, {480, 220}}, {{240, 300}, {680, 300}}, Flow::upright,
                                 {{.at = 0, .colour = lamp.faded(0.55F)}, {.at = 1, .colour = lamp.faded(0.95F)}})});
    check_alike(figure, 32);  // where its corners are as sharp as a needle
  }
}
