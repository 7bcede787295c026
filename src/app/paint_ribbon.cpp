#include "app/paint_ribbon.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/sort.h"
#include "figure/ribbon.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr std::size_t kAcross = 4;  // vertices of a row: the fringe's edge, the ribbon's two sides, the fringe's edge

Point plus(Point p, Point direction, float length) { return {p.x + direction.x * length, p.y + direction.y * length}; }

Point direction(Point from, Point to) {
  const float length = distance(from, to);
  return length > 0 ? Point{(to.x - from.x) / length, (to.y - from.y) / length} : Point{};
}

// Two points of its sides that face each other.
struct FacingPair {
  Point one{}, other{};
  [[nodiscard]] Point middle() const { return mix(one, other, 0.5F); }
  [[nodiscard]] float width() const { return distance(one, other); }
};

// Where something that changes evenly from `from` to `to` is `at`; nothing where it is so at an end or not at all.
void add_crossing(std::vector<float>& shares, float from, float to, float at) {
  const float t = (at - from) / (to - from);
  if (t > 0 && t < 1) shares.push_back(t);
}

bool is_in_line(Point p, Point from, Point to) {
  constexpr float kOff = 0.05F;  // px, less than is seen
  const Point along = direction(from, to);
  return std::abs((p.x - from.x) * along.y - (p.y - from.y) * along.x) < kOff;
}

// A ribbon's pairs, with more of them where a stop lies and where it becomes as thin as a fringe. Of pairs that lie in
// one place the first, of those in a line the ends.
std::vector<FacingPair> pairs_of(const Ribbon& ribbon, const Course& course, float fringe) {
  std::vector<FacingPair> pairs;
  std::size_t kept = 1;  // pairs until here stay
  for (std::size_t i = 0; i < std::min(ribbon.one.size(), ribbon.other.size()); ++i) {
    const FacingPair next{ribbon.one[i], ribbon.other[i]};
    if (!pairs.empty()) {
      const FacingPair last = pairs.back();
      if (last.one == next.one && last.other == next.other) continue;
      std::vector<float> between;
      for (const Ribbon::Stop& stop : ribbon.stops)
        add_crossing(between, course.share(last.middle()), course.share(next.middle()), stop.at);
      add_crossing(between, last.width(), next.width(), fringe);
      heap_sort(between);
      if (between.empty() && pairs.size() > kept && is_in_line(last.one, pairs.end()[-2].one, next.one) &&
          is_in_line(last.other, pairs.end()[-2].other, next.other))
        pairs.pop_back();
      for (const float t : between) pairs.push_back({mix(last.one, next.one, t), mix(last.other, next.other, t)});
      if (!between.empty()) kept = pairs.size();
    }
    pairs.push_back(next);
  }
  return pairs;
}

// A row of the strip, its points from beyond `one` to beyond `other`, and how much of the colour the inner two have.
struct StripRow {
  std::array<Point, kAcross> points{};
  float strength = 1;
};

constexpr float kInLine = 1e-3F;  // of a side's normal, along the line across

StripRow row_at(const std::vector<FacingPair>& pairs, std::size_t i, float fringe) {
  const FacingPair& here = pairs[i];
  const FacingPair &before = pairs[i > 0 ? i - 1 : 0], &after = pairs[std::min(i + 1, pairs.size() - 1)];
  const Point across = direction(mix(before.other, after.other, 0.5F), mix(before.one, after.one, 0.5F));
  const auto share = [&across](Point normal) { return normal.x * across.x + normal.y * across.y; };
  // Square to a side: away from the other one for `one`, towards it for `other`.
  const auto towards_one = [&](Point from, Point to) {
    const Point along = direction(from, to);
    const Point normal{along.y, -along.x};
    return share(normal) < 0 ? Point{-normal.x, -normal.y} : normal;
  };
  const auto opposite = [](Point p) { return Point{-p.x, -p.y}; };
  const Point one = towards_one(before.one, after.one), towards = towards_one(before.other, after.other);
  // Where both sides lie in one line neither is beyond the other.
  const bool in_line = share(one) < kInLine && share(towards) < kInLine;
  const Point other = in_line && one.x * towards.x + one.y * towards.y < 0 ? towards : opposite(towards);
  // Square to its sides, which may run aslant between the two points.
  const float width = std::max((here.one.x - here.other.x) * one.x + (here.one.y - here.other.y) * one.y, 0.0F);
  StripRow row{.points = {plus(here.one, one, fringe / 2), plus(here.one, one, -fringe / 2),
                          plus(here.other, other, -fringe / 2), plus(here.other, other, fringe / 2)}};
  if (width < fringe) {  // there is no inside: one line, so that nothing is painted twice
    row.points[1] = row.points[2] = here.middle();
    row.strength = 2 * width / (width + fringe);
  }
  return row;
}

