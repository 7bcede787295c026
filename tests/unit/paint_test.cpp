// What all painters paint alike.
#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "figure/paint.h"
#include "unit/fonts.h"
#include "unit/paint_support.h"
#include "unit/xml_reader.h"

using namespace limelight;
using namespace limelight::figure;
using namespace limelight::test;

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
