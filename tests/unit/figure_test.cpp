// Figures as data: what is met at a point, what lies between two of them, one put into another.
#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "figure/figure.h"
#include "unit/figure_support.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::figure;
using namespace limelight::test;

namespace {

// Steps of a plain generator; the standard distributions differ between libraries.
int below(std::mt19937& random, int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); }

// Every number of a primitive's position, in one fixed order.
std::vector<Point> places(const Primitive& primitive) {
  struct Reader {
    std::vector<Point> operator()(const RectanglePrimitive& p) const { return {{p.rect.x, p.rect.y}}; }
    std::vector<Point> operator()(const TextPrimitive& p) const { return {p.baseline}; }
    std::vector<Point> operator()(const PolylinePrimitive& p) const { return p.points; }
    std::vector<Point> operator()(const CurvePrimitive& p) const {
      return {p.curve.from, p.curve.control_from, p.curve.control_to, p.curve.to};
    }
    std::vector<Point> operator()(const AreaPrimitive& p) const { return p.area.points; }
    std::vector<Point> operator()(const HeatmapPrimitive& p) const { return {{p.rect.x, p.rect.y}}; }
    std::vector<Point> operator()(const PixelsPrimitive& p) const { return {{p.rect.x, p.rect.y}}; }
    std::vector<Point> operator()(const RibbonPrimitive& p) const { return p.ribbon.one; }
    std::vector<Point> operator()(const LightPrimitive& p) const {
      std::vector<Point> points;
      for (const Light::Beam& beam : p.light.beams) points.push_back(beam.to);
      for (const Light::Spot& spot : p.light.spots) points.push_back(spot.centre);
      return points;
    }
  };
  return std::visit(Reader{}, primitive.shape);
}

// The same primitives, the second ones moved by (dx, dy).
void check_moved(const std::vector<Primitive>& a, const std::vector<Primitive>& b, float dx, float dy) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    REQUIRE(a[i].shape.index() == b[i].shape.index());
    const std::vector<Point> before = places(a[i]);
    const std::vector<Point> after = places(b[i]);
    REQUIRE(before.size() == after.size());
    for (std::size_t p = 0; p < before.size(); ++p) {
      CHECK(std::abs(before[p].x + dx - after[p].x) < kLength);
      CHECK(std::abs(before[p].y + dy - after[p].y) < kLength);
    }
  }
}

}  // namespace

// ---- cells and hits
// --------------------------------------------------------------------------------------------------

TEST_CASE("cell ids: survive the way there and back, whatever the tensor is called") {
  for (const char* name : {"weights", "W_q", "head[2] weights", "Größe", "a,b"}) {
    const Source source{.tensor = name, .row = 17, .column = 4096};
    CHECK(parse_cell_id(cell_id(source)) == source);
  }
  CHECK(cell_id({.tensor = "weights", .row = 0, .column = 2}) == "weights[0,2]");
}

TEST_CASE("cell ids: anything else is none") {
  for (const char* id : {"", "weights", "[1,2]", "weights[1,2", "weights[1]", "weights[,2]", "weights[1,]", "w[-1,2]",
                         "w[1,-2]", "w[1,2,3]", "w[1,2]x", "w[1, 2]", "w[99999999999,0]", "w[1.5,2]", "w[]"}) {
    CAPTURE(id);
    CHECK_FALSE(parse_cell_id(id).has_value());
  }
}

