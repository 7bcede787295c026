#include "figure/light.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

namespace limelight::figure {
namespace {

constexpr float kSlip = 4;            // CSS pixels that a pointer may be beside a thin beam
constexpr int kCurvePieces = 32;      // of a curved beam
constexpr float kLeastAcross = 0.1F;  // of a floor's direction; a beam that runs along it ends square

float half_width(float from, float to, float s) {
  return from + (to - from) * std::pow(std::clamp(s, 0.0F, 1.0F), beam::kTaper);
}

float beam_profile(float s, float off, float half_from, float half_to) {
  const float u = std::abs(off) / half_width(half_from, half_to, s);
  if (u >= beam::kReach || s <= beam::kBegin || s >= beam::kEnd) return 0;
  const float across =
      beam::kCore * std::exp(-beam::kSharpness * u * u) + (1 - beam::kCore) / (1 + std::pow(u / beam::kShoulder, 8.0F));
  const float along = beam::kFar + beam::kNear * std::pow(1 - std::clamp(s, 0.0F, 1.0F), beam::kDecay);
  return across * (1 - smoothstep(beam::kEdge, beam::kReach, u)) * along * smoothstep(beam::kBegin, beam::kFull, s) *
         (1 - smoothstep(beam::kFade, beam::kEnd, s));
}

float spot_profile(LightVertex::Kind kind, float q) {
  if (q >= spot::kEnd) return 0;
  const float shape = kind == LightVertex::pool ? (std::exp(-spot::kEdge * q) + 1 / (1 + q * q * q * q)) / 2
                                                : std::exp(-spot::kHaze * q);
  return shape * (1 - smoothstep(spot::kFade, spot::kEnd, q));
}

bool is_straight(const Light::Beam& b) {
  const float length = std::max(distance(b.from, b.to), 1e-3F);
  const auto off = [&](Point p) {
    return std::abs((b.to.x - b.from.x) * (p.y - b.from.y) - (b.to.y - b.from.y) * (p.x - b.from.x)) / length;
  };
  return off(b.control_from) < 0.05F && off(b.control_to) < 0.05F;
}

// A place on a beam's way, at a share of its length. Unit vectors: `across` square to the beam, `edge` along the places
// that have the same share.
struct Place {
  Point at{};
  float s = 0;
  Point across{};
  Point edge = across;
};

float cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
float dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }

Point on_curve(const Light::Beam& b, float t) {
  const Point p = mix(b.from, b.control_from, t), q = mix(b.control_from, b.control_to, t),
              r = mix(b.control_to, b.to, t);
  return mix(mix(p, q, t), mix(q, r, t), t);
}

Point unit(Point from, Point to) {
  const float length = distance(from, to);
  return length > 0 ? Point{(to.x - from.x) / length, (to.y - from.y) / length} : Point{0, 1};
}

// From before the mouth to beyond where it falls, as far as it is seen.
std::array<Place, 2> straight_spine(const Light::Beam& b) {
  const Point way = b.to - b.from, along = unit(b.from, b.to), across{-along.y, along.x};
  const bool slants = std::abs(dot(b.floor, across)) > kLeastAcross;
  const auto place = [&](float s) {
    return Place{.at = {b.from.x + way.x * s, b.from.y + way.y * s},
                 .s = s,
                 .across = across,
                 .edge = slants ? b.floor : across};
  };
  return {place(beam::kBegin), place(beam::kEnd)};
}

std::vector<Place> spine(const Light::Beam& b) {
  if (is_straight(b)) {
    const std::array<Place, 2> ends = straight_spine(b);
    return {ends.begin(), ends.end()};
  }
  std::vector<Point> points;
  for (int i = 0; i <= kCurvePieces; ++i) points.push_back(on_curve(b, static_cast<float>(i) / kCurvePieces));
  float length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) length += distance(points[i - 1], points[i]);
  length = std::max(length, 1e-3F);
  const Point first = unit(points[0], points[1]), last = unit(points[points.size() - 2], points.back());
  const auto beyond = [length](Point from, Point direction, float share) {
    return Point{from.x + direction.x * length * share, from.y + direction.y * length * share};
  };
  std::vector<Place> places = {
      {.at = beyond(points.front(), first, beam::kBegin), .s = beam::kBegin, .across = {-first.y, first.x}}};
  float way = 0;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    way += distance(points[i - 1], points[i]);
    const Point along = unit(points[i - 1], points[i + 1]);
    places.push_back({.at = points[i], .s = way / length, .across = {-along.y, along.x}});
  }
  places.push_back({.at = beyond(points.back(), last, beam::kEnd - 1), .s = beam::kEnd, .across = {-last.y, last.x}});
  return places;
}

