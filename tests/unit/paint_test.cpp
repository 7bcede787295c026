#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "figure/canvas.h"
#include "figure/paint.h"
#include "io/utf8.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::figure;
using namespace std::string_literals;

namespace {

constexpr Colour kWhite{255, 255, 255};
constexpr Colour kBlack{0, 0, 0};
constexpr Colour kRed{255, 0, 0};
constexpr Colour kBlue{0, 0, 255};

Figure page(float width, float height) {
  Figure figure;
  figure.width = width;
  figure.height = height;
  figure.background = kWhite;
  return figure;
}

Element& add(Figure& figure, std::string id, Rect rect, Shape shape) {
  Element element;
  element.id = std::move(id);
  element.rect = rect;
  element.shape = std::move(shape);
  return figure.add(std::move(element));
}

Rectangle filled(Colour c) {
  Rectangle rectangle;
  rectangle.fill = c;
  return rectangle;
}

Text said(std::string words, float size = 16) {
  Text text;
  text.text = std::move(words);
  text.size = size;
  text.colour = kBlack;
  return text;
}

Line line(std::vector<Point> points, float width) {
  Line result;
  result.points = std::move(points);
  result.colour = kBlack;
  result.width = width;
  return result;
}

Heatmap heatmap_of(const std::string& tensor, int rows, int columns) {
  Heatmap heatmap;
  heatmap.range = {.tensor = tensor, .row = 0, .column = 0, .rows = rows, .columns = columns};
  heatmap.gap = 0;
  return heatmap;
}

// A trace with one tensor "weights" that rises from 0 to 1 from cell to cell.
Trace ramp(int rows, int columns) {
  Matrix values(rows, columns);
  for (Eigen::Index i = 0; i < values.size(); ++i)
    values.data()[i] = static_cast<float>(i) / static_cast<float>(values.size());
  Trace trace;
  trace.add("weights", std::move(values));
  return trace;
}

Colour at(const Image& image, int x, int y) {
  const std::uint8_t* p =
      image.rgba.data() +
      (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * 4;
  return {p[0], p[1], p[2], p[3]};
}

Image painted(const Figure& figure, float scale = 1) { return raster(figure, {}, scale); }

// How black a white page became, in pixels.
double ink(const Image& image) {
  double sum = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) sum += (255 - at(image, x, y).g) / 255.0;
  }
  return sum;
}

struct Bounds {
  int x0 = std::numeric_limits<int>::max();
  int y0 = std::numeric_limits<int>::max();
  int x1 = 0;
  int y1 = 0;
};
Bounds bounds_of_ink(const Image& image) {
  Bounds b;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (at(image, x, y) == kWhite) continue;
      b = {std::min(b.x0, x), std::min(b.y0, y), std::max(b.x1, x + 1), std::max(b.y1, y + 1)};
    }
  }
  return b;
}

// ---- a strict little reader of XML --------------------------------------------------------------

struct Xml {
  std::string error;  // empty: well-formed
  std::string text;   // all character data, entities resolved
  std::map<std::string, int> elements;
  std::vector<std::string> ids;
  std::set<std::string> references;  // url(#…)
};

struct XmlReader {
  std::string_view source;
  std::size_t at = 0;
  Xml xml;

  void fail(const std::string& why) {
    if (xml.error.empty()) xml.error = why + " at byte " + std::to_string(at);
    at = source.size();
  }
  bool done() const { return at >= source.size(); }
  bool eat(std::string_view token) {
    if (!source.substr(at).starts_with(token)) return false;
    at += token.size();
    return true;
  }
  void spaces() {
    while (!done() && std::string_view(" \t\r\n").find(source[at]) != std::string_view::npos) ++at;
  }
  std::string name() {
    const std::size_t start = at;
    const auto fits = [&](char c) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
      return letter || (at > start && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
    };
    while (!done() && fits(source[at])) ++at;
    if (at == start) fail("no name");
    return std::string(source.substr(start, at - start));
  }
  // One character or entity of data.
  void character(std::string& into) {
    if (source[at] != '&') {
      into += source[at++];
      return;
    }
    const std::size_t end = source.find(';', at);
    if (end == std::string_view::npos) return fail("bare &");
    const std::string_view entity = source.substr(at + 1, end - at - 1);
    const std::map<std::string_view, std::string> known = {{"amp", "&"},   {"lt", "<"},  {"gt", ">"},
                                                           {"quot", "\""}, {"#39", "'"}, {"#13", "\r"}};
    const auto found = known.find(entity);
    if (found == known.end()) return fail("unknown entity");
    into += found->second;
    at = end + 1;
  }
  void attributes() {
    std::set<std::string> seen;
    for (spaces(); !done() && source[at] != '>' && source[at] != '/' && source[at] != '?'; spaces()) {
      const std::string key = name();
      if (!seen.insert(key).second) return fail("attribute twice: " + key);
      if (!eat("=\"")) return fail("no value for " + key);
      std::string value;
      while (!done() && source[at] != '"') {
        if (source[at] == '<') return fail("< in an attribute");
        character(value);
      }
      if (!eat("\"")) return fail("open attribute");
      if (!done() && std::string_view(" \n/>?").find(source[at]) == std::string_view::npos) return fail("no space");
      if (key == "id") xml.ids.push_back(value);
      if (value.starts_with("url(#")) xml.references.insert(value.substr(5, value.size() - 6));
    }
  }
  void element() {  // after the "<"
    const std::string tag = name();
    ++xml.elements[tag];
    attributes();
    if (eat("/>")) return;
    if (!eat(">")) return fail("open tag");
    while (!done() && !source.substr(at).starts_with("</")) {
      if (eat("<")) {
        element();
      } else {
        character(xml.text);
      }
    }
    if (!eat("</" + tag + ">")) fail("no end of " + tag);
  }
};