TEST_CASE("hit: every cell is found at its own centre, in any window, gap and orientation") {
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    const CellRange range{.tensor = "t",
                          .row = below(random, 50),
                          .column = below(random, 50),
                          .rows = 1 + below(random, 20),
                          .columns = 1 + below(random, 20)};
    const Rect rect{static_cast<float>(below(random, 300)), static_cast<float>(below(random, 300)),
                    20 + static_cast<float>(below(random, 500)), 20 + static_cast<float>(below(random, 500))};
    const auto gap = static_cast<float>(below(random, 9));
    Shape shape = Heatmap{.range = range, .gap = gap};
    if (round % 3 != 0) shape = MatrixCells{.range = range, .gap = gap, .transposed = round % 3 == 1};
    Figure figure;
    const Element& element = figure.add({.id = "cells", .rect = rect, .shape = shape});
    for (int row = range.row; row < range.row + range.rows; ++row) {
      for (int column = range.column; column < range.column + range.columns; ++column) {
        const std::optional<Rect> cell = cell_rect(element, row, column);
        REQUIRE(cell.has_value());
        CHECK(cell->x >= rect.x - kLength);
        CHECK(cell->right() <= rect.right() + kLength);
        CHECK(cell->bottom() <= rect.bottom() + kLength);
        const Hit found = hit(figure, cell->centre());
        CHECK(found.source == Source{"t", row, column});
        CHECK(found.id == cell_id({"t", row, column}));
      }
    }
    CHECK_FALSE(cell_rect(element, range.row - 1, range.column).has_value());
    CHECK_FALSE(cell_rect(element, range.row, range.column + range.columns).has_value());
  }
}

TEST_CASE("cells: do not overlap, and fill their rect to its last edge") {
  const Element element = cells("m", {10, 10, 100, 60}, {.tensor = "t", .rows = 3, .columns = 4});
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column + 1 < 4; ++column) {
      CHECK(cell_rect(element, row, column)->right() < cell_rect(element, row, column + 1)->x);
    }
  }
  CHECK(cell_rect(element, 2, 3)->right() == doctest::Approx(110));
  CHECK(cell_rect(element, 2, 3)->bottom() == doctest::Approx(70));
}

TEST_CASE("hit: the topmost element with a role wins, decoration and what is clipped away do not count") {
  Figure figure;
  figure.add({.id = "below", .role = Role::button, .rect = {0, 0, 100, 100}});
  figure.add({.id = "above", .role = Role::token, .rect = {50, 0, 100, 100}, .source = Source{"x", 1, 2}});
  figure.add({.id = "decoration", .rect = {0, 0, 200, 200}, .shape = Rectangle{}});
  Element clipped{.id = "clipped", .role = Role::link, .rect = {0, 0, 200, 200}};
  clipped.clip = Rect{0, 0, 10, 10};
  figure.add(clipped);
  CHECK(hit(figure, {5, 5}).id == "clipped");
  CHECK(hit(figure, {30, 30}).id == "below");
  CHECK(hit(figure, {70, 30}).id == "above");
  CHECK(hit(figure, {70, 30}).source == Source{"x", 1, 2});
  CHECK(hit(figure, {70, 30}).element == figure.find("above"));
  CHECK(hit(figure, {180, 180}).element == nullptr);
  CHECK(hit(figure, {180, 180}).id.empty());
}

TEST_CASE("hit: cells without an id are decoration") {
  Figure figure;
  figure.add(cells("", {0, 0, 100, 100}, {.tensor = "t", .rows = 2, .columns = 2}));
  CHECK(hit(figure, {50, 50}).element == nullptr);
}

// ---- tweening ------------------------------------------------------------------------------------------------------

TEST_CASE("blend: its ends are the two drawings") {
  REQUIRE(test::load_fonts());
  const Trace trace = weights_trace();
  const Figure a = one_of_each();
  Figure b;
  append(b, a, 40, -10, std::nullopt);
  b.add({.id = "new", .rect = {0, 0, 9, 9}, .shape = Rectangle{}});
  for (const float t : {0.0F, 1.0F}) {
    const Figure& expected = t == 0 ? a : b;
    const Figure blended = blend(a, b, t);
    REQUIRE(blended.elements.size() == expected.elements.size());
    for (std::size_t i = 0; i < expected.elements.size(); ++i) {
      CHECK(blended.elements[i].id == expected.elements[i].id);
      CHECK(blended.elements[i].opacity == expected.elements[i].opacity);
      check_moved(primitives(expected.elements[i], trace), primitives(blended.elements[i], trace), 0, 0);
    }
  }
}

