// What hands do to what is shown: pressing, dragging, zooming, pinning, typing.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/app.h"
#include "app/commands.h"
#include "app/input.h"
#include "app/page.h"
#include "scenes/place.h"
#include "scenes/sentence/read.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/app_support.h"
#include "unit/fonts.h"
#include "unit/models.h"
#include "unit/scenes/translate_support.h"
#include "unit/swept.h"

using namespace limelight;
using namespace limelight::app;
using namespace limelight::test;

namespace {

void click(App& app, Pointer& pointer, figure::Point at) {
  pointer_pressed(app, page_of(app), pointer, at);
  pointer_released(app, page_of(app), pointer, at);
}

figure::Point cell_centre(const Page& page, const std::string& tensor, int row, int column) {
  const figure::Element* cells = page.figure.find(tensor);
  REQUIRE(cells != nullptr);
  return figure::cell_rect(*cells, row, column)->centre();
}

}  // namespace

TEST_CASE(
    "handle: dragging it sets two cells to where the frame's axes say it is, and undo takes the drag back whole") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "step", "2"));
  Page page = page_of(app);
  const figure::Rect frame{400, 300, 200, 100};
  page.figure.add(
      {.id = "point",
       .role = figure::Role::handle,
       .rect = {490, 340, 20, 20},
       .edit = figure::Edit{
           .field = "X",
           .plane = figure::Edit::Plane{.frame = frame, .x_low = -1, .x_high = 1, .y_low = 0, .y_high = 2, .row = 1}}});
  Pointer pointer;
  pointer_pressed(app, page, pointer, {500, 350});
  for (const figure::Point at : {figure::Point{520, 350}, {550, 325}, {900, 100}}) {
    pointer_moved(app, page, pointer, at);
    const float x = std::clamp((at.x - 400) / 100 - 1, -1.F, 1.F), y = std::clamp((400 - at.y) / 50, 0.F, 2.F);
    CHECK(app.trace.at("X").values(1, 0) == doctest::Approx(x).epsilon(0.02));
    CHECK(app.trace.at("X").values(1, 1) == doctest::Approx(y).epsilon(0.02));
  }
  pointer_released(app, page, pointer, {900, 100});
  CHECK(app.undo_stack.size() == 1);
  undo(app);
  CHECK_FALSE(differs_from_example(app));
  // A click is no drag.
  pointer_pressed(app, page, pointer, {500, 350});
  pointer_released(app, page, pointer, {500, 350});
  CHECK_FALSE(differs_from_example(app));
}

TEST_CASE("handle: in the page, what is grasped beside its middle moves as far as the hand, and a click chooses it") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "scene=caption&objects=big+red+circle+20+40;small+blue+square+47+20"));
  const Page page = page_of(app);
  const figure::Element* picture = page.figure.find("picture");
  const figure::Element* handle = page.figure.find("object.1");
  REQUIRE(picture != nullptr);
  REQUIRE(handle != nullptr);
  const float pixel = picture->rect.w / 64;
  const figure::Point middle = handle->rect.centre(), grasped{middle.x + 5, middle.y - 7};
  CHECK(std::abs(middle.x - picture->rect.x - 47 * pixel) < 0.1F);
  CHECK(std::abs(middle.y - picture->rect.y - 20 * pixel) < 0.1F);
  Pointer pointer;
  pointer_pressed(app, page, pointer, grasped);
  pointer_moved(app, page, pointer, {grasped.x - 10 * pixel, grasped.y + 12 * pixel});
  pointer_released(app, page, pointer, {grasped.x - 10 * pixel, grasped.y + 12 * pixel});
  CHECK(app.trace.at("at").values(1, 0) == 37);
  CHECK(app.trace.at("at").values(1, 1) == 32);
  CHECK(app.undo_stack.size() == 1);
  const figure::Element* other = page.figure.find("object.0");
  REQUIRE(other != nullptr);
  const Matrix before = app.trace.at("at").values;
  pointer_pressed(app, page, pointer, other->rect.centre());
  pointer_released(app, page, pointer, other->rect.centre());
  CHECK(page_of(app).figure.find("object.0.chosen") != nullptr);
  CHECK(app.trace.at("at").values == before);
}