Xml read_xml(std::string_view source) {
  XmlReader reader{.source = source, .at = 0, .xml = {}};
  for (const char32_t c : io::decode_utf8(source)) {
    const bool valid =
        c == 9 || c == 10 || c == 13 || (c >= 0x20 && c < 0xD800) || (c >= 0xE000 && c <= 0xFFFD) || c >= 0x10000;
    if (!valid) reader.fail("a character that XML does not allow");
  }
  if (reader.eat("<?xml")) {
    reader.attributes();
    if (!reader.eat("?>")) reader.fail("open declaration");
  }
  reader.spaces();
  if (!reader.eat("<")) reader.fail("no element");
  reader.element();
  reader.spaces();
  if (reader.xml.error.empty() && !reader.done()) reader.fail("more than one root");
  const std::set<std::string> unique(reader.xml.ids.begin(), reader.xml.ids.end());
  if (unique.size() != reader.xml.ids.size()) reader.fail("an id twice");
  for (const std::string& id : reader.xml.references) {
    if (!unique.contains(id)) reader.fail("no such id: " + id);
  }
  return reader.xml;
}

int count(std::string_view text, std::string_view part) {
  int n = 0;
  for (std::size_t p = text.find(part); p != std::string_view::npos; p = text.find(part, p + part.size())) ++n;
  return n;
}

// Of every kind that a painter meets.
Figure sample() {
  Figure figure = page(320, 240);
  Rectangle card = filled({240, 240, 250});
  card.stroke = kBlue;
  card.radius = 6;
  add(figure, "card", {10, 10, 100, 60}, card).label = "A card";
  add(figure, "words", {10, 80, 200, 20}, said("she likes coffee, 家族 & <more>")).clip = Rect{0, 0, 300, 200};
  Text upward = said("upward");
  upward.vertical = true;
  add(figure, "upward", {280, 10, 20, 100}, upward);
  Line dashed = line({{10, 120}, {60, 150}, {110, 120}}, 2);
  dashed.dashed = true;
  add(figure, "dashed", {10, 120, 100, 30}, dashed).clip = Rect{0, 0, 300, 200};
  Curve curve;
  curve.from = {120, 120};
  curve.control_from = {160, 60};
  curve.control_to = {180, 180};
  curve.to = {220, 120};
  curve.colour = kRed;
  add(figure, "curve", {120, 60, 100, 120}, curve);
  Arrow arrow;
  arrow.from = {230, 130};
  arrow.to = {270, 160};
  arrow.colour = kBlack;
  add(figure, "arrow", {230, 130, 40, 30}, arrow).opacity = 0.5F;
  Area area;
  area.points = {{120, 10}, {180, 10}, {200, 70}, {100, 70}};
  area.fill = {90, 158, 47, 150};
  area.fill_to = {90, 158, 47, 0};
  add(figure, "beam", {100, 10, 100, 60}, area);
  add(figure, "heat", {10, 170, 60, 60}, heatmap_of("weights", 20, 20));
  return figure;
}

}  // namespace

// ---- coverage -----------------------------------------------------------------------------------

TEST_CASE("raster: a rectangle on whole pixels covers them exactly") {
  Figure figure = page(20, 10);
  add(figure, "r", {3, 2, 10, 5}, filled(kRed));
  const Image image = painted(figure);
  REQUIRE(image.width == 20);
  REQUIRE(image.height == 10);
  for (int y = 0; y < 10; ++y) {
    for (int x = 0; x < 20; ++x) CHECK(at(image, x, y) == (x >= 3 && x < 13 && y >= 2 && y < 7 ? kRed : kWhite));
  }
}

