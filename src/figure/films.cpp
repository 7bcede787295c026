#include "figure/films.h"

#include <array>
#include <cmath>
#include <vector>

#include "figure/order.h"

namespace limelight::figure::films {

namespace {

constexpr Colour kInk{0x1b, 0x16, 0x26}, kIvory{0xfb, 0xfa, 0xf5}, kWhite{255, 255, 255}, kRose{0xc8, 0x57, 0x6b};
constexpr Colour kFur{0xf0, 0xa0, 0x4b}, kCake{0xff, 0xe1, 0xc7}, kGold{0xff, 0xd2, 0x57}, kChalk{0xdf, 0xf3, 0xe6};

// Draws on a canvas of 112 × 63 that is laid over a rect.
class Pen {
 public:
  Pen(Figure& figure, std::string id, Rect rect, float opacity)
      : figure_(figure), id_(std::move(id)), rect_(rect), opacity_(opacity) {}

  void box(Rect r, Colour fill, float radius = 0) {
    add({at(r.x, r.y).x, at(r.x, r.y).y, r.w * scale(), r.h * scale()},
        Rectangle{.fill = fill, .radius = radius * scale()});
  }
  void frame(Rect r, Colour stroke, float width) {
    add({at(r.x, r.y).x, at(r.x, r.y).y, r.w * scale(), r.h * scale()},
        Rectangle{.stroke = stroke, .stroke_width = width * scale()});
  }
  void shape(std::vector<Point> points, Colour fill) {
    for (Point& p : points) p = at(p.x, p.y);
    add({}, Area{.points = std::move(points), .fill = fill, .fill_to = fill});
  }
  void ground(Colour top, Colour bottom) {
    const Point a = at(0, 0), b = at(112, 63);
    add({}, Area{.points = {a, {b.x, a.y}, b, {a.x, b.y}}, .fill = top, .fill_to = bottom});
  }
  void oval(Point centre, float across, float down, Colour fill) {
    const int corners = across < 12 ? 20 : 48;
    std::vector<Point> points;
    for (int i = 0; i < corners; ++i) {
      const float angle = 6.2831853F * static_cast<float>(i) / static_cast<float>(corners);
      points.push_back({centre.x + across * std::cos(angle), centre.y + down * std::sin(angle)});
    }
    shape(std::move(points), fill);
  }
  void line(std::vector<Point> points, Colour colour, float width) {
    for (Point& p : points) p = at(p.x, p.y);
    add({}, Line{.points = std::move(points), .colour = colour, .width = width * scale()});
  }
  void curve(Point from, Point control, Point other, Point to, Colour colour, float width) {
    add({}, Curve{.from = at(from.x, from.y),
                  .control_from = at(control.x, control.y),
                  .control_to = at(other.x, other.y),
                  .to = at(to.x, to.y),
                  .colour = colour,
                  .width = width * scale()});
  }

 private:
  [[nodiscard]] float scale() const { return rect_.w / 112; }
  [[nodiscard]] Point at(float x, float y) const { return {rect_.x + x * scale(), rect_.y + y * scale()}; }
  void add(Rect rect, Shape shape) {
    figure_.add({.id = id_ + "." + std::to_string(count_++),
                 .rect = rect,
                 .shape = std::move(shape),
                 .opacity = opacity_,
                 .clip = rect_});
  }