TEST_CASE("brush: it paints where it is pressed and where it goes, a stroke from press to release") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "scene=caption&preset=empty&tool=paint&ink=black"));
  const figure::Rect picture = page_of(app).figure.find("brush")->rect;
  const float pixel = picture.w / 64;
  const auto at = [&](float x, float y) { return figure::Point{picture.x + x * pixel, picture.y + y * pixel}; };
  for (const float y : {10.F, 50.F}) {
    const Page page = page_of(app);
    Pointer pointer;
    pointer_pressed(app, page, pointer, at(10, y));
    pointer_moved(app, page, pointer, at(40, y));
    pointer_released(app, page, pointer, at(40, y));
  }
  const Matrix& painted = app.trace.at("picture").values;
  CHECK(painted(10 * 64 + 25, 0) == 0);
  CHECK(painted(50 * 64 + 25, 0) == 0);
  CHECK(painted(30 * 64 + 25, 0) == 0.5F);  // no line from the one stroke to the other
  CHECK(app.undo_stack.size() == 2);
  undo(app);
  CHECK(app.trace.at("picture").values(50 * 64 + 25, 0) == 0.5F);
}

TEST_CASE("pointer: what is dragged is let go when the release was not heard, and that is no click") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "step", "3"));
  const figure::Point at = cell_centre(page_of(app), "W_q", 1, 2);
  Pointer pointer;
  pointer_pressed(app, page_of(app), pointer, at);
  pointer_moved(app, page_of(app), pointer, {at.x, at.y - 30});
  const std::string dragged = link(app);
  pointer_cancelled(app, page_of(app), pointer);
  pointer_moved(app, page_of(app), pointer, {at.x, at.y - 60});
  CHECK(link(app) == dragged);
  CHECK_FALSE(app.in_gesture);
  pointer_pressed(app, page_of(app), pointer, centre_of(page_of(app), "shell.step.5"));
  pointer_cancelled(app, page_of(app), pointer);
  CHECK(app.place.step == 3);
}

TEST_CASE("pointer: a click pins a cell, Escape unpins it, and only then leaves") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "step", "7"));
  Pointer pointer;
  click(app, pointer, cell_centre(page_of(app), "weights", 0, 2));
  CHECK(app.pinned == "weights[0,2]");
  key_pressed(app, page_of(app), Key::left);
  CHECK(app.pinned == "weights[0,1]");
  key_pressed(app, page_of(app), Key::escape);
  CHECK(app.pinned.empty());
  CHECK_FALSE(app.wish_leave);
  key_pressed(app, page_of(app), Key::escape);
  CHECK(app.wish_leave);
}

TEST_CASE("pointer: dragging a cell up makes it larger, and one undo takes the whole drag back") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "preset=coffee"));
  REQUIRE(changed_to(app, "step", "3"));
  const std::string before = link(app);
  const figure::Point at = cell_centre(page_of(app), "W_q", 1, 2);
  Pointer pointer;
  pointer_pressed(app, page_of(app), pointer, at);
  for (int dy = 6; dy <= 30; dy += 6) pointer_moved(app, page_of(app), pointer, {at.x, at.y - static_cast<float>(dy)});
  pointer_released(app, page_of(app), pointer, {at.x, at.y - 30});
  CHECK(app.trace.at("W_q").values(1, 2) == doctest::Approx(0.1 + 0.01 * 10));  // a hundredth for every three pixels
  CHECK(app.undo_stack.size() == 1);
  undo(app);
  pin(app, {});
  CHECK(link(app) == before);
}

TEST_CASE("pointer: a weight that is dragged leaves its row's sum at 1") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "preset=coffee"));
  REQUIRE(changed_to(app, "step", "7"));
  const figure::Point at = cell_centre(page_of(app), "weights", 1, 1);
  Pointer pointer;
  pointer_pressed(app, page_of(app), pointer, at);
  pointer_moved(app, page_of(app), pointer, {at.x, at.y - 90});
  pointer_released(app, page_of(app), pointer, {at.x, at.y - 90});
  CHECK(app.trace.at("weights").values(1, 1) > 0.6F);
  CHECK(app.trace.at("weights").values.row(1).sum() ==
        doctest::Approx(1).epsilon(1e-6));  // float rounding of three terms
}

