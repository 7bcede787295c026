// What elements are broken up into, for every painter.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/random.h"
#include "figure/figure.h"
#include "figure/panels.h"
#include "figure/small_cells.h"
#include "unit/figure_support.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::figure;
using namespace limelight::test;

// ---- primitives
// ------------------------------------------------------------------------------------------------------

TEST_CASE("primitives: carry their element's opacity and clip; what cannot be seen has none") {
  REQUIRE(test::load_fonts());
  const Trace trace = weights_trace();
  for (Element element : one_of_each().elements) {
    element.opacity = 0.5F;
    for (const Primitive& primitive : primitives(element, trace)) {
      CHECK(primitive.opacity == 0.5F);
      CHECK(near(*primitive.clip, *element.clip));
    }
    element.opacity = 0;
    CHECK(primitives(element, trace).empty());
  }
}

TEST_CASE("primitives: a trace without the tensor, or with a smaller one, draws what there is") {
  REQUIRE(test::load_fonts());
  for (const Element& element : one_of_each().elements) {
    (void)primitives(element, Trace{});
    CHECK(all_of<TextPrimitive>(primitives(element, trace_of("weights", Matrix::Constant(1, 2, 0.5F)))).size() <=
          all_of<TextPrimitive>(primitives(element, weights_trace())).size());
  }
}

TEST_CASE("cells: a number never leaves its cell, and a weight is never rounded to nothing") {
  REQUIRE(test::load_fonts());
  Matrix values(2, 3);
  values << 0.364284F, -12345.678F, kMinusInfinity, 0.04F, 1e-7F, 3e8F;
  const Trace trace = trace_of("t", values);
  for (float width = 12; width < 400; width += 7) {
    for (const bool heat : {false, true}) {
      const CellRange range{.tensor = "t", .rows = 2, .columns = 3};
      Shape shape = MatrixCells{.range = range, .text_size = 11, .decimals = 3};
      if (heat) shape = Heatmap{.range = range, .text_size = 11};
      const Element element{.id = "m", .rect = {0, 0, width, 60}, .shape = shape};
      for (const TextPrimitive& text : all_of<TextPrimitive>(primitives(element, trace))) {
        const float cell = cell_rect(element, 0, 0)->w;
        CHECK(text.width <= cell);
        CHECK(text.text != "0");
        CHECK(text.text != "1");
      }
    }
  }
  const Element wide{
      .id = "m", .rect = {0, 0, 600, 60}, .shape = MatrixCells{.range = {.tensor = "t", .rows = 2, .columns = 3}}};
  const auto texts = all_of<TextPrimitive>(primitives(wide, trace));
  REQUIRE(texts.size() == 6);
  CHECK(texts[0].text == "0.36");
  CHECK(texts[2].text == "−∞");
}

TEST_CASE("cells: a tiny number beside whole ones is neither 0 nor left out") {
  REQUIRE(test::load_fonts());
  Matrix values(1, 4);
  values << 1, 1e-30F, 0, 0.0004F;
  const Trace trace = trace_of("t", values);
  for (const int decimals : {0, 2, 3})
    for (const float width : {152.F, 170.F, 260.F, 400.F}) {
      const Element element{
          .id = "m",
          .rect = {0, 0, width, 30},
          .shape = Heatmap{.range = {.tensor = "t", .rows = 1, .columns = 4}, .text_size = 11, .decimals = decimals}};
      const auto texts = all_of<TextPrimitive>(primitives(element, trace));
      REQUIRE(texts.size() == 4);
      for (const TextPrimitive& text : texts) CHECK(text.text != "…");
      CHECK(texts[2].text == "0");
      if (decimals == 3 && width < 160) CHECK(texts[1].text == "<.001");  // "0.000" has room, "<0.001" not
      if (width < 200 || decimals == 0) continue;
      CHECK(texts[1].text == (decimals == 3 ? "<0.001" : "<0.01"));
      CHECK(texts[3].text == texts[1].text);
    }
}