TEST_CASE("blend: half-way, what both drawings have is half-way, points and clips as well") {
  REQUIRE(test::load_fonts());
  const Trace trace = weights_trace();
  const Figure a = one_of_each();
  Figure b;
  append(b, a, 40, -10, std::nullopt);
  const Figure middle = blend(a, b, 0.5F);
  REQUIRE(middle.elements.size() == a.elements.size());
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    CHECK(near(middle.elements[i].rect, a.elements[i].rect.moved(20, -5)));
    CHECK(near(*middle.elements[i].clip, a.elements[i].clip->moved(20, -5)));
    check_moved(primitives(a.elements[i], trace), primitives(middle.elements[i], trace), 20, -5);
  }
}

TEST_CASE("blend: what goes fades below, what comes fades in, in its place of the new order") {
  Figure a;
  a.add({.id = "goes", .role = Role::button, .rect = {0, 0, 10, 10}, .shape = Rectangle{}});
  a.add({.id = "stays", .role = Role::button, .rect = {0, 0, 10, 10}, .shape = Rectangle{}});
  Figure b;
  b.add({.id = "comes", .rect = {0, 0, 10, 10}, .shape = Rectangle{}});
  b.add({.id = "stays", .role = Role::button, .rect = {0, 0, 10, 10}, .shape = Rectangle{}});
  const Figure blended = blend(a, b, 0.25F);
  REQUIRE(blended.elements.size() == 3);
  CHECK(blended.elements[0].id == "goes");
  CHECK(blended.elements[0].opacity == doctest::Approx(1 - 0.25 / 0.4));  // gone after 0.4 of the time
  CHECK(blended.elements[1].id == "comes");
  CHECK(blended.elements[1].opacity == 0);  // and nothing comes before
  CHECK(blend(a, b, 0.7F).elements[1].opacity == doctest::Approx(0.5));
  CHECK(blended.elements[2].id == "stays");
  CHECK(blended.elements[2].opacity == 1);
  CHECK(hit(blended, {5, 5}).id == "stays");
}

TEST_CASE("blend: colours that mean numbers are never faded: a map is uncovered from its top, and covered again") {
  const Figure with{
      .width = 100,
      .height = 100,
      .elements = {{.id = "map", .rect = {10, 20, 40, 60}, .shape = Heatmap{.range = {"A", 0, 0, 2, 2}}}}};
  const Figure without{.width = 100, .height = 100, .elements = {}};
  float before = -1;
  for (const float t : {0.1F, 0.3F, 0.5F, 0.7F, 0.9F}) {
    const Figure in = blend(without, with, t), out = blend(with, without, 1 - t);
    REQUIRE(in.elements.size() == 1);
    REQUIRE(out.elements.size() == 1);
    const Element &comes = in.elements.front(), &goes = out.elements.front();
    for (const Element& map : {comes, goes}) {
      CHECK(map.opacity == 1);
      const Rect seen = map.clip.value_or(map.rect);
      CHECK(seen.y == 20);
      CHECK(seen.bottom() <= 80);
    }
    const float height = comes.clip.value_or(comes.rect).h;
    CHECK(height >= before);
    before = height;
  }
  CHECK(before > 30);
}

TEST_CASE("blend: decoration that is in both drawings stays as it is") {
  Figure a;
  a.add({.rect = {0, 0, 10, 10}, .shape = Rectangle{.fill = {9, 9, 9}}});
  a.add({.rect = {0, 0, 10, 10}, .shape = Text{.text = "she"}});
  const Figure blended = blend(a, a, 0.5F);
  REQUIRE(blended.elements.size() == 2);
  for (const Element& element : blended.elements) CHECK(element.opacity == 1);
}