TEST_CASE("pointer: a weight is dragged as far as those set by hand leave room, and no drag is refused") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "step=7&weights=0.0:0.5"));
  const auto drag_up = [&app](int column, float by) {
    const figure::Point at = cell_centre(page_of(app), "weights", 0, column);
    Pointer pointer;
    pointer_pressed(app, page_of(app), pointer, at);
    for (const float share : {0.5F, 1.F}) pointer_moved(app, page_of(app), pointer, {at.x, at.y - by * share});
    pointer_released(app, page_of(app), pointer, {at.x, at.y - by});
    CHECK(app.notice.text == "");
    CHECK(app.trace.at("weights").values.row(0).sum() == doctest::Approx(1));
  };
  drag_up(1, 3000);
  CHECK(app.trace.at("weights").values(0, 1) == doctest::Approx(0.5));
  REQUIRE(changed_to(app, "weights", "0.1:0.3"));
  pin(app, {});
  const std::string before = link(app);
  drag_up(2, 300);  // the last one is what is left
  drag_up(2, -300);
  pin(app, {});
  CHECK(link(app) == before);
  REQUIRE(changed_to(app, "weights", "0.1:"));
  REQUIRE(changed_to(app, "mask", "causal") == false);
}

TEST_CASE("weights by hand: what is refused says how to go on") {
  App app = make_app();
  REQUIRE(open_link(app, "step=7&weights=0.0:0.5,0.1:0.3"));
  const Result<void> last = change(app, "weights", "0.2:0.19");
  REQUIRE_FALSE(last);
  CHECK(last.error().message.find("Empty another cell") != std::string::npos);
  const Result<void> mask = change(app, "mask", "causal");
  REQUIRE_FALSE(mask);
  CHECK(mask.error().message.find("weights[she, likes]") != std::string::npos);
  CHECK(mask.error().message.find("delete its number") != std::string::npos);
  REQUIRE(changed_to(app, "weights", "0.1:"));
  REQUIRE(changed_to(app, "weights", "0.0:"));
  CHECK(changed_to(app, "mask", "causal"));
}

TEST_CASE("pointer: a finger scrolls over cells that it has not selected") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "preset=coffee"));
  app.width = 390;
  app.height = 560;
  app.touch = true;
  REQUIRE(changed_to(app, "step", "3"));
  const std::string before = link(app);
  const figure::Point at = cell_centre(page_of(app), "W_q", 0, 0);
  Pointer pointer;
  pointer_pressed(app, page_of(app), pointer, at);
  pointer_moved(app, page_of(app), pointer, {at.x, at.y - 40});
  pointer_released(app, page_of(app), pointer, {at.x, at.y - 40});
  CHECK(link(app) == before);
  CHECK(app.stage_scroll > 30);
}

TEST_CASE("wheel: over a transposed matrix too it is the place under the pointer that stays") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  Result<std::any> encoder =
      scenes::trained::kEncoder.read(test::model_bytes(scenes::trained::kEncoder.name), scenes::trained::kEncoder.name);
  REQUIRE(encoder);
  app.resources.emplace(scenes::trained::kEncoder.name, std::move(*encoder));
  app.width = 400;  // too narrow for numbers in the cells
  app.height = 2000;
  REQUIRE(open_link(app, "scene=sentence&preset=pronoun&step=swap&instead=wide"));
  const figure::Figure figure = page_of(app).figure;
  const auto strip = std::ranges::find_if(figure.elements, [](const figure::Element& element) {
    const auto* map = std::get_if<figure::Heatmap>(&element.shape);
    return map != nullptr && map->zooms && map->transposed;
  });
  REQUIRE(strip != figure.elements.end());
  const figure::CellRange range = std::get<figure::Heatmap>(strip->shape).range;
  Pointer pointer;
  pointer_moved(app, page_of(app), pointer, {strip->rect.x + 0.95F * strip->rect.w, strip->rect.centre().y});
  for (int i = 0; i < 6; ++i) wheel_turned(app, page_of(app), pointer, 1);
  REQUIRE(app.zoom.tensor == range.tensor);
  CHECK(app.zoom.row > range.rows / 2);  // its rows run to the right
  CHECK(app.zoom.row + app.zoom.rows == range.rows);
}

