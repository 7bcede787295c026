#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "figure/colour.h"

using namespace limelight::figure;

namespace {

constexpr std::array kThemes{Theme::light, Theme::dark, Theme::stark_light, Theme::stark_dark};
constexpr float kReadable = 4.5F;  // WCAG 2.2, success criterion 1.4.3, text of any size
constexpr float kStark = 7;        // 1.4.6
constexpr float kSeen = 3;         // 1.4.11, what is no text

Colour hex(unsigned value) {
  return {static_cast<std::uint8_t>(value >> 16U), static_cast<std::uint8_t>(value >> 8U),
          static_cast<std::uint8_t>(value)};
}

int distance(Colour a, Colour b) { return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)}); }

// Of cells.
std::array<Colour, 7> fills(const Palette& p) {
  return {p.input_fill, p.query_fill, p.key_fill, p.value_fill, p.output_fill, p.score_fill, p.neutral_fill};
}

// Hue in degrees, as CSS counts them.
float hue(Colour c) {
  const float r = c.r;
  const float g = c.g;
  const float b = c.b;
  return std::fmod(std::atan2(std::sqrt(3.0F) * (g - b), 2 * r - g - b) * 57.29578F + 360.0F, 360.0F);
}

}  // namespace

TEST_CASE("palette: every text colour reads on paper, cards, chips and both ends of the stage, in all themes") {
  for (const Theme theme : kThemes) {
    const Palette& p = palette(theme);
    const float readable = theme == stark(theme) ? kStark : kReadable;
    const std::array texts{p.ink, p.muted, p.faint,  p.accent,     p.input,   p.query,
                           p.key, p.value, p.output, p.amber_text, p.warning, p.good};
    for (const Colour text : texts)
      for (const Colour ground : {p.paper, p.surface, p.sunken, p.stage_top, p.stage_bottom}) {
        CAPTURE(css(text));
        CAPTURE(css(ground));
        CHECK(contrast(text, ground) >= readable);
      }
    CHECK(contrast(p.on_accent, p.accent) >= readable);
  }
}

TEST_CASE(
    "palette: knobs, marks and rings are seen on paper, cards and cells; dividers too where more contrast is wanted") {
  for (const Theme theme : kThemes) {
    const Palette& p = palette(theme);
    for (const Colour ground : {p.paper, p.surface, p.sunken}) {
      CHECK(contrast(p.accent, ground) >= kSeen);
      if (theme != stark(theme)) continue;
      CHECK(contrast(p.hairline, ground) >= kSeen);
      CHECK(contrast(p.track, ground) >= kSeen);
    }
  }
}

TEST_CASE("palette: a meaning keeps its hue from theme to theme, and no two share one") {
  const auto meanings = [](const Palette& p) {
    return std::array{p.input, p.query, p.key, p.value, p.output, p.warning, p.good};
  };
  const auto apart = [](float a, float b) { return std::abs(std::remainder(a - b, 360.0F)); };
  const auto light = meanings(palette(Theme::light));
  for (const Theme theme : kThemes) {
    const auto other = meanings(palette(theme));
    for (std::size_t i = 0; i < light.size(); ++i) {
      CAPTURE(css(other[i]));
      CHECK(apart(hue(light[i]), hue(other[i])) < 8);
      for (std::size_t j = 0; j < i; ++j) CHECK(apart(hue(other[i]), hue(other[j])) > 15);
    }
  }
}

