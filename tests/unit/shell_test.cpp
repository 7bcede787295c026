// The laws of the shell: it is all plain data, so every window size is tested without a window.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/app.h"
#include "app/commands.h"
#include "app/input.h"
#include "app/page.h"
#include "unit/app_support.h"
#include "unit/fonts.h"
#include "unit/swept.h"

using namespace limelight;
using namespace limelight::app;
using namespace limelight::test;

namespace {

// Of the shell's own: what is pressed in a scene's figure has the figure's measure.
bool is_pressed(const figure::Element& element) {
  return element.edit && element.role != figure::Role::none && element.role != figure::Role::image &&
         (element.id.starts_with("shell.") || element.id.starts_with("field."));
}

// What is not scrolled away.
figure::Rect seen(const figure::Element& element) {
  if (!element.clip) return element.rect;
  const figure::Rect &a = element.rect, &b = *element.clip;
  const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::min(a.right(), b.right()) - x, std::min(a.bottom(), b.bottom()) - y};
}

void check_for_fingers(const App& app) {
  std::vector<figure::Element> pressed;
  for (figure::Element& element : page_of(app).figure.elements)
    if (is_pressed(element)) pressed.push_back(std::move(element));
  const auto lies_over_all = [](const figure::Element& element) {
    return element.id == "shell.notice" || element.id == "shell.presets";
  };  // the latter in its pill
  for (std::size_t i = 0; i < pressed.size(); ++i) {
    CAPTURE(link(app));
    CAPTURE(app.width);
    CAPTURE(pressed[i].id);
    CHECK(pressed[i].rect.h >= 44);
    if (app.overlay != Overlay::none || app.sheet_open) continue;  // what lies under them is not pressed
    for (std::size_t j = i + 1; j < pressed.size(); ++j) {
      if (lies_over_all(pressed[i]) || lies_over_all(pressed[j])) continue;
      CAPTURE(pressed[j].id);
      CHECK_FALSE(lie_over(seen(pressed[i]), seen(pressed[j])));
    }
  }
}

}  // namespace

TEST_CASE("page: at every size, step and theme nothing that can be pressed lies outside the window") {
  REQUIRE(test::load_fonts());
  for (const Size size : kSizes)
    for (const char* preset : {"coffee", "day1", "fox", "own"})
      for (const bool embed : {false, true}) {
        App app = make_app();
        app.width = size.width;
        app.height = size.height;
        REQUIRE(changed_to(app, "preset", preset));
        app.settings.embed = embed;
        for (int step = 1; step <= static_cast<int>(app.scene->steps().size()); ++step) {
          REQUIRE(changed_to(app, "step", std::to_string(step)));
          const Page page = page_of(app);
          for (const figure::Element& element : page.figure.elements) {
            CAPTURE(size.width);
            CAPTURE(step);
            CAPTURE(element.id);
            CHECK(std::isfinite(element.rect.x + element.rect.y + element.rect.w + element.rect.h));
            if (element.role == figure::Role::none || element.role == figure::Role::image) continue;
            CHECK(element.rect.x >= -0.5F);
            CHECK(element.rect.right() <= size.width + 0.5F);
          }
        }
      }
}

TEST_CASE("page: on a phone on its side the figure has most of the height") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  app.width = 844;
  app.height = 390;
  const Page page = page_of(app);
  CHECK(page.regions.stage.h >= 390 * 0.55F);
  app.coarse = true;
  CHECK(page_of(app).regions.stage.h >= 390 * 0.54F);  // less what a finger needs in the top bar
  const figure::Element* field = page.figure.find("field.text");
  const figure::Element* presets = page.figure.find("shell.presets");  // or a button for each of them
  if (presets == nullptr) presets = page.figure.find("field.preset.fox");
  REQUIRE(field != nullptr);
  REQUIRE(presets != nullptr);
  CHECK(presets->rect.centre().y == doctest::Approx(field->rect.centre().y));
}

