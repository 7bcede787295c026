// The laws of the opening: it shows what the first scene computes, changes nothing, and is left by every way there is.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/commands.h"
#include "app/opening.h"
#include "scenes/common/sentence.h"
#include "scenes/scene.h"
#include "unit/app_support.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;
using namespace limelight::test;

namespace {

App opened() {
  REQUIRE(load_fonts());
  App app = make_app();
  open_opening(app);
  return app;
}

std::string text_of(const Page& page, std::string_view id) {
  const figure::Element* const element = page.figure.find(id);
  REQUIRE(element != nullptr);
  return std::get<figure::Text>(element->shape).text;
}

}  // namespace

TEST_CASE("opening: each word has the weight that the scene computes for it") {
  App app = opened();
  const App plain = make_app();
  const Matrix& weights = plain.trace.at("weights").values;
  for (int word = 0; word < weights.rows(); ++word) {
    hover(app, scenes::word_id(word));
    const Page page = page_of(app);
    for (int key = 0; key < weights.cols(); ++key) {
      const std::string id = "stage.share." + std::to_string(key);
      if (weights(word, key) < 0.1F)
        CHECK(page.figure.find(id) == nullptr);  // too little to be told
      else
        CHECK(text_of(page, id) == scenes::share_text(weights(word, key)));
    }
  }
}

TEST_CASE("opening: moving the lamp changes no state, no link and nothing to undo") {
  App app = opened();
  const App plain = make_app();
  activate(app, {.field = "query", .value = "7"});
  key_in_opening(app, Key::right);
  CHECK(app.opening->word == 8);
  key_in_opening(app, Key::right);  // there is none after the last
  CHECK(app.opening->word == 8);
  CHECK(link(app) == link(plain));
  CHECK(app.undo_stack.empty());
}

TEST_CASE("opening: every key but the arrows ends it, and so does what changes the state") {
  for (const Key key : {Key::escape, Key::space, Key::up, Key::down, Key::home, Key::enter, Key::inspect}) {
    App app = opened();
    key_pressed(app, page_of(app), key);
    CHECK(!app.opening);
    CHECK(app.scene == scenes::all().front());
  }
  App app = opened();
  character_typed(app, page_of(app), U'x');
  CHECK(!app.opening);
  open_opening(app);
  REQUIRE(change(app, "temperature", "2"));
  CHECK(!app.opening);
}

TEST_CASE("opening: whoever skips it after choosing a word finds it asking, but only in the same sentence") {
  App app = opened();
  activate(app, {.field = "query", .value = "2"});
  key_in_opening(app, Key::escape);
  CHECK(link(app).find("query=2") != std::string::npos);
  REQUIRE(change(app, {{"text", "I ate"}}));
  const std::string own = link(app);
  open_opening(app);
  activate(app, {.field = "query", .value = "7"});
  key_in_opening(app, Key::escape);
  CHECK(link(app) == own);
}

TEST_CASE("opening: a door leads to its scene, and the first one takes along the word that was chosen") {
  for (const auto& [door, scene] : {std::pair{"opening.translation", "translate"}, {"opening.pictures", "caption"}}) {
    App app = opened();
    activate(app, *page_of(app).figure.find(door)->edit);
    CHECK(!app.opening);
    CHECK(app.scene->id == scene);
  }
  App app = opened();
  activate(app, *page_of(app).figure.find("opening.words")->edit);
  CHECK(link(app) == link(make_app()));
  open_opening(app);
  activate(app, {.field = "query", .value = "2"});
  activate(app, *page_of(app).figure.find("opening.words")->edit);
  CHECK(link(app).find("query=2") != std::string::npos);
}

