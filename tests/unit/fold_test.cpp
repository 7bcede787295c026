// Figures higher than the window: nothing lies below its lower edge without a word there.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/actions.h"
#include "app/commands.h"
#include "app/fold.h"
#include "app/page.h"
#include "figure/cut.h"
#include "scenes/common/sentence.h"
#include "text/font.h"
#include "unit/scenes/scene_support.h"

using namespace limelight;
using namespace limelight::figure;

namespace {

constexpr std::string_view kBelow = "shell.below";

struct Window {
  std::string name;
  float width, height;  // as the figure is laid out: a projector's letters are half as large again
  bool fingers, embed;
};
const std::array<Window, 5> kWindows{{{"1280×800", 1280, 800, false, false},
                                      {"1280×800 with large text", 853, 533, false, false},
                                      {"1280×720 with large text", 853, 480, false, false},
                                      {"a phone", 390, 844, true, false},
                                      {"a frame", 720, 480, false, true}}};

void open(app::App& app, const Window& window) {
  app.width = window.width;
  app.height = window.height;
  app.coarse = window.fingers;
  app.settings.embed = window.embed;
  app.stage_scroll = 0;
}

// What a reader looks for: numbers, and what can be pointed at.
bool is_content(const Element& element) { return element.source || element.role != Role::none; }

// How far down the figure is seen.
float fold_of(const app::Page& page) {
  const Element* below = page.figure.find(kBelow);
  return below != nullptr ? below->rect.y : page.regions.stage.bottom();
}

const Element* lowest(const app::App& app, const app::Page& page, const Figure& stage) {
  const float shift = page.regions.stage.y - app.stage_scroll;
  const Element* found = nullptr;
  for (const Element& element : stage.elements)
    if (is_content(element) && element.rect.bottom() + shift > fold_of(page) + 8 &&
        (found == nullptr || element.rect.bottom() > found->rect.bottom()))
      found = &element;
  return found;
}

}  // namespace

TEST_CASE("fold: where a figure goes on below what is seen, a button at its lower edge says so, and only there") {
  test::each_step([](app::App& app) {
    for (const Window& window : kWindows) {
      open(app, window);
      const Figure stage = app::draw_stage(app);
      const app::Page page = app::build_page(app, stage);
      const Element* hidden = lowest(app, page, stage);
      const Element* button = page.figure.find(kBelow);
      CAPTURE(window.name);
      CAPTURE(app::link(app));
      if (hidden != nullptr) {
        CAPTURE(hidden->id);
        CAPTURE(hidden->rect.bottom() - page.regions.stage.h);
        CHECK(button != nullptr);
      }
      if (button == nullptr) continue;
      CHECK(stage.height > page.regions.stage.h);
      CHECK(button->role == Role::button);
      CHECK(button->label.size() >= 10);
      CHECK(button->rect.bottom() <= page.regions.stage.bottom() + 0.01F);
      if (window.fingers) CHECK(button->rect.h >= app::kFinger);
      // The text view has it, too.
      const auto actions = app::actions(app, page);
      CHECK(std::ranges::count(actions, kBelow, &app::Action::id) == 1);
    }
  });
}

TEST_CASE("fold: pressing it again and again shows everything to the end, covers nothing, and is gone there") {
  test::each_step([](app::App& app) {
    for (const Window& window : kWindows) {
      open(app, window);
      const Figure stage = app::draw_stage(app);
      float seen = 0;  // of the figure, from its top
      for (int presses = 0;; ++presses) {
        CAPTURE(window.name);
        CAPTURE(app::link(app));
        REQUIRE(presses < 30);
        const app::Page page = app::build_page(app, stage);
        const Element* button = page.figure.find(kBelow);
        if (presses > 0 && app.stage_scroll > seen)  // nothing was passed over but words
          for (const Element& element : stage.elements)
            if (element.rect.y > seen && element.rect.y < app.stage_scroll) {
              CAPTURE(element.id);
              CHECK(scenes::is_of_words(element.id));
            }
        seen = app.stage_scroll + fold_of(page) - page.regions.stage.y;
        if (button == nullptr) {
          CHECK(lowest(app, page, stage) == nullptr);
          break;
        }
        CHECK(hit(page.figure, button->rect.centre(), &app.trace).id == kBelow);
        CHECK(hit(page.figure, {button->rect.x + 4, button->rect.y + 2}, &app.trace).id == kBelow);
        const float before = app.stage_scroll;
        app::activate(app, *button->edit);
        CHECK(app.stage_scroll > before);
      }
    }
  });
}