TEST_CASE("raster: a rectangle half a pixel off covers its edges by half") {
  Figure figure = page(10, 10);
  add(figure, "r", {2.5F, 2.5F, 4, 4}, filled(kBlack));
  const Image image = painted(figure);
  CHECK(at(image, 4, 4).g == 0);
  CHECK(std::abs(at(image, 2, 4).g - 128) <= 1);
  CHECK(std::abs(at(image, 6, 4).g - 128) <= 1);
  CHECK(std::abs(at(image, 2, 2).g - 191) <= 1);  // a quarter
  CHECK(ink(image) == doctest::Approx(16).epsilon(0.005));
}

TEST_CASE("raster: a polygon's coverage sums to its area, concave ones and either turn alike") {
  const std::vector<Path> polygons = {
      {{2, 3}, {30, 7.3F}, {11, 25}},
      {{2, 2}, {38, 2}, {38, 28}, {20, 9.5F}, {2, 28}},
      {{5.2F, 5.1F}, {5.9F, 5.2F}, {5.4F, 27.7F}},
  };
  for (Path polygon : polygons) {
    double area = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Point a = polygon[i];
      const Point b = polygon[(i + 1) % polygon.size()];
      area += (a.x * b.y - b.x * a.y) / 2;
    }
    for (int turn = 0; turn < 2; ++turn) {
      Area shape;
      shape.points = polygon;
      shape.fill = shape.fill_to = kBlack;
      Figure figure = page(40, 30);
      add(figure, "p", {0, 0, 40, 30}, shape);
      // Each of the edge's pixels, about a hundred, is rounded to 1/255.
      CHECK(ink(painted(figure)) == doctest::Approx(std::abs(area)).epsilon(0.01));
      std::ranges::reverse(polygon);
    }
  }
}

TEST_CASE("raster: what lies beyond the page changes nothing on it") {
  Area wide;
  wide.points = {{-1e7F, -50}, {1e7F, -50}, {1e7F, 5}, {-1e7F, 5}};
  wide.fill = wide.fill_to = kBlack;
  Figure figure = page(10, 10);
  add(figure, "wide", {0, 0, 10, 10}, wide);
  CHECK(ink(painted(figure)) == doctest::Approx(50));
  add(figure, "above", {2, -90, 5, 20}, filled(kRed));
  add(figure, "right", {1000, 2, 5, 2}, filled(kRed));
  add(figure, "left", {-1000, 2, 5, 2}, filled(kRed));
  add(figure, "line", {0, 0, 1, 1}, line({{-4000, 30}, {4000, 1200}}, 3));
  add(figure, "nothing", {0, 0, 1, 1}, line({{std::numeric_limits<float>::quiet_NaN(), 3}, {8, 8}}, 3));
  CHECK(ink(painted(figure)) == doctest::Approx(50));
}

TEST_CASE("raster: a page's sides cut shapes off without changing them") {
  Area area;
  area.points = {{-15, 12}, {12, 2.5F}, {55, 11.25F}, {20, 14}};
  area.fill = area.fill_to = kBlack;
  Figure narrow = page(40, 16);
  add(narrow, "a", {0, 0, 40, 16}, area);
  for (Point& p : area.points) p.x += 20;
  Figure wide = page(80, 16);
  add(wide, "a", {0, 0, 80, 16}, area);
  const Image a = painted(narrow);
  const Image b = painted(wide);
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 40; ++x) CHECK(std::abs(at(a, x, y).g - at(b, x + 20, y).g) <= 1);
  }
}

TEST_CASE("raster: a rounded rectangle lacks the corners' share of its area") {
  Figure figure = page(60, 50);
  Rectangle rounded_off = filled(kBlack);
  rounded_off.radius = 12;
  add(figure, "r", {5, 5, 50, 40}, rounded_off);
  const double corners = (4 - 3.14159265) * 12 * 12;
  CHECK(ink(painted(figure)) == doctest::Approx(50 * 40 - corners).epsilon(0.002));  // chords cut off up to 0.1 px
}

TEST_CASE("raster: a rectangle's stroke runs inside it") {
  Figure figure = page(20, 20);
  Rectangle frame;
  frame.stroke = kBlack;
  frame.stroke_width = 1;
  add(figure, "r", {3, 3, 10, 10}, frame);
  const Image image = painted(figure);
  CHECK(ink(image) == doctest::Approx(36));
  CHECK(at(image, 3, 3) == kBlack);
  CHECK(at(image, 12, 12) == kBlack);
  CHECK(at(image, 2, 5) == kWhite);
  CHECK(at(image, 4, 4) == kWhite);
}