TEST_CASE("palette: purple is the query's and amber is the light's") {
  const auto apart = [](Colour a, Colour b) { return std::abs(std::remainder(hue(a) - hue(b), 360.0F)); };
  const auto vivid = [](Colour c) { return std::max({c.r, c.g, c.b}) - std::min({c.r, c.g, c.b}) > 60; };
  for (const Theme theme : kThemes) {
    const Palette& p = palette(theme);
    CHECK(apart(p.query, p.query_fill) < 8);
    const std::array others{p.ink,   p.muted,  p.faint,      p.accent,     p.on_accent,   p.input,       p.key,
                            p.value, p.output, p.input_fill, p.key_fill,   p.warning,     p.good,        p.track,
                            p.lamp,  p.amber,  p.value_fill, p.score_fill, p.output_fill, p.neutral_fill};
    for (const Colour other : others)
      if (vivid(other)) CHECK(apart(other, p.query) > 25);
    for (const Colour light : {p.amber, p.amber_text, p.beam_low, p.beam_high, p.score_fill})
      CHECK(apart(light, p.lamp) < 12);
    CHECK(luminance(p.beam_high) > luminance(p.beam_low));
  }
}

TEST_CASE("viridis and cividis: within 2/255 of the published maps, between the anchors as well") {
  struct Published {
    ColourMap map;
    int index;  // of 256
    unsigned colour;
  };
  // matplotlib 3.6, _cm_listed.py
  constexpr std::array kPublished{
      Published{ColourMap::viridis, 0, 0x440154},   Published{ColourMap::viridis, 1, 0x440256},
      Published{ColourMap::viridis, 7, 0x460b5e},   Published{ColourMap::viridis, 32, 0x472d7b},
      Published{ColourMap::viridis, 64, 0x3b528b},  Published{ColourMap::viridis, 98, 0x2b748e},
      Published{ColourMap::viridis, 128, 0x21918c}, Published{ColourMap::viridis, 149, 0x20a486},
      Published{ColourMap::viridis, 192, 0x5ec962}, Published{ColourMap::viridis, 208, 0x84d44b},
      Published{ColourMap::viridis, 253, 0xf8e621}, Published{ColourMap::viridis, 255, 0xfde725},
      Published{ColourMap::cividis, 0, 0x00224e},   Published{ColourMap::cividis, 1, 0x00234f},
      Published{ColourMap::cividis, 7, 0x002859},   Published{ColourMap::cividis, 32, 0x1a386f},
      Published{ColourMap::cividis, 64, 0x434e6c},  Published{ColourMap::cividis, 98, 0x636670},
      Published{ColourMap::cividis, 128, 0x7d7c78}, Published{ColourMap::cividis, 149, 0x918b78},
      Published{ColourMap::cividis, 192, 0xbcae6c}, Published{ColourMap::cividis, 208, 0xcdbb63},
      Published{ColourMap::cividis, 253, 0xfee535}, Published{ColourMap::cividis, 255, 0xfee838}};
  for (const Published& p : kPublished) {
    CAPTURE(p.index);
    const float t = static_cast<float>(p.index) / 255.0F;
    CHECK(distance(sample(p.map, t, Theme::light), hex(p.colour)) <= 2);
  }
}

TEST_CASE("viridis, cividis, grey: more is lighter, all the way") {
  for (const ColourMap map : {ColourMap::viridis, ColourMap::cividis, ColourMap::grey}) {
    float last = -1;
    for (int i = 0; i <= 64; ++i) {  // steps wider than the rounding of a channel
      const float l = luminance(sample(map, static_cast<float>(i) / 64.0F, Theme::dark));
      CHECK(l > last);
      last = l;
    }
  }
}

TEST_CASE("diverging: zero is the colour of a plain cell, and each side stands out more the further it goes") {
  for (const Theme theme : kThemes) {
    const Colour paper = palette(theme).sunken;
    CHECK(sample(ColourMap::diverging, 0.5F, theme) == paper);
    for (const float side : {-0.5F, 0.5F}) {
      float last = 0.99F;
      for (int i = 0; i <= 32; ++i) {
        const float t = 0.5F + side * static_cast<float>(i) / 32.0F;
        const float c = contrast(sample(ColourMap::diverging, t, theme), paper);
        CHECK(c > last);
        last = c;
      }
    }
  }
}