TEST_CASE("page: no two buttons of the shell overlap") {
  REQUIRE(test::load_fonts());
  for (const Size size : kSizes) {
    App app = make_app();
    app.width = size.width;
    app.height = size.height;
    const Page page = page_of(app);
    std::vector<const figure::Element*> buttons;
    for (const figure::Element& element : page.figure.elements)
      if (element.role == figure::Role::button && element.id.starts_with("shell.") && !element.clip)
        buttons.push_back(&element);
    REQUIRE(buttons.size() > 3);
    for (std::size_t i = 0; i < buttons.size(); ++i)
      for (std::size_t j = i + 1; j < buttons.size(); ++j) {
        CAPTURE(size.width);
        CAPTURE(buttons[i]->id);
        CAPTURE(buttons[j]->id);
        const figure::Rect a = buttons[i]->rect, b = buttons[j]->rect;
        const float overlap_w = std::min(a.right(), b.right()) - std::max(a.x, b.x);
        const float overlap_h = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
        CHECK_FALSE((overlap_w > 0.5F && overlap_h > 0.5F));
      }
  }
}

TEST_CASE("fingers: on every device for them, and on phones, all that is pressed in the shell is at least 44 px high") {
  REQUIRE(test::load_fonts());
  for (const Size size : {Size{320, 568}, {390, 844}, {620, 700}, {768, 1024}, {1024, 768}, {844, 390}, {1280, 800}})
    for (const scenes::SceneDef* scene : test::swept())
      for (const bool embed : {false, true}) {
        App app = make_app();
        app.coarse = app.touch = size.width >= 600;  // a phone's page is for fingers in any case
        app.width = size.width;
        app.height = size.height;
        REQUIRE(open_link(app, "scene=" + std::string(scene->id) + (embed ? "&embed=1" : "")));
        for (scenes::Place before{0, 0}; app.place != before; next(app)) {
          before = app.place;
          check_for_fingers(app);
        }
        if (app.scene->ask(app.state, app.trace)) REQUIRE(changed_to(app, "guess", "0"));
        notify(app, "Link copied.", true);
        pin(app, figure::cell_id({app.trace.tensors.back().name, 0, 0}));
        for (const bool sheet : {false, true}) {
          app.sheet_open = sheet;
          check_for_fingers(app);
        }
        for (const Overlay overlay : {Overlay::menu, Overlay::presets}) {
          app.overlay = overlay;
          check_for_fingers(app);
        }
      }
}

namespace {

// Sizes at which the scenes are all there: a phone's, a tablet's and those of windows, high and low.
std::vector<Size> many_sizes() {
  std::vector<Size> sizes(std::begin(kSizes), std::end(kSizes));
  sizes.insert(sizes.end(), {{1280, 420}, {1000, 300}, {740, 320}, {3840, 300}, {3840, 2160}, {1280, 520}});
  return sizes;
}

const figure::Element& scene_button(const Page& page, const scenes::SceneDef& scene) {
  const figure::Element* button = page.figure.find("shell.scene." + std::string(scene.id));
  REQUIRE(button != nullptr);
  return *button;
}

}  // namespace

TEST_CASE("menu: at every size without a rail each scene can be chosen in it, below the name of its group") {
  REQUIRE(test::load_fonts());
  for (const Size size : many_sizes()) {
    App app = make_app();
    app.width = size.width;
    app.height = size.height;
    if (page_of(app).regions.rail.w > 0) continue;
    app.overlay = Overlay::menu;
    CAPTURE(size.width);
    CAPTURE(size.height);
    const Page page = page_of(app);
    std::vector<figure::Rect> buttons;
    for (const scenes::SceneDef* scene : scenes::all()) {
      const figure::Rect button = scene_button(page, *scene).rect;
      CHECK(button.x >= 0);
      CHECK(button.right() <= size.width);
      CHECK(button.bottom() <= size.height);
      CHECK(button.w >= 110);  // one scene more may need other columns: src/app/scene_list.cpp
      for (const figure::Rect& other : buttons) CHECK_FALSE(lie_over(button, other));
      const bool tops_column = buttons.empty() || button.x > buttons.back().x;
      buttons.push_back(button);
      // The column's first scene stands below the name of its group.
      if (tops_column)
        CHECK(std::ranges::any_of(page.figure.elements, [&](const figure::Element& element) {
          return element.id.starts_with("shell.group.") && element.id.ends_with(scene->group) &&
                 element.rect.bottom() <= button.y && element.rect.x >= button.x &&
                 element.rect.right() <= button.right();
        }));
    }
  }
}