TEST_CASE("raster: a line covers its length times its width, at every angle") {
  for (const float angle : {0.0F, 0.3F, 0.785398F, 1.2F, 1.5707963F, 2.5F}) {
    for (const float width : {0.5F, 1.0F, 3.0F}) {
      CAPTURE(angle);
      CAPTURE(width);
      Figure figure = page(100, 100);
      const Point way{std::cos(angle) * 40, std::sin(angle) * 40};
      add(figure, "l", {0, 0, 100, 100}, line({{50.5F - way.x, 50.5F - way.y}, {50.5F + way.x, 50.5F + way.y}}, width));
      // Exact along the line; at its ends the product of two coverages stands for that of a corner.
      CHECK(ink(painted(figure)) == doctest::Approx(80 * width).epsilon(0.01));
    }
  }
}

TEST_CASE("raster: a line is no darker where its pieces meet") {
  const Point from{10, 10};
  const Point to{90, 17};
  std::vector<Point> points;
  for (int i = 0; i <= 30; ++i) points.push_back(mix(from, to, static_cast<float>(i) / 30));
  Figure pieces = page(100, 30);
  add(pieces, "l", {0, 0, 100, 30}, line(points, 1));
  Figure whole = page(100, 30);
  add(whole, "l", {0, 0, 100, 30}, line({from, to}, 1));
  const Image a = painted(pieces);
  const Image b = painted(whole);
  for (std::size_t i = 0; i < a.rgba.size(); ++i) CHECK(std::abs(a.rgba[i] - b.rgba[i]) <= 1);
}

TEST_CASE("raster: a dashed line is drawn for its share of the way") {
  Figure figure = page(300, 10);
  Line dashed = line({{10, 5}, {40, 5}, {10 + 40 * (kDashOn + kDashOff), 5}}, 2);
  dashed.dashed = true;
  add(figure, "d", {0, 0, 300, 10}, dashed);
  CHECK(ink(painted(figure)) == doctest::Approx(40 * kDashOn * 2).epsilon(0.01));
}

TEST_CASE("dashes: a line of many short pieces is dashed as if it were one") {
  Path pieces;
  for (int i = 0; i <= 280; ++i) pieces.push_back({10 + static_cast<float>(i) / 4, 5});
  const std::vector<Path> drawn = dashes(pieces, kDashOn, kDashOff);
  REQUIRE(drawn.size() == 10);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    CHECK(drawn[i].front().x == doctest::Approx(10 + static_cast<float>(i) * (kDashOn + kDashOff)));
    CHECK(drawn[i].back().x - drawn[i].front().x == doctest::Approx(kDashOn));
  }
}

TEST_CASE("raster: a straight Bézier curve is a line") {
  Curve curve;
  curve.from = {10, 10};
  curve.control_from = {30, 20};
  curve.control_to = {50, 30};
  curve.to = {70, 40};
  curve.colour = kBlack;
  curve.width = 2;
  Figure curved = page(80, 50);
  add(curved, "c", {0, 0, 80, 50}, curve);
  Figure straight = page(80, 50);
  add(straight, "l", {0, 0, 80, 50}, line({curve.from, curve.to}, 2));
  const Image a = painted(curved);
  const Image b = painted(straight);
  for (std::size_t i = 0; i < a.rgba.size(); ++i) CHECK(std::abs(a.rgba[i] - b.rgba[i]) <= 2);
}

TEST_CASE("raster: an area's colour runs from top to bottom") {
  Area area;
  area.points = {{0, 0}, {10, 0}, {10, 100}, {0, 100}};
  area.fill = kRed;
  area.fill_to = kBlue;
  Figure figure = page(10, 100);
  add(figure, "a", {0, 0, 10, 100}, area);
  const Image image = painted(figure);
  CHECK(at(image, 5, 0).r >= 252);
  CHECK(at(image, 5, 99).b >= 252);
  CHECK(std::abs(at(image, 5, 50).r - 127) <= 3);
}

TEST_CASE("raster: a clip hides everything outside, and nothing inside") {
  REQUIRE(test::load_fonts());
  Figure figure = sample();
  Figure clipped = sample();
  const Rect window{60, 20, 150, 100};
  for (Element& element : clipped.elements) element.clip = window;
  for (Element& element : figure.elements) element.clip.reset();
  const Trace trace = ramp(20, 20);
  const Image whole = raster(figure, trace, 1);
  const Image part = raster(clipped, trace, 1);
  bool same = true;
  for (int y = 0; y < whole.height; ++y) {
    for (int x = 0; x < whole.width; ++x) {
      const bool inside = window.contains({static_cast<float>(x), static_cast<float>(y)});
      same = same && at(part, x, y) == (inside ? at(whole, x, y) : kWhite);
    }
  }
  CHECK(same);
}