TEST_CASE("zoom: its buttons stand beside what can be zoomed into, and over no words, on a phone too") {
  REQUIRE(test::load_fonts());
  const test::Models models;
  int buttons = 0;
  for (const auto& [scene, preset] : {std::pair("translate", "agreement"), std::pair("translate", "committee"),
                                      std::pair("train", "reverse"), std::pair("train", "copy")})
    for (int step = 1; step <= static_cast<int>(scenes::find(scene)->steps().size()); ++step) {
      CAPTURE(scene);
      CAPTURE(preset);
      CAPTURE(step);
      App app = make_app();
      app.width = 360;
      app.height = 740;
      app.touch = true;
      app.resources = models.resources;
      REQUIRE(change(app, {{"scene", scene},
                           {"preset", preset},
                           {"step", std::string(scenes::step_at(*scenes::find(scene), {step}).id)}}));
      const figure::Figure page = page_of(app).figure;
      for (const figure::Element& button : page.elements) {
        if (!button.id.starts_with("shell.zoom.in.")) continue;
        ++buttons;
        for (const figure::Element& other : page.elements) {
          if (other.id.starts_with("shell.") || other.rect.w == 0) continue;
          CAPTURE(other.id);
          const bool drawn =
              std::holds_alternative<figure::Text>(other.shape) || std::holds_alternative<figure::Heatmap>(other.shape);
          const figure::Rect &a = button.rect, &b = other.rect;
          CHECK_FALSE((drawn && a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()));
        }
      }
    }
  CHECK(buttons > 0);
}

TEST_CASE("zoom: each button that zooms in changes what the figure shows, in every scene") {
  REQUIRE(test::load_fonts());
  const test::Models models;
  int buttons = 0;
  for (const scenes::SceneDef* scene : test::swept())
    for (int step = 1; step <= static_cast<int>(scene->steps().size()); ++step) {
      CAPTURE(scene->id);
      CAPTURE(step);
      App app = make_app();
      app.width = 360;
      app.height = 3000;  // all of it is seen
      app.touch = true;
      app.resources = models.resources;
      REQUIRE(
          change(app, {{"scene", std::string(scene->id)}, {"step", std::string(scenes::step_at(*scene, {step}).id)}}));
      for (const figure::Element& button : page_of(app).figure.elements) {
        if (button.role != figure::Role::button || !button.id.starts_with("shell.zoom.in.")) continue;
        CAPTURE(button.id);
        ++buttons;
        App pressed = make_app();
        pressed.width = app.width;
        pressed.height = app.height;
        pressed.touch = true;
        pressed.resources = models.resources;
        REQUIRE(change(pressed,
                       {{"scene", std::string(scene->id)}, {"step", std::string(scenes::step_at(*scene, {step}).id)}}));
        const std::string tensor = button.id.substr(std::string_view("shell.zoom.in.").size());
        const auto ranges = [&] {
          std::vector<std::array<int, 4>> shown;
          for (const figure::Element& element : page_of(pressed).figure.elements)
            if (const auto* heatmap = std::get_if<figure::Heatmap>(&element.shape))
              if (const figure::CellRange& range = heatmap->range; range.tensor == tensor)
                shown.push_back({range.row, range.column, range.rows, range.columns});
          return shown;
        };
        const auto before = ranges();
        Pointer pointer;
        click(pressed, pointer, button.rect.centre());
        CHECK(pressed.zoom.tensor == tensor);
        CHECK(ranges() != before);
      }
    }
  CHECK((buttons > 0 || !test::sweeps_all()));
}