TEST_CASE("opening: a hand shows once how the lamp is moved, by true weights, and what it shows is no state") {
  App app = opened();
  const Matrix weights = make_app().trace.at("weights").values;
  const std::string before = link(app), told = narrate_opening(app);
  std::set<int> asked;
  double seconds = 0;
  for (app.changed = false; advance(app, seconds, 0); app.changed = false, seconds += 0.02) {
    REQUIRE(seconds < 8);
    const Page page = page_of(app);
    CHECK((page.figure.find("opening.hand") != nullptr) == app.changed);  // nothing is drawn before it comes
    if (!app.changed) continue;
    const int word = *app.opening->ghost->word;
    asked.insert(word);
    for (int key = 0; key < weights.cols(); ++key)
      if (weights(word, key) >= 0.1F)
        CHECK(text_of(page, "stage.share." + std::to_string(key)) == scenes::share_text(weights(word, key)));
    CHECK(link(app) == before);
    CHECK(narrate_opening(app) == told);
  }
  CHECK(asked == std::set<int>{3, 4, 5});
  CHECK(app.undo_stack.empty());
  CHECK(app.opening->word == 4);
  for (const double later : {0.0, 1.0, 10.0}) CHECK(!advance(app, seconds + later, 0));
  CHECK(page_of(app).figure.find("opening.hand") == nullptr);
}

TEST_CASE("opening: the hand goes for good when the reader does anything, and never comes where motion is reduced") {
  const auto word_asks = [](App& app, double seconds) {
    advance(app, seconds, 0);
    return app.opening && app.opening->ghost && app.opening->ghost->word.has_value();
  };
  const std::pair<std::string_view, void (*)(App&, const Page&, Pointer&)> all[] = {
      {"moves",
       [](App& app, const Page& page, Pointer& pointer) {
         pointer_moved(app, page, pointer, {5, 5});
         pointer_moved(app, page, pointer, {6, 5});
       }},
      {"is on a word", [](App& app, const Page& page,
                          Pointer& pointer) { pointer_moved(app, page, pointer, centre_of(page, "stage.word.1")); }},
      {"touches", [](App& app, const Page& page, Pointer& pointer) { pointer_pressed(app, page, pointer, {5, 5}); }},
      {"turns the wheel", [](App& app, const Page& page, Pointer& pointer) { wheel_turned(app, page, pointer, 1); }},
      {"presses a key", [](App& app, const Page& page, Pointer&) { key_pressed(app, page, Key::right); }},
      {"wants no motion", [](App& app, const Page&, Pointer&) { app.reduced_motion = true; }},
  };
  for (const auto& [how, act] : all)
    for (const double when : {0.5, 3.0}) {
      CAPTURE(how);
      CAPTURE(when);
      App app = opened();
      Pointer pointer;
      advance(app, 0, 0);
      CHECK(word_asks(app, when) == (when > 1));
      act(app, page_of(app), pointer);
      for (const double later : {0.1, 1.0, 2.0, 4.0, 9.0}) CHECK(!word_asks(app, when + later));
      CHECK(page_of(app).figure.find("opening.hand") == nullptr);
    }
}

TEST_CASE("opening: the hand comes although the pointer lay beside the words when the page came") {
  App app = opened();
  Pointer pointer;
  pointer_moved(app, page_of(app), pointer, {5, 5});
  advance(app, 0, 0);
  advance(app, 3, 0);
  CHECK(app.opening->ghost->word);
}

TEST_CASE("opening: words are found in their light, and no weight leads anywhere") {
  for (const test::Size size : {test::Size{1280, 800}, {390, 844}}) {
    App app = opened();
    app.width = size.width;
    app.height = size.height;
    for (const figure::Element& element : page_of(app).figure.elements) {
      CAPTURE(element.id);
      CHECK(!element.source);
      CHECK(element.role != figure::Role::cell);
      if (const auto* light = std::get_if<figure::Light>(&element.shape)) CHECK(light->tensor.empty());
    }
  }
  App app = opened();
  const Page page = page_of(app);
  const figure::Element* letters = page.figure.find("stage.word.2.text");
  REQUIRE(letters != nullptr);
  CHECK(figure::hit(page.figure, {letters->rect.centre().x, letters->rect.y - 60}).id == "stage.word.2");
}

