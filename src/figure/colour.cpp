#include "figure/colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace limelight::figure {
namespace {

constexpr Colour rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16U & 0xFFU), static_cast<std::uint8_t>(hex >> 8U & 0xFFU),
          static_cast<std::uint8_t>(hex & 0xFFU)};
}

// Text colours read at 4.5:1 on all grounds: tests/unit/colour_test.cpp.
constexpr Palette kLight{.paper = rgb(0xf7f8fb),
                         .surface = rgb(0xffffff),
                         .sunken = rgb(0xeceff6),
                         .hairline = rgb(0xdadfea),
                         .track = rgb(0xcbd2e0),
                         .stage_top = rgb(0xc8d0e0),
                         .stage_bottom = rgb(0xe9ecf4),
                         .cell = rgb(0xf3f5fa),
                         .ink = rgb(0x171a23),
                         .muted = rgb(0x4a5265),
                         .faint = rgb(0x4f586c),
                         .accent = rgb(0x171a23),
                         .on_accent = rgb(0xffffff),
                         .input = rgb(0x305f07),
                         .query = rgb(0x5c3cbc),
                         .key = rgb(0x8a4100),
                         .value = rgb(0x125793),
                         .output = rgb(0xa61865),
                         .input_fill = rgb(0x86c440),
                         .query_fill = rgb(0x8c6ae6),
                         .key_fill = rgb(0xf28c28),
                         .value_fill = rgb(0x3e9dea),
                         .output_fill = rgb(0xee4e9b),
                         .score_fill = rgb(0xf2b233),
                         .neutral_fill = rgb(0x8a9bb8),
                         .lamp = rgb(0xffc62e),
                         .amber = rgb(0xf0a000),
                         .amber_text = rgb(0x744700),
                         .beam_low = rgb(0xffd24a),
                         .beam_high = rgb(0xfff8d2),
                         .warning = rgb(0x9e2a18),
                         .good = rgb(0x14603a)};

constexpr Palette kDark{.paper = rgb(0x0d0f16),
                        .surface = rgb(0x171a24),
                        .sunken = rgb(0x1d212d),
                        .hairline = rgb(0x232836),
                        .track = rgb(0x2e3445),
                        .stage_top = rgb(0x07080d),
                        .stage_bottom = rgb(0x131722),
                        .cell = rgb(0x1a1e29),
                        .ink = rgb(0xf0f2f8),
                        .muted = rgb(0xa9b1c4),
                        .faint = rgb(0x8f97ac),
                        .accent = rgb(0xf0f2f8),
                        .on_accent = rgb(0x10131a),
                        .input = rgb(0xa3d863),
                        .query = rgb(0xbfa8f8),
                        .key = rgb(0xf8b06a),
                        .value = rgb(0x7cc1f6),
                        .output = rgb(0xf996c6),
                        .input_fill = rgb(0x7fb53f),
                        .query_fill = rgb(0x8f70e4),
                        .key_fill = rgb(0xe58528),
                        .value_fill = rgb(0x3b93dc),
                        .output_fill = rgb(0xe0488f),
                        .score_fill = rgb(0xe69f14),
                        .neutral_fill = rgb(0x7486a6),
                        .lamp = rgb(0xffcb45),
                        .amber = rgb(0xffb52e),
                        .amber_text = rgb(0xffd36b),
                        .beam_low = rgb(0xffa823),
                        .beam_high = rgb(0xffeba6),
                        .warning = rgb(0xff8f7a),
                        .good = rgb(0x5fcf97)};

// Text colours read at 7:1, and hairlines and tracks are seen at 3:1; the fills stay.
constexpr Palette kStarkLight = [] {
  Palette p = kLight;
  p.paper = p.stage_bottom = p.cell = p.surface;
  p.stage_top = rgb(0xe1e6f0);
  p.hairline = p.track = rgb(0x6f7688);
  p.ink = p.accent = rgb(0x000000);
  p.muted = rgb(0x30353f);
  p.faint = rgb(0x3c424f);
  p.input = rgb(0x244a05);
  p.query = rgb(0x44289a);
  p.key = rgb(0x6b3200);
  p.value = rgb(0x0e4474);
  p.output = rgb(0x84124f);
  p.amber_text = rgb(0x5a3600);
  p.warning = rgb(0x7e1f12);
  p.good = rgb(0x0d4a2b);
  return p;
}();

