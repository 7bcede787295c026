#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace limelight::figure {

struct Point {
  float x = 0;
  float y = 0;
  bool operator==(const Point&) const = default;
};

struct Rect {
  float x = 0;
  float y = 0;
  float w = 0;
  float h = 0;

  [[nodiscard]] float right() const { return x + w; }
  [[nodiscard]] float bottom() const { return y + h; }
  [[nodiscard]] Point centre() const { return {x + w / 2, y + h / 2}; }
  [[nodiscard]] bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
  [[nodiscard]] Rect inset(float d) const { return {x + d, y + d, w - 2 * d, h - 2 * d}; }
  [[nodiscard]] Rect moved(float dx, float dy) const { return {x + dx, y + dy, w, h}; }
};

// Without the care of std::hypot for numbers that no page has, which takes long.
inline float distance(Point a, Point b) { return std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)); }

inline float mix(float a, float b, float t) { return a + (b - a) * t; }
inline Point mix(Point a, Point b, float t) { return {mix(a.x, b.x, t), mix(a.y, b.y, t)}; }
inline Rect mix(Rect a, Rect b, float t) {
  return {mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.w, b.w, t), mix(a.h, b.h, t)};
}

inline bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

// Of no width or height where they do not meet.
inline Rect intersection(const Rect& a, const Rect& b) {
  const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max(std::min(a.right(), b.right()) - x, 0.0F),
          std::max(std::min(a.bottom(), b.bottom()) - y, 0.0F)};
}

// 0 up to `from`, 1 from `to` on, slow at both ends.
inline float smoothstep(float from, float to, float x) {
  const float t = std::clamp((x - from) / (to - from), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

inline bool finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }
inline bool finite(std::span<const Point> points) {
  return std::ranges::all_of(points, [](Point p) { return finite(p); });
}

}  // namespace limelight::figure
