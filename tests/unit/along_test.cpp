// The lamp in the reader's hand: along the words, and what is a word and what is its light.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <variant>

#include "app/app.h"
#include "app/input.h"
#include "app/page.h"
#include "scenes/common/sentence.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/app_support.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;
using namespace limelight::test;

namespace {

constexpr const char* kSteps[] = {"words", "glance"};

int query(const App& app) { return scenes::state_in<scenes::spotlight::State>(app.state).query; }

App opened(const std::string& link) {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, link));
  return app;
}

App fox(const std::string& step) { return opened("v=1&preset=fox&step=" + step); }

App phone() {
  App app = opened("v=1&preset=fox&step=words");
  app.width = 390;
  app.height = 844;
  app.touch = app.coarse = true;
  return app;
}

// The row of the weights that the light shows.
int asking(const App& app) {
  return std::get<figure::Light>(page_of(app).figure.find("stage.light")->shape).beams[0].row;
}

figure::Point word(const App& app, int number) { return centre_of(page_of(app), scenes::word_id(number)); }

}  // namespace

TEST_CASE("along: a mouse that is pressed on a word takes the lamp along, and where it is let go asks") {
  for (const char* step : kSteps) {
    App app = fox(step);
    const std::string before = link(app);
    Pointer pointer;
    pointer_pressed(app, page_of(app), pointer, word(app, 2));
    for (const int passed : {3, 5, 7}) {
      pointer_moved(app, page_of(app), pointer, word(app, passed));
      CHECK(asking(app) == passed);
      CHECK(link(app) == before);
    }
    // Beside the words, too.
    pointer_moved(app, page_of(app), pointer, {word(app, 8).x, app.height - 20});
    CHECK(asking(app) == 8);
    pointer_released(app, page_of(app), pointer, {word(app, 8).x, app.height - 20});
    CHECK(query(app) == 8);
    CHECK(asking(app) == 8);
    CHECK(app.undo_stack.size() == 1);
    undo(app);
    CHECK(query(app) == 4);
  }
}

TEST_CASE(
    "along: a word that is pointed at asks as long as the pointer is on it or on its light, which can be pressed") {
  for (const char* step : kSteps) {
    App app = fox(step);
    const std::string before = link(app);
    hover(app, scenes::word_id(8));
    REQUIRE(asking(app) == 8);
    // On its light, between its beams and on one of them.
    for (const char* id : {"stage.light", "weights[8,3]", "stage.light", "weights[8,0]"}) {
      hover(app, id);
      CHECK(asking(app) == 8);
    }
    CHECK(link(app) == before);
    hover(app, {});
    CHECK(asking(app) == 4);
    // Light of a word that the pointer does not come from keeps nothing; but where the map is, this is a cell of it.
    const int of_cell = step == std::string("glance") ? 8 : 4;
    hover(app, "weights[8,0]");
    CHECK(asking(app) == of_cell);
    hover(app, scenes::word_id(8));
    hover(app, "weights[4,0]");
    CHECK(asking(app) == 4);
    hover(app, "stage.light");
    CHECK(asking(app) == 4);
  }
}

TEST_CASE("along: a word asks no longer from its light once another query is chosen, or the pointer is elsewhere") {
  App app = fox("words");
  hover(app, scenes::word_id(8));
  hover(app, "weights[8,3]");
  REQUIRE(asking(app) == 8);
  REQUIRE(change(app, "query", "2"));
  CHECK(asking(app) == 2);
  hover(app, scenes::word_id(8));
  hover(app, "weights[8,3]");
  app.hovered.clear();  // its number is no more
  CHECK(asking(app) == 2);
  hover(app, {});
  hover(app, "weights[8,0]");
  CHECK(asking(app) == 2);
}