TEST_CASE("wheel: zooms a matrix whose numbers have no room around the pointer, and back to all of it") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  std::string words;
  for (int i = 0; i < 60; ++i) words += "+w" + std::to_string(i);
  REQUIRE(open_link(app, "step=9&preset=own&text=" + words.substr(1)));
  Pointer pointer;
  // Where the query's row lies over the map, too.
  pointer_moved(app, page_of(app), pointer, cell_centre(page_of(app), "weights", 5, 10));
  for (int i = 0; i < 6; ++i) wheel_turned(app, page_of(app), pointer, 1);
  REQUIRE(app.zoom.rows > 0);
  CHECK(app.zoom.columns < 30);
  CHECK(app.zoom.row <= 5);
  CHECK(app.zoom.row + app.zoom.rows > 5);
  CHECK(app.zoom.column <= 10);
  CHECK(app.zoom.column + app.zoom.columns > 10);
  for (int i = 0; i < 20; ++i) wheel_turned(app, page_of(app), pointer, -1);
  CHECK(app.zoom.rows == 0);
}

TEST_CASE("typing: a digit over a pinned cell opens an input that holds it; over other numbers it does nothing") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "step=3&pin=W_q%5B0%2C1%5D"));
  CHECK(character_typed(app, page_of(app), U'7'));
  const Page page = page_of(app);
  REQUIRE(page.inputs.size() == 2);
  CHECK(page.inputs[1].begun == "7");
  CHECK(page.inputs[1].cell == "0.1");
  REQUIRE(open_link(app, "step=5&pin=scores%5B0%2C1%5D"));
  app.typing.reset();
  CHECK_FALSE(character_typed(app, page_of(app), U'7'));
}

TEST_CASE("typing: a cell takes exactly one number, whatever a link could hold there") {
  App app = make_app();
  const Matrix before = app.trace.at("X").values;
  for (const std::string text : {"0.5,0.0:9", "-0,5", "0.5 0.0:9", "0:9", "two", "1e999", "2000", "0.5,"}) {
    CAPTURE(text);
    const std::string answer = call(app, "cell", "X 1.2 " + text);
    CHECK(answer.find("\"ok\":false") != std::string::npos);
    CHECK(answer.find("row.column") == std::string::npos);
    CHECK(app.trace.at("X").values == before);
  }
  CHECK(call(app, "cell", "X 1.2 -0,5").find("with a point") != std::string::npos);
  CHECK(call(app, "cell", "X 1.2  0.5 ").find("\"ok\":true") != std::string::npos);
  CHECK(app.trace.at("X").values(1, 2) == 0.5F);
  CHECK(call(app, "cell", "X 1.2 ").find("\"ok\":true") != std::string::npos);  // the example's number again
  CHECK(app.trace.at("X").values == before);
}

TEST_CASE("pin: a number of a query's row makes that token the query, by click, arrow key, arc, script and link") {
  REQUIRE(test::load_fonts());
  const auto query = [](const App& app) { return scenes::state_in<scenes::spotlight::State>(app.state).query; };
  App app = make_app();
  REQUIRE(changed_to(app, "step", "7"));
  Pointer pointer;
  click(app, pointer, cell_centre(page_of(app), "weights", 1, 2));
  CHECK(app.pinned == "weights[1,2]");
  CHECK(query(app) == 1);
  key_pressed(app, page_of(app), Key::down);
  CHECK(app.pinned == "weights[2,2]");
  CHECK(query(app) == 2);
  call(app, "pin", "output[0,1]");
  CHECK(query(app) == 0);
  call(app, "pin", "K[2,1]");  // a key is no query
  CHECK(query(app) == 0);
  REQUIRE(open_link(app, "step=7&pin=weights%5B1%2C2%5D"));
  CHECK(query(app) == 1);
  REQUIRE(open_link(app, "step=7&pin=weights%5B1%2C2%5D&query=2"));
  CHECK(query(app) == 2);
}