TEST_CASE("fold: past the words of a long sentence it leads to the map that it names") {
  REQUIRE(test::load_fonts());
  app::App app = app::make_app();
  std::string link = "v=2&scene=spotlight&step=glance&preset=own&text=notwithstanding";
  for (int i = 1; i < 64; ++i) link += "+notwithstanding";
  REQUIRE(app::open_link(app, link));
  open(app, {"a phone", 390, 844, true, false});
  const Figure stage = app::draw_stage(app);
  const app::Page page = app::build_page(app, stage);
  const Element* button = page.figure.find(kBelow);
  REQUIRE(button != nullptr);
  CHECK(button->label == "More below: weights · output");
  app::activate(app, *button->edit);
  const Element* title = stage.find("weights.title");
  REQUIRE(title != nullptr);
  CHECK(title->rect.y >= app.stage_scroll);
  CHECK(title->rect.bottom() < app.stage_scroll + page.regions.stage.h);
}

TEST_CASE("fold: it names the panel that is below") {
  REQUIRE(test::load_fonts());
  app::App app = app::make_app();
  REQUIRE(app::open_link(app, "v=1&scene=spotlight&step=4"));
  open(app, {"", 390, 360, true, false});
  const Figure stage = app::draw_stage(app);
  const Element* title = stage.find("V.title");
  REQUIRE(title != nullptr);
  REQUIRE(title->rect.y > app::regions(app).stage.h);
  const app::Page page = app::build_page(app, stage);
  const Element* button = page.figure.find(kBelow);
  REQUIRE(button != nullptr);
  CHECK(button->label.find(title_of(stage, *title)) != std::string::npos);
}

TEST_CASE("fold: panels that an index tells apart are named with it, as where pictures are taken along") {
  REQUIRE(test::load_fonts());
  const app::App app = app::make_app();
  Figure stage{.width = 390, .height = 900};
  for (const char* index : {"q", "k"}) {
    const std::string id = std::string("W_") + index;
    const float y = index[0] == 'q' ? 500 : 700;
    stage.add({.id = id + ".title", .rect = {10, y, 20, 18}, .shape = Text{.text = "W"}});
    stage.add({.id = id + ".subscript", .rect = {30, y + 4, 8, 18}, .shape = Text{.text = index}});
    stage.add({.id = id, .rect = {10, y + 24, 100, 100}, .shape = Rectangle{.fill = {1, 2, 3}}});
  }
  const std::vector<TitledPanel> panels = panels_of(stage);
  REQUIRE(panels.size() == 2);
  Figure page;
  app::add_fold(page, app, stage, {0, 0, 390, 400}, 0);
  const Element* button = page.find(kBelow);
  REQUIRE(button != nullptr);
  CHECK(button->label == "More below: " + panels[0].title + " · " + panels[1].title);
  CHECK(panels[0].title == "W_q");
}

TEST_CASE("fold: its words stand within the window, and name no panel that began above") {
  test::each_step([](app::App& app) {
    for (const Window& window : kWindows) {
      open(app, window);
      const app::Page page = app::build_page(app, app::draw_stage(app));
      const Element* button = page.figure.find(kBelow);
      const Element* words = page.figure.find("shell.below.text");
      if (button == nullptr) continue;
      REQUIRE(words != nullptr);
      const std::string& text = std::get<Text>(words->shape).text;
      CAPTURE(window.name);
      CAPTURE(app::link(app));
      CAPTURE(text);
      CHECK(text::measure(text::Face::regular, 13, text) <= button->rect.w - 32);
      CHECK((!text.ends_with("…") || text.ends_with(" · …") || text.find(" · ") == std::string::npos));
      // What it names alone begins below, unless it says that it is the rest.
      int above = 0, there = 0;
      for (const Element& title : page.figure.elements) {
        const auto* shape = std::get_if<Text>(&title.shape);
        if (shape == nullptr || !title.id.ends_with(kTitleEnding) || text != "↓ " + shape->text) continue;
        ++(title.rect.bottom() < button->rect.y - 8 ? above : there);
      }
      CHECK((above == 0 || there > 0));
    }
  });
}

TEST_CASE("fold: a panel whose drawing is of many parts is named while any of them is below") {
  REQUIRE(test::load_fonts());
  app::App app = app::make_app();
  REQUIRE(app::open_link(app, "v=1&scene=caption&step=7&preset=empty"));
  test::bring_resources(app);
  open(app, {"", 1280, 800, false, false});
  const Figure stage = app::draw_stage(app);
  const Element* title = stage.find("film.title");
  REQUIRE(title != nullptr);
  const app::Page page = app::build_page(app, stage);
  const Element* button = page.figure.find(kBelow);
  REQUIRE(button != nullptr);
  CHECK(title->rect.bottom() < fold_of(page));
  CHECK(button->label.find(title_of(stage, *title)) != std::string::npos);
}