TEST_CASE("blend: words change half-way, another kind of shape fades") {
  Figure a;
  a.add({.id = "word", .rect = {0, 0, 10, 10}, .shape = Text{.text = "one", .size = 10}});
  a.add({.id = "thing", .rect = {0, 0, 10, 10}, .shape = Rectangle{}});
  Figure b;
  b.add({.id = "word", .rect = {0, 0, 10, 10}, .shape = Text{.text = "two", .size = 20}});
  b.add({.id = "thing", .rect = {0, 0, 10, 10}, .shape = Area{}});
  const auto text_at = [&](float t) { return std::get<Text>(blend(a, b, t).find("word")->shape); };
  CHECK(text_at(0.4F).text == "one");
  CHECK(text_at(0.6F).text == "two");
  CHECK(text_at(0.5F).size == doctest::Approx(15));
  CHECK(blend(a, b, 0.5F).elements.size() == 3);
}

TEST_CASE("blend: a word that grows or shrinks is drawn with the glyphs of one size, of its own once it rests") {
  REQUIRE(test::load_fonts());
  const auto word = [](float size) {
    Figure figure;
    figure.add({.id = "word", .rect = {0, 0, 100, 60}, .shape = Text{.text = "fox", .size = size}});
    return figure;
  };
  const auto drawn = [](const Figure& figure) {
    return std::get<TextPrimitive>(primitives(*figure.find("word"), {}).front().shape);
  };
  for (const auto& [from, to] : {std::pair{36.F, 57.F}, std::pair{57.F, 36.F}}) {
    for (const float t : {0.01F, 0.3F, 0.5F, 0.7F, 0.99F}) {
      const TextPrimitive moving = drawn(blend(word(from), word(to), t));
      CHECK(moving.size == doctest::Approx(from + (to - from) * t));
      CHECK(moving.drawn_at == to);
      // Turned back half-way, it is still drawn with the glyphs of where it goes.
      CHECK(drawn(blend(blend(word(from), word(to), t), word(from), 0.5F)).drawn_at == from);
    }
    CHECK(drawn(blend(word(from), word(to), 1)).drawn_at == 0);
    CHECK(drawn(blend(word(from), word(from), 0.5F)).drawn_at == 0);
  }
}

namespace {

Figure matrix_figure(Rect rect, bool transposed) {
  Figure figure;
  figure.add({.id = "K",
              .role = Role::cell,
              .rect = rect,
              .shape = MatrixCells{.range = {"K", 0, 0, 9, 6}, .transposed = transposed}});
  return figure;
}

}  // namespace

TEST_CASE("blend: of a matrix that is laid on its side row after row goes to its column, on a page as alone") {
  const Figure from = matrix_figure({0, 0, 60, 90}, false), to = matrix_figure({100, 20, 180, 60}, true);
  for (const float t : {0.1F, 0.3F, 0.5F, 0.7F, 0.9F}) {
    const Figure alone = blend(from, to, t);
    Figure page;
    append(page, alone, 17, 23, std::nullopt);
    int waiting = 0, arrived = 0;
    for (int row = 0; row < 9; ++row) {
      const auto cell = [&](const Figure& of) { return *cell_rect(*of.find("K"), row, 3); };
      CHECK(near(cell(page), cell(alone).moved(17, 23)));
      waiting += near(cell(alone), cell(from)) ? 1 : 0;
      arrived += near(cell(alone), cell(to)) ? 1 : 0;
    }
    CHECK(waiting + arrived >= 7);  // two at most are on their way, so that they lie over no other
    CHECK((arrived > 0 || t < 0.3F));
    CHECK((waiting > 0 || t > 0.7F));
  }
}

