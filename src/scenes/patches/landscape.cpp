#include "scenes/patches/landscape.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace limelight::scenes::patches {
namespace {

using Rgb = Eigen::RowVector3f;

float smooth(float t) { return t * t * (3 - 2 * t); }
Rgb mix(const Rgb& from, const Rgb& to, float t) { return from + (to - from) * std::clamp(t, 0.F, 1.F); }

// From 0 to 1, the same for the same whole numbers.
float noise_at(int x, int y) {
  auto bits = static_cast<std::uint32_t>(x) * 374761393U + static_cast<std::uint32_t>(y) * 668265263U;
  bits = (bits ^ (bits >> 13U)) * 1274126177U;
  return static_cast<float>((bits ^ (bits >> 16U)) & 0xffffU) / 65535;
}

// Between the corners of a lattice (value noise).
float noise(float x, float y) {
  const float left = std::floor(x), top = std::floor(y);
  const float u = smooth(x - left), v = smooth(y - top);
  const int i = static_cast<int>(left), j = static_cast<int>(top);
  return std::lerp(std::lerp(noise_at(i, j), noise_at(i + 1, j), u),
                   std::lerp(noise_at(i, j + 1), noise_at(i + 1, j + 1), u), v);
}

// Octaves of it, each twice as fine and half as strong.
float rough(float x, float y) {
  float sum = 0, size = 0.5F;
  for (int octave = 0; octave < 4; ++octave, size /= 2, x *= 2, y *= 2) sum += size * noise(x, y);
  return sum;
}

// x and y from 0 to 1, from the left and from the top.
constexpr float kHorizon = 0.6F, kSunX = 0.66F, kSunY = 0.3F, kSun = 0.06F;

Rgb sky(float x, float y) {
  const Rgb high(0.25F, 0.45F, 0.78F), low(0.98F, 0.80F, 0.60F), glow(1, 0.86F, 0.55F), sun(1, 0.97F, 0.85F);
  const float apart = std::hypot(x - kSunX, y - kSunY);
  Rgb colour = mix(high, low, std::pow(y / kHorizon, 1.4F));
  colour = mix(colour, glow, 0.75F * std::exp(-apart * apart / 0.03F));
  const float cloud = std::clamp((rough(3.2F * x + 5, 9 * y + 2) - 0.5F) * 4, 0.F, 1.F);
  colour = mix(colour, Rgb(0.97F, 0.93F, 0.92F), 0.7F * cloud * (1 - y / kHorizon));
  return mix(colour, sun, (kSun - apart) * 60);
}

// How high the two ridges stand above the horizon.
float far_ridge(float x) { return 0.05F + 0.13F * rough(2.2F * x + 1, 7); }
float near_ridge(float x) { return 0.30F * rough(2.6F * x + 9, 3) * smooth(std::clamp((0.62F - x) / 0.62F, 0.F, 1.F)); }

Rgb above(float x, float y) {
  const float height = kHorizon - y;
  if (height < near_ridge(x)) {
    const float leaves = rough(26 * x, 26 * y);
    return mix(Rgb(0.10F, 0.22F, 0.13F), Rgb(0.30F, 0.42F, 0.18F), 1.6F * leaves - 0.4F);
  }
  if (height < far_ridge(x)) return mix(Rgb(0.42F, 0.47F, 0.62F), Rgb(0.62F, 0.60F, 0.68F), height / 0.15F);
  return sky(x, y);
}

Rgb sea(float x, float y) {
  const float near = (y - kHorizon) / (1 - kHorizon);  // 0 at the horizon, 1 at the lower edge
  const float ripple = rough(5 * x / (0.25F + near), 60 * std::sqrt(near) + 3) - 0.47F;
  const float mirrored = kHorizon - (y - kHorizon) * 1.3F + 0.10F * ripple;
  const Rgb water(0.06F, 0.22F, 0.33F);
  Rgb colour = mix(above(x + 0.05F * ripple, std::clamp(mirrored, 0.F, kHorizon)), water, 0.35F + 0.4F * near);
  const float path = std::exp(-std::pow((x - kSunX) / (0.04F + 0.12F * near), 2.F));
  return mix(colour, Rgb(1, 0.9F, 0.68F), path * std::clamp(0.25F + 5 * ripple, 0.F, 0.95F));
}

template <class Shade>
Matrix paint(int side, Shade shade) {
  Matrix picture(side * side, 3);
  const auto middle = [side](int pixel) { return (static_cast<float>(pixel) + 0.5F) / static_cast<float>(side); };
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const Rgb colour = shade(middle(x), middle(y));
      for (int c = 0; c < 3; ++c) picture(y * side + x, c) = std::clamp(colour(c), 0.F, 1.F);
    }
  return picture;
}

}  // namespace

Matrix gradient(int side) {
  return paint(side, [](float x, float y) {
    return mix(mix({0.16F, 0.22F, 0.62F}, {0.85F, 0.25F, 0.42F}, x), Rgb(0.98F, 0.90F, 0.62F), y);
  });
}

Matrix landscape(int side) {
  return paint(side, [](float x, float y) -> Rgb { return y < kHorizon ? above(x, y) : sea(x, y); });
}

}  // namespace limelight::scenes::patches