TEST_CASE("cells: of a sparse table only what is exactly 0 is a dot, and no other number") {
  REQUIRE(test::load_fonts());
  Matrix values(1, 4);
  values << 0, 1e-30F, -0.001F, 2;
  const Trace trace = trace_of("t", values);
  for (const bool sparse : {false, true}) {
    const Element element{
        .id = "m",
        .rect = {0, 0, 400, 30},
        .shape = MatrixCells{.range = {.tensor = "t", .rows = 1, .columns = 4}, .text_size = 11, .sparse = sparse}};
    const auto texts = all_of<TextPrimitive>(primitives(element, trace));
    REQUIRE(texts.size() == 4);
    CHECK((texts[0].text == "·") == sparse);
    for (const std::size_t i : {1U, 2U, 3U}) CHECK(texts[i].text != "·");
  }
}

TEST_CASE("cells: where most numbers have no room there are none, where a few have not they are marked") {
  REQUIRE(test::load_fonts());
  Matrix values = Matrix::Constant(3, 3, 0.28F);
  values(1, 1) = -123456.5F;
  const Trace trace = trace_of("t", values);
  const auto texts_at = [&](float width) {
    const Element element{
        .id = "m", .rect = {0, 0, width, 90}, .shape = MatrixCells{.range = {.tensor = "t", .rows = 3, .columns = 3}}};
    return all_of<TextPrimitive>(primitives(element, trace));
  };
  CHECK(texts_at(50).empty());
  const auto narrow = texts_at(90);
  REQUIRE(narrow.size() == 9);
  CHECK(narrow[0].text == "0.3");
  CHECK(narrow[4].text == "…");
}

TEST_CASE("cells: what is negative differs from what is positive by its notch alone") {
  REQUIRE(test::load_fonts());
  Matrix values(1, 4);
  values << 0.5F, -0.5F, 0, -1;
  const Trace trace = trace_of("t", values);
  for (const Theme theme : {Theme::light, Theme::dark}) {
    const Colour tint = palette(theme).query_fill;
    const Element element{
        .id = "m",
        .rect = {0, 0, 200, 40},
        .shape = MatrixCells{.range = {.tensor = "t", .rows = 1, .columns = 4}, .tint = tint, .theme = theme}};
    const std::vector<Primitive> all = primitives(element, trace);
    const auto fills = all_of<RectanglePrimitive>(all);
    const auto notches = all_of<AreaPrimitive>(all);
    REQUIRE(fills.size() == 4);
    CHECK(fills[0].style.fill == fills[1].style.fill);
    CHECK(fills[2].style.fill == cell_fill(palette(theme), tint, 0));
    CHECK(fills[3].style.fill == cell_fill(palette(theme), tint, 1));
    REQUIRE(notches.size() == 2);
    for (const std::size_t i : {0U, 1U}) {
      const Rect& cell = fills[2 * i + 1].rect;
      for (const Point& p : notches[i].area.points) {
        CHECK(p.x > cell.centre().x);
        CHECK(p.x <= cell.right());
        CHECK(p.y > cell.centre().y);
        CHECK(p.y <= cell.bottom());
      }
      CHECK(notches[i].area.fill == palette(theme).surface);
    }
  }
}

TEST_CASE("cells: a tensor has one scale in every window of it, which −∞ does not stretch") {
  REQUIRE(test::load_fonts());
  Matrix values(2, 3);
  values << 1, 2, kMinusInfinity, 3, -4, 0;
  const Trace trace = trace_of("t", values);
  const Palette& colours = palette(Theme::light);
  const auto fills = [&](int row) {
    const Element element{
        .id = "m",
        .rect = {0, 0, 200, 40},
        .shape = MatrixCells{.range = {.tensor = "t", .row = row, .rows = 1, .columns = 3}, .tint = colours.key_fill}};
    return all_of<RectanglePrimitive>(primitives(element, trace));
  };
  for (const int row : {0, 1})
    for (const int column : {0, 1, 2}) {
      const float size = std::abs(values(row, column));
      CHECK(fills(row)[static_cast<std::size_t>(column)].style.fill ==
            cell_fill(colours, colours.key_fill, std::isfinite(size) ? size / 4 : 0));
    }
  const Trace zeros = trace_of("t", Matrix::Zero(1, 2));
  const Element element{
      .id = "m",
      .rect = {0, 0, 200, 40},
      .shape = MatrixCells{.range = {.tensor = "t", .rows = 1, .columns = 2}, .tint = colours.key_fill}};
  for (const RectanglePrimitive& cell : all_of<RectanglePrimitive>(primitives(element, zeros)))
    CHECK(cell.style.fill == cell_fill(colours, colours.key_fill, 0));
}

