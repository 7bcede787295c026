// The laws of two fingers.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "app/app.h"
#include "app/input.h"
#include "app/page.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;

namespace {

// Sixteen words: a map without numbers.
struct Opened {
  App app = make_app();
  Page page;
  Pointer pointer;
  figure::Rect cells;

  Opened() {
    REQUIRE(test::load_fonts());
    app.width = 390;
    app.height = 1400;  // all of the map is seen
    app.touch = app.coarse = true;
    REQUIRE(open_link(app, "step=7&text=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p"));
    page = build_page(app, draw_stage(app));
    const figure::Element* map = page.figure.find("weights");
    REQUIRE(map != nullptr);
    cells = map->rect;
  }
  figure::Point at(float u, float v) const { return {cells.x + u * cells.w, cells.y + v * cells.h}; }
};

}  // namespace

TEST_CASE("pinch: twice as far apart shows half the rows and columns, and what was between the fingers stays there") {
  Opened o;
  const figure::Point at = o.at(0.28F, 0.72F);  // row 11, column 4
  pinched(o.app, o.page, o.pointer, at, 1);
  CHECK(o.app.zoom.rows == 0);
  for (const float factor : {1.05F, 1.3F, 1.7F, 2.F}) pinched(o.app, o.page, o.pointer, at, factor);
  CHECK(o.app.zoom.rows == 8);
  CHECK(o.app.zoom.columns == 8);
  const Page after = build_page(o.app, draw_stage(o.app));
  const figure::Element* map = after.figure.find("weights");
  REQUIRE(map != nullptr);
  const std::optional<figure::Rect> cell = figure::cell_rect(*map, 11, 4);
  REQUIRE(cell);
  CHECK(std::abs(cell->centre().x - at.x) < 1.5F * cell->w);
  CHECK(std::abs(cell->centre().y - at.y) < 1.5F * cell->h);
  for (const float factor : {1.5F, 1.F, 0.4F}) pinched(o.app, o.page, o.pointer, at, factor);
  CHECK(o.app.zoom.rows == 0);
}

TEST_CASE("pinch: fingers that move together move what is shown with them, never beyond its edge") {
  Opened o;
  pinched(o.app, o.page, o.pointer, o.at(0.5F, 0.5F), 1);
  pinched(o.app, o.page, o.pointer, o.at(0.5F, 0.5F), 2);
  const scenes::Zoom before = o.app.zoom;
  pinched(o.app, o.page, o.pointer, o.at(0.75F, 0.5F), 2);  // to the right: earlier columns come
  CHECK(o.app.zoom.column < before.column);
  CHECK(o.app.zoom.row == before.row);
  pinched(o.app, o.page, o.pointer, o.at(20, 20), 2);
  CHECK(o.app.zoom.column == 0);
  CHECK(o.app.zoom.row == 0);
}

TEST_CASE("pinch: what one finger had begun ends, and is no tap") {
  Opened o;
  const figure::Point at = o.at(0.5F, 0.5F);
  pointer_pressed(o.app, o.page, o.pointer, at);
  pinched(o.app, o.page, o.pointer, at, 1.5F);
  pinch_ended(o.pointer);
  pointer_released(o.app, o.page, o.pointer, at);
  CHECK(o.app.pinned.empty());
}

TEST_CASE("pinch: where nothing zooms nothing happens") {
  Opened o;
  pinched(o.app, o.page, o.pointer, {2, 2}, 3);
  CHECK(o.app.zoom.rows == 0);
  for (const float factor : {0.F, -1.F, std::numeric_limits<float>::quiet_NaN()}) {
    pinch_ended(o.pointer);
    pinched(o.app, o.page, o.pointer, o.at(0.5F, 0.5F), factor);
    CHECK(o.app.zoom.rows == 0);
  }
}
