#include "figure/plot.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "io/numbers.h"
#include "io/utf8.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::figure;

namespace {

constexpr Rect kArea{20, 30, 400, 240};
// A share of a length below 1,000 in single precision.
constexpr float kLength = 1e-3F;

std::vector<const Line*> lines_of(const Figure& figure, std::string_view beginning) {
  std::vector<const Line*> found;
  for (const Element& element : figure.elements)
    if (element.id.starts_with(beginning))
      if (const auto* line = std::get_if<Line>(&element.shape)) found.push_back(line);
  return found;
}

}  // namespace

TEST_CASE("plot: the axes' ends are the frame's edges, on both kinds of axis") {
  Figure figure;
  const Plot plot =
      add_plot(figure, "p", kArea, {.low = 1, .high = 4096, .logarithmic = true}, {.low = -2, .high = 6}, Theme::light);
  CHECK(std::abs(plot.across(1) - plot.frame.x) < kLength);
  CHECK(std::abs(plot.across(4096) - plot.frame.right()) < kLength);
  CHECK(std::abs(plot.across(64) - plot.frame.centre().x) < kLength);  // the middle in logarithms
  CHECK(std::abs(plot.down(-2) - plot.frame.bottom()) < kLength);
  CHECK(std::abs(plot.down(6) - plot.frame.y) < kLength);
}

TEST_CASE("plot: everything stays in its area") {
  for (const float width : {160.F, 300.F, 700.F}) {
    Figure figure;
    const Rect area{20, 30, width, 200};
    const Axis x{.low = 0, .high = 1234567, .label = "a label that is longer than a narrow frame can hold"};
    add_plot(figure, "p", area, x, {.low = -1e-5, .high = 1e-5, .label = "the same, along the other axis, also long"},
             Theme::dark);
    for (const Element& element : figure.elements) {
      CAPTURE(element.id);
      CAPTURE(width);
      if (const auto* text = std::get_if<Text>(&element.shape)) {
        CHECK(element.rect.x >= area.x - kLength);
        CHECK(element.rect.right() <= area.right() + kLength);
        CHECK(element.rect.bottom() <= area.bottom() + kLength);
        const float room = text->vertical ? element.rect.h : element.rect.w;
        CHECK(text::measure(text->face, text->size, text->text) <= room + kLength);
      }
    }
  }
}

TEST_CASE("ticks: round values, evenly apart, inside the axis, and no more than asked for") {
  for (const auto& [low, high] : {std::pair{0., 1.}, {-3.7, 12.2}, {0.001, 0.0042}, {-1e6, 3e6}, {5., 5.001}}) {
    for (const int most : {2, 4, 9}) {
      const auto ticks = round_ticks({.low = low, .high = high}, most);
      CAPTURE(low);
      CAPTURE(most);
      CHECK(static_cast<int>(ticks.size()) <= most + 1);
      REQUIRE(!ticks.empty());
      const double slack = 1e-9 * (high - low);
      for (std::size_t i = 0; i < ticks.size(); ++i) {
        CHECK(ticks[i].first >= low - slack);
        CHECK(ticks[i].first <= high + slack);
        if (i >= 1) CHECK(ticks[i].second != ticks[i - 1].second);
        if (i >= 2)
          CHECK(std::abs((ticks[i].first - ticks[i - 1].first) - (ticks[1].first - ticks[0].first)) <
                1e-6 * (high - low));
      }
    }
  }
}

TEST_CASE("ticks: a logarithmic axis has powers of ten") {
  const auto ticks = round_ticks({.low = 1, .high = 5000, .logarithmic = true}, 8);
  REQUIRE(ticks.size() == 4);
  CHECK(ticks[0].second == "1");
  CHECK(ticks[3].second == "1000");
}

TEST_CASE("curve: what leaves the frame is cut at its edge, and a gap stays a gap") {
  Figure figure;
  const Plot plot = add_plot(figure, "p", kArea, {.low = 0, .high = 4}, {.low = 0, .high = 1}, Theme::light);
  const std::vector<double> x{0, 1, 2, 3, 4};
  const std::vector<double> y{0.5, 3, -2, std::numeric_limits<double>::quiet_NaN(), 0.5};
  add_curve(figure, plot, "c", x, y, {}, "a curve");
  const auto pieces = lines_of(figure, "c");
  REQUIRE(pieces.size() == 2);  // up to the top edge, and through the frame from above to below
  for (const Line* line : pieces)
    for (const Point& p : line->points) {
      CHECK(p.y >= plot.frame.y - kLength);
      CHECK(p.y <= plot.frame.bottom() + kLength);
    }
  CHECK(std::abs(pieces[0]->points.back().y - plot.frame.y) < kLength);
  CHECK(std::abs(pieces[0]->points.back().x - plot.across(0.2)) < kLength);  // 0.5 + 2.5 x = 1
}

TEST_CASE("columns: each number is hit where it stands, however small it is") {
  Trace trace;
  Matrix counts(1, 3);
  counts << 10, 0, 4;
  trace.add("counts", counts);
  Figure figure{.width = 460, .height = 300};
  const Plot plot = add_plot(figure, "p", kArea, {.low = 0, .high = 3}, {.low = 0, .high = 10}, Theme::light);
  add_columns(figure, plot, trace, "counts", 0, std::vector<double>{0, 1, 2, 3}, {1, 2, 3});
  for (int i = 0; i < 3; ++i) {
    const Hit under = hit(figure, plot.at(i + 0.5, 5));
    REQUIRE(under.source);
    CHECK(*under.source == Source{"counts", 0, i});
  }
  CHECK(figure.find("counts[0,0].bar")->rect.h > 2 * figure.find("counts[0,2].bar")->rect.h);
  CHECK(figure.find("counts[0,1].bar")->rect.h == 0);
}

TEST_CASE("dot: inside the frame it is hit, outside it is not drawn") {
  Figure figure{.width = 460, .height = 300};
  const Plot plot = add_plot(figure, "p", kArea, {.low = 0, .high = 1}, {.low = 0, .high = 1}, Theme::light);
  add_dot(figure, plot, {"a", 0, 0}, 0.25, 0.75, {1, 2, 3}, "a dot");
  add_dot(figure, plot, {"a", 0, 1}, 2, 0.5, {1, 2, 3}, "beyond");
  const Hit under = hit(figure, plot.at(0.25, 0.75));
  CHECK(under.id == "a[0,0]");
  CHECK(figure.find("a[0,1]") == nullptr);
}

TEST_CASE("ticks: the face that they are set in has every character of numbers as they are formatted") {
  REQUIRE(test::load_fonts());
  for (const double value : {1., -0.25, 3.2e-7, 9.8e45, 6.14e-150, 4096., -1e-300})
    for (const char32_t c : io::decode_utf8(io::format_short(value))) {
      CAPTURE(value);
      CHECK(text::covers(text::Face::mono, c));
      CHECK(text::covers(text::Face::mono_bold, c));
    }
}