TEST_CASE("raster: opacity mixes with what lies below, and a page without background stays transparent") {
  Figure figure = page(10, 10);
  add(figure, "r", {0, 0, 5, 10}, filled(kRed)).opacity = 0.5F;
  CHECK(at(painted(figure), 2, 2).r == 255);
  CHECK(std::abs(at(painted(figure), 2, 2).g - 127) <= 1);
  figure.background = {0, 0, 0, 0};
  const Image image = painted(figure);
  CHECK(at(image, 8, 8).a == 0);
  CHECK(at(image, 2, 2).r == 255);
  CHECK(std::abs(at(image, 2, 2).a - 128) <= 1);
}

TEST_CASE("raster: twice the scale is four times the ink") {
  REQUIRE(test::load_fonts());
  Figure figure = page(200, 40);
  add(figure, "t", {10, 5, 180, 30}, said("coffee", 24));
  add(figure, "l", {0, 0, 1, 1}, line({{150, 5}, {190, 30}}, 2));
  const Image once = painted(figure, 1);
  const Image twice = painted(figure, 2);
  CHECK(twice.width == 2 * once.width);
  CHECK(ink(twice) == doctest::Approx(4 * ink(once)).epsilon(0.02));
}

// ---- text in the raster -------------------------------------------------------------------------

TEST_CASE("raster: text lies within its measured width") {
  REQUIRE(test::load_fonts());
  for (const std::string& words : {std::string("she likes coffee"), std::string("HMW"), std::string("tea 家族 👍 x")}) {
    for (const float scale : {1.0F, 2.0F}) {
      CAPTURE(words);
      Figure figure = page(300, 60);
      add(figure, "t", {40, 10, 250, 40}, said(words));
      const Bounds b = bounds_of_ink(painted(figure, scale));
      const float width = text::measure(text::Face::regular, 16, words) * scale;
      CHECK(static_cast<float>(b.x0) >= 40 * scale - 1);
      CHECK(static_cast<float>(b.x1) <= 40 * scale + width + 1);
      CHECK(static_cast<float>(b.x1 - b.x0) >= width - 4 * scale);  // less the side bearings
    }
  }
}

TEST_CASE("raster: upright text reads from bottom to top, with the same ink") {
  REQUIRE(test::load_fonts());
  Figure lying = page(100, 100);
  add(lying, "t", {10, 40, 80, 20}, said("Lattice"));
  Text text = said("Lattice");
  text.vertical = true;
  Figure standing = page(100, 100);
  add(standing, "t", {40, 10, 20, 80}, text);
  const Image a = painted(lying);
  const Image b = painted(standing);
  CHECK(ink(b) == doctest::Approx(ink(a)));
  const Bounds across = bounds_of_ink(a);
  const Bounds up = bounds_of_ink(b);
  CHECK(up.y1 - up.y0 == across.x1 - across.x0);
  CHECK(90 - up.y1 == across.x0 - 10);  // both begin at their rect's edge
  // The L's stem stands at the left of the lying text, so a line at the bottom of the standing one.
  const auto row_ink = [&](int y) {
    int n = 0;
    for (int x = 0; x < b.width; ++x) n += 255 - at(b, x, y).g;
    return n;
  };
  CHECK(row_ink(up.y1 - 2) > 2 * row_ink(up.y1 - 5));
}

TEST_CASE("raster: what no font has is drawn as a box, blank spaces are not") {
  REQUIRE(test::load_fonts());
  for (const std::string& words : {std::string("家"), std::string("👍"), std::string("م"), std::string("e\u0301")}) {
    Figure figure = page(60, 40);
    add(figure, "t", {10, 10, 40, 20}, said(words));
    CHECK(ink(painted(figure)) > 10);
  }
  Figure blank = page(60, 40);
  add(blank, "t", {10, 10, 40, 20}, said("\u3000\u2028\t "));
  CHECK(ink(painted(blank)) == 0);
}

// ---- heatmaps -----------------------------------------------------------------------------------

TEST_CASE("raster: a heatmap's cell shows its own colour") {
  const Trace trace = ramp(20, 30);
  Figure figure = page(320, 220);
  add(figure, "heat", {10, 10, 300, 200}, heatmap_of("weights", 20, 30));
  const Image image = raster(figure, trace, 1);
  const Heatmap expected_map = heatmap_of("weights", 20, 30);
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 30; ++j) {
      const auto expected = HeatmapReader(expected_map, trace).colour(i, j);
      REQUIRE(expected);
      CHECK(at(image, 10 + 10 * j + 5, 10 + 10 * i + 5) == *expected);
    }
  }
}

