// The plane of the arrows: query and keys, the angle between two of them, the projection of one on the other, and their
// names where they have room.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "io/numbers.h"
#include "scenes/score/parts.h"

namespace limelight::scenes::score {
namespace {

struct Vec {
  float x = 0;
  float y = 0;
  [[nodiscard]] float length() const { return std::hypot(x, y); }
};
Vec row_of(const Matrix& values, int row) { return {values(row, 0), values(row, 1)}; }
Point tip_of(const Plot& plot, Vec v) { return plot.at(static_cast<double>(v.x), static_cast<double>(v.y)); }

// Pixels from the origin that stand for one, to the right as well as upwards.
float per_unit(const Plot& plot) { return plot.frame.h / static_cast<float>(plot.y.high - plot.y.low); }

// The frame as the area gives it; its shorter side spans the reach, either way.
Plot add_plane(Drawing& d, Rect area, double reach) {
  Axis across{.low = -reach, .high = reach, .label = "first number, x"};
  Axis up{.low = -reach, .high = reach, .label = "second number, y"};
  // Its ticks are as wide as those that come, with a sign and a digit.
  up.ticks = {{0, io::format_short(-1)}};
  Figure trial;
  const Rect frame = add_plot(trial, "plane", area, across, up, d.view.theme).frame;
  Axis& longer = frame.w > frame.h ? across : up;
  longer.high = reach * static_cast<double>(std::max(frame.w, frame.h) / std::min(frame.w, frame.h));
  longer.low = -longer.high;
  up.ticks.clear();
  for (Axis* axis : {&across, &up})
    for (int tick = -static_cast<int>(axis->high); tick <= static_cast<int>(axis->high); ++tick)
      if (reach <= kReach || tick % 2 == 0) axis->ticks.emplace_back(tick, io::format_short(tick));
  return add_plot(d.figure, "plane", area, across, up, d.view.theme);
}

// ---- words among lines ----

float length_inside(Rect rect, Point a, Point b) {
  float from = 0, to = 1;
  const auto cut = [&](float start, float way, float low, float high) {
    if (way == 0 && (start < low || start > high)) to = 0;
    if (way == 0) return;
    const float first = (low - start) / way, last = (high - start) / way;
    from = std::max(from, std::min(first, last));
    to = std::min(to, std::max(first, last));
  };
  cut(a.x, b.x - a.x, rect.x, rect.right());
  cut(a.y, b.y - a.y, rect.y, rect.bottom());
  return to > from ? (to - from) * std::hypot(b.x - a.x, b.y - a.y) : 0;
}

// What a word in the plane keeps off.
struct Crowd {
  Rect frame;
  std::vector<std::pair<Point, Point>> lines{};
  std::vector<Rect> boxes{};  // the tips' handles, and the words that have their place