// Square to the ribbon's end, away from the rest.
Point away(const FacingPair& end, const FacingPair& next) {
  const Point along = direction(next.middle(), end.middle());
  const Point edge = direction(end.one, end.other);
  const Point normal{edge.y, -edge.x};
  const float forth = normal.x * along.x + normal.y * along.y;
  if (forth == 0) return along;
  return forth < 0 ? Point{-normal.x, -normal.y} : normal;
}

StripRow shifted(StripRow row, Point direction, float length) {
  for (Point& p : row.points) p = plus(p, direction, length);
  return row;
}

// Every pair's row, the two ends drawn in by half a fringe, and a row without colour half a fringe beyond each.
std::vector<StripRow> rows_of(const std::vector<FacingPair>& pairs, float fringe) {
  std::vector<StripRow> rows(1);
  for (std::size_t i = 0; i < pairs.size(); ++i) rows.push_back(row_at(pairs, i, fringe));
  const auto smooth = [&](StripRow& beyond, StripRow& end, Point direction) {
    beyond = shifted(end, direction, fringe / 2);
    beyond.strength = 0;
    end = shifted(end, direction, -fringe / 2);
  };
  smooth(rows.front(), rows[1], away(pairs[0], pairs[1]));
  rows.emplace_back();
  smooth(rows.back(), rows[rows.size() - 2], away(pairs.back(), pairs[pairs.size() - 2]));
  return rows;
}

}  // namespace

void add_ribbon(ImDrawList& list, const Ribbon& ribbon, float opacity) {
  if (ribbon.one.empty() || ribbon.other.empty() || !finite(ribbon.one) || !finite(ribbon.other)) return;
  const Course course = course_of(ribbon);
  const std::vector<FacingPair> pairs = pairs_of(ribbon, course, list._FringeScale);
  if (pairs.size() < 2) return;
  const std::vector<StripRow> rows = rows_of(pairs, list._FringeScale);
  const std::size_t quads = (rows.size() - 1) * (kAcross - 1);
  list.PrimReserve(static_cast<int>(6 * quads), static_cast<int>(kAcross * rows.size()));
  const unsigned first = list._VtxCurrentIdx;
  for (const StripRow& row : rows) {
    const auto write = [&](std::size_t i, ImU32 colour) {
      list.PrimWriteVtx({row.points[i].x, row.points[i].y}, list._Data->TexUvWhitePixel, colour);
    };
    const auto colour = [&](std::size_t i) {
      const Colour c = colour_at(ribbon.stops, course.share(row.points[i])).faded(opacity * row.strength);
      return IM_COL32(c.r, c.g, c.b, c.a);
    };
    const ImU32 one = colour(1), other = colour(2);
    write(0, one & ~IM_COL32_A_MASK);
    write(1, one);
    write(2, other);
    write(3, other & ~IM_COL32_A_MASK);
  }
  for (unsigned i = 0; i < quads; ++i) {
    const unsigned corner = first + i / (kAcross - 1) * kAcross + i % (kAcross - 1);
    for (const unsigned step : {0U, 1U, 5U, 0U, 5U, 4U}) list.PrimWriteIdx(corner + step);
  }
}

}  // namespace limelight::app