constexpr Palette kStarkDark = [] {
  Palette p = kDark;
  p.paper = p.stage_top = p.on_accent = rgb(0x000000);
  p.surface = p.stage_bottom = p.cell = rgb(0x0b0d12);
  p.hairline = p.track = rgb(0x7d8496);
  p.ink = p.accent = rgb(0xffffff);
  p.muted = rgb(0xd3d8e3);
  p.faint = rgb(0xc5cbd8);
  p.input = rgb(0xb4e57a);
  p.query = rgb(0xd2c2fb);
  p.key = rgb(0xffc48e);
  p.value = rgb(0xa3d6fb);
  p.output = rgb(0xffadd6);
  p.amber_text = rgb(0xffdd8a);
  p.beam_low = rgb(0x5c3c0a);  // white is read on the brightest light
  p.beam_high = rgb(0x70521c);
  p.warning = rgb(0xffb1a2);
  p.good = rgb(0x86e3b4);
  return p;
}();

// Smith and van der Walt 2015, every fifth of the published 256 colours: within 1/255 of the rest.
constexpr std::array<std::uint32_t, 52> kViridis{
    0x440154, 0x46085c, 0x471063, 0x481769, 0x481d6f, 0x482475, 0x472a7a, 0x46307e, 0x453781, 0x433d84, 0x414287,
    0x3f4889, 0x3d4e8a, 0x3a538b, 0x38598c, 0x355e8d, 0x33638d, 0x31688e, 0x2e6d8e, 0x2c718e, 0x2a768e, 0x297b8e,
    0x27808e, 0x25848e, 0x23898e, 0x218e8d, 0x20928c, 0x1f978b, 0x1e9c89, 0x1fa188, 0x21a585, 0x24aa83, 0x28ae80,
    0x2eb37c, 0x35b779, 0x3dbc74, 0x46c06f, 0x50c46a, 0x5ac864, 0x65cb5e, 0x70cf57, 0x7cd250, 0x89d548, 0x95d840,
    0xa2da37, 0xb0dd2f, 0xbddf26, 0xcae11f, 0xd8e219, 0xe5e419, 0xf1e51d, 0xfde725};

// Nuñez, Anderton and Renslow 2018, every third of the published 256 colours: within 2/255 of the rest.
constexpr std::array<std::uint32_t, 86> kCividis{
    0x00224e, 0x002553, 0x002758, 0x00295d, 0x002b62, 0x002d68, 0x002f6d, 0x003170, 0x053371, 0x0f3570, 0x163770,
    0x1c396f, 0x213b6e, 0x263d6e, 0x2a3f6d, 0x2e416d, 0x32436d, 0x35456c, 0x39486c, 0x3c4a6c, 0x3f4c6c, 0x424e6c,
    0x45506c, 0x48526c, 0x4b546c, 0x4e566c, 0x51586d, 0x545a6d, 0x565c6d, 0x595e6e, 0x5c616e, 0x5e636f, 0x61656f,
    0x646770, 0x666970, 0x696b71, 0x6c6d72, 0x6e6f73, 0x717274, 0x737475, 0x767676, 0x787877, 0x7b7a78, 0x7e7c78,
    0x807f78, 0x838179, 0x868379, 0x898578, 0x8c8878, 0x8f8a78, 0x928c78, 0x948e77, 0x979177, 0x9a9376, 0x9d9576,
    0xa09875, 0xa39a74, 0xa69c74, 0xa99f73, 0xaca172, 0xafa471, 0xb3a670, 0xb6a96f, 0xb9ab6d, 0xbcae6c, 0xbfb06b,
    0xc2b369, 0xc5b568, 0xc8b866, 0xccba64, 0xcfbd62, 0xd2c060, 0xd5c25e, 0xd9c55c, 0xdcc859, 0xdfca57, 0xe2cd54,
    0xe6d051, 0xe9d34e, 0xedd54a, 0xf0d846, 0xf3db42, 0xf7de3e, 0xfbe138, 0xfee434, 0xfee838};

constexpr std::array<std::uint32_t, 2> kGrey{0x000000, 0xffffff};

// Blue and brown, which every common kind of colour vision tells apart; away from the theme's paper in the middle.
constexpr std::array<std::uint32_t, 5> kDivergingLight{0x0b5c57, 0x63aca4, 0xeceff6, 0xe59488, 0x9c1f1a};
constexpr std::array<std::uint32_t, 5> kDivergingDark{0x8fe3d6, 0x37857c, 0x1d212d, 0xa9493f, 0xffab9c};

