#include "figure/light_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace limelight::figure {
namespace {

// The sum of what is left and right of an edge, exactly opposite for the two triangles that share it.
double side_of(Point a, Point b, double x, double y) {
  const bool swapped = std::pair(a.x, a.y) > std::pair(b.x, b.y);
  if (swapped) std::swap(a, b);
  const double ax = a.x, ay = a.y;
  const double side = (b.x - ax) * (y - ay) - (b.y - ay) * (x - ax);
  return swapped ? -side : side;
}

// Of points on a shared edge only one triangle has them: those to whose left or top the edge lies.
bool owns(Point a, Point b) { return b.y < a.y || (b.y == a.y && b.x > a.x); }

struct Triangle {
  std::array<LightVertex, 3> corners;
  double area;  // twice, positive
};

void add(LightMap& map, const Triangle& t) {
  const auto& [p, q, r] = t.corners;
  const auto [left, right] = std::minmax({p.at.x, q.at.x, r.at.x});
  const auto [top, bottom] = std::minmax({p.at.y, q.at.y, r.at.y});
  const int first_x = floor_within(left - static_cast<float>(map.x), map.width);
  const int end_x = ceil_within(right - static_cast<float>(map.x), map.width);
  const int first_y = floor_within(top - static_cast<float>(map.y), map.height);
  const int end_y = ceil_within(bottom - static_cast<float>(map.y), map.height);
  for (int j = first_y; j < end_y; ++j) {
    for (int i = first_x; i < end_x; ++i) {
      const double x = map.x + i + 0.5, y = map.y + j + 0.5;  // a pixel is what its middle is
      const double u = side_of(q.at, r.at, x, y), v = side_of(r.at, p.at, x, y), w = side_of(p.at, q.at, x, y);
      const auto inside = [](double side, Point a, Point b) { return side > 0 || (side == 0 && owns(a, b)); };
      if (!inside(u, q.at, r.at) || !inside(v, r.at, p.at) || !inside(w, p.at, q.at)) continue;
      const auto at = [&](float a, float b, float c) { return static_cast<float>((u * a + v * b + w * c) / t.area); };
      map.sums[static_cast<std::size_t>(j) * static_cast<std::size_t>(map.width) + static_cast<std::size_t>(i)] +=
          intensity_at(p, at(p.a, q.a, r.a), at(p.b, q.b, r.b));
    }
  }
}

// Evenly spread from −1 to 1, the same at the same pixel.
float noise(int x, int y) {
  auto h = static_cast<std::uint32_t>(x) * 0x9E3779B1U ^ static_cast<std::uint32_t>(y) * 0x85EBCA77U;
  h ^= h >> 15U;
  h *= 0x2C1B3C6DU;
  h ^= h >> 12U;
  return static_cast<float>(h & 0xFFFFU) / 32767.5F - 1;
}

std::uint8_t byte(float value) { return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F) + 0.5F); }

}  // namespace

LightMap light_map(const Light& light, float scale, const Box& bounds) {
  std::vector<LightVertex> vertices = light_triangles(light);
  const Rect reach = reach_of(light);
  const float x0 = std::floor(std::max(bounds.x0, reach.x * scale)), x1 = std::min(bounds.x1, reach.right() * scale);
  const float y0 = std::floor(std::max(bounds.y0, reach.y * scale)), y1 = std::min(bounds.y1, reach.bottom() * scale);
  if (!(x0 < x1 && y0 < y1)) return {};
  LightMap map{.x = static_cast<int>(x0),
               .y = static_cast<int>(y0),
               .width = static_cast<int>(std::ceil(x1 - x0)),
               .height = static_cast<int>(std::ceil(y1 - y0)),
               .sums = {}};
  map.sums.resize(static_cast<std::size_t>(map.width) * static_cast<std::size_t>(map.height));
  for (LightVertex& vertex : vertices) vertex.at = {vertex.at.x * scale, vertex.at.y * scale};
  for (std::size_t i = 0; i + 2 < vertices.size(); i += 3) {
    Triangle t{.corners = {vertices[i], vertices[i + 1], vertices[i + 2]}, .area = 0};
    // Its corners in the turn in which the inside is on the positive side. What is the same at all corners is the
    // first's.
    t.area = side_of(t.corners[0].at, t.corners[1].at, t.corners[2].at.x, t.corners[2].at.y);
    if (t.area < 0) std::swap(t.corners[1], t.corners[2]);
    t.area = std::abs(t.area);
    if (t.area > 0) add(map, t);
  }
  return map;
}

void paint(Canvas& canvas, const LightMap& map, const LightColours& colours, const Box& clip) {
  for (int j = 0; j < map.height; ++j) {
    for (int i = 0; i < map.width; ++i) {
      const int x = map.x + i, y = map.y + j;
      const float through = overlap(x, clip.x0, clip.x1) * overlap(y, clip.y0, clip.y1);
      if (through <= 0 || x < 0 || y < 0 || x >= canvas.image.width || y >= canvas.image.height) continue;
      const Toned light = toned(
          map.sums[static_cast<std::size_t>(j) * static_cast<std::size_t>(map.width) + static_cast<std::size_t>(i)],
          colours);
      if (light.opacity <= 0) continue;
      std::uint8_t* pixel =
          canvas.image.rgba.data() + 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(canvas.image.width) +
                                          static_cast<std::size_t>(x));
      if (pixel[3] != 255) {  // on glass there is nothing to screen
        blend_pixel(canvas, x, y,
                    {byte(light.r * 255), byte(light.g * 255), byte(light.b * 255), byte(light.opacity * 255)}, 1,
                    clip);
        continue;
      }
      const float dither = tone::kDither * noise(x, y) * std::min(light.opacity * 255, 1.0F);
      const float opacity = light.opacity * through;
      const std::array<float, 3> colour = {light.r, light.g, light.b};
      for (std::size_t c = 0; c < 3; ++c) {
        const float base = static_cast<float>(pixel[c]) / 255;
        pixel[c] = byte(lit(base, colour[c], opacity, colours.dark) * 255 + dither);
      }
    }
  }
}

Image image_of(const LightMap& map, const LightColours& colours) {
  Image image{.width = map.width, .height = map.height, .rgba = {}};
  image.rgba.reserve(map.sums.size() * 4);
  for (const float sum : map.sums) {
    const Toned light = toned(sum, colours);
    // On a dark ground opacity · colour is what counts: the brightest channel is as bright as can be, so that no step
    // of a channel is lost.
    const float most = colours.dark ? std::max({light.r, light.g, light.b, 1e-6F}) : 1;
    image.rgba.insert(image.rgba.end(), {byte(light.r / most * 255), byte(light.g / most * 255),
                                         byte(light.b / most * 255), byte(light.opacity * most * 255)});
  }
  return image;
}

}  // namespace limelight::figure