TEST_CASE("cells: where columns count in different units each has a scale of its own, in every window") {
  REQUIRE(test::load_fonts());
  Matrix values(2, 3);
  values << 1, 12, 0, -2, 3, kMinusInfinity;
  const Trace trace = trace_of("t", values);
  const Palette& colours = palette(Theme::light);
  constexpr float kMost[] = {2, 12, 1};
  for (const int row : {0, 1})
    for (const int first : {0, 1}) {
      const Element element{
          .id = "m",
          .rect = {0, 0, 200, 40},
          .shape =
              MatrixCells{.range = {"t", row, first, 1, 3 - first}, .tint = colours.key_fill, .largest = kEachColumn}};
      const auto fills = all_of<RectanglePrimitive>(primitives(element, trace));
      for (int column = first; column < 3; ++column) {
        const float size = std::abs(values(row, column));
        CHECK(fills[static_cast<std::size_t>(column - first)].style.fill ==
              cell_fill(colours, colours.key_fill, std::isfinite(size) ? size / kMost[column] : 0));
      }
    }
}

TEST_CASE("cells: transposed, the rows run to the right") {
  REQUIRE(test::load_fonts());
  Matrix values(1, 2);
  values << 1, 2;
  const Trace trace = trace_of("t", values);
  Element element = cells("m", {0, 0, 40, 80}, {.tensor = "t", .rows = 1, .columns = 2}, true);
  const auto texts = all_of<TextPrimitive>(primitives(element, trace));
  REQUIRE(texts.size() == 2);
  CHECK(texts[0].baseline.x == doctest::Approx(texts[1].baseline.x));
  CHECK(texts[0].baseline.y + 30 < texts[1].baseline.y);
}

TEST_CASE("heatmap: each number reads on its own cell") {
  REQUIRE(test::load_fonts());
  Matrix values = Matrix::Zero(1, 11);
  for (int i = 0; i <= 10; ++i) values(0, i) = static_cast<float>(i) / 10.0F;
  const Trace trace = trace_of("t", values);
  for (const ColourMap map : {ColourMap::viridis, ColourMap::cividis, ColourMap::grey, ColourMap::diverging}) {
    const Element element{
        .id = "h",
        .rect = {0, 0, 660, 40},
        .shape = Heatmap{.range = {.tensor = "t", .rows = 1, .columns = 11}, .map = map, .text_size = 12}};
    const auto drawn = primitives(element, trace);
    const auto fills = all_of<RectanglePrimitive>(drawn);
    const auto texts = all_of<TextPrimitive>(drawn);
    REQUIRE(fills.size() == 11);
    REQUIRE(texts.size() == 11);
    for (std::size_t i = 0; i < 11; ++i) CHECK(contrast(fills[i].style.fill, texts[i].colour) >= 4.5F);
  }
}

TEST_CASE("heatmap: 256 cells are rectangles, one more is a picture of its own") {
  REQUIRE(test::load_fonts());
  const Trace trace = trace_of("t", Matrix::Constant(257, 1, 0.5F));
  for (const int rows : {256, 257}) {
    const Element element{.id = "h",
                          .rect = {0, 0, 50, 5140},
                          .shape = Heatmap{.range = {.tensor = "t", .rows = rows, .columns = 1}, .text_size = 9}};
    const auto drawn = primitives(element, trace);
    CHECK(all_of<RectanglePrimitive>(drawn).size() == (rows == 256 ? 256 : 0));
    CHECK(all_of<HeatmapPrimitive>(drawn).size() == (rows == 256 ? 0 : 1));
    CHECK(all_of<TextPrimitive>(drawn).size() == static_cast<std::size_t>(rows));
  }
}