TEST_CASE("opening: the lamp hangs by a cable, clear of what is read, and not far from the words") {
  for (const test::Size size : {test::Size{1280, 800}, {844, 390}, {640, 300}, {768, 1024}, {1024, 1366}}) {
    App app = opened();
    app.width = size.width;
    app.height = size.height;
    CAPTURE(size.width);
    for (int word = 0; word < 9; ++word) {
      CAPTURE(word);
      hover(app, scenes::word_id(word));
      const Page page = page_of(app);
      const figure::Rect lamp = page.figure.find("stage.lamp")->rect;
      const figure::Rect letters = page.figure.find("stage.word.0.text")->rect;
      const auto& cable = std::get<figure::Line>(page.figure.find("stage.lamp.cable")->shape);
      CHECK(cable.points.back().y - cable.points.front().y > 4);
      if (size.width == 1280)  // over the word that asks, not over its neighbour
        CHECK(std::abs(lamp.centre().x -
                       page.figure.find("stage.word." + std::to_string(word) + ".text")->rect.centre().x) < 30);
      CHECK(letters.y > lamp.centre().y);
      CHECK(letters.y - lamp.centre().y < 0.6F * size.width);
      const figure::Rect hangs{cable.points.front().x - 12, cable.points.front().y, 24,
                               lamp.centre().y - cable.points.front().y};
      for (const std::string_view id : {"opening.name", "opening.skip"}) {
        const figure::Element* read = page.figure.find(id);
        REQUIRE(read != nullptr);
        if (read->opacity == 0) continue;  // it has given way
        CHECK(!lie_over(hangs, {read->rect.x, read->rect.y, std::min(read->rect.w, 120.F), read->rect.h}));
      }
    }
  }
}

TEST_CASE("opening: what is read and pressed lies in the window and apart") {
  for (const test::Size size : test::kSizes) {
    App app = opened();
    app.width = size.width;
    app.height = size.height;
    CAPTURE(size.width);
    CAPTURE(size.height);
    for (int word = 0; word < 9; ++word) {
      hover(app, scenes::word_id(word));
      const Page page = page_of(app);
      std::vector<const figure::Element*> texts;
      for (const figure::Element& element : page.figure.elements) {
        const auto* const text = std::get_if<figure::Text>(&element.shape);
        if (text == nullptr || element.id.find(".picture.") != std::string::npos) continue;
        texts.push_back(&element);
        CAPTURE(element.id);
        CHECK(element.rect.y >= 0);
        CHECK(element.rect.bottom() <= size.height);
      }
      for (const figure::Element* one : texts)
        for (const figure::Element* other : texts) {
          if (one >= other) continue;
          // As wide as the words, which may stand in the middle of wider rects.
          const auto ink = [](const figure::Element& element) {
            const auto& text = std::get<figure::Text>(element.shape);
            const float width = text::measure(text.face, text.size, text.text);
            const figure::Rect& r = element.rect;
            const float x = text.align == figure::Align::centre ? r.centre().x - width / 2 : r.x;
            return figure::Rect{x, r.centre().y - text.size * 0.36F, width, text.size * 0.72F};
          };
          CAPTURE(one->id);
          CAPTURE(other->id);
          CHECK(!lie_over(ink(*one), ink(*other)));
        }
    }
  }
}

namespace {

// Of a convex area.
bool inside(const std::vector<figure::Point>& points, figure::Point p) {
  bool left = false, right = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const figure::Point a = points[i], b = points[(i + 1) % points.size()];
    const float side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    left = left || side < -1e-3F, right = right || side > 1e-3F;
  }
  return !(left && right);
}

}  // namespace