TEST_CASE("along: the lamp is dragged by a mouse and by a finger, and pressing it alone does nothing") {
  for (const bool finger : {false, true}) {
    App app = finger ? phone() : fox("words");
    Pointer pointer;
    const figure::Point lamp = centre_of(page_of(app), scenes::kLampId);
    pointer_pressed(app, page_of(app), pointer, lamp);
    pointer_released(app, page_of(app), pointer, lamp);
    CHECK(query(app) == 4);
    CHECK(app.notice.text.empty());
    const figure::Point to = word(app, 1);
    pointer_pressed(app, page_of(app), pointer, lamp);
    pointer_moved(app, page_of(app), pointer, finger ? figure::Point{lamp.x, to.y} : figure::Point{to.x, lamp.y});
    CHECK(asking(app) == 1);
    pointer_released(app, page_of(app), pointer, pointer.at);
    CHECK(query(app) == 1);
    CHECK(asking(app) == 1);
  }
}

TEST_CASE("along: on a phone a long sentence begins where its lamp is, and a tap moves nothing but the lamp") {
  std::string words = "scene=spotlight&v=2&preset=own&query=33&text=";
  for (int i = 0; i < 40; ++i) words += (i > 0 ? "+w" : "w") + std::to_string(i);
  for (const char* step : kSteps) {
    CAPTURE(step);
    App app = phone();
    REQUIRE(open_link(app, words + "&step=" + step));
    seek_lamp(app, draw_stage(app));
    const auto seen = [&](int number) {
      const Page page = page_of(app);
      return page.regions.stage.contains(centre_of(page, scenes::word_id(number)));
    };
    CHECK(seen(33));
    CHECK(page_of(app).regions.stage.contains(centre_of(page_of(app), scenes::kLampId)));
    const figure::Point tapped = word(app, 30), other = word(app, 34);
    Pointer pointer;
    pointer_pressed(app, page_of(app), pointer, tapped);
    pointer_released(app, page_of(app), pointer, tapped);
    CHECK(query(app) == 30);
    seek_lamp(app, draw_stage(app));
    CHECK(word(app, 34).y == doctest::Approx(other.y));
    // Nor does a word that is pointed at, whose light is only looked at.
    pointer_moved(app, page_of(app), pointer, word(app, 32));
    seek_lamp(app, draw_stage(app));
    CHECK(word(app, 34).y == doctest::Approx(other.y));
    pointer_left(app, pointer);
    REQUIRE(open_link(app, "scene=spotlight&v=2&preset=fox&step=words"));
    seek_lamp(app, draw_stage(app));
    CHECK(app.stage_scroll == 0);
  }
}

TEST_CASE("along: a finger on a word scrolls, a tap chooses") {
  App app = phone();
  app.height = 440;  // so low that there is something to scroll
  Pointer pointer;
  const figure::Point at = word(app, 3);
  pointer_pressed(app, page_of(app), pointer, at);
  pointer_moved(app, page_of(app), pointer, {at.x, at.y - 60});
  pointer_released(app, page_of(app), pointer, {at.x, at.y - 60});
  CHECK(query(app) == 4);
  CHECK(app.stage_scroll > 0);
  const figure::Point tapped = word(app, 3);
  pointer_pressed(app, page_of(app), pointer, tapped);
  pointer_released(app, page_of(app), pointer, tapped);
  CHECK(query(app) == 3);
}

TEST_CASE("along: a release that was not heard leaves the query as it was") {
  App app = fox("words");
  Pointer pointer;
  pointer_pressed(app, page_of(app), pointer, word(app, 2));
  pointer_moved(app, page_of(app), pointer, word(app, 6));
  pointer_cancelled(app, page_of(app), pointer);
  CHECK(query(app) == 4);
}

TEST_CASE("along: from a word that asks a straight way leads to each percentage, and no other word asks on it") {
  for (const char* step : kSteps) {
    CAPTURE(step);
    App app = fox(step);
    const Page page = page_of(app);
    for (const int to : {3, 5}) {
      CAPTURE(to);
      Pointer pointer;
      const figure::Point from = word(app, 4), share = centre_of(page, "stage.share." + std::to_string(to));
      for (int i = 0; i <= 40; ++i) {
        const figure::Point at = mix(from, share, static_cast<float>(i) / 40);
        pointer_moved(app, page_of(app), pointer, at);
        REQUIRE(asking(app) == 4);
      }
      CHECK(app.hovered == "weights[4," + std::to_string(to) + "]");
    }
  }
}