void add_quad(std::vector<LightVertex>& out, const std::array<LightVertex, 4>& corners) {
  for (const std::size_t i : {0U, 1U, 2U, 2U, 1U, 3U}) out.push_back(corners[i]);
}

void add_beam(std::vector<LightVertex>& out, const Light::Beam& b) {
  const std::vector<Place> places = spine(b);
  const auto corner = [&](const Place& place, float side) {
    const float off = side * beam::kReach * half_width(b.half_from, b.half_to, place.s);
    const float away = off / dot(place.edge, place.across);
    return LightVertex{.at = {place.at.x + place.edge.x * away, place.at.y + place.edge.y * away},
                       .a = place.s,
                       .b = off,
                       .half_from = b.half_from,
                       .half_to = b.half_to,
                       .intensity = b.intensity,
                       .kind = LightVertex::beam};
  };
  std::array<LightVertex, 2> before{corner(places[0], -1), corner(places[0], 1)};
  for (std::size_t i = 1; i < places.size(); ++i) {
    std::array<LightVertex, 2> now{corner(places[i], -1), corner(places[i], 1)};
    for (std::size_t side = 0; side < now.size(); ++side) {
      if (dot(now[side].at - before[side].at, places[i].at - places[i - 1].at) > 0) continue;
      // In a bend that is closer than the beam is wide the inner edge waits, or it would run back over itself.
      now[side].at = before[side].at;
      now[side].b = dot(now[side].at - places[i].at, places[i].across);
    }
    add_quad(out, {before[0], before[1], now[0], now[1]});
    before = now;
  }
}

void add_spot(std::vector<LightVertex>& out, const Light::Spot& s) {
  const float reach = std::sqrt(spot::kEnd);
  const auto corner = [&](float x, float y) {
    return LightVertex{.at = {s.centre.x + x * s.radius_x, s.centre.y + y * s.radius_y},
                       .a = x,
                       .b = y,
                       .intensity = s.intensity,
                       .kind = s.glow == Light::Glow::pool ? LightVertex::pool : LightVertex::haze};
  };
  add_quad(out, {corner(-reach, -reach), corner(reach, -reach), corner(-reach, reach), corner(reach, reach)});
}

// Where a point is beside a beam: the share of its way and the pixels off its middle.
struct On {
  float s = 0, off = 0;
};

// Between two places with the same edge. False where it is before or behind them.
bool is_between(const Place& from, const Place& to, Point edge, Point point, On& on) {
  const Point way = to.at - from.at, reached = point - from.at;
  const float share = cross(reached, edge) / cross(way, edge);
  on = {.s = mix(from.s, to.s, share), .off = std::abs(cross(way, reached)) / distance({}, way)};
  return share >= 0 && share < 1;
}

// A beam's middle line.
struct Middle {
  bool straight;
  std::vector<Place> places;
};
Middle middle_of(const Light::Beam& b) {
  if (!is_straight(b)) return {false, spine(b)};
  const std::array<Place, 2> ends = straight_spine(b);
  return {true, {ends.begin(), ends.end()}};
}

// How far to its side a beam is seen.
float reach_beside(const Light::Beam& b) { return beam::kReach * std::max(b.half_from, b.half_to); }

// Whether a beam's light falls beside all of a disc, as that of most beams of a lamp does beside a word. A bent one is
// not asked.
bool passes_beside(const Light::Beam& b, Point centre, float radius) {
  return is_straight(b) && std::abs(cross(unit(b.from, b.to), centre - b.from)) >= radius + reach_beside(b);
}