TEST_CASE("heatmap: masked cells are hatched and say so; hatching stays in its cell") {
  REQUIRE(test::load_fonts());
  Trace trace;
  Matrix scores(1, 2);
  scores << 0.5F, kMinusInfinity;
  Matrix weights(1, 2);
  weights << 1, 0;
  trace.add("masked", scores);
  trace.add("weights", weights);
  for (const char* name : {"masked", "weights"}) {
    Heatmap heatmap{.range = {.tensor = name, .rows = 1, .columns = 2}, .text_size = 12};
    if (heatmap.range.tensor == "weights") heatmap.mask = "masked";
    const Element element{.id = "h", .rect = {5, 5, 120, 40}, .shape = heatmap};
    const auto drawn = primitives(element, trace);
    const auto texts = all_of<TextPrimitive>(drawn);
    REQUIRE(texts.size() == 2);
    CHECK(texts[1].text == (heatmap.mask.empty() ? "−∞" : "0"));
    CHECK(HeatmapReader(heatmap, trace).colour(0, 0).has_value());
    CHECK_FALSE(HeatmapReader(heatmap, trace).colour(0, 1).has_value());
    const auto lines = all_of<PolylinePrimitive>(drawn);
    CHECK(lines.size() > 5);
    const Rect cell = *cell_rect(element, 0, 1);
    for (const PolylinePrimitive& line : lines) {
      for (const Point p : line.points) {
        CHECK(p.x >= cell.x - kLength);
        CHECK(p.x <= cell.right() + kLength);
        CHECK(p.y >= cell.y - kLength);
        CHECK(p.y <= cell.bottom() + kLength);
      }
    }
  }
}

TEST_CASE("heatmap colours: 0 to 1 keeps small differences small, per row the largest is the brightest") {
  const Trace trace = weights_trace();
  const CellRange range{.tensor = "weights", .rows = 3, .columns = 3};
  const auto colour = [&](Normalise normalise, float low, float high, int row, int column) {
    const Heatmap made{.range = range, .normalise = normalise, .low = low, .high = high};
    return *HeatmapReader(made, trace).colour(row, column);
  };
  const auto viridis = [](float t) { return sample(ColourMap::viridis, t, Theme::light); };
  CHECK(colour(Normalise::zero_one, 0, 1, 0, 2) == viridis(0.364F));
  CHECK(colour(Normalise::min_max, 0.284F, 0.382F, 1, 0) == viridis(0));
  CHECK(colour(Normalise::min_max, 0.284F, 0.382F, 2, 2) == viridis(1));
  for (const auto& [row, largest] : {std::pair{0, 2}, std::pair{1, 1}, std::pair{2, 2}}) {
    CHECK(colour(Normalise::row, 0, 1, row, largest) == viridis(1));
  }
  CHECK(colour(Normalise::row, 0, 1, 0, 1) == viridis(0.300F / 0.364F));
}

TEST_CASE("heatmap dots: the largest share of the cells that fall on each, whatever the heatmap does with its cells") {
  Random random(7);
  Matrix values(13, 29), mask = Matrix::Zero(13, 29);
  for (float& value : values.reshaped()) value = static_cast<float>(random.uniform() * 1.5 - 0.25);
  values(3, 4) = values(3, 5) = values(12, 28) = kMinusInfinity;
  values.row(7).setConstant(kMinusInfinity);
  mask.col(2).setConstant(kMinusInfinity);
  Trace trace;
  trace.add("values", values);
  trace.add("mask", mask);
  const Heatmap whole{.range = {"values", 0, 0, 13, 29}};
  Heatmap part = whole, turned = whole, by_row = whole, masked = whole, wrapped = whole, flat = whole, gone = whole;
  part.range = turned.range = {"values", 2, 3, 9, 17};
  turned.transposed = true;
  by_row.normalise = Normalise::row;
  masked.mask = "mask";
  wrapped.range = {"values", 1, 0, 1, 29};
  wrapped.wrap = 6;
  flat.low = flat.high = 0.5F;
  gone.range.tensor = "none";
  for (const Heatmap& heatmap : {whole, part, turned, by_row, masked, wrapped, flat, gone})
    for (const auto& [rows, columns] :
         {std::pair{heatmap.down(), heatmap.across()}, std::pair{4, 5}, std::pair{1, 1}}) {
      const HeatmapReader reader(heatmap, trace);
      std::vector<float> expected(static_cast<std::size_t>(rows * columns), -1);
      for (int y = 0; y < heatmap.down(); ++y)
        for (int x = 0; x < heatmap.across(); ++x) {
          float& share =
              expected[static_cast<std::size_t>(y * rows / heatmap.down() * columns + x * columns / heatmap.across())];
          share = std::max(share, reader.share_at(x, y).value_or(-1.F));
        }
      CHECK(reader.largest(rows, columns) == expected);
    }
}