TEST_CASE("along: over a sentence the wheel scrolls") {
  App app = fox("words");
  Pointer pointer;
  pointer_moved(app, page_of(app), pointer, word(app, 2));
  wheel_turned(app, page_of(app), pointer, -1);
  CHECK(query(app) == 4);
}

TEST_CASE("light: just above a word its beam is pointed at, on it the word") {
  for (const char* step : kSteps) {
    App app = fox(step);
    const Page page = page_of(app);
    const auto& beams = std::get<figure::Light>(page.figure.find("stage.light")->shape).beams;
    Pointer pointer;
    for (const int lit : {3, 5}) {
      const figure::Rect letters = page.figure.find(scenes::word_id(lit) + ".text")->rect;
      pointer_moved(app, page, pointer, letters.centre());
      CHECK(app.hovered == scenes::word_id(lit));
      const figure::Light::Beam& beam = beams[static_cast<std::size_t>(lit)];
      const float y = page.figure.find(scenes::word_id(lit))->rect.y - 4,
                  share = (y - beam.from.y) / (beam.to.y - beam.from.y);
      pointer_moved(app, page, pointer, figure::mix(beam.from, beam.to, share));
      CHECK(app.hovered == "weights[4," + std::to_string(lit) + "]");
    }
  }
}

TEST_CASE("light: a percentage is dragged like its weight, and the others of its row make room") {
  for (const char* step : kSteps) {
    App app = fox(step);
    const figure::Point at = centre_of(page_of(app), "stage.share.0");
    Pointer pointer;
    pointer_pressed(app, page_of(app), pointer, at);
    pointer_moved(app, page_of(app), pointer, {at.x, at.y - 60});
    pointer_released(app, page_of(app), pointer, {at.x, at.y - 60});
    const auto row = app.trace.at("weights").values.row(4);
    CHECK(row(0) == doctest::Approx(0.22).epsilon(0.05));
    CHECK(row.sum() == doctest::Approx(1).epsilon(1e-6));
    CHECK(app.undo_stack.size() == 1);
  }
}

TEST_CASE("typing: a weight is typed over its percentage where no matrix shows it") {
  App app = fox("words");
  pin(app, "weights[4,7]");
  CHECK(character_typed(app, page_of(app), U'.'));
  const Page page = page_of(app);
  REQUIRE(page.inputs.size() == 2);
  CHECK(lie_over(page.inputs.back().rect, page.figure.find("stage.share.7")->rect));
}

TEST_CASE("glance: an arc that is pointed at says whose weight it is, in the map too, and its word asks") {
  App app = fox("glance");
  const Page page = page_of(app);
  const figure::Element* arc = page.figure.find("stage.arc.7.8");
  REQUIRE(arc != nullptr);
  const auto& ribbon = std::get<figure::Ribbon>(arc->shape);
  const std::size_t middle = ribbon.one.size() / 2;
  Pointer pointer;
  pointer_moved(app, page, pointer, figure::mix(ribbon.one[middle], ribbon.other[middle], 0.5F));
  CHECK(app.hovered == "weights[7,8]");
  const Page now = page_of(app);
  CHECK(now.figure.find("outline.weights.7.8") != nullptr);
  const auto told = [](const Page& looked_at, const char* id) {
    return std::get<figure::Text>(looked_at.figure.find(id)->shape).text;
  };
  CHECK(told(now, "weights.looked.share") == scenes::share_text(app.trace.at("weights").values(7, 8)));
  CHECK(told(now, "weights.looked.words") == "lazy → dog");
  // Its word asks, and the arc stays under the pointer.
  CHECK(asking(app) == 7);
  CHECK(now.figure.find("stage.arc.7.8") != nullptr);
}