// Where a beam's light may fall: a little more than that.
Rect around(const Light::Beam& b) {
  const float left = std::min(std::min(b.from.x, b.to.x), std::min(b.control_from.x, b.control_to.x));
  const float right = std::max(std::max(b.from.x, b.to.x), std::max(b.control_from.x, b.control_to.x));
  const float top = std::min(std::min(b.from.y, b.to.y), std::min(b.control_from.y, b.control_to.y));
  const float bottom = std::max(std::max(b.from.y, b.to.y), std::max(b.control_from.y, b.control_to.y));
  const auto most = [](Point p, Point q) { return std::abs(q.x - p.x) + std::abs(q.y - p.y); };
  const float length = most(b.from, b.control_from) + most(b.control_from, b.control_to) + most(b.control_to, b.to);
  const float beyond = std::max(-beam::kBegin, beam::kEnd - 1) * length;
  const float reach = beyond + slant_of(b) * std::max(reach_beside(b), kSlip);
  return {left - reach, top - reach, right - left + 2 * reach, bottom - top + 2 * reach};
}

Rect around(const Light::Spot& s) {
  const float x = std::sqrt(spot::kEnd) * s.radius_x, y = std::sqrt(spot::kEnd) * s.radius_y;
  return {s.centre.x - x, s.centre.y - y, 2 * x, 2 * y};
}

// How many places there are, on a curve maybe several.
std::size_t places_on(const Middle& middle, Point point, std::array<On, kCurvePieces>& found) {
  const std::vector<Place>& places = middle.places;
  if (middle.straight) return is_between(places[0], places[1], places[0].edge, point, found[0]) ? 1 : 0;
  std::size_t count = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const Point along = unit(places[i - 1].at, places[i].at);
    if (is_between(places[i - 1], places[i], {-along.y, along.x}, point, found[count])) ++count;
  }
  return count;
}

bool is_drawn(const Light::Beam& b) {
  const std::array<Point, 4> points = {b.from, b.control_from, b.control_to, b.to};
  return b.intensity > 0 && b.half_from > 0 && b.half_to > 0 && finite(points) && std::isfinite(b.intensity);
}

bool is_drawn(const Light::Spot& s) {
  return s.intensity > 0 && s.radius_x > 0 && s.radius_y > 0 && finite(s.centre) && std::isfinite(s.intensity);
}

}  // namespace

LightColours light_colours(Theme theme) {
  const Palette& colours = palette(theme);
  return {.low = colours.beam_low, .high = colours.beam_high, .dark = is_dark(theme)};
}

float light_gain(Theme theme) { return is_dark(theme) ? 1.6F : 1.65F; }

std::vector<LightVertex> light_triangles(const Light& light) {
  std::vector<LightVertex> triangles;
  for (const Light::Beam& b : light.beams)
    if (is_drawn(b)) add_beam(triangles, b);
  for (const Light::Spot& s : light.spots)
    if (is_drawn(s)) add_spot(triangles, s);
  return triangles;
}

float intensity_at(const LightVertex& vertex, float a, float b) {
  return vertex.intensity * (vertex.kind == LightVertex::beam ? beam_profile(a, b, vertex.half_from, vertex.half_to)
                                                              : spot_profile(vertex.kind, a * a + b * b));
}

Toned toned(float sum, const LightColours& colours) {
  if (!(sum > 0)) return {};
  const float seen = 1 - std::exp(-sum);
  const float white = std::pow(smoothstep(tone::kWhite, 1, seen), tone::kWarmth);
  const float t = colours.dark ? white : std::pow(white, tone::kLiftWhite);
  const auto channel = [t](std::uint8_t low, std::uint8_t high) {
    return mix(static_cast<float>(low), static_cast<float>(high), t) / 255;
  };
  const float r = channel(colours.low.r, colours.high.r);
  const float g = channel(colours.low.g, colours.high.g);
  const float b = channel(colours.low.b, colours.high.b);
  const float opacity =
      colours.dark ? tone::kStrength * seen : std::min(1.0F, tone::kCover * std::pow(seen, tone::kLift));
  return {.r = r, .g = g, .b = b, .opacity = opacity};
}

Light::Beam straight(Light::Beam beam) {
  beam.control_from = mix(beam.from, beam.to, 1 / 3.F);
  beam.control_to = mix(beam.from, beam.to, 2 / 3.F);
  return beam;
}