TEST_CASE("rail: at every size with one the open scene is seen in it with its name, and no scene lies on another") {
  REQUIRE(test::load_fonts());
  for (const Size size : many_sizes())
    for (const bool coarse : {false, true})
      for (const scenes::SceneDef* open : scenes::all()) {
        App app = make_app();
        app.width = size.width;
        app.height = size.height;
        app.coarse = coarse;
        REQUIRE(changed_to(app, "scene", std::string(open->id)));
        const Page page = page_of(app);
        if (page.regions.rail.w == 0) continue;
        CAPTURE(size.width);
        CAPTURE(size.height);
        CAPTURE(open->id);
        const figure::Element& here = scene_button(page, *open);
        CHECK(here.rect.y >= page.regions.rail.y);
        const figure::Element* foot = page.figure.find("shell.glossary");
        REQUIRE(foot != nullptr);
        CHECK(here.rect.bottom() <= foot->rect.y);
        std::vector<figure::Rect> buttons;
        for (const scenes::SceneDef* scene : scenes::all()) {
          const figure::Rect button = scene_button(page, *scene).rect;
          CHECK(button.right() <= page.regions.rail.right());
          for (const figure::Rect& other : buttons) CHECK_FALSE(lie_over(button, other));
          buttons.push_back(button);
          const figure::Element* name = page.figure.find("shell.scene." + std::string(scene->id) + ".title");
          REQUIRE(name != nullptr);
          CHECK(std::get<figure::Text>(name->shape).text == scene->title);
          CHECK(name->rect.y >= button.y);
          CHECK(name->rect.bottom() <= button.bottom() + 0.5F);
        }
      }
}

TEST_CASE(
    "rail: between two groups the line keeps clear of both, and what is at the foot is small and for a mouse close") {
  REQUIRE(test::load_fonts());
  for (const Size size : many_sizes()) {
    App app = make_app();
    app.width = size.width;
    app.height = size.height;
    const Page page = page_of(app);
    if (page.regions.rail.w == 0) continue;
    CAPTURE(size.width);
    CAPTURE(size.height);
    for (const figure::Element& line : page.figure.elements) {
      if (!line.id.starts_with("shell.group.") || !std::holds_alternative<figure::Rectangle>(line.shape)) continue;
      float above = 1e6F, below = 1e6F;  // px to what is drawn of the scenes on both sides
      for (const figure::Element& other : page.figure.elements) {
        if (!other.id.starts_with("shell.scene.")) continue;
        if (other.id.ends_with(".title") && other.rect.bottom() <= line.rect.y)
          above = std::min(above, line.rect.y - other.rect.bottom());
        if (other.id.contains(".miniature") && other.rect.y >= line.rect.bottom())
          below = std::min(below, other.rect.y - line.rect.bottom());
        CHECK_FALSE((other.id.contains(".miniature") && lie_over(other.rect, line.rect)));
      }
      CHECK(below >= 4);
      CHECK(above >= 3);
      CHECK(std::abs(above - below) <= 2);
    }
    for (const char* id : {"shell.glossary", "shell.about"}) {
      const figure::Rect foot = page.figure.find(id)->rect;
      CHECK(foot.h >= 24);
      CHECK(foot.h < 30);
    }
    CHECK(page.figure.find("shell.rail.foot.line")->rect.y < page.figure.find("shell.glossary")->rect.y);
  }
}