TEST_CASE("glance: while a row of the map or its name is pointed at its word asks, in the view only") {
  App app = fox("glance");
  Pointer pointer;
  for (const int row : {0, 2, 8}) {
    pointer_moved(app, page_of(app), pointer, centre_of(page_of(app), "weights.row." + std::to_string(row)));
    CHECK(asking(app) == row);
    const Page page = page_of(app);
    pointer_moved(app, page, pointer, figure::cell_rect(*page.figure.find("weights"), row, 1)->centre());
    CHECK(asking(app) == row);
  }
  pointer_moved(app, page_of(app), pointer, {600, 790});
  CHECK(asking(app) == 4);
  CHECK(query(app) == 4);
}

TEST_CASE("glance: the word of the map's row that is pointed at asks, in the view only, as long as it is") {
  App app = fox("glance");
  const std::string before = link(app);
  const int moved = app.lamp_revision;
  hover(app, "weights[0,1]");
  CHECK(asking(app) == 0);
  CHECK(app.lamp_revision == moved + 1);  // the lamp goes there
  hover(app, "weights[0,2]");
  CHECK(app.lamp_revision == moved + 1);  // and is there
  CHECK(link(app) == before);
  CHECK(app.undo_stack.empty());
  hover(app, {});
  CHECK(asking(app) == 4);
  CHECK(app.lamp_revision == moved + 2);
}

TEST_CASE("light: a weight that the narration names shines while the others are dimmed, its percentage is outlined") {
  App app = fox("words");
  const auto light = [&] { return std::get<figure::Light>(page_of(app).figure.find("stage.light")->shape); };
  const figure::Light before = light();
  hover(app, "weights[4,3]");
  const figure::Light after = light();
  CHECK(after.beams[3].intensity == before.beams[3].intensity);
  CHECK(after.beams[5].intensity < before.beams[5].intensity);
  CHECK(page_of(app).figure.find("stage.share.3.ring") != nullptr);
  CHECK(page_of(app).figure.find("stage.share.5.ring") == nullptr);
}

TEST_CASE("stage: the floor and its light reach the ground's edge, also beside the folded inspector") {
  for (const char* step : kSteps) {
    const App app = fox(step);
    const Page page = page_of(app);
    const float end = page.regions.ground.right();  // the window's edge, or the open inspector
    const figure::Element* edge = page.figure.find("stage.floor.edge");
    REQUIRE(edge != nullptr);
    CHECK(std::get<figure::Line>(edge->shape).points.back().x >= end - 0.5F);
    CHECK(edge->clip->right() >= end - 0.5F);
    CHECK(page.figure.find("stage.light")->clip->right() >= end - 0.5F);
  }
}

TEST_CASE(
    "glance: while a word of the narration is pointed at the narration stays, and the lamp goes to what it means") {
  App app = fox("glance");
  const auto told = [&app] {
    std::string words;
    for (const figure::Element& element : page_of(app).figure.elements)
      if (const auto* text = std::get_if<figure::Text>(&element.shape);
          text != nullptr && element.id.starts_with("shell.narration"))
        words += text->text + " ";
    return words;
  };
  const std::string before = told();
  REQUIRE(!before.empty());
  std::string meant;  // a weight of another word's row
  figure::Point at;
  for (const figure::Element& element : page_of(app).figure.elements) {
    if (!element.edit || element.edit->field != "point") continue;
    const std::optional<figure::Source> cell = figure::parse_cell_id(element.edit->value);
    if (cell && cell->row != 4) meant = element.edit->value, at = element.rect.centre();
  }
  REQUIRE(!meant.empty());
  Pointer pointer;
  for (const float x : {-1.F, 0.F, 1.F}) {
    pointer_moved(app, page_of(app), pointer, {at.x + x, at.y});
    CHECK(app.hovered == meant);
    CHECK(asking(app) == figure::parse_cell_id(meant)->row);
    CHECK(told() == before);
  }
}