TEST_CASE(
    "page: on the way from the opening day opens from the lamp where all stands still; then the frame comes in "
    "from the edges with the cord and the floor, and the sentence moves") {
  REQUIRE(load_fonts());
  App app = make_app();
  open_opening(app);
  const figure::Figure from = page_of(app).figure;
  end_opening(app);
  const Page shown = page_of(app);
  const figure::Figure& to = shown.figure;
  const float first = centre_of(page_of(app), "stage.word.0").x, before = from.find("stage.word.0")->rect.centre().x;
  float said = 1, widest = 0;
  int inked = 0;
  for (const float t : {0.05F, 0.1F, 0.15F, 0.2F, 0.25F, 0.35F, 0.7F, 0.9F}) {
    CAPTURE(t);
    const figure::Figure way = between_pages(from, to, shown.regions, t);
    CHECK(way.elements.front().id == "shell.ground");
    CHECK(way.background == to.background);  // under the opening's ground, until that is gone
    // How much day there is at a place, and how wide it is where it begins.
    const auto day_at = [&](figure::Point p) {
      float night = 1;
      for (auto one = way.elements.begin() + 1; one->id == "shell.ground"; ++one)
        if (std::get<figure::Area>(one->shape).fill != std::get<figure::Area>(way.elements.front().shape).fill &&
            inside(std::get<figure::Area>(one->shape).points, p))
          night *= 1 - one->opacity;
      return 1 - night;
    };
    const figure::Element *rail = way.find("shell.rail"), *bar = way.find("shell.top"),
                          *headline = way.find("opening.headline.0"), *numbers = way.find("X.0");
    const float moved = bar->rect.bottom() / to.find("shell.top")->rect.bottom();
    CHECK((moved > 0) == (t > 0.28F));
    if (moved == 0) {
      REQUIRE(headline != nullptr);
      CHECK(way.find("opening.words")->role == figure::Role::none);
      CHECK((headline->opacity < said || said == 0));
      said = headline->opacity;
      float wide = 0;
      for (float x = 0; x < to.width; x += 10) wide += day_at({x, 30}) > 0 ? 10 : 0;
      CHECK(wide >= widest);
      widest = wide;
      // No dark ink on a dark ground, and no bright one in the day.
      for (const figure::Element& element : way.elements) {
        if (!element.id.starts_with("stage.word.") || !element.id.ends_with(".text")) continue;
        const figure::Colour ink = std::get<figure::Text>(element.shape).colour;
        const figure::Colour by_day = std::get<figure::Text>(to.find(element.id)->shape).colour;
        const float day = day_at(element.rect.centre());
        CHECK((ink == by_day ? day > 0.3F : day < 0.7F));
        ++inked;
      }
      CHECK(way.find("stage.word.0")->rect.centre().x == before);
      continue;
    }
    CHECK(way.elements[1].id != "shell.ground");  // there is day everywhere
    CHECK((headline == nullptr || headline->opacity == 0));
    CHECK(rail->opacity == 1);
    CHECK(rail->rect.right() == doctest::Approx(moved * to.find("shell.rail")->rect.right()));
    const auto& cord = std::get<figure::Line>(way.find(std::string(scenes::kLampId) + ".cable")->shape);
    CHECK(cord.points.front().y == doctest::Approx(bar->rect.bottom()));
    CHECK(way.find("shell.play")->rect.y ==
          doctest::Approx(figure::mix(to.find("shell.play")->rect.y + to.height - shown.regions.ground.bottom(),
                                      to.find("shell.play")->rect.y, moved)));
    const float word = way.find("stage.word.0")->rect.centre().x;
    CHECK((word - first) * (word - before) < 0);
    REQUIRE(numbers != nullptr);
    CHECK((numbers->opacity > 0) == (moved > 0.2F));  // and stand where they stay below their word
    CHECK(numbers->rect.centre().x == doctest::Approx(word).epsilon(0.001));
    const figure::Rect card = way.find("callout.4.box")->rect, rested = to.find("callout.4.box")->rect;
    for (const figure::Element& part : way.elements)
      if (part.id.starts_with("callout.4.line"))
        CHECK(part.rect.x - card.x == doctest::Approx(to.find(part.id)->rect.x - rested.x));
    Page page = page_of(app);
    CHECK_FALSE(page.inputs.empty());
    fade_page(page, app, from, t);
    CHECK(page.inputs.empty());
    CHECK(page.figure.find("shell.input.text") != nullptr);
  }
  CHECK(widest > 800);
  CHECK(inked > 30);
}

TEST_CASE("page: on the way back to the opening nothing of the page is pressed, whatever sentence it shows") {
  REQUIRE(load_fonts());
  for (const std::string text : {"the quick brown fox jumped over the lazy dog", "she reads",
                                 "my mother told the teacher that she had forgotten her book at home today"}) {
    CAPTURE(text);
    App app = make_app();
    REQUIRE(change_by_hand(app, {{"text", text}}));
    const Page page = page_of(app);
    open_opening(app);
    const figure::Figure opening = page_of(app).figure;
    for (const float t : {0.1F, 0.3F, 0.6F, 0.9F}) {
      CAPTURE(t);
      for (const figure::Element& element : between_pages(page.figure, opening, page.regions, t).elements)
        if (element.id.starts_with("X.") || element.id.starts_with("callout.") || element.id.starts_with("field."))
          CHECK(element.role == figure::Role::none);
    }
  }
}