TEST_CASE("rail: each scene has a miniature; a ring is where one is, and a light where one has been in this visit") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  for (const scenes::SceneDef* scene : scenes::all()) {
    CAPTURE(scene->id);
    REQUIRE(changed_to(app, "scene", std::string(scene->id)));
    const Page page = page_of(app);
    int rings = 0;
    for (const figure::Element& element : page.figure.elements)
      rings += element.id.ends_with(".miniature.ring") ? 1 : 0;
    CHECK(rings == 1);
    bool before = true;
    for (const scenes::SceneDef* other : scenes::all()) {
      const std::string id = "shell.scene." + std::string(other->id) + ".miniature";
      CHECK(page.figure.find(id + ".1") != nullptr);  // more than its ground
      before = before && other != scene;
      CHECK((page.figure.find("shell.visited." + std::string(other->id)) != nullptr) == before);
      if (other == scene) CHECK(page.figure.find(id + ".ring") != nullptr);
    }
  }
  App linked = make_app();  // what a link opens was not left by the reader
  REQUIRE(open_link(linked, "scene=score"));
  CHECK(page_of(linked).figure.find("shell.visited.spotlight") == nullptr);
}

// But for the cells of matrices, and the points of a plane: what fingers miss there can be typed.
TEST_CASE(
    "fingers: what is pressed in a figure is met 21 px above and below its middle, unless something else is there") {
  REQUIRE(test::load_fonts());
  for (const Size size : {Size{390, 844}, {768, 1024}, {1024, 768}, {844, 390}})
    for (const scenes::SceneDef* scene : test::swept()) {
      App app = make_app();
      app.coarse = app.touch = true;
      app.width = size.width;
      app.height = size.height;
      REQUIRE(changed_to(app, "scene", std::string(scene->id)));
      for (scenes::Place before{0, 0}; app.place != before; next(app)) {
        before = app.place;
        const Page page = page_of(app);
        for (const figure::Element& element : page.figure.elements) {
          if (!element.edit || !element.clip || element.role == figure::Role::cell || is_pressed(element)) continue;
          if (element.rect.h >= 44 || page.regions.narration.contains(element.rect.centre())) continue;
          for (const float dy : {-21.F, 21.F}) {
            const figure::Point at{element.rect.centre().x, element.rect.centre().y + dy};
            if (!page.regions.stage.contains(at) || figure::hit(page.figure, at, &app.trace).element) continue;
            Pointer pointer;
            pointer_pressed(app, page, pointer, at);
            CAPTURE(link(app));
            CAPTURE(element.id);
            CHECK(pointer.edit);
          }
        }
      }
    }
}

TEST_CASE("top bar: the scene's whole name stands in it from 320 px on") {
  REQUIRE(test::load_fonts());
  for (const float width : {320.F, 340.F, 359.F, 360.F, 390.F, 600.F, 700.F, 1280.F})
    for (const scenes::SceneDef* scene : scenes::all()) {
      App app = make_app();
      app.width = width;
      app.height = 700;
      REQUIRE(changed_to(app, "scene", std::string(scene->id)));
      const Page page = page_of(app);
      const figure::Element* name = page.figure.find("shell.scene");
      CAPTURE(width);
      CAPTURE(scene->id);
      REQUIRE(name != nullptr);
      CHECK(std::get<figure::Text>(name->shape).text == scene->title);
    }
}