TEST_CASE("paint: a heatmap of a part shows that part") {
  const Trace trace = ramp(60, 40);
  Heatmap heatmap = heatmap_of("weights", 20, 20);
  heatmap.range.row = 35;
  heatmap.range.column = 15;
  Figure figure = page(200, 200);
  add(figure, "heat", {0, 0, 200, 200}, heatmap);
  const auto expected = HeatmapReader(heatmap, trace).colour(35 + 3, 15 + 7);
  REQUIRE(expected);
  CHECK(at(raster(figure, trace, 1), 75, 35) == *expected);
  CHECK(count(svg(figure, trace, "", ""), "x=\"70\" y=\"30\" width=\"10\" height=\"10\" fill=\"" + css(*expected)) ==
        1);
}

TEST_CASE("paint: a transposed heatmap has its rows run to the right, as cells and whole") {
  for (const int rows : {2, kWholeHeatmap}) {
    Matrix values = Matrix::Zero(rows, 3);
    values(1, 2) = 1;  // third from the top of the second column
    Trace trace;
    trace.add("K", std::move(values));
    const auto across = static_cast<float>(rows);
    Figure figure{.width = 10 * across, .height = 30};
    figure.add({.id = "K",
                .rect = {0, 0, 10 * across, 30},
                .shape = Heatmap{.range = {"K", 0, 0, rows, 3}, .gap = 0, .transposed = true}});
    CHECK(at(raster(figure, trace, 1), 15, 25) == sample(ColourMap::viridis, 1, Theme::light));
    CHECK(at(raster(figure, trace, 1), 5, 5) == sample(ColourMap::viridis, 0, Theme::light));
    const auto cell = cell_rect(figure.elements.front(), 1, 2);
    REQUIRE(cell);
    CHECK(cell->contains({15, 25}));
  }
}

TEST_CASE("paint: a row that is broken into lines has its cells below each other, where they are hit") {
  Trace trace;
  Matrix row(1, 4);
  row << 0, 0.25F, 0.5F, 1;
  trace.add("t", row);
  const Heatmap heatmap{.range = {.tensor = "t", .rows = 1, .columns = 4}, .map = ColourMap::grey, .gap = 0, .wrap = 2};
  Figure figure = page(20, 20);
  const Element& element = add(figure, "h", {0, 0, 20, 20}, heatmap);
  const Image image = raster(figure, trace, 1);
  for (int i = 0; i < 4; ++i) {
    const Rect cell = *cell_rect(element, 0, i);
    CHECK(cell.x == static_cast<float>(i % 2 * 10));
    CHECK(cell.y == static_cast<float>(i / 2 * 10));
    CHECK(hit(figure, cell.centre()).source == Source{"t", 0, i});
    const auto at =
        static_cast<std::size_t>(4 * (20 * static_cast<int>(cell.centre().y) + static_cast<int>(cell.centre().x)));
    CHECK(image.rgba[at] == sample(ColourMap::grey, row(0, i), Theme::light).r);
  }
}

TEST_CASE("paint: a picture shows its pixels, and in a light as much of them as the weights say") {
  Trace trace;
  Matrix colours(16, 3);
  for (Eigen::Index i = 0; i < colours.rows(); ++i) colours.row(i) << 1, static_cast<float>(i) / 15, 0.5F;
  trace.add("p", colours);
  Matrix weights(2, 4);
  weights << 1, 1, 1, 1, 0, 0, 0.4F, 0.8F;
  trace.add("w", weights);
  Pixels pixels{.tensor = "p", .width = 4};
  const Image plain = image_of(pixels, trace);
  REQUIRE(plain.width == 4);
  REQUIRE(plain.height == 4);
  for (std::size_t i = 0; i < 16; ++i) {
    CHECK(plain.rgba[4 * i] == 255);
    CHECK(plain.rgba[4 * i + 1] == 17 * i);
  }
  pixels.light = {.tensor = "w", .row = 0, .rows = 1, .columns = 4};
  pixels.light_across = 2;
  CHECK(image_of(pixels, trace).rgba == plain.rgba);
  pixels.light.row = 1;
  const Image lit = image_of(pixels, trace);
  const auto red = [](const Image& image, int x, int y) {
    return image.rgba[static_cast<std::size_t>(4 * (4 * y + x))];
  };
  CHECK(red(lit, 3, 3) == 255);
  CHECK(red(lit, 0, 0) == red(lit, 3, 1));
  CHECK(red(lit, 0, 0) < red(lit, 0, 3));
  CHECK(red(lit, 0, 3) < 255);
  pixels.smooth = true;
  const Image smooth = image_of(pixels, trace);
  for (int x = 1; x < 4; ++x) CHECK(red(smooth, x, 3) >= red(smooth, x - 1, 3));
  CHECK(red(smooth, 1, 3) > red(smooth, 0, 3));
  Figure figure = page(8, 8);
  add(figure, "pixels", {0, 0, 8, 8}, Pixels{.tensor = "p", .width = 4});
  const Image drawn = raster(figure, trace, 1);
  for (std::size_t i = 0; i < 64; ++i) CHECK(drawn.rgba[4 * i + 1] == plain.rgba[4 * (i / 16 * 4 + i % 8 / 2) + 1]);
  CHECK(svg(figure, trace, "a", "b").find("data:image/png") != std::string::npos);
}

