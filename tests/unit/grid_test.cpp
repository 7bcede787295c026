// Rectangles that are cut out of one lie in it, beside or below each other, and are together as large as it.
#include <doctest/doctest.h>

#include <vector>

#include "figure/grid.h"

using namespace limelight::figure;

namespace {

constexpr Rect kWhole{30, 40, 610, 420};

bool inside(Rect part, Rect whole) {
  constexpr float rounding = 1e-3F;
  return part.x >= whole.x - rounding && part.y >= whole.y - rounding && part.right() <= whole.right() + rounding &&
         part.bottom() <= whole.bottom() + rounding;
}
void check_apart(const std::vector<Rect>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(overlap(parts[i], parts[j]));
}

}  // namespace

TEST_CASE("a grid fills its rectangle, row by row, with equal cells") {
  for (const int columns : {1, 2, 3, 7})
    for (const int rows : {1, 2, 5}) {
      const std::vector<Rect> cells = grid(kWhole, columns, rows, {.across = 12, .down = 8});
      REQUIRE(cells.size() == static_cast<std::size_t>(columns * rows));
      check_apart(cells);
      for (const Rect& cell : cells) {
        CHECK(inside(cell, kWhole));
        CHECK(cell.w == cells.front().w);
        CHECK(cell.h == cells.front().h);
      }
      CHECK(cells.front().x == kWhole.x);
      CHECK(cells.front().y == kWhole.y);
      CHECK(cells.back().right() == doctest::Approx(kWhole.right()));
      CHECK(cells.back().bottom() == doctest::Approx(kWhole.bottom()));
      CHECK(static_cast<float>(columns) * cells.front().w + 12 * static_cast<float>(columns - 1) ==
            doctest::Approx(kWhole.w));
      CHECK(static_cast<float>(rows) * cells.front().h + 8 * static_cast<float>(rows - 1) == doctest::Approx(kWhole.h));
      if (columns > 1) {
        CHECK(cells[1].y == cells[0].y);
        CHECK(cells[1].x - cells[0].right() == doctest::Approx(12));
      }
      if (rows > 1) CHECK(cells[static_cast<std::size_t>(columns)].y - cells[0].bottom() == doctest::Approx(8));
    }
}

TEST_CASE("what stands side by side stands below each other where it is compact") {
  const std::vector<Rect> wide = beside(kWhole, 3, {.across = 10}, false),
                          narrow = beside(kWhole, 3, {.down = 10}, true);
  REQUIRE(wide.size() == 3);
  REQUIRE(narrow.size() == 3);
  check_apart(wide);
  check_apart(narrow);
  CHECK(wide.back().right() == doctest::Approx(kWhole.right()));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(inside(wide[i], kWhole));
    CHECK(wide[i].h == kWhole.h);
    CHECK(narrow[i].x == kWhole.x);
    CHECK(narrow[i].y == kWhole.y + static_cast<float>(i) * (kWhole.h + 10));
    CHECK(narrow[i].w == kWhole.w);
    CHECK(narrow[i].h == kWhole.h);
  }
}

TEST_CASE("rows are as high as they are said to be, and as wide as the rectangle") {
  const std::vector<float> heights{20, 0, 130.5F};
  const std::vector<Rect> made = rows(kWhole, 6, heights);
  REQUIRE(made.size() == heights.size());
  check_apart(made);
  CHECK(made.front().y == kWhole.y);
  for (std::size_t i = 0; i < made.size(); ++i) {
    CHECK(made[i].x == kWhole.x);
    CHECK(made[i].w == kWhole.w);
    CHECK(made[i].h == heights[i]);
    if (i > 0) CHECK(made[i].y == made[i - 1].bottom() + 6);
  }
  CHECK(rows(kWhole, 6, {}).empty());
}
