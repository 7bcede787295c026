// How light is painted: beams and pools are triangles whose vertices say where in the beam they lie; at each pixel
// every triangle adds its intensity, and the sum is toned once. Painters differ only in who fills the triangles.
//
// Sums of light saturate as exposures do: a sum I is seen as L = 1 - exp(-I), so that what is added to a bright place
// changes little and nothing is ever cut off.
#pragma once

#include <optional>
#include <vector>

#include "figure/figure.h"

namespace limelight::figure {

// A beam's intensity at a share s of its way (0 at the mouth, 1 where it falls) and u half widths off its middle:
//   (core · exp(-sharpness · u²) + (1 - core) / (1 + (u / shoulder)⁸)) · (1 - smoothstep(edge, reach, u))
//   · smoothstep(begin, full, s) · (1 - smoothstep(fade, end, s)) · (far + near · (1 - s)^decay)
// with half a width of half_from + (half_to - half_from) · s^taper. Lines of equal s are
// square to the beam; where a straight one has a floor they are parallel to that.
namespace beam {
inline constexpr float kCore = 0.62F, kSharpness = 1.9F, kShoulder = 0.82F, kEdge = 1.3F, kReach = 1.9F;
inline constexpr float kBegin = -0.02F, kFull = 0.05F, kFade = 0.9F, kEnd = 1.05F;
inline constexpr float kFar = 0.43F, kNear = 0.85F, kDecay = 1.25F, kTaper = 1.05F;
}  // namespace beam

// A spot's at q = (x / radius_x)² + (y / radius_y)²: a pool's (exp(-edge · q) + 1 / (1 + q⁴)) / 2, a haze's
// exp(-haze · q), both faded out by 1 - smoothstep(fade, end, q).
namespace spot {
inline constexpr float kEdge = 1.3F, kHaze = 1.4F, kFade = 2, kEnd = 6;
}  // namespace spot

// Of a sum I: L = 1 - exp(-I), t = smoothstep(white, 1, L)^warmth, its colour mix(low, high, t). On a dark ground it is
// screened on as strength · L · colour; on a light one the colour is laid on with opacity min(1, cover · L^lift),
// t^lift_t.
namespace tone {
inline constexpr float kWhite = 0.28F, kWarmth = 1.15F, kStrength = 0.92F, kCover = 1.08F, kLift = 0.9F,
                       kLiftWhite = 0.8F;
inline constexpr float kDither = 0.8F;  // ± of 255, so that dark slopes show no steps
}  // namespace tone

struct LightColours {
  Colour low, high;
  bool dark;
};
LightColours light_colours(Theme theme);
// What intensities are times in a theme: light on paper needs a little more to be seen than light in the dark.
float light_gain(Theme theme);

// A corner of a triangle of light. `a` and `b` change evenly over the triangle, the rest is the same at its corners.
struct LightVertex {
  enum Kind { beam, pool, haze };
  Point at{};
  float a = 0;  // of a beam: share of its way; of a spot: radii from its middle, to the right
  float b = 0;  // of a beam: pixels off its middle; of a spot: radii downwards
  float half_from = 0, half_to = 0;
  float intensity = 0;
  Kind kind = beam;
};
// Three vertices for each triangle; triangles of one beam or spot do not overlap.
std::vector<LightVertex> light_triangles(const Light& light);
// What a triangle adds where its coordinates are these.
float intensity_at(const LightVertex& vertex, float a, float b);

// What a sum of light does to a pixel: a colour from 0 to 1, not premultiplied, that is laid on with an opacity. On a
// dark ground it is screened on instead: each channel c becomes 1 - (1 - c) · (1 - opacity · colour).
struct Toned {
  float r = 0, g = 0, b = 0;
  float opacity = 0;
};
Toned toned(float sum, const LightColours& colours);
// What one of a ground's channels becomes in light of this colour and opacity; all from 0 to 1.
float lit(float base, float colour, float opacity, bool dark);

// How much light there is at a place, before toning. Where the light reaches is found once, for many places.
class Brightness {
 public:
  Brightness() = default;
  explicit Brightness(const Light& light);
  // Adds it to each point's sum; one point at least.

  void add(std::span<const Point> points, std::span<float> sums) const;

 private:
  Light light_{};
  std::vector<Rect> reaches_;  // of its beams, then of its spots
};

// What a ground becomes in so much.
Colour lit(Colour ground, float sum, const LightColours& colours);

// The beam, straight from its beginning to its end.
Light::Beam straight(Light::Beam beam);
// How much wider than square to it a beam is along its floor; 1 where it has none.
float slant_of(const Light::Beam& beam);
// Where the light of an element reaches.
Rect reach_of(const Light& light);
// The brightest beam at a point, among those within a finger's slip; nullopt where none is.
std::optional<Source> beam_at(const Light& light, Point point);

}  // namespace limelight::figure