TEST_CASE("raster: cells smaller than a pixel are averaged") {
  Matrix checks(400, 400);
  for (Eigen::Index i = 0; i < 400; ++i) {
    for (Eigen::Index j = 0; j < 400; ++j) checks(i, j) = static_cast<float>((i + j) % 2);
  }
  Trace trace;
  trace.add("weights", std::move(checks));
  Heatmap heatmap = heatmap_of("weights", 400, 400);
  heatmap.map = ColourMap::grey;
  Figure figure = page(50, 50);
  add(figure, "heat", {0, 0, 50, 50}, heatmap);
  const Image image = raster(figure, trace, 1);
  const Colour black = sample(ColourMap::grey, 0, Theme::light);
  const Colour white = sample(ColourMap::grey, 1, Theme::light);
  CHECK(std::abs(at(image, 20, 20).g - (black.g + white.g) / 2) <= 1);
  CHECK(at(image, 20, 20) == at(image, 31, 17));
}

TEST_CASE("paint: masked cells are hatched") {
  constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
  for (const int size : {20, 70}) {  // cells, and an image
    CAPTURE(size);
    Trace trace;
    Matrix scores = Matrix::Constant(size, size, 0.5F);
    scores.rightCols(size / 2).setConstant(kMinusInfinity);
    trace.add("scores", std::move(scores));
    Figure figure = page(200, 200);
    add(figure, "heat", {0, 0, 200, 200}, heatmap_of("scores", size, size));
    const Image image = raster(figure, trace, 1);
    std::set<int> left;
    std::set<int> right;
    for (int y = 5; y < 195; ++y) {
      left.insert(at(image, 50, y).g);
      right.insert(at(image, 150, y).g);
    }
    CHECK(left.size() == 1);
    CHECK(right.size() > 2);
    const Xml xml = read_xml(svg(figure, trace, "", ""));
    CHECK(xml.error == "");
    CHECK(xml.elements.at("pattern") == 1);
  }
}

TEST_CASE("svg: a heatmap is cells up to 4,096 of them, one image beyond") {
  for (const int size : {64, 65}) {
    const Trace trace = ramp(size, size);
    Figure figure = page(200, 200);
    add(figure, "heat", {0, 0, 200, 200}, heatmap_of("weights", size, size));
    const std::string document = svg(figure, trace, "", "");
    Xml xml = read_xml(document);
    CHECK(xml.error == "");
    CHECK(xml.elements["rect"] == (size == 64 ? 4096 + 1 : 1));  // and the background
    CHECK(xml.elements["image"] == (size == 64 ? 0 : 1));
    CHECK(count(document, "data:image/png;base64,iVBORw0KGgo") == (size == 64 ? 0 : 1));
  }
}

TEST_CASE("svg: heatmaps that have more than 4,096 cells together are images, each") {
  const Trace trace = ramp(46, 46);
  Figure figure = page(200, 100);
  add(figure, "left", {0, 0, 100, 100}, heatmap_of("weights", 46, 46));
  add(figure, "right", {100, 0, 100, 100}, heatmap_of("weights", 46, 46));
  Xml xml = read_xml(svg(figure, trace, "", ""));
  CHECK(xml.error == "");
  CHECK(xml.elements["image"] == 2);
}

// ---- SVG ----------------------------------------------------------------------------------------

TEST_CASE("svg: every kind is written, well-formed") {
  REQUIRE(test::load_fonts());
  const std::string document = svg(sample(), ramp(20, 20), "A title", "A description");
  Xml xml = read_xml(document);
  CHECK(xml.error == "");
  for (const char* name : {"svg", "title", "desc", "defs", "clipPath", "linearGradient", "rect", "text", "tspan",
                           "polyline", "path", "polygon", "g"}) {
    CAPTURE(name);
    CHECK(xml.elements[name] > 0);
  }
  CHECK(xml.elements["clipPath"] == 1);  // the same one twice
  CHECK(xml.elements["title"] == 2);     // the document's and the card's
  CHECK(count(document, "stroke-dasharray") == 1);
  CHECK(count(document, R"(x="10.5" y="10.5" width="99" height="59" rx="5.5")") == 1);  // the card, its stroke inside
  CHECK(count(document, "rotate(-90 ") == 1);
  CHECK(count(document, "<script") == 0);
}

