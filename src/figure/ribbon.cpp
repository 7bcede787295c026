#include "figure/ribbon.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/sort.h"

namespace limelight::figure {
namespace {

constexpr int kPieces = 48;  // of a cubic side, at most

Point cubic(Point a, Point b, Point c, Point d, float t) {
  const Point p = mix(a, b, t), q = mix(b, c, t), r = mix(c, d, t);
  return mix(mix(p, q, t), mix(q, r, t), t);
}

// Pieces of a side that goes so far aside: a cubic with upright ends is 3/4 of that, over the square of their number,
// off its chords.
int pieces(float aside) {
  constexpr float kOff = 0.2F;  // px, less than is seen
  return std::clamp(static_cast<int>(std::ceil(std::sqrt(0.75F / kOff * aside))), 8, kPieces);
}

std::vector<Point> side(Point from, Point to, Flow flow, int count) {
  const Point handle = flow == Flow::level ? Point{(to.x - from.x) / 2, 0} : Point{0, (to.y - from.y) / 2};
  std::vector<Point> points;
  for (int i = 0; i <= count; ++i)
    points.push_back(cubic(from, {from.x + handle.x, from.y + handle.y}, {to.x - handle.x, to.y - handle.y}, to,
                           static_cast<float>(i) / static_cast<float>(count)));
  return points;
}

}  // namespace

Colour colour_at(std::span<const Ribbon::Stop> stops, float share) {
  if (stops.empty()) return {0, 0, 0, 0};
  const auto after = std::ranges::upper_bound(stops, share, {}, &Ribbon::Stop::at);
  if (after == stops.begin()) return stops.front().colour;
  if (after == stops.end()) return stops.back().colour;
  const Ribbon::Stop& before = *(after - 1);
  return mix(before.colour, after->colour, (share - before.at) / (after->at - before.at));
}

float Course::share(Point p) const {
  const Point way{to.x - from.x, to.y - from.y};
  const float square = way.x * way.x + way.y * way.y;
  if (!(square > 0)) return 0;
  return std::clamp(((p.x - from.x) * way.x + (p.y - from.y) * way.y) / square, 0.0F, 1.0F);
}

Course course_of(const Ribbon& ribbon) {
  const Point &one = ribbon.one.front(), &other = ribbon.other.front();
  const Point &one_end = ribbon.one.back(), &other_end = ribbon.other.back();
  Course course{.from = mix(one, other, 0.5F), .to = mix(one_end, other_end, 0.5F)};
  const bool level = one.y == other.y && one_end.y == other_end.y;
  const bool upright = one.x == other.x && one_end.x == other_end.x;
  if (level && one.y != one_end.y) course.to.x = course.from.x;
  if (upright && one.x != one_end.x) course.to.y = course.from.y;
  return course;
}

bool is_on(const Ribbon& ribbon, Point point) {
  constexpr float kBeside = 4;  // CSS pixels
  const std::size_t count = std::min(ribbon.one.size(), ribbon.other.size());
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const Point from = mix(ribbon.one[i], ribbon.other[i], 0.5F),
                to = mix(ribbon.one[i + 1], ribbon.other[i + 1], 0.5F);
    const Point near = mix(from, to, Course{from, to}.share(point));
    const float half = distance(ribbon.one[i], ribbon.other[i]) / 2;
    if (distance(near, point) <= half + kBeside) return true;
  }
  return false;
}

Edge part_of(float x, float top, float bottom, float index, float count, float pad) {
  const float each = (bottom - top) / count, from = top + index * each;
  return {{x, from + pad}, {x, from + each - pad}};
}

Ribbon flowing(const Edge& from, const Edge& to, Flow flow, std::vector<Ribbon::Stop> stops) {
  const auto aside = [flow](Point a, Point b) { return std::abs(flow == Flow::level ? b.y - a.y : b.x - a.x); };
  const int count = pieces(std::max(aside(from.one, to.one), aside(from.other, to.other)));
  return {.one = side(from.one, to.one, flow, count),
          .other = side(from.other, to.other, flow, count),
          .stops = std::move(stops)};
}

Element falling(std::string id, const Rect& from, const Rect& to, std::vector<Ribbon::Stop> stops) {
  const float left = std::min(from.x, to.x), top = from.bottom();
  return {.id = std::move(id),
          .rect = {left, top, std::max(from.right(), to.right()) - left, to.y - top},
          .shape = flowing({{from.x, top}, {from.right(), top}}, {{to.x, to.y}, {to.right(), to.y}}, Flow::upright,
                           std::move(stops))};
}

void run(Ribbon& ribbon, float share) {
  constexpr float kSoft = 0.4F;  // of the way: as long is the head
  if (share >= 1) return;
  const float front = share * (1 + kSoft), full = front - kSoft;  // nothing is seen beyond; all before
  const std::vector<Ribbon::Stop> own = std::exchange(ribbon.stops, {});
  std::vector<float> changes{std::max(full, 0.F), std::min(front, 1.F)};
  for (const Ribbon::Stop& stop : own) changes.push_back(stop.at);
  heap_sort(changes);
  for (const float at : changes)
    ribbon.stops.push_back({at, colour_at(own, at).faded(std::clamp((front - at) / kSoft, 0.F, 1.F))});
}

Ribbon along(const Curve& curve, std::vector<Ribbon::Stop> stops) {
  Ribbon ribbon{.stops = std::move(stops)};
  const auto at = [&curve](float t) { return cubic(curve.from, curve.control_from, curve.control_to, curve.to, t); };
  constexpr float kNear = 0.01F;
  const int count = pieces(std::max(std::abs(curve.to.x - curve.from.x), std::abs(curve.to.y - curve.from.y)));
  for (int i = 0; i <= count; ++i) {
    // Closer at its ends, where an arc bends most.
    const float t = (1 - std::cos(std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(count))) / 2;
    const Point before = at(std::max(t - kNear, 0.0F)), after = at(std::min(t + kNear, 1.0F)), p = at(t);
    const float length = std::max(distance(before, after), 1e-6F);
    const Point across{-(after.y - before.y) / length * curve.width / 2,
                       (after.x - before.x) / length * curve.width / 2};
    ribbon.one.push_back({p.x - across.x, p.y - across.y});
    ribbon.other.push_back({p.x + across.x, p.y + across.y});
  }
  return ribbon;
}

}  // namespace limelight::figure
