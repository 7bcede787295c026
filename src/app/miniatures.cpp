#include "app/miniatures.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

namespace limelight::app {

using namespace figure;

namespace {

// Draws on a ground of 44 × 28 px, whose corner is the origin.
struct Pen {
  Figure& figure;
  const std::string& id;
  Point origin;
  Colour ground, ink, lamp;
  const Palette& colours;
  int count = 0;

  void add(Rect rect, Shape shape) {
    figure.add({.id = id + "." + std::to_string(count++), .rect = rect, .shape = std::move(shape)});
  }
  [[nodiscard]] Point at(Point p) const { return {origin.x + p.x, origin.y + p.y}; }

  void box(Rect rect, float radius, Colour colour) {
    add(rect.moved(origin.x, origin.y), Rectangle{.fill = colour, .radius = radius});
  }
  void disc(Point centre, float radius, Colour colour) {
    box({centre.x - radius, centre.y - radius, 2 * radius, 2 * radius}, radius, colour);
  }
  void line(std::initializer_list<Point> points, Colour colour, float width) {
    std::vector<Point> moved;
    for (const Point p : points) moved.push_back(at(p));
    add({}, Line{.points = std::move(moved), .colour = colour, .width = width});
  }
  void curve(std::array<Point, 4> p, Colour colour, float width) {
    add({}, Curve{.from = at(p[0]),
                  .control_from = at(p[1]),
                  .control_to = at(p[2]),
                  .to = at(p[3]),
                  .colour = colour,
                  .width = width});
  }
  void area(std::initializer_list<Point> points, Colour colour) {
    std::vector<Point> moved;
    for (const Point p : points) moved.push_back(at(p));
    add({}, Area{.points = std::move(moved), .fill = colour, .fill_to = colour});
  }
};

// A lamp over three words; most of its light falls on the last.
void spotlight(Pen& pen) {
  struct Beam {
    float x, half_width, strength;
  };
  for (const Beam& beam : {Beam{10, 3, 0.22F}, Beam{22, 4, 0.32F}, Beam{34, 7, 0.76F}})
    pen.area({{21, 4}, {23, 4}, {beam.x + beam.half_width, 22}, {beam.x - beam.half_width, 22}},
             pen.lamp.faded(beam.strength));
  for (const float x : {6.F, 18.F, 30.F}) pen.box({x, 21, 8, 2.4F}, 1, pen.ink);
  pen.disc({22, 4}, 2.2F, pen.lamp);
}

// The angle between a query and a key.
void score(Pen& pen) {
  pen.line({{10, 22}, {36, 18}}, pen.colours.key_fill, 2);
  pen.line({{10, 22}, {26, 6}}, pen.colours.query_fill, 2);
  pen.curve({{{19, 20.6F}, {18.8F, 18.6F}, {17.9F, 16.7F}, {16.6F, 15.4F}}}, pen.ink, 1.2F);
}

// A narrow and a wide distribution.
void scale(Pen& pen) {
  pen.curve({{{6, 23}, {16, 23}, {17, 6}, {22, 6}}}, pen.lamp, 1.6F);
  pen.curve({{{22, 6}, {27, 6}, {28, 23}, {38, 23}}}, pen.lamp, 1.6F);
  pen.curve({{{4, 23}, {12, 22}, {14, 17}, {22, 17}}}, pen.ink, 1.2F);
  pen.curve({{{22, 17}, {30, 17}, {32, 22}, {40, 23}}}, pen.ink, 1.2F);
}

// Three taps from one strip, and what comes out.
void layer(Pen& pen) {
  pen.box({7, 5, 30, 4}, 1.5F, pen.colours.input_fill);
  pen.line({{12, 9}, {12, 17}}, pen.colours.query_fill, 2);
  pen.line({{22, 9}, {22, 17}}, pen.colours.key_fill, 2);
  pen.line({{32, 9}, {32, 17}}, pen.colours.value_fill, 2);
  pen.curve({{{12, 17}, {12, 21}, {22, 18}, {22, 22}}}, pen.ink, 1.1F);
  pen.curve({{{32, 17}, {32, 21}, {22, 18}, {22, 22}}}, pen.ink, 1.1F);
  pen.box({16, 21.5F, 12, 3.4F}, 1.5F, pen.colours.output_fill);
}

// Four ribbons that come together.
void heads(Pen& pen) {
  const std::array<Colour, 4> ribbons{pen.lamp, pen.colours.value_fill, pen.colours.input_fill,
                                      pen.colours.output_fill};
  for (int i = 0; i < 4; ++i) {
    const float from = 9 + 8.6F * static_cast<float>(i), to = 14 + 5.2F * static_cast<float>(i);
    pen.curve({{{from, 5}, {from, 15}, {to, 12}, {to, 23}}}, ribbons[static_cast<std::size_t>(i)], 3);
  }
}

// Words, and arcs between them.
void sentence(Pen& pen) {
  for (int i = 0; i < 5; ++i) pen.disc({8 + 7 * static_cast<float>(i), 22}, 1.6F, pen.ink);
  pen.curve({{{8, 20}, {10, 4}, {34, 4}, {36, 20}}}, pen.lamp, 1.8F);
  pen.curve({{{15, 20}, {16, 12}, {28, 12}, {29, 20}}}, pen.ink, 1);
}

// A source and a translation whose first words change places.
void translate(Pen& pen) {
  for (const float x : {7.F, 18.F, 29.F}) {
    pen.box({x, 5, 8, 3}, 1.5F, pen.colours.input_fill);
    pen.box({x, 20, 8, 3}, 1.5F, pen.colours.output_fill);
  }
  pen.line({{11, 8}, {22, 20}}, pen.lamp, 1.6F);
  pen.line({{22, 8}, {11, 20}}, pen.lamp, 1.6F);
  pen.line({{33, 8}, {33, 20}}, pen.lamp, 1.6F);
}

// A falling curve, and the diagonal that is learned.
void train(Pen& pen) {
  pen.curve({{{6, 6}, {12, 20}, {18, 21}, {38, 22}}}, pen.lamp, 1.7F);
  for (int i = 0; i < 4; ++i)
    pen.box({21 + 4.4F * static_cast<float>(i), 4 + 3 * static_cast<float>(i), 4, 2.6F}, 0.6F, pen.ink);
}

// A picture with a light on what a word is about.
void caption(Pen& pen) {
  pen.box({12, 4, 20, 20}, 2, mix(pen.ground, pen.ink, 0.35F));
  pen.disc({24, 12}, 5.5F, pen.lamp);
  pen.disc({24, 12}, 2.6F, pen.colours.warning);
}

// A picture in pieces, of which a few are lit.
void patches(Pen& pen) {
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 3; ++y)
      pen.box({8 + 6 * static_cast<float>(x), 5 + 6.4F * static_cast<float>(y), 5, 5.4F}, 1,
              (x * 3 + y) % 7 == 2 ? pen.lamp : mix(pen.ground, pen.ink, 0.35F));
}

// Squares: twice as long, four times the work.
void cost(Pen& pen) {
  for (const auto& [side, strength] : {std::pair{20.F, 0.3F}, {12.F, 0.55F}, {6.F, 1.F}})
    pen.box({12, 24 - side, side, side}, 1, pen.lamp.faded(strength));
}

// A point within a triangle, which it cannot leave.
void limits(Pen& pen) {
  pen.line({{22, 5}, {34, 23}, {10, 23}, {22, 5}}, pen.ink, 1.4F);
  pen.disc({20, 18}, 2.4F, pen.lamp);
}

struct Row {
  std::string_view scene;
  void (*draw)(Pen& pen);
};
constexpr Row kRows[] = {{"spotlight", spotlight}, {"score", score}, {"scale", scale},
                         {"layer", layer},         {"heads", heads}, {"sentence", sentence},
                         {"translate", translate}, {"train", train}, {"caption", caption},
                         {"patches", patches},     {"cost", cost},   {"limits", limits}};

}  // namespace

bool add_miniature(Figure& figure, const std::string& id, std::string_view scene, Point top_left, MiniatureLook look) {
  const Row* const row = std::ranges::find(kRows, scene, &Row::scene);
  if (row == std::end(kRows)) return false;
  const Theme theme = look.lit ? Theme::dark : look.theme;
  const Palette& colours = palette(theme);
  Pen pen{.figure = figure,
          .id = id,
          .origin = top_left,
          .ground = look.lit ? palette(theme).stage_top : colours.sunken,
          .ink = colours.muted,
          .lamp = is_dark(theme) ? palette(theme).lamp : palette(theme).amber,
          .colours = colours};
  pen.box({0, 0, kMiniatureWidth, kMiniatureHeight}, 5, pen.ground);
  row->draw(pen);
  if (look.lit)
    figure.add({.id = id + ".ring",
                .rect = Rect{top_left.x, top_left.y, kMiniatureWidth, kMiniatureHeight}.inset(-1.5F),
                .shape = Rectangle{.stroke = pen.lamp, .stroke_width = 2, .radius = 6.5F}});
  return true;
}

}  // namespace limelight::app