  // In pixels of length; a word must not leave the frame at any price.
  [[nodiscard]] float covered(Rect word) const {
    const bool inside =
        word.x >= frame.x && word.right() <= frame.right() && word.y >= frame.y && word.bottom() <= frame.bottom();
    float sum = inside ? 0.F : 1000.F;
    for (const auto& [a, b] : lines) sum += length_inside(word, a, b);
    for (const Rect& box : boxes) {
      const float w = std::min(word.right(), box.right()) - std::max(word.x, box.x);
      const float h = std::min(word.bottom(), box.bottom()) - std::max(word.y, box.y);
      if (w > 0 && h > 0) sum += w + h;
    }
    return sum;
  }
};

struct Size {
  float w, h;
};

// Beside a point, in the direction of an angle, `gap` away from it.
Rect beside(Point at, float angle, float gap, Size size) {
  const float across = std::cos(angle), down = -std::sin(angle);
  const float out = gap + std::abs(across) * size.w / 2 + std::abs(down) * size.h / 2;
  return {at.x + across * out - size.w / 2, at.y + down * out - size.h / 2, size.w, size.h};
}

// All around a point, first ahead of it, then turned more and more to either side.
void add_around(std::vector<Rect>& places, Point at, float ahead, float gap, Size size) {
  places.push_back(beside(at, ahead, gap, size));
  for (int turns = 1; turns <= 5; ++turns)
    for (const float side : {1.F, -1.F})
      places.push_back(beside(at, ahead + side * static_cast<float>(turns) * std::numbers::pi_v<float> / 6, gap, size));
}

// Of these places the one that covers least, of equal ones the first; the word then stands there.
Rect settle(Crowd& crowd, std::span<const Rect> places) {
  constexpr float later = 0.3F;  // pixels to cover rather than to go on to the next place
  Rect best = places.front();
  float least = crowd.covered(best);
  for (std::size_t i = 1; i < places.size(); ++i)
    if (const float cost = crowd.covered(places[i]) + later * static_cast<float>(i); cost < least) {
      least = cost;
      best = places[i];
    }
  crowd.boxes.push_back(best);
  return best;
}

// Where no place is free, what lies below shines through less.
void add_halo(Drawing& d, const std::string& id, Rect rect) {
  d.figure.add(
      {.id = id + ".halo", .rect = rect, .shape = Rectangle{.fill = d.colours.paper.faded(0.8F), .radius = 4}});
}

// ---- what stands in it ----

// The tip of an arrow, to be dragged within its field's range.
void add_handle(Drawing& d, const Plot& plot, const char* field, int row, const std::string& name, Point tip,
                Colour colour) {
  const Point low = plot.at(-kReach, -kReach), high = plot.at(kReach, kReach);
  const std::string id = std::string("handle.") + field + std::to_string(row);
  d.figure.add({.id = id + ".dot",
                .rect = {tip.x - 6, tip.y - 6, 12, 12},
                .shape = Rectangle{.fill = colour.faded(0.3F), .stroke = colour, .stroke_width = 1.5F, .radius = 6}});
  Edit edit{.field = field};
  edit.plane = Edit::Plane{.frame = {low.x, high.y, high.x - low.x, low.y - high.y},
                           .x_low = -kReach,
                           .x_high = kReach,
                           .y_low = -kReach,
                           .y_high = kReach,
                           .row = row};
  const float reach = d.view.compact() ? 22.F : 14.F;  // of a finger, or of a mouse
  d.figure.add({.id = id,
                .role = Role::handle,
                .rect = {tip.x - reach, tip.y - reach, 2 * reach, 2 * reach},
                .label = "Drag the tip of " + name,
                .edit = std::move(edit)});
}

struct Between {
  float from, turn;  // the query's angle, and from there to the key's, at most half a turn
};
Between between(Vec q, Vec k) {
  const float from = std::atan2(q.y, q.x);
  return {from, std::remainder(std::atan2(k.y, k.x) - from, 2 * std::numbers::pi_v<float>)};
}

void add_arc(Drawing& d, const Plot& plot, Vec q, Vec k, Crowd& crowd) {
  if (!has_angle(d.trace, d.key)) return;
  const auto [from, turn] = between(q, k);
  const float radius = std::min(0.8F * std::min(q.length(), k.length()) * per_unit(plot), 44.F);
  const Point origin = plot.at(0, 0);
  std::vector<Point> arc;
  constexpr int pieces = 24;
  for (int i = 0; i <= pieces; ++i) {
    const float at = from + turn * static_cast<float>(i) / pieces;
    arc.push_back({origin.x + radius * std::cos(at), origin.y - radius * std::sin(at)});
    if (i > 0) crowd.lines.emplace_back(arc[arc.size() - 2], arc.back());
  }
  d.figure.add({.id = "arc", .shape = Line{.points = std::move(arc), .colour = d.colours.ink, .width = 1.5F}});
  // Between arrows that nearly meet there is no room for a number; the table has it.
  if (std::abs(turn) < 0.25F) return;
  const std::string text = io::format_fixed(static_cast<double>(d.values("angles")(0, d.key)), 0) + "°";
  const Size size{text::measure(text::Face::mono_bold, 12, text) + 4, 15};
  std::vector<Rect> places;
  for (const float gap : {4.F, 18.F, 34.F})
    for (const float share : {0.5F, 0.35F, 0.65F, 0.2F, 0.8F})
      places.push_back(beside(origin, from + share * turn, radius + gap, size));
  const Rect place = settle(crowd, places);
  add_halo(d, "arc.degrees", place);
  add_words(d, "arc.degrees", place, text, {d.colours.ink, {text::Face::mono_bold, 12}, Align::centre});
}

// A share of the way from the origin to where the key's tip falls on the query's line.
Point on_projection(const Drawing& d, const Plot& plot, Vec q, float share) {
  const float along = share * d.values("shadows")(0, d.key) / q.length();
  return plot.at(static_cast<double>(q.x * along), static_cast<double>(q.y * along));
}

void add_drop(Drawing& d, const Plot& plot, Vec q, Vec k, Crowd& crowd) {
  if (!has_angle(d.trace, d.key)) return;
  const Point tip = tip_of(plot, k), foot = on_projection(d, plot, q, 1);
  crowd.lines.emplace_back(tip, foot);
  d.figure.add({.id = "projection.drop",
                .shape = Line{.points = {tip, foot}, .colour = d.colours.key, .width = 1, .dashed = true}});
}

// The key's projection on the query's line: times the query's length, it is the dot product. It runs beside that line,
// away from the key, so that it hides no arrow.
void add_projection(Drawing& d, const Plot& plot, Vec q, Vec k, Crowd& crowd) {
  if (!has_angle(d.trace, d.key)) return;
  const float shadow = d.values("shadows")(0, d.key);
  if (std::abs(shadow) * per_unit(plot) < 12) return;
  const auto [from, turn] = between(q, k);
  const float away = from + (turn > 0 ? -1.F : 1.F) * std::numbers::pi_v<float> / 2;
  const auto off = [&](float share) {
    const Point p = on_projection(d, plot, q, share);
    return Point{p.x + 5 * std::cos(away), p.y - 5 * std::sin(away)};
  };
  crowd.lines.emplace_back(off(0), off(1));
  d.figure.add(
      {.id = "projection", .shape = Line{.points = {off(0), off(1)}, .colour = d.colours.key.faded(0.6F), .width = 3}});
  const std::string text = "projection " + io::format_fixed(static_cast<double>(shadow), 2);
  const Size size{text::measure(text::Face::regular, 11, text) + 6, 15};
  std::vector<Rect> places;
  for (const float share : {0.5F, 0.3F, 0.7F}) places.push_back(beside(off(share), away, 5, size));
  for (const float gap : {8.F, 20.F, 40.F}) {
    add_around(places, off(0.5F), away, gap, size);
    add_around(places, off(1), away, gap, size);
  }
  const Rect place = settle(crowd, places);
  add_halo(d, "projection.text", place);
  const Source source{"shadows", 0, d.key};
  d.figure.add({.id = cell_id(source),
                .role = Role::cell,
                .rect = place,
                .label = "The projection of " + d.keys[static_cast<std::size_t>(d.key)] + " on " + d.query + ": " +
                         text.substr(11),
                .source = source,
                .shape = Text{.text = text, .size = 11, .colour = d.colours.key, .align = Align::centre}});
}

struct Named {
  const char* field;
  int row;
  std::string name;
  Vec vector;
  Colour colour;
  bool strong;
  [[nodiscard]] std::string id() const { return std::string("arrow.") + field + std::to_string(row); }
};

// Beyond the tip, or turned away from there to where it covers less.
void add_name(Drawing& d, const Plot& plot, const Named& arrow, Crowd& crowd) {
  const Point tip = tip_of(plot, arrow.vector);
  const float ahead = arrow.vector.length() > 0 ? std::atan2(arrow.vector.y, arrow.vector.x) : 1;
  const Size size{text::measure(text::Face::semibold, 13, arrow.name) + 4, 17};
  std::vector<Rect> places;
  for (const float gap : {8.F, 18.F}) add_around(places, tip, ahead, gap, size);
  const Rect place = settle(crowd, places);
  add_halo(d, arrow.id() + ".name", place);
  add_words(d, arrow.id() + ".name", place, arrow.name, {arrow.colour, type::subtitle, Align::centre});
}

}  // namespace

void add_arrows(Drawing& d, Rect area) {
  const Matrix& K = d.values("K");
  const double largest = static_cast<double>(std::max(K.cwiseAbs().maxCoeff(), d.values("q").cwiseAbs().maxCoeff()));
  const Plot plot = add_plane(d, area, largest > kReach ? 2 * kReach : kReach);
  const Vec q = row_of(d.values("q"), 0), looked_at = row_of(K, d.key);
  Crowd crowd{.frame = plot.frame};
  for (const bool upright : {false, true}) {
    const Point from = upright ? plot.at(0, plot.y.low) : plot.at(plot.x.low, 0);
    const Point to = upright ? plot.at(0, plot.y.high) : plot.at(plot.x.high, 0);
    crowd.lines.emplace_back(from, to);
    d.figure.add({.id = upright ? "plane.zero.x" : "plane.zero.y",
                  .shape = Line{.points = {from, to}, .colour = d.colours.faint, .width = 1}});
  }
  std::vector<Named> arrows;
  for (int j = 0; j < kKeys; ++j)
    arrows.push_back({"K", j, d.keys[static_cast<std::size_t>(j)], row_of(K, j), d.colours.key, j == d.key});
  arrows.push_back({"q", 0, d.query, q, d.colours.query, true});
  for (const Named& arrow : arrows) {
    const Point tip = tip_of(plot, arrow.vector);
    crowd.lines.emplace_back(plot.at(0, 0), tip);
    crowd.boxes.push_back({tip.x - 7, tip.y - 7, 14, 14});
    if (arrow.vector.length() > 0)
      d.figure.add(
          {.id = arrow.id(),
           .shape =
               Arrow{.from = plot.at(0, 0), .to = tip, .colour = arrow.colour, .width = arrow.strong ? 2.5F : 1.5F}});
  }
  add_drop(d, plot, q, looked_at, crowd);
  add_arc(d, plot, q, looked_at, crowd);
  for (const Named& arrow : arrows) add_name(d, plot, arrow, crowd);
  add_projection(d, plot, q, looked_at, crowd);
  for (const Named& arrow : arrows)
    add_handle(d, plot, arrow.field, arrow.row, arrow.name, tip_of(plot, arrow.vector), arrow.colour);
}

}  // namespace limelight::scenes::score