TEST_CASE("arcs: as thick as their weight, none below the threshold, the chosen row above the faint others") {
  const Trace trace = weights_trace();
  Arcs arcs{
      .range = {.tensor = "weights", .rows = 3, .columns = 3}, .colour = {1, 2, 3}, .threshold = 0.305F, .row = 1};
  const Element element{.rect = {0, 0, 300, 90}, .shape = arcs};
  const auto curves = all_of<CurvePrimitive>(primitives(element, trace));
  CHECK(curves.size() == 7);  // all but 0.300 and 0.284
  CHECK(curves.back().curve.width == doctest::Approx(6 * 0.372F));
  CHECK(curves.back().curve.from.y == doctest::Approx(45));
  CHECK(curves.back().curve.to.y == doctest::Approx(45));
  CHECK(curves.front().curve.colour.a < curves.back().curve.colour.a);
}

TEST_CASE("bars: as long as their values, and never nothing") {
  Matrix values(1, 3);
  values << 0.25F, 0, 1;
  const Element element{.rect = {10, 10, 200, 72}, .shape = Bars{.range = {.tensor = "t", .rows = 1, .columns = 3}}};
  const auto bars = all_of<RectanglePrimitive>(primitives(element, trace_of("t", values)));
  REQUIRE(bars.size() == 3);
  CHECK(bars[0].rect.w == doctest::Approx(50));
  CHECK(bars[1].rect.w == doctest::Approx(1));
  CHECK(bars[2].rect.w == doctest::Approx(200));
  CHECK(bars[1].rect.y - bars[0].rect.y == doctest::Approx(24));
  CHECK(bars[1].rect.centre().y == doctest::Approx(46));  // the middle of the three
}

TEST_CASE("colour bar: runs from low to high, with both numbers") {
  REQUIRE(test::load_fonts());
  for (const Rect rect : {Rect{0, 0, 12, 190}, Rect{0, 0, 190, 30}}) {
    const Element element{.rect = rect, .shape = ColourBar{.low = -2, .high = 4, .ink = {1, 1, 1}}};
    const auto drawn = primitives(element, Trace{});
    const auto texts = all_of<TextPrimitive>(drawn);
    REQUIRE(texts.size() == 3);
    CHECK(texts[0].text == "−2");
    CHECK(texts[1].text == "1");
    CHECK(texts[2].text == "4");
    const auto stripes = all_of<RectanglePrimitive>(drawn);
    CHECK(stripes.front().style.fill == sample(ColourMap::viridis, 0, Theme::light));
    CHECK(stripes.back().style.fill == sample(ColourMap::viridis, 1, Theme::light));
    for (const RectanglePrimitive& stripe : stripes) {
      CHECK(stripe.rect.right() <= rect.right() + kLength);
      CHECK(stripe.rect.y >= rect.y - kLength);
      CHECK(stripe.rect.bottom() <= rect.bottom() + kLength);
    }
  }
}

TEST_CASE("colour bar: words stand where they are given, instead of numbers") {
  REQUIRE(test::load_fonts());
  const Element element{.rect = {0, 0, 12, 190},
                        .shape = ColourBar{.words = {"0", "half", "row max"}, .ink = {1, 1, 1}}};
  const auto drawn = primitives(element, Trace{});
  const auto texts = all_of<TextPrimitive>(drawn);
  REQUIRE(texts.size() == 3);
  CHECK(texts[0].text == "0");
  CHECK(texts[1].text == "half");
  CHECK(texts[2].text == "row max");
}