TEST_CASE("light: pointing at a beam shows its weight, a click keeps it") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "preset", "fox"));
  REQUIRE(changed_to(app, "step", "1"));
  const Page page = page_of(app);
  const figure::Element* light = page.figure.find("stage.light");
  REQUIRE(light != nullptr);
  const auto& beams = std::get<figure::Light>(light->shape).beams;
  const auto at = [&](std::size_t j) { return figure::mix(beams[j].from, beams[j].to, 0.3F); };
  Pointer pointer;
  pointer_moved(app, page, pointer, at(3));
  CHECK(app.hovered == "weights[4,3]");
  pointer_moved(app, page, pointer, at(5));
  CHECK(app.hovered == "weights[4,5]");
  click(app, pointer, at(3));
  CHECK(app.pinned == "weights[4,3]");
}

TEST_CASE("light: a word that the pointer is on asks, and nothing of the state changes") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "preset", "fox"));
  const Page page = page_of(app);
  const std::string before = link(app);
  const std::size_t steps = app.undo_stack.size();
  const auto middle = [&](const char* id) { return page.figure.find(id)->rect.centre(); };
  const auto asking = [&] {
    const Page now = page_of(app);
    return std::get<figure::Light>(now.figure.find("stage.light")->shape).beams[0].row;
  };
  Pointer pointer;
  CHECK(asking() == 4);
  const int moved = app.lamp_revision;
  pointer_moved(app, page, pointer, middle("stage.word.7"));
  CHECK(asking() == 7);
  CHECK(app.lamp_revision == moved + 1);
  CHECK(link(app) == before);
  CHECK(app.undo_stack.size() == steps);
  pointer_moved(app, page, pointer, {middle("stage.word.7").x, page.regions.stage.y + 6});
  CHECK(asking() == 4);
  click(app, pointer, middle("stage.word.7"));
  pointer_moved(app, page, pointer, {middle("stage.word.7").x, page.regions.stage.y + 6});
  CHECK(asking() == 7);
  CHECK(app.undo_stack.size() == steps + 1);
}

TEST_CASE("typing: a number that is refused is repeated as it was typed") {
  App app = make_app();
  CHECK(call(app, "cell", "X 1.2 1e9").find("\\\"1e9\\\"") != std::string::npos);
  CHECK(call(app, "set", "temperature=1e9").find("\\\"1e9\\\"") != std::string::npos);
}

TEST_CASE("a click on a word chooses the query, and every number that follows is its row") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "preset=coffee"));
  REQUIRE(changed_to(app, "step", "7"));
  Pointer pointer;
  click(app, pointer, centre_of(page_of(app), "weights.row.2"));
  const scenes::View view = view_of(app, 756, 592);
  CHECK(app.scene->narrate(app.state, app.trace, view).find("For **coffee") != std::string::npos);
}

TEST_CASE("tap: only the tap is held, and it goes back when the pointer is lost or another step comes") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "scene=layer&step=self"));
  Pointer pointer;
  const auto middle = [&](std::string_view id) { return page_of(app).figure.find(id)->rect.centre(); };
  const auto take = [&](std::string_view id, figure::Point to) {
    pointer_pressed(app, page_of(app), pointer, middle(id));
    pointer_moved(app, page_of(app), pointer, to);
  };
  const figure::Point nowhere{1000, 560};
  take("Z.empty", nowhere);  // which only takes what is dropped
  CHECK_FALSE(app.held);
  pointer_cancelled(app, page_of(app), pointer);
  take("tap.query", nowhere);
  CHECK(app.held);
  pointer_cancelled(app, page_of(app), pointer);
  CHECK_FALSE(app.held);
  take("tap.query", nowhere);
  REQUIRE(changed_to(app, "step", "cross"));
  CHECK_FALSE(app.held);
  pointer_released(app, page_of(app), pointer, nowhere);
  CHECK(scenes::write_place(*app.scene, app.place) == "cross");
  take("tap.query", middle("X.strip"));
  pointer_released(app, page_of(app), pointer, middle("X.strip"));
  CHECK(scenes::write_place(*app.scene, app.place) == "self");
  take("tap.query", middle("Z.empty"));
  pointer_released(app, page_of(app), pointer, middle("Z.empty"));
  CHECK(scenes::write_place(*app.scene, app.place) == "cross");
}
