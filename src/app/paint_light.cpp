#include "app/paint_light.h"

#include <array>
#include <string>

#include "figure/light.h"

namespace limelight::app {

using namespace figure;

namespace {

std::array<float, 3> rgb(Colour c) {
  return {static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255, static_cast<float>(c.b) / 255};
}

}  // namespace

gfx::LightQuad light_quad(const Light& light) {
  const LightColours colours = light_colours(light.theme);
  gfx::LightQuad quad{.triangles = {},
                      .low = rgb(colours.low),
                      .high = rgb(colours.high),
                      .dark = colours.dark,
                      .clip = {},
                      .sums = {}};
  const std::vector<LightVertex> triangles = light_triangles(light);
  quad.triangles.reserve(triangles.size());
  for (const LightVertex& v : triangles)
    quad.triangles.push_back({.x = v.at.x,
                              .y = v.at.y,
                              .a = v.a,
                              .b = v.b,
                              .half_from = v.half_from,
                              .half_to = v.half_to,
                              .intensity = v.intensity,
                              .kind = static_cast<float>(v.kind)});
  return quad;
}

gfx::Constants light_constants() {
  gfx::Constants constants;
  const auto add = [&](const char* name, float value) { constants.emplace_back(name, std::to_string(value)); };
  add("BEAM", LightVertex::beam);
  add("POOL", LightVertex::pool);
  add("BEAM_CORE", beam::kCore);
  add("BEAM_SHARPNESS", beam::kSharpness);
  add("BEAM_SHOULDER", beam::kShoulder);
  add("BEAM_EDGE", beam::kEdge);
  add("BEAM_REACH", beam::kReach);
  add("BEAM_BEGIN", beam::kBegin);
  add("BEAM_FULL", beam::kFull);
  add("BEAM_FADE", beam::kFade);
  add("BEAM_END", beam::kEnd);
  add("BEAM_FAR", beam::kFar);
  add("BEAM_NEAR", beam::kNear);
  add("BEAM_DECAY", beam::kDecay);
  add("BEAM_TAPER", beam::kTaper);
  add("SPOT_EDGE", spot::kEdge);
  add("SPOT_HAZE", spot::kHaze);
  add("SPOT_FADE", spot::kFade);
  add("SPOT_END", spot::kEnd);
  add("TONE_WHITE", tone::kWhite);
  add("TONE_WARMTH", tone::kWarmth);
  add("TONE_STRENGTH", tone::kStrength);
  add("TONE_COVER", tone::kCover);
  add("TONE_LIFT", tone::kLift);
  add("TONE_LIFT_WHITE", tone::kLiftWhite);
  add("TONE_DITHER", tone::kDither);
  return constants;
}

}  // namespace limelight::app