  Figure& figure_;
  std::string id_;
  Rect rect_;
  float opacity_;
  int count_ = 0;
};

void draw_keys(Pen& pen) {
  constexpr float kTop = 44, kWide = 9.6F;
  pen.box({0, kTop, 112, 19}, kIvory);
  for (int i = 1; i < 12; ++i) {
    const float x = static_cast<float>(i) * kWide;
    pen.line({{x, kTop}, {x, 63}}, {0x9a, 0x97, 0xa8}, 0.8F);
  }
  for (const int i : {1, 2, 4, 5, 6, 8, 9, 11})
    pen.box({static_cast<float>(i) * kWide - 2.6F, kTop, 5.2F, 11.4F}, kInk);
}

void draw_piano_cat(Pen& pen) {
  constexpr float x = 56, y = 30;
  pen.ground({0x2b, 0x24, 0x50}, {0x4a, 0x3a, 0x80});
  // A glow of rings that are too faint for their edges to be seen.
  constexpr int kRings = 14;
  for (int ring = kRings; ring > 0; --ring) {
    const float share = static_cast<float>(ring) / kRings;
    pen.oval({x, 25}, 50 * share, 37 * share, Colour{0xff, 0xd9, 0x8a, 7});
  }
  pen.shape({{x - 14, y - 5}, {x - 13, y - 21}, {x - 3, y - 12}}, kFur);
  pen.shape({{x + 14, y - 5}, {x + 13, y - 21}, {x + 3, y - 12}}, kFur);
  pen.oval({x, y}, 16, 14, kFur);
  for (const float side : {-1.F, 1.F}) {
    pen.oval({x + 6 * side, y - 2}, 2.2F, 2.2F, kInk);
    pen.oval({x + 6 * side + 0.7F, y - 2.7F}, 0.7F, 0.7F, kWhite);
    pen.line({{x + 9 * side, y + 4}, {x + 19 * side, y + 2}}, kInk, 0.9F);
    pen.line({{x + 9 * side, y + 6}, {x + 18 * side, y + 8}}, kInk, 0.9F);
    pen.curve({x, y + 5}, {x + side, y + 8}, {x + 4 * side, y + 8}, {x + 5 * side, y + 6.5F}, kInk, 0.9F);
  }
  pen.shape({{x - 1.6F, y + 3}, {x + 1.6F, y + 3}, {x, y + 5}}, kRose);
  draw_keys(pen);
  pen.oval({40, 45}, 5.5F, 4, kFur);
  pen.oval({72, 45}, 5.5F, 4, kFur);
}

void draw_piano_class(Pen& pen) {
  pen.ground({0xe9, 0xd9, 0xbc}, {0xd9, 0xbe, 0x91});
  pen.box({14, 8, 84, 26}, {0x3b, 0x5b, 0x4c});
  for (int i = 0; i < 4; ++i) {
    const float y = 14 + 5 * static_cast<float>(i);
    pen.line({{20, y}, {92, y}}, {0xcf, 0xe3, 0xd6}, 0.7F);
  }
  for (const Point note : {Point{30, 24}, Point{46, 19}, Point{62, 27}, Point{78, 17}}) {
    pen.oval(note, 3, 2.3F, kWhite);
    pen.line({{note.x + 2.6F, note.y}, {note.x + 2.6F, note.y - 8}}, kWhite, 1);
  }
  draw_keys(pen);
}

void draw_cat_cake(Pen& pen) {
  pen.ground({0xf3, 0xb9, 0xcb}, {0xe5, 0x8f, 0xae});
  pen.box({28, 34, 56, 23}, {0xff, 0xf4, 0xe6}, 3);
  pen.box({36, 20, 40, 16}, kCake, 3);
  pen.shape({{40, 21}, {42, 10}, {50, 21}}, kCake);
  pen.shape({{72, 21}, {70, 10}, {62, 21}}, kCake);
  // Icing that runs down.
  pen.box({28, 34, 56, 5}, {0xb5, 0x54, 0x6f});
  for (const float x : {33.F, 46.F, 62.F, 76.F}) pen.oval({x, 39}, 4, 3, {0xb5, 0x54, 0x6f});
  pen.oval({50, 28}, 1.6F, 1.6F, {0x4a, 0x22, 0x30});
  pen.oval({62, 28}, 1.6F, 1.6F, {0x4a, 0x22, 0x30});
  pen.shape({{54, 31}, {58, 31}, {56, 33}}, kRose);
  pen.box({0, 56, 112, 7}, {0xa9, 0x54, 0x73});
}

void draw_cup_final(Pen& pen) {
  pen.ground({0x2e, 0x8b, 0x57}, {0x1f, 0x6b, 0x42});
  for (const float x : {19.F, 57.F, 95.F}) pen.box({x, 0, 19, 63}, Colour{255, 255, 255, 15});
  pen.line({{56, 0}, {56, 63}}, kChalk, 1.2F);
  std::vector<Point> circle;
  for (int i = 0; i <= 24; ++i) {
    const float angle = 6.2831853F * static_cast<float>(i) / 24;
    circle.push_back({56 + 15 * std::cos(angle), 32 + 15 * std::sin(angle)});
  }
  pen.line(std::move(circle), kChalk, 1.2F);
  pen.frame({-2, 16, 18, 32}, kChalk, 1.2F);
  pen.frame({96, 16, 18, 32}, kChalk, 1.2F);
  pen.shape(
      {{46, 14}, {66, 14}, {66, 24}, {64.5F, 29}, {61.5F, 33.5F}, {56, 37}, {50.5F, 33.5F}, {47.5F, 29}, {46, 24}},
      kGold);
  pen.curve({46, 17}, {38, 17}, {38, 27}, {47, 28}, kGold, 2.4F);
  pen.curve({66, 17}, {74, 17}, {74, 27}, {65, 28}, kGold, 2.4F);
  pen.box({54, 36, 4, 8}, {0xe0, 0xae, 0x2e});
  pen.box({47, 43, 18, 5}, {0xe0, 0xae, 0x2e}, 1.5F);
}

}  // namespace

void add_film(Figure& figure, const std::string& id, int film, Rect rect, float opacity) {
  static constexpr std::array kFilms = {draw_piano_cat, draw_piano_class, draw_cat_cake, draw_cup_final};
  Pen pen(figure, id, rect, opacity);
  kFilms[static_cast<std::size_t>(film)](pen);
}

// The strongest first, at full strength; each that follows is laid over what is there with its share of all so far,
// which gives every film its weight.
void add_mix(Figure& figure, const std::string& id, std::span<const float> weights, Rect rect) {
  constexpr float kSeen = 0.01F;  // a share below it changes no colour by more than 3 of 255
  float sum = 0;
  for (const int film : largest_first(weights)) {
    const float weight = weights[static_cast<std::size_t>(film)];
    sum += weight;
    if (weight > kSeen * sum) add_film(figure, id + "." + std::to_string(film), film, rect, weight / sum);
  }
}

}  // namespace limelight::figure::films