Colour interpolate(std::span<const std::uint32_t> anchors, float t) {
  const float position = t * static_cast<float>(anchors.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), anchors.size() - 2);
  return mix(rgb(anchors[below]), rgb(anchors[below + 1]), position - static_cast<float>(below));
}

std::uint8_t byte(float value) { return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F) + 0.5F); }

std::uint8_t mix_byte(std::uint8_t from, std::uint8_t to, float t) {
  const auto a = static_cast<float>(from);
  const auto b = static_cast<float>(to);
  return byte(a + (b - a) * t);
}

}  // namespace

Colour Colour::faded(float opacity) const { return {r, g, b, byte(static_cast<float>(a) * opacity)}; }

Colour mix(Colour from, Colour to, float t) {
  if (!(t > 0)) return from;
  if (t >= 1) return to;
  // What cannot be seen has no hue of its own: it fades in and out in the other's, not through black.
  if (from.a == 0) return to.faded(t);
  if (to.a == 0) return from.faded(1 - t);
  return {mix_byte(from.r, to.r, t), mix_byte(from.g, to.g, t), mix_byte(from.b, to.b, t), mix_byte(from.a, to.a, t)};
}

std::string css(Colour colour) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text = "#";
  for (const unsigned channel : {colour.r, colour.g, colour.b}) {
    text += kDigits[channel >> 4U];
    text += kDigits[channel & 15U];
  }
  return text;
}

float luminance(Colour colour) {
  const auto linear = [](std::uint8_t channel) {
    const float c = static_cast<float>(channel) / 255.0F;
    return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F);
  };
  return 0.2126F * linear(colour.r) + 0.7152F * linear(colour.g) + 0.0722F * linear(colour.b);
}

float contrast(float luminance, float other) {
  const auto [dark, light] = std::minmax(luminance, other);
  return (light + 0.05F) / (dark + 0.05F);
}

float contrast(Colour a, Colour b) { return contrast(luminance(a), luminance(b)); }

Colour ink_on(Colour background) {
  constexpr Colour kBlack{0, 0, 0, 255};
  constexpr Colour kWhite{255, 255, 255, 255};
  return contrast(kWhite, background) >= contrast(kBlack, background) ? kWhite : kBlack;
}

const Palette& palette(Theme theme) {
  static constexpr const Palette* palettes[] = {&kLight, &kDark, &kStarkLight, &kStarkDark};
  return *palettes[static_cast<std::size_t>(theme)];
}

Colour fill_of(const Palette& colours, Colour role) {
  struct Pair {
    Colour Palette::* text;
    Colour Palette::* fill;
  };
  static constexpr Pair kPairs[] = {
      {&Palette::input, &Palette::input_fill},   {&Palette::query, &Palette::query_fill},
      {&Palette::key, &Palette::key_fill},       {&Palette::value, &Palette::value_fill},
      {&Palette::output, &Palette::output_fill}, {&Palette::amber_text, &Palette::score_fill}};
  for (const Pair& pair : kPairs)
    if (colours.*pair.text == role) return colours.*pair.fill;
  return colours.neutral_fill;
}

Colour cell_fill(const Palette& colours, Colour fill, float share) {
  constexpr float kLeast = 0.07F, kSpan = 0.86F, kPower = 0.9F;
  const float clamped = share > 0 ? std::min(share, 1.0F) : 0.0F;  // not a number: 0
  return mix(colours.cell, fill, kLeast + kSpan * std::pow(clamped, kPower));
}

Colour unlit_score(const Palette& colours) { return mix(colours.cell, colours.faint, 0.55F); }

Colour on_tint(const Palette& colours, Colour colour) { return mix(colour, colours.ink, 0.25F); }

Colour sample(ColourMap map, float t, Theme theme) {
  const float clamped = t > 0 ? std::min(t, 1.0F) : 0.0F;  // not a number: 0
  switch (map) {
    case ColourMap::viridis:
      return interpolate(kViridis, clamped);
    case ColourMap::cividis:
      return interpolate(kCividis, clamped);
    case ColourMap::grey:
      return interpolate(kGrey, clamped);
    case ColourMap::diverging:
      return interpolate(is_dark(theme) ? kDivergingDark : kDivergingLight, clamped);
  }
  return {};
}

}  // namespace limelight::figure