TEST_CASE("svg: hostile words stay words") {
  REQUIRE(test::load_fonts());
  const std::vector<std::string> hostile = {R"(</text><script>alert("x")</script>)",
                                            "'\" onload='alert(1)'",
                                            "]]>",
                                            "<!-- & --> &amp; &lt;",
                                            "مرحبا e\u0301 👩\u200D👧 &x;",
                                            "url(#card)",
                                            "<?xml?>"};
  for (const std::string& words : hostile) {
    CAPTURE(words);
    Figure figure = page(400, 40);
    add(figure, words, {0, 0, 400, 40}, said(words)).label = words;
    const std::string document = svg(figure, {}, words, words);
    const Xml xml = read_xml(document);
    CHECK(xml.error == "");
    CHECK(count(xml.text, words) == 4);  // title, description, label, text
    CHECK(count(document, "<script") == 0);
    REQUIRE(xml.ids.size() == 1);
  }
}

TEST_CASE("svg: control characters and broken bytes become U+FFFD") {
  REQUIRE(test::load_fonts());
  Figure figure = page(400, 40);
  add(figure, "a\0b"s, {0, 0, 400, 40}, said("a\0b\x1B\xFF\uFFFE c\r\n"s));
  const Xml xml = read_xml(svg(figure, {}, "\x01", "\xC0\x80"));
  CHECK(xml.error == "");
  CHECK(count(xml.text, "a\uFFFDb\uFFFD\uFFFD\uFFFD c\r") == 1);
}

TEST_CASE("svg: ids are valid and unique whatever the elements are called") {
  Figure figure = page(100, 100);
  for (const char* id : {"weights[0,2]", "weights(0,2)", "", "3", "same", "same", "same-2", "clipPath", "ünïcode"}) {
    add(figure, id, {0, 0, 10, 10}, filled(kRed)).clip = Rect{0, 0, 5, 5};
  }
  const Xml xml = read_xml(svg(figure, {}, "", ""));
  CHECK(xml.error == "");
  CHECK(xml.ids.size() == 10);  // and the clip's
  CHECK(xml.ids.front() == "clipPath");
  for (const std::string& id : xml.ids) {
    CHECK(std::ranges::all_of(
        id, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; }));
    CHECK_FALSE(std::isdigit(static_cast<unsigned char>(id[0])));
  }
}

TEST_CASE("svg: text says how long it is, and what is foreign cannot push the rest away") {
  REQUIRE(test::load_fonts());
  Figure figure = page(400, 40);
  add(figure, "plain", {0, 0, 400, 20}, said("coffee"));
  add(figure, "mixed", {0, 20, 400, 20}, said("a家b"));
  const std::string document = svg(figure, {}, "", "");
  CHECK(count(document, "textLength") == 4);
  CHECK(count(document, "<tspan") == 3);
  CHECK(count(document, "font-family=\"" + std::string(text::css_family(text::Face::regular)) + "\"") == 2);
  CHECK(count(document, "xml:space=\"preserve\"") == 2);
}

TEST_CASE("svg: what is not finite or not visible is left out") {
  Figure figure = page(100, 100);
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  add(figure, "a", {kNan, 0, 10, 10}, filled(kRed));
  add(figure, "b", {0, 0, 10, 10}, line({{kNan, 3}, {8, 8}}, 1));
  add(figure, "c", {0, 0, 10, 10}, Rectangle{});
  const std::string document = svg(figure, {}, "", "");
  const Xml xml = read_xml(document);
  CHECK(xml.error == "");
  CHECK(xml.elements.at("rect") == 1);  // the background
  CHECK_FALSE(xml.elements.contains("polyline"));
  CHECK(count(document, "nan") == 0);
}

// ---- files --------------------------------------------------------------------------------------

TEST_CASE("paint: the same figure makes the same bytes") {
  REQUIRE(test::load_fonts());
  const Trace trace = ramp(20, 20);
  CHECK(svg(sample(), trace, "t", "d") == svg(sample(), trace, "t", "d"));
  CHECK(png(raster(sample(), trace, 1.5F)) == png(raster(sample(), trace, 1.5F)));
}

TEST_CASE("png: the signature and the size stand at the beginning") {
  const Figure figure = page(30, 7);
  const std::vector<std::byte> bytes = png(painted(figure, 1.5F));
  // RFC 2083, sections 3.1 and 4.1.1: signature, length 13, IHDR, width, height, depth 8, colour type 6.
  const std::array<int, 26> expected = {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0,  13, 'I',
                                        'H',  'D', 'R', 0,   0,  0,  45, 0,  0, 0, 11, 8,  6};
  REQUIRE(bytes.size() > expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(std::to_integer<int>(bytes[i]) == expected[i]);
  }
}

TEST_CASE("raster: an empty figure is one pixel") {
  const Image image = painted(page(0, 0));
  CHECK(image.width == 1);
  CHECK(image.height == 1);
}