float slant_of(const Light::Beam& b) {
  const Point along = unit(b.from, b.to);
  const float across = std::abs(dot(b.floor, {-along.y, along.x}));
  return across > kLeastAcross ? 1 / across : 1;
}

Rect reach_of(const Light& light) {
  const std::vector<LightVertex> triangles = light_triangles(light);
  if (triangles.empty()) return {};
  const auto [left, right] = std::ranges::minmax(triangles, {}, [](const LightVertex& v) { return v.at.x; });
  const auto [top, bottom] = std::ranges::minmax(triangles, {}, [](const LightVertex& v) { return v.at.y; });
  return {left.at.x, top.at.y, right.at.x - left.at.x, bottom.at.y - top.at.y};
}

std::optional<Source> beam_at(const Light& light, Point point) {
  if (light.tensor.empty()) return std::nullopt;
  std::optional<Source> best;
  float brightest = 0;
  std::array<On, kCurvePieces> found;
  for (const Light::Beam& b : light.beams) {
    if (!is_drawn(b) || !around(b).contains(point)) continue;
    for (const On& on : std::span(found).first(places_on(middle_of(b), point, found))) {
      const float half = half_width(b.half_from, b.half_to, on.s);
      if (on.off > std::max(half, kSlip)) continue;
      const float bright = b.intensity * beam_profile(on.s, std::min(on.off, half), b.half_from, b.half_to);
      if (bright <= brightest) continue;
      brightest = bright;
      best = Source{.tensor = light.tensor, .row = b.row, .column = b.column};
    }
  }
  return best;
}

Brightness::Brightness(const Light& light) : light_(light) {
  constexpr Rect kNowhere{1e9F, 1e9F, 0, 0};
  for (const Light::Beam& b : light.beams) reaches_.push_back(is_drawn(b) ? around(b) : kNowhere);
  for (const Light::Spot& s : light.spots) reaches_.push_back(is_drawn(s) ? around(s) : kNowhere);
}

void Brightness::add(std::span<const Point> points, std::span<float> sums) const {
  Point least = points[0], most = points[0];
  for (const Point point : points) {
    least = {std::min(least.x, point.x), std::min(least.y, point.y)};
    most = {std::max(most.x, point.x), std::max(most.y, point.y)};
  }
  auto reach = reaches_.begin();
  const auto misses = [&] {
    const Rect& r = *reach++;
    return r.x > most.x || r.right() < least.x || r.y > most.y || r.bottom() < least.y;
  };
  const Point centre = mix(least, most, 0.5F);
  const float radius = distance(centre, most), slack = 0.01F;  // for what rounding does to pixels
  std::array<On, kCurvePieces> found;
  for (const Light::Beam& b : light_.beams) {
    if (misses() || passes_beside(b, centre, radius + slack)) continue;
    const Middle middle = middle_of(b);
    const float widest = reach_beside(b);
    for (std::size_t i = 0; i < points.size(); ++i)
      for (const On& on : std::span(found).first(places_on(middle, points[i], found)))
        if (on.off < widest) sums[i] += b.intensity * beam_profile(on.s, on.off, b.half_from, b.half_to);
  }
  for (const Light::Spot& s : light_.spots) {
    if (misses()) continue;
    const auto kind = s.glow == Light::Glow::pool ? LightVertex::pool : LightVertex::haze;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const float x = (points[i].x - s.centre.x) / s.radius_x, y = (points[i].y - s.centre.y) / s.radius_y;
      sums[i] += s.intensity * spot_profile(kind, x * x + y * y);
    }
  }
}

float lit(float base, float colour, float opacity, bool dark) {
  return dark ? 1 - (1 - base) * (1 - opacity * colour) : mix(base, colour, opacity);
}

Colour lit(Colour ground, float sum, const LightColours& colours) {
  const Toned light = toned(sum, colours);
  const auto channel = [&](std::uint8_t below, float colour) {
    const float seen = lit(static_cast<float>(below) / 255, colour, light.opacity, colours.dark);
    return static_cast<std::uint8_t>(std::clamp(seen, 0.0F, 1.0F) * 255 + 0.5F);
  };
  return {channel(ground.r, light.r), channel(ground.g, light.g), channel(ground.b, light.b), ground.a};
}

}  // namespace limelight::figure