TEST_CASE("top bar: nothing in it lies on anything else, whatever the scene, the window and the news") {
  REQUIRE(test::load_fonts());
  for (const Size size : kSizes)
    for (const scenes::SceneDef* scene : test::swept())
      for (const bool coarse : {false, true})
        for (const char* news : {"", "Link copied."}) {
          App app = make_app();
          app.width = size.width;
          app.height = size.height;
          app.coarse = coarse;
          REQUIRE(changed_to(app, "scene", std::string(scene->id)));
          notify(app, news, true);
          const Page page = page_of(app);
          std::vector<const figure::Element*> parts;
          for (const char* id : {"shell.name", "shell.menu", "shell.scene", "shell.question", "shell.notice",
                                 "shell.undo", "shell.redo", "shell.share", "shell.export", "shell.theme"})
            if (const figure::Element* part = page.figure.find(id)) parts.push_back(part);
          for (std::size_t i = 0; i < parts.size(); ++i)
            for (std::size_t j = i + 1; j < parts.size(); ++j) {
              CAPTURE(size.width);
              CAPTURE(parts[i]->id);
              CAPTURE(parts[j]->id);
              CHECK_FALSE(lie_over(parts[i]->rect, parts[j]->rect));
            }
        }
}

TEST_CASE("stage: where its figure goes on beyond an edge it fades out there and ends at a line, and nowhere else") {
  REQUIRE(test::load_fonts());
  for (const Size size : kSizes)
    for (const bool embed : {false, true}) {
      App app = make_app();
      app.width = size.width;
      app.height = size.height;
      app.settings.embed = embed;
      REQUIRE(changed_to(app, "step", "7"));
      const Page top = page_of(app);
      const float most = top.stage_height - top.regions.stage.h;
      for (const float share : {0.F, 0.5F, 1.F}) {
        app.stage_scroll = std::max(0.F, most) * share;
        const Page page = page_of(app);
        CAPTURE(size.width);
        CAPTURE(size.height);
        CAPTURE(share);
        CHECK((page.figure.find("shell.more.above") != nullptr) == (most > 4 && share > 0));
        CHECK((page.figure.find("shell.more.below") != nullptr) == (most > 4 && share < 1));
        CHECK((page.figure.find("shell.more.above.fade") != nullptr) == (most > 4 && share > 0));
        CHECK((page.figure.find("shell.more.below.fade") != nullptr) == (most > 4 && share < 1));
      }
    }
}

TEST_CASE("theme: the system's until the reader chooses") {
  App app = make_app();
  call(app, "scheme", "dark");
  CHECK(app.theme() == figure::Theme::dark);
  call(app, "theme", "");
  CHECK(app.theme() == figure::Theme::light);
  call(app, "scheme", "dark");
  CHECK(app.theme() == figure::Theme::light);
}

TEST_CASE("projector: a switch that a link keeps, under which everything is told in the window's pixels") {
  App app = make_app();
  const Page small = page_of(app);
  REQUIRE(call(app, "projector", "").find("\"ok\":true") != std::string::npos);
  CHECK(app.settings.projector);
  CHECK(link(app).find("projector=1") != std::string::npos);
  App other = make_app();
  REQUIRE(open_link(other, link(app)));
  CHECK(other.magnification() == 1.5F);
  CHECK(!open_link(other, "v=1&projector=2"));
  CHECK(other.settings.projector);
  // Of a page that is laid out alike, what is told is half as large again.
  const auto width_told = [&](const App& a) {
    const std::string told = describe_page(a, small, false);
    const std::size_t at = told.find("\"w\":", told.find("\"targets\""));
    return std::stod(told.substr(at + 4));
  };
  App plain = make_app();
  CHECK(width_told(app) == doctest::Approx(1.5 * width_told(plain)));
}

TEST_CASE("contrast: who asks for more gets a stark palette in the theme that was chosen") {
  App app = make_app();
  app.system_theme = figure::Theme::dark;
  REQUIRE(call(app, "contrast", "more").find("\"ok\":true") != std::string::npos);
  CHECK(app.theme() == figure::Theme::stark_dark);
  app.settings.theme = ThemeChoice::light;
  CHECK(app.theme() == figure::Theme::stark_light);
  CHECK(link(app).find("theme=light") != std::string::npos);
  REQUIRE(call(app, "contrast", "no-preference").find("\"ok\":true") != std::string::npos);
  CHECK(app.theme() == figure::Theme::light);
}