TEST_CASE("arrow: its head ends at its target, however short it is") {
  for (const float length : {0.0F, 3.0F, 100.0F}) {
    const Element element{.rect = {0, 0, 9, 9},
                          .shape = Arrow{.from = {10, 10}, .to = {10 + length, 10}, .colour = {1, 1, 1}}};
    const auto drawn = primitives(element, Trace{});
    const auto heads = all_of<AreaPrimitive>(drawn);
    REQUIRE(heads.size() == (length > 0 ? 1 : 0));
    if (length == 0) continue;
    float tip = 0;
    float base = 1000;
    for (const Point p : heads[0].area.points) {
      tip = std::max(tip, p.x);
      base = std::min(base, p.x);
    }
    CHECK(tip == doctest::Approx(10 + length));
    CHECK(base >= 10 - kLength);
    CHECK(all_of<PolylinePrimitive>(drawn).size() == (length > 7 ? 1 : 0));
  }
}

TEST_CASE("paragraph: no line begins with the comma after a bold word, at any width") {
  REQUIRE(test::load_fonts());
  for (float width = 80; width < 400; width += 1) {
    Figure figure;
    add_paragraph(figure, "p", "In a lovely gets **51 %**, in a′ **0 %**, of the **weight**; (**so**) it is.", {},
                  width, 15, {}, {});
    float y = -1;
    for (const Element& element : figure.elements) {
      const std::string& text = std::get<Text>(element.shape).text;
      CAPTURE(width);
      CAPTURE(text);
      if (element.rect.y > y) CHECK(std::string(",;)").find(text.front()) == std::string::npos);
      CHECK(element.rect.right() <= width + 0.5F);
      y = element.rect.y;
    }
  }
}

TEST_CASE(
    "paragraph: the subscript of a one-letter name hangs smaller below it, in the same line; other underscores stay") {
  REQUIRE(test::load_fonts());
  Figure figure;
  const float height = add_paragraph(
      figure, "p", "From s_0, √d_k, **W_q** and A_3.2; not _ nor snake_case, a_ or _b. Of W_v.", {}, 900, 15, {}, {});
  std::string drawn;
  for (const Element& element : figure.elements) {
    const auto& text = std::get<Text>(element.shape);
    const bool below = text.size < 15;
    drawn += below ? "[" + text.text + "]" : text.text;
    CHECK((element.rect.centre().y > height / 2 + 1) == below);
    CHECK(element.rect.bottom() <= height + 0.01F);
  }
  CHECK(drawn == "Froms[0],√d[k],W[q]andA[3.2];not_norsnake_case,a_or_b.OfW[v].");
}

TEST_CASE("outline: whatever the cell's colour, a part of the ring stands out from it") {
  for (const Theme theme : {Theme::light, Theme::dark})
    for (const Colour colour : {palette(theme).ink, palette(theme).query, palette(theme).output}) {
      Figure figure;
      figure.add({.id = "A", .rect = {0, 0, 40, 40}, .shape = Heatmap{.range = {"A", 0, 0, 2, 2}}});
      add_outline(figure, "A", 1, 0, colour);
      for (const float t : {0.F, 0.25F, 0.5F, 0.75F, 1.F}) {
        const Colour cell = sample(ColourMap::viridis, t, theme);
        float most = 0;
        for (const Element& element : figure.elements)
          if (element.id.starts_with("outline."))
            most = std::max(most, contrast(std::get<Rectangle>(element.shape).stroke, cell));
        CHECK(most >= std::sqrt(4.5F));  // of two tones 4.5:1 apart, as ink is from paper
      }
    }
}

TEST_CASE("arcs: of each row the largest weights are drawn that together reach the share") {
  Trace trace;
  Matrix weights(2, 4);
  weights << 0.5F, 0.3F, 0.15F, 0.05F, 0.25F, 0.25F, 0.25F, 0.25F;
  const Tensor& tensor = trace.add("A", weights);
  CHECK(figure::least_drawn({.share = 0.8F}, tensor, 0) == 0.3F);
  CHECK(figure::least_drawn({.share = 0.81F}, tensor, 0) == 0.15F);
  CHECK(figure::least_drawn({.threshold = 0.4F, .share = 0.8F}, tensor, 0) == 0.4F);
  CHECK(figure::least_drawn({.share = 0.3F}, tensor, 1) == 0.25F);  // equal ones are drawn together
  CHECK(figure::least_drawn({}, tensor, 0) == 0);
  const figure::Element all{.rect = {0, 0, 100, 40}, .shape = figure::Arcs{.range = {"A", 0, 0, 2, 4}, .share = 0.75F}};
  CHECK(figure::primitives(all, trace).size() == 2 + 4);
}