TEST_CASE("sample: clamps, and takes what is not a number for the low end") {
  for (const ColourMap map : {ColourMap::viridis, ColourMap::cividis, ColourMap::grey, ColourMap::diverging}) {
    CHECK(sample(map, -3, Theme::light) == sample(map, 0, Theme::light));
    CHECK(sample(map, 3, Theme::light) == sample(map, 1, Theme::light));
    CHECK(sample(map, std::nanf(""), Theme::light) == sample(map, 0, Theme::light));
  }
}

TEST_CASE("ink_on: reads on every colour of every map") {
  for (const ColourMap map : {ColourMap::viridis, ColourMap::cividis, ColourMap::grey, ColourMap::diverging}) {
    for (const Theme theme : kThemes) {
      for (int i = 0; i <= 255; ++i) {
        const Colour background = sample(map, static_cast<float>(i) / 255.0F, theme);
        CHECK(contrast(ink_on(background), background) >= kReadable);
      }
    }
  }
}

TEST_CASE("cells: a larger number is filled more, nothing and less than nothing like zero") {
  for (const Theme theme : kThemes) {
    const Palette& p = palette(theme);
    for (const Colour fill : fills(p)) {
      CAPTURE(css(fill));
      int last = distance(cell_fill(p, fill, 0), p.cell);
      CHECK(last > 0);  // a matrix of zeros has its role too
      CHECK(last < 20);
      for (int i = 1; i <= 32; ++i) {
        const int further = distance(cell_fill(p, fill, static_cast<float>(i) / 32.0F), p.cell);
        CHECK(further > last);
        last = further;
      }
      CHECK(distance(cell_fill(p, fill, 1), fill) < 20);
      CHECK(cell_fill(p, fill, 3) == cell_fill(p, fill, 1));
      CHECK(cell_fill(p, fill, -1) == cell_fill(p, fill, 0));
      CHECK(cell_fill(p, fill, std::nanf("")) == cell_fill(p, fill, 0));
    }
  }
}

TEST_CASE("cells: digits read on every fill, of every role and theme") {
  for (const Theme theme : kThemes) {
    const Palette& p = palette(theme);
    for (const Colour fill : fills(p))
      for (int i = 0; i <= 256; ++i) {
        const Colour ground = cell_fill(p, fill, static_cast<float>(i) / 256.0F);
        CHECK(contrast(ink_on(ground), ground) >= kReadable);
      }
  }
}

TEST_CASE("palette: a role's fill is its own, of its hue; what is no role's is neutral") {
  for (const Theme theme : kThemes) {
    const Palette& p = palette(theme);
    for (const Colour role : {p.input, p.query, p.key, p.value, p.output, p.amber_text}) {
      CAPTURE(css(role));
      CHECK(std::abs(std::remainder(hue(role) - hue(fill_of(p, role)), 360.0F)) < 8);
    }
    CHECK(fill_of(p, p.ink) == p.neutral_fill);
    CHECK(fill_of(p, p.muted) == p.neutral_fill);
  }
}

TEST_CASE("mix: its ends are its ends, and what is clear takes the other's hue") {
  const Colour a{10, 20, 30, 40};
  const Colour b{250, 128, 3, 255};
  CHECK(mix(a, b, 0) == a);
  CHECK(mix(a, b, 1) == b);
  CHECK(mix(Colour{0, 0, 0, 0}, b, 0.5F) == Colour{250, 128, 3, 128});
  CHECK(mix(b, Colour{0, 0, 0, 0}, 0.5F) == Colour{250, 128, 3, 128});
}

TEST_CASE("colours: known values of WCAG and CSS") {
  constexpr Colour kWhite{255, 255, 255};
  constexpr Colour kBlack{0, 0, 0};
  CHECK(contrast(kWhite, kBlack) == doctest::Approx(21));
  CHECK(contrast(kBlack, kWhite) == contrast(kWhite, kBlack));
  CHECK(contrast(hex(0x767676), kWhite) == doctest::Approx(4.54).epsilon(0.002));
  CHECK(css(Colour{5, 171, 255, 3}) == "#05abff");
  CHECK(Colour{1, 2, 3, 200}.faded(0.5F) == Colour{1, 2, 3, 100});
}