TEST_CASE(
    "blend: a matrix that is laid on its side turns: no cell leaps, neither when it sets out nor when it arrives") {
  const auto drawn = matrix_figure;
  const Figure upright = drawn({0, 0, 60, 90}, false), side = drawn({100, 20, 180, 60}, true);
  constexpr float kJust = 0.002F;
  for (const auto& [t, at] : {std::pair{kJust, &upright}, {1 - kJust, &side}}) {
    const Figure turning = blend(upright, side, t);
    for (int row = 0; row < 9; ++row)
      for (int column = 0; column < 6; ++column) {
        const Rect now = *cell_rect(*turning.find("K"), row, column), rests = *cell_rect(*at->find("K"), row, column);
        CHECK(std::abs(now.x - rests.x) < 1);
        CHECK(std::abs(now.y - rests.y) < 1);
        CHECK(std::abs(now.w - rests.w) < 1);
      }
  }
}

TEST_CASE("append: everything moves together, and stays inside the page's clip") {
  REQUIRE(test::load_fonts());
  const Trace trace = weights_trace();
  const Figure part = one_of_each();
  Figure page;
  append(page, part, 17, 23, Rect{0, 0, 100, 400});
  REQUIRE(page.elements.size() == part.elements.size());
  for (std::size_t i = 0; i < part.elements.size(); ++i) {
    CHECK(page.elements[i].id == part.elements[i].id);
    CHECK(near(page.elements[i].rect, part.elements[i].rect.moved(17, 23)));
    CHECK(near(*page.elements[i].clip, {17, 23, 83, 150}));
    // Cells outside of the clip may be left out; the rest of the law is that of the unclipped move.
    Figure free;
    append(free, part, 17, 23, std::nullopt);
    check_moved(primitives(part.elements[i], trace), primitives(free.elements[i], trace), 17, 23);
  }
}

TEST_CASE("append: the frame in which a point is dragged moves with it") {
  Figure part, page;
  part.add({.id = "a",
            .role = Role::handle,
            .rect = {5, 5, 10, 10},
            .edit = Edit{.field = "f", .plane = Edit::Plane{.frame = {0, 0, 100, 50}}}});
  append(page, part, 208, 30, std::nullopt);
  CHECK(near(page.elements[0].edit->plane->frame, {208, 30, 100, 50}));
}

TEST_CASE("append: clips that do not meet leave nothing") {
  Figure part;
  Element element{.id = "a", .role = Role::button, .rect = {0, 0, 10, 10}};
  element.clip = Rect{0, 0, 10, 10};
  part.add(element);
  Figure page;
  append(page, part, 500, 0, Rect{0, 0, 100, 100});
  CHECK(page.elements[0].clip->w == 0);
  CHECK(hit(page, {505, 5}).element == nullptr);
}

TEST_CASE("text: capitals stand in the middle, at the left, the centre or the right") {
  REQUIRE(test::load_fonts());
  const Rect rect{100, 50, 200, 40};
  const float width = text::measure(text::Face::regular, 20, "HH");
  const float cap = text::metrics(text::Face::regular, 20).cap_height;
  const auto set = [&](Align align, bool vertical) {
    const Element element{
        .rect = rect,
        .shape = Text{.text = "HH", .size = 20, .colour = {1, 1, 1}, .align = align, .vertical = vertical}};
    return all_of<TextPrimitive>(primitives(element, Trace{})).at(0);
  };
  CHECK(set(Align::left, false).baseline.x == doctest::Approx(100));
  CHECK(set(Align::centre, false).baseline.x == doctest::Approx(200 - width / 2));
  CHECK(set(Align::right, false).baseline.x == doctest::Approx(300 - width));
  CHECK(set(Align::left, false).baseline.y == doctest::Approx(70 + cap / 2));
  CHECK(set(Align::left, false).width == doctest::Approx(width));
  CHECK(set(Align::left, true).baseline.y == doctest::Approx(90));
  CHECK(set(Align::centre, true).baseline.y == doctest::Approx(70 + width / 2));
  CHECK(set(Align::right, true).baseline.y == doctest::Approx(50 + width));
  CHECK(set(Align::left, true).baseline.x == doctest::Approx(200 + cap / 2));
}
