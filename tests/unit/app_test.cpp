// The laws of the shell: it is all plain data, so every window size is tested without a window.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "app/app.h"
#include "app/commands.h"
#include "app/input.h"
#include "app/page.h"
#include "core/random.h"
#include "scenes/place.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/fonts.h"
#include "unit/scenes/translate_support.h"

using namespace limelight;
using namespace limelight::app;

namespace {

Page page_of(const App& app) { return build_page(app, draw_stage(app)); }

struct Size {
  float width, height;
};
constexpr Size kSizes[] = {{320, 568},  {360, 740},   {390, 844}, {620, 700}, {820, 700}, {1024, 700},
                           {1280, 800}, {1920, 1080}, {844, 390}, {390, 420}, {720, 480}};

bool changed_to(App& app, std::string_view field, std::string_view value) {
  return change(app, field, value).has_value();
}

figure::Point centre_of(const Page& page, std::string_view id) {
  const figure::Element* element = page.figure.find(id);
  REQUIRE(element != nullptr);
  return element->rect.centre();
}

void click(App& app, Pointer& pointer, figure::Point at) {
  pointer_pressed(app, page_of(app), pointer, at);
  pointer_released(app, page_of(app), pointer, at);
}

bool overlap(const figure::Rect& a, const figure::Rect& b) {
  return std::min(a.right(), b.right()) - std::max(a.x, b.x) > 0.5F &&
         std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y) > 0.5F;
}

figure::Point cell_centre(const Page& page, const std::string& tensor, int row, int column) {
  const figure::Element* cells = page.figure.find(tensor);
  REQUIRE(cells != nullptr);
  return figure::cell_rect(*cells, row, column)->centre();
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

TEST_CASE("inspector: at 1280×800 all of it is seen, and the controls stand still whatever is looked at") {
  REQUIRE(test::load_fonts());
  for (const char* preset : {"coffee", "day1", "fox", "cat", "apple"})
    for (int step = 1; step <= 9; ++step) {
      App app = make_app();
      REQUIRE(changed_to(app, "preset", preset));
      REQUIRE(changed_to(app, "step", std::to_string(step)));
      const Page unpinned = page_of(app);
      const figure::Element* card = unpinned.figure.find("shell.provenance.card");
      REQUIRE(card != nullptr);
      const auto looked_at = [&](const char* field, const char* id) {
        CAPTURE(preset);
        CAPTURE(step);
        CAPTURE(id);
        (std::string_view(field) == "pin" ? app.pinned : app.hovered) = id;
        const Page page = page_of(app);
        CHECK(page.inspector_height <= page.regions.inspector.h);
        CHECK(page.figure.find("shell.provenance.card")->rect.y == card->rect.y);
        app.pinned = app.hovered = {};
      };
      looked_at("pin", "");
      for (const char* id :
           {"weights[0,1]", "weights[0,2]", "weights[1,1]", "output[0,1]", "V[1,1]", "scaled[1,0]", "scores[0,2]"})
        for (const char* field : {"pin", "hover"}) looked_at(field, id);
      if (step < 9) continue;
      REQUIRE(changed_to(app, "guess", "1"));
      looked_at("pin", "");
      looked_at("pin", "weights[1,1]");
    }
}

TEST_CASE("question: where a pinned number takes its place, the pin says the way back, in every scene and window") {
  REQUIRE(test::load_fonts());
  for (const scenes::SceneDef* scene : scenes::all())
    for (const Size size : kSizes)
      for (const bool answered : {false, true}) {
        App app = make_app();
        app.width = size.width;
        app.height = size.height;
        REQUIRE(open_link(app, "scene=" + std::string(scene->id) + "&step=" + std::to_string(scene->steps().size())));
        if (!app.scene->ask(app.state, app.trace)) continue;
        if (answered) REQUIRE(changed_to(app, "guess", "0"));
        app.sheet_open = true;
        pin(app, figure::cell_id({app.trace.tensors.back().name, 0, 0}));
        CAPTURE(scene->id);
        CAPTURE(size.width);
        CAPTURE(app.pinned);
        const Page page = page_of(app);
        const figure::Element* pinned = page.figure.find("shell.unpin.text");
        const bool says = pinned != nullptr && std::get<figure::Text>(pinned->shape).text == "question";
        CHECK(says == (page.figure.find("shell.answer.0") == nullptr));
        REQUIRE(changed_to(app, "pin", ""));
        CHECK(page_of(app).figure.find("shell.answer.0") != nullptr);
      }
}

TEST_CASE("inspector: only the controls of the step are shown") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "preset", "cat"));
  for (const auto& [step, field, shown] : {std::tuple{"2", "d", true},
                                           {"1", "d", false},
                                           {"6", "temperature", true},
                                           {"6", "map.grey", false},
                                           {"7", "map.grey", true},
                                           {"7", "threshold", false},
                                           {"9", "threshold", true}}) {
    CAPTURE(step);
    CAPTURE(field);
    REQUIRE(changed_to(app, "step", step));
    CHECK((page_of(app).figure.find(std::string("field.") + field) != nullptr) == shown);
  }
}

TEST_CASE("narration: on a phone and in a window it stays inside its band at every step") {
  REQUIRE(test::load_fonts());
  for (const Size size : {Size{360, 740}, {390, 844}, {820, 700}, {1280, 800}})
    for (const char* preset : {"coffee", "day1", "fox", "cat", "apple"})
      for (const char* mask : {"none", "causal"}) {
        App app = make_app();
        app.width = size.width;
        app.height = size.height;
        REQUIRE(changed_to(app, "preset", preset));
        REQUIRE(changed_to(app, "mask", mask));
        REQUIRE(changed_to(app, "step", "1"));
        for (scenes::Place before{0, 0}; app.place != before; next(app)) {
          before = app.place;
          const Page page = page_of(app);
          for (const figure::Element& element : page.figure.elements) {
            if (!element.id.starts_with("shell.narration")) continue;
            CAPTURE(size.width);
            CAPTURE(std::string(preset) + " " + mask + " " + std::to_string(app.place.step));
            CHECK(element.rect.bottom() <= page.regions.narration.bottom() + 0.5F);
          }
        }
      }
}

TEST_CASE("page: whatever the words are, the narration and the question stay in their places at every size") {
  REQUIRE(test::load_fonts());
  const std::string longest(300, 'W');
  for (const Size size : kSizes)
    for (const std::string& words :
         {longest + "+b", longest + "+" + longest + "+" + longest,
          std::string("Donaudampfschifffahrtsgesellschaftskapitaen+Rindfleischetikettierungsueberwachungsgesetz+b"),
          std::string("%E2%80%AEa+b%E2%81%A6"), std::string("she+likes+coffee")})
      for (const bool embed : {false, true}) {
        App app = make_app();
        app.width = size.width;
        app.height = size.height;
        REQUIRE(open_link(app, "text=" + words + "&colours=row"));
        app.settings.embed = embed;
        for (const char* step : {"1", "2", "3", "4", "5", "6", "7", "7.1", "7.2", "7.3", "7.4", "8", "9"}) {
          REQUIRE(changed_to(app, "step", step));
          const Page page = page_of(app);
          int pieces = 0;
          for (const figure::Element& element : page.figure.elements) {
            if (!element.id.starts_with("shell.narration")) continue;
            CAPTURE(size.width);
            CAPTURE(size.height);
            CAPTURE(step);
            CAPTURE(words.substr(0, 20));
            CAPTURE(embed);
            ++pieces;
            CHECK(element.rect.y >= page.regions.narration.y - 0.5F);
            CHECK(element.rect.bottom() <= page.regions.narration.bottom() + 0.5F);
            CHECK(element.rect.right() <= page.regions.narration.right() + 0.5F);
            const auto* text = std::get_if<figure::Text>(&element.shape);
            REQUIRE(text != nullptr);
            CHECK(text->text.find("\u202e") == std::string::npos);
            CHECK(text->text.find("\u2066") == std::string::npos);
          }
          CHECK(pieces > 0);
        }
        if (const auto question = app.scene->ask(app.state, app.trace)) CHECK(question->text.size() < 250);
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
  const figure::Element* presets = page.figure.find("shell.presets");
  REQUIRE(field != nullptr);
  REQUIRE(presets != nullptr);
  CHECK(presets->rect.centre().y == doctest::Approx(field->rect.centre().y));
}

TEST_CASE("page: where no chip says which example it is, its sentence stands in the field") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  app.width = 390;
  app.height = 844;
  REQUIRE(changed_to(app, "preset", "fox"));
  CHECK(page_of(app).inputs.at(0).value == "the quick brown fox jumped over the lazy dog");
  REQUIRE(changed_to(app, "preset", "day1"));
  CHECK(page_of(app).inputs.at(0).value.empty());
  CHECK(page_of(app).inputs.at(0).placeholder == "day 1");
  REQUIRE(changed_to(app, "text", "my own"));
  CHECK(page_of(app).inputs.at(0).value == "my own");
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
      CHECK_FALSE(overlap(seen(pressed[i]), seen(pressed[j])));
    }
  }
}

}  // namespace

TEST_CASE("fingers: on every device for them, and on phones, all that is pressed in the shell is at least 44 px high") {
  REQUIRE(test::load_fonts());
  for (const Size size : {Size{320, 568}, {390, 844}, {620, 700}, {768, 1024}, {1024, 768}, {844, 390}, {1280, 800}})
    for (const scenes::SceneDef* scene : scenes::all())
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
        REQUIRE(changed_to(app, "guess", "0"));
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

TEST_CASE("scenes: at every size each of them can be chosen, in the rail or in the menu, and none lies on another") {
  REQUIRE(test::load_fonts());
  std::vector<Size> sizes(std::begin(kSizes), std::end(kSizes));
  sizes.insert(sizes.end(), {{1280, 420}, {1000, 300}, {740, 320}});
  for (const Size size : sizes) {
    App app = make_app();
    app.width = size.width;
    app.height = size.height;
    if (page_of(app).regions.rail.w == 0) app.overlay = Overlay::menu;
    CAPTURE(size.width);
    CAPTURE(size.height);
    const Page page = page_of(app);
    std::vector<figure::Rect> buttons;
    for (const scenes::SceneDef* scene : scenes::all()) {
      const figure::Element* button = page.figure.find("shell.scene." + std::string(scene->id));
      REQUIRE(button != nullptr);
      CHECK(button->rect.x >= 0);
      CHECK(button->rect.right() <= size.width);
      CHECK(button->rect.bottom() <= size.height);
      CHECK(button->rect.w >= 110);
      for (const figure::Rect& other : buttons) CHECK_FALSE(overlap(button->rect, other));
      const bool tops_column = buttons.empty() || button->rect.x > buttons.back().x;
      buttons.push_back(button->rect);
      // The column's first scene stands below the name of its group.
      if (tops_column)
        CHECK(std::ranges::any_of(page.figure.elements, [&](const figure::Element& element) {
          return element.id.starts_with("shell.group.") && element.id.ends_with(scene->group) &&
                 element.rect.bottom() <= button->rect.y && element.rect.x >= button->rect.x &&
                 element.rect.right() <= button->rect.right();
        }));
    }
  }
}

// But for the cells of matrices, and the points of a plane: what fingers miss there can be typed.
TEST_CASE(
    "fingers: what is pressed in a figure is met 21 px above and below its middle, unless something else is there") {
  REQUIRE(test::load_fonts());
  for (const Size size : {Size{390, 844}, {768, 1024}, {1024, 768}, {844, 390}})
    for (const scenes::SceneDef* scene : scenes::all()) {
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
          if (element.rect.h >= 44) continue;
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
    for (const scenes::SceneDef* scene : scenes::all())
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
              CHECK_FALSE(overlap(parts[i]->rect, parts[j]->rect));
            }
        }
}

TEST_CASE("news: that a link was copied hides no word of the narration, and of the figure none") {
  REQUIRE(test::load_fonts());
  for (const Size size : kSizes) {
    App app = make_app();
    app.width = size.width;
    app.height = size.height;
    notify(app, "Link copied.", true);
    const Page page = page_of(app);
    const figure::Element* notice = page.figure.find("shell.notice");
    REQUIRE(notice != nullptr);
    CAPTURE(size.width);
    CHECK_FALSE(overlap(notice->rect, page.regions.narration));
    CHECK_FALSE(overlap(notice->rect, page.regions.stage));
    CHECK_FALSE(overlap(notice->rect, page.regions.timeline));
  }
}

TEST_CASE("narration: it is said to its end in one size of type, 14 px or more, at every step of every scene") {
  REQUIRE(test::load_fonts());
  for (const Size size : kSizes)
    for (const scenes::SceneDef* scene : scenes::all())
      for (const bool embed : {false, true}) {
        if (size.height < 450) continue;  // with a keyboard open, or on its side: the figure first
        App app = make_app();
        app.width = size.width;
        app.height = size.height;
        REQUIRE(open_link(app, "scene=" + std::string(scene->id) + (embed ? "&embed=1" : "")));
        std::optional<float> one;
        for (scenes::Place before{0, 0}; app.place != before; next(app)) {
          before = app.place;
          for (const figure::Element& element : page_of(app).figure.elements) {
            const auto* piece = std::get_if<figure::Text>(&element.shape);
            if (piece == nullptr || !element.id.starts_with("shell.narration")) continue;
            CAPTURE(size.width);
            CAPTURE(link(app));
            if (!one) one = piece->size;
            const bool subscript = piece->size == 0.75F * *one;
            CHECK((piece->size == *one || subscript));
            CHECK(*one >= 14);
            CHECK(piece->text != "…");
          }
        }
      }
}

TEST_CASE("steps: next visits every step and part once, previous goes the same way back") {
  App app = make_app();
  std::vector<scenes::Place> there{app.place};
  for (;;) {
    next(app);
    if (app.place == there.back()) break;
    there.push_back(app.place);
    REQUIRE(there.size() < 100);
  }
  CHECK(there.size() == 9 + 3);  // softmax has four parts
  CHECK(there.back().step == 9);
  for (std::size_t i = there.size() - 1; i-- > 0;) {
    previous(app);
    CHECK(app.place == there[i]);
  }
  const scenes::Place first = app.place;
  previous(app);
  CHECK(app.place == first);
}

TEST_CASE("undo: every change is taken back in order, and redone to the same link") {
  App app = make_app();
  std::vector<std::string> links{link(app)};
  for (const auto& [field, value] : {std::pair{"temperature", "0.5"},
                                     {"W_q", "0.0:2"},
                                     {"mask", "causal"},
                                     {"preset", "fox"},
                                     {"X", "1.1:-3"},
                                     {"text", "a b c"}}) {
    REQUIRE(changed_to(app, field, value));
    links.push_back(link(app));
  }
  for (std::size_t i = links.size() - 1; i-- > 0;) {
    undo(app);
    CHECK(link(app) == links[i]);
  }
  undo(app);
  CHECK(link(app) == links.front());
  for (std::size_t i = 1; i < links.size(); ++i) {
    redo(app);
    CHECK(link(app) == links[i]);
  }
}

TEST_CASE("undo: brings numbers back, not what is looked at of them") {
  App app = make_app();
  REQUIRE(changed_to(app, "temperature", "0.5"));
  REQUIRE(changed_to(app, "theme", "dark"));
  REQUIRE(changed_to(app, "step", "5"));
  REQUIRE(changed_to(app, "pin", "scores[1,1]"));
  undo(app);
  CHECK(app.theme() == figure::Theme::dark);
  CHECK(app.place.step == 5);
  CHECK(app.pinned == "scores[1,1]");
  CHECK(link(app).find("temperature") == std::string::npos);
}

TEST_CASE("undo: a drag that begins where the knob is already is still undone on its own") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "temperature", "2"));
  REQUIRE(changed_to(app, "step", "6"));
  const Page page = page_of(app);
  const figure::Element* slider = page.figure.find("field.temperature");
  REQUIRE(slider != nullptr);
  const float share = std::log(2 / 0.05F) / std::log(20 / 0.05F);
  const figure::Point knob{slider->rect.x + slider->rect.w * share, slider->rect.centre().y};
  Pointer pointer;
  pointer_pressed(app, page_of(app), pointer, knob);
  for (int dx = 6; dx <= 30; dx += 6)
    pointer_moved(app, page_of(app), pointer, {knob.x + static_cast<float>(dx), knob.y});
  pointer_released(app, page_of(app), pointer, {knob.x + 30, knob.y});
  CHECK(link(app).find("temperature=2&") == std::string::npos);
  undo(app);
  CHECK(io::write_patch(app.scene->encode(app.state)) == "preset=coffee&temperature=2");
}

TEST_CASE("undo: in the middle of a drag no state is lost, neither by undo nor by what a script changes meanwhile") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "step", "7"));  // where the temperature acts
  for (const char* value : {"2", "3"}) REQUIRE(changed_to(app, "temperature", value));
  const auto now = [&app] { return io::write_patch(app.scene->encode(app.state)); };
  const figure::Element slider = *page_of(app).figure.find("field.temperature");
  const auto at = [&](float share) {
    return figure::Point{slider.rect.x + slider.rect.w * share, slider.rect.centre().y};
  };
  Pointer pointer;
  pointer_pressed(app, page_of(app), pointer, at(0.5F));
  pointer_moved(app, page_of(app), pointer, at(0.7F));
  key_pressed(app, page_of(app), Key::undo);
  CHECK(now() == "preset=coffee&temperature=3");
  pointer_moved(app, page_of(app), pointer, at(0.9F));
  const std::string dragged = now();
  pointer_released(app, page_of(app), pointer, at(0.9F));
  undo(app);
  CHECK(now() == "preset=coffee&temperature=3");
  redo(app);
  CHECK(now() == dragged);
  CHECK(app.redo_stack.empty());

  pointer_pressed(app, page_of(app), pointer, at(0.4F));
  pointer_moved(app, page_of(app), pointer, at(0.3F));
  const std::string half = now();
  REQUIRE(changed_to(app, "mask", "causal"));
  const std::string masked = now();
  pointer_moved(app, page_of(app), pointer, at(0.2F));
  pointer_released(app, page_of(app), pointer, at(0.2F));
  for (const std::string& before : {masked, half, dragged}) {
    undo(app);
    CHECK(now() == before);
  }
}

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

TEST_CASE("the look changes no number and costs no result") {
  App app = make_app();
  REQUIRE(open_link(app, "preset=own&text=one+two&matrices=random"));
  toggle_job(app);
  while (advance(app, 0, 1000)) {
  }
  const int revision = app.revision;
  for (const auto& [field, value] :
       {std::pair{"map", "grey"}, {"colours", "row"}, {"threshold", "0.5"}, {"query", "1"}})
    REQUIRE(changed_to(app, field, value));
  CHECK(app.revision == revision);
  CHECK(app.trace.find("weights_low") != nullptr);
}

TEST_CASE("named and not there: a pin, a zoom, an answer or a token that does not exist is refused") {
  App app = make_app();
  for (const auto& [field, value] : {std::pair{"pin", "weights[99,99]"},
                                     {"pin", "nope[0,0]"},
                                     {"zoom", "bogus:0.0:1.1"},
                                     {"zoom", "weights:0.0:99.99"},
                                     {"guess", "7"},
                                     {"query", "50"},
                                     {"d", "8"},
                                     {"seed", "5"}}) {
    CAPTURE(field);
    CAPTURE(value);
    CHECK_FALSE(change(app, field, value));
  }
}

TEST_CASE("question: an answer shows what it was about, as one step that undo takes back and redo brings again") {
  App app = make_app();
  REQUIRE(changed_to(app, "step", "9"));
  const auto open = app.scene->ask(app.state, app.trace);
  const std::string before = link(app);
  REQUIRE(changed_to(app, "guess", "2"));
  const auto answered = app.scene->ask(app.state, app.trace);
  REQUIRE(answered);
  CHECK(answered->text == open->text);
  CHECK(answered->correct == open->correct);
  CHECK(link(app).find("temperature=0.5") != std::string::npos);
  CHECK(answered->answer.find(io::format_percent(app.trace.at("weights").values(0, 2))) != std::string::npos);
  CHECK(app.undo_stack.size() == 1);
  REQUIRE(changed_to(app, "guess", "0"));  // once more, to the same question
  CHECK(app.scene->ask(app.state, app.trace)->text == open->text);
  const std::string after = link(app);
  App again = make_app();
  REQUIRE(open_link(again, after));
  CHECK(link(again) == after);
  undo(app);
  CHECK(link(app) == before);
  redo(app);
  CHECK(link(app) == after);
  REQUIRE(changed_to(app, answered->back.field, answered->back.value));
  CHECK(link(app) == before);
  REQUIRE(changed_to(app, "guess", "0"));
  REQUIRE(changed_to(app, "map", "grey"));  // then it is open again
  CHECK(app.guess == -1);
  CHECK(app.scene->ask(app.state, app.trace)->text == open->text);
}

TEST_CASE("scripts: setting what the state already is changes nothing, whatever it is") {
  for (const char* preset : {"coffee", "day1", "fox", "cat", "apple", "own"})
    for (const char* more : {"", "&temperature=2&mask=causal&query=1", "&step=7.2&theme=dark&embed=1&debug=1"}) {
      App app = make_app();
      REQUIRE(open_link(app, std::string("preset=") + preset + more));
      REQUIRE(open_link(app, link(app) + (std::string_view(preset) == "day1" ? "&Q=0.1:0.5" : "&X=0.1:0.5")));
      app.zoom = {"weights", 0, 0, 1, 1};
      const std::string before = link(app), all = call(app, "state", "");
      io::Patch patch;
      for (const auto& [name, value] : state_of(app)) patch.emplace_back(name, value);
      const Result<void> result = change(app, patch);
      CAPTURE(preset);
      CAPTURE((result ? std::string() : result.error().message));
      REQUIRE(result);
      CHECK(link(app) == before);
      CHECK(call(app, "state", "") == all);
      CHECK(app.undo_stack.empty());
      // What a link holds can be asked for.
      const Result<io::Patch> linked = io::parse_patch(before);
      REQUIRE(linked);
      for (const auto& [name, value] : *linked)
        if (name != "v") CHECK(std::ranges::find(patch, name, &io::Patch::value_type::first) != patch.end());
    }
}

TEST_CASE("scripts: a switch is on or off in any of the ways that scripts and links write it") {
  for (const char* name : {"embed", "debug"}) {
    App app = make_app();
    for (const char* on : {"on", "true", "1"}) {
      REQUIRE(changed_to(app, name, on));
      CHECK(link(app).find(std::string(name) + "=1") != std::string::npos);
      REQUIRE(changed_to(app, name, "off"));
    }
    for (const char* off : {"off", "false", "0"}) {
      REQUIRE(changed_to(app, name, "on"));
      REQUIRE(changed_to(app, name, off));
      CHECK(link(app).find(name) == std::string::npos);
    }
    for (const char* neither : {"", "2", "yes", "ON"}) CHECK_FALSE(changed_to(app, name, neither));
  }
}

TEST_CASE("fields: the query token's range is that of the words") {
  App app = make_app();
  for (const auto& [text, most] : {std::pair{"one two three", 2}, {"alone", 0}, {"a b c d e f", 5}}) {
    REQUIRE(changed_to(app, "text", text));
    for (const io::FieldInfo& info : app.scene->fields(app.state))
      if (info.field.name == "query") CHECK(info.field.range.high == most);
    CHECK(changed_to(app, "query", std::to_string(most)));
    CHECK_FALSE(changed_to(app, "query", std::to_string(most + 1)));
  }
}

TEST_CASE("scenes: one that a reader comes back to is as it was left; a link begins anew") {
  App app = make_app();
  REQUIRE(change(app, io::Patch{{"text", "dogs chase cats"}, {"X", "0.0:2"}, {"step", "5"}}));
  REQUIRE(changed_to(app, "guess", "0"));
  const std::string answered = link(app);
  undo(app);
  const std::string before = link(app);
  redo(app);
  REQUIRE(link(app) == answered);
  REQUIRE(changed_to(app, "scene", "score"));
  CHECK(app.place == scenes::Place{1, 0});
  CHECK(app.guess == -1);
  REQUIRE(changed_to(app, "scene", "spotlight"));  // but for the answer, which has ended
  CHECK(link(app) == before);
  REQUIRE(changed_to(app, "scene", "score"));
  REQUIRE(open_link(app, "v=1&scene=spotlight"));
  CHECK(link(app) == link(make_app()));
}

TEST_CASE("undo: a step or a pin is no change of the state") {
  App app = make_app();
  REQUIRE(changed_to(app, "step", "7.2"));
  REQUIRE(changed_to(app, "pin", "weights[0,1]"));
  CHECK(app.undo_stack.empty());
}

TEST_CASE("links: what is opened is what was written, for edits, parts, pins, zooms and themes") {
  for (const char* text :
       {"v=1&scene=spotlight&step=7.3&preset=fox&temperature=0.25&pin=weights%5B4%2C3%5D&theme=dark",
        "v=1&scene=spotlight&step=9&preset=own&text=na%C3%AFve+caf%C3%A9&d=16&matrices=random&seed=7&guess=1",
        "v=1&scene=spotlight&step=4&X=0.0:0.125,2.3:-7&W_v=1.1:0.5&embed=1"}) {
    App app = make_app();
    const Result<void> opened = open_link(app, text);
    CAPTURE((opened ? std::string() : opened.error().message));
    REQUIRE(opened);
    App again = make_app();
    REQUIRE(open_link(again, link(app)));
    CHECK(link(again) == link(app));
    CHECK(again.trace.at("output").values == app.trace.at("output").values);
  }
}

TEST_CASE("links: what was changed after a pin is as it was, though the pin would bring other settings") {
  for (const auto& [scene, pinned, field] : {std::tuple{"spotlight", "weights[1,1]", "query"},
                                             {"score", "weights[0,0]", "key"},
                                             {"layer", "Q[1,0]", "query"}}) {
    CAPTURE(scene);
    App app = make_app();
    REQUIRE(changed_to(app, "scene", scene));
    std::string initial;
    for (const auto& [name, value] : state_of(app))
      if (name == field) initial = value;
    REQUIRE(changed_to(app, "pin", pinned));
    REQUIRE(changed_to(app, field, initial));
    REQUIRE(changed_to(app, "guess", "0"));
    App again = make_app();
    REQUIRE(open_link(again, link(app)));
    CHECK(state_of(again) == state_of(app));
  }
}

TEST_CASE("links: a bad one is refused in a sentence and changes nothing") {
  App app = make_app();
  REQUIRE(changed_to(app, "temperature", "0.5"));
  const std::string before = link(app);
  const std::string long_link = "v=1&text=" + std::string(100'000, 'a');
  for (const std::string& bad :
       {std::string("scene=nowhere"), std::string("v=99"), std::string("v=1&step=77"), std::string("step=7.9"),
        std::string("temperature=inf"), std::string("temperature=1e99"), std::string("nonsense=1"),
        std::string("preset"), std::string("preset=own&text="), std::string("W_q=9.9:1"), std::string("W_q=0.0:nan"),
        std::string("zoom=X"), std::string("pin=%5B"), std::string("a=%zz"), std::string("step=1&step=2"),
        std::string("Q=0.0:1"), long_link}) {
    const Result<void> result = open_link(app, bad);
    CAPTURE(bad.substr(0, 60));
    REQUIRE_FALSE(result);
    CHECK(result.error().message.size() > 20);
    CHECK(result.error().message.back() == '.');
    CHECK(link(app) == before);
  }
}

TEST_CASE("links: a state too long for one says so once, and is kept whole") {
  App app = make_app();
  std::string words, cells;
  for (int i = 0; i < 64; ++i) words += " w" + std::to_string(i);
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j)
      cells += (cells.empty() ? "" : ",") + std::to_string(i) + "." + std::to_string(j) + ":0.123456";
  REQUIRE(change(app, io::Patch{{"text", words.substr(1)}, {"d", "64"}}));
  CHECK(app.notice.text.empty());
  REQUIRE(changed_to(app, "X", cells));
  CHECK(app.notice.text == kLinkTooLong);
  const int serial = app.notice.serial;
  REQUIRE(change(app, io::Patch{{"temperature", "3"}, {"step", "7"}}));
  CHECK(app.notice.serial == serial);
  CHECK(describe_page(app, page_of(app), false).find("\"tooLong\":true") != std::string::npos);
  CHECK(call(app, "share", "").find("\"ok\":false") != std::string::npos);
  App again = make_app();
  CHECK_FALSE(open_link(again, link(app)));
  REQUIRE(open_kept(again, link(app)));
  CHECK(link(again) == link(app));
  CHECK(again.notice.serial == 0);
  REQUIRE(changed_to(app, "X", ""));
  CHECK(describe_page(app, page_of(app), false).find("\"tooLong\":false") != std::string::npos);
  undo(app);
  CHECK(app.notice.serial > serial);
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

TEST_CASE("reset: every edit and control goes, the example, the sentence and the step stay") {
  App app = make_app();
  REQUIRE(open_link(app, "step=5&preset=own&text=one+two+three&X=0.0:9&temperature=3&mask=causal"));
  REQUIRE(differs_from_example(app));
  reset(app);
  CHECK_FALSE(differs_from_example(app));
  CHECK(app.place.step == 5);
  CHECK(app.trace.at("X").row_labels == std::vector<std::string>{"one", "two", "three"});
  undo(app);
  CHECK(app.trace.at("X").values(0, 0) == 9);
}

TEST_CASE("idle: an app that nothing happens to asks for no frame") {
  App app = make_app();
  app.changed = false;
  CHECK_FALSE(advance(app, 1, 8));
  CHECK_FALSE(advance(app, 100, 8));
  CHECK_FALSE(app.changed);
}

TEST_CASE("play: goes on by itself and stops at the end") {
  App app = make_app();
  play(app, true);
  for (int second = 1; second < 100 && app.playing; ++second) advance(app, second, 8);
  CHECK_FALSE(app.playing);
  CHECK(app.place.step == 9);
}

TEST_CASE("play: where a step shows all words it goes from the first to [STOP], and leaves nothing to undo") {
  App app = make_app();
  REQUIRE(open_link(app, "scene=translate&step=5&word=2"));
  app.frames = 1;
  play(app, true);
  const auto word = [&] {
    const io::Patch all = state_of(app);
    return std::ranges::find(all, "word", &io::Patch::value_type::first)->second;
  };
  std::vector<std::string> seen;
  for (double second = 0; second < 60 && app.playing; second += 0.1) {
    advance(app, second, 8);
    const std::string now = scenes::number_of(app.place) + ":" + word();
    if (seen.empty() || seen.back() != now) seen.push_back(now);
  }
  CHECK(seen == std::vector<std::string>{"5:2", "6:2", "7:0", "7:1", "7:2", "7:3", "8:0"});
  CHECK(app.undo_stack.empty());
}

TEST_CASE("job: in slices, with a result that the trace carries, and dropped when the state changes") {
  App app = make_app();
  REQUIRE(open_link(app, "preset=own&text=one+two+three&matrices=random"));
  toggle_job(app);
  REQUIRE(app.job != nullptr);
  int slices = 0;
  while (advance(app, slices, 0.01) && slices < 1000) ++slices;
  CHECK(slices > 10);
  REQUIRE(app.trace.find("weights_low") != nullptr);
  CHECK((app.trace.at("weights_low").values.array() <= app.trace.at("weights_high").values.array()).all());
  REQUIRE(changed_to(app, "temperature", "2"));
  CHECK(app.trace.find("weights_low") == nullptr);
}

TEST_CASE("job: results on the way are shown while it runs, and stay and go on when it is paused") {
  App app = make_app();
  REQUIRE(open_link(app, "scene=scale&d=256"));
  const auto pairs = [&] { return app.trace.at("spread").values(0, 5); };
  const float at_once = pairs();
  toggle_job(app);
  for (int slice = 0; pairs() == at_once && slice < 10000; ++slice) REQUIRE(advance(app, slice, 0.1));
  const float on_the_way = pairs();
  CHECK(on_the_way < 20000);
  toggle_job(app);
  CHECK_FALSE(app.works());
  CHECK(pairs() == on_the_way);
  const int done = app.job->snapshot.done;
  toggle_job(app);
  CHECK(app.job->snapshot.done == done);
  while (advance(app, 0, 1000)) {
  }
  CHECK(pairs() == 20000);
  REQUIRE(changed_to(app, "d", "64"));
  CHECK(pairs() == at_once);
}

TEST_CASE("job: a change that is refused costs nothing of what was there") {
  App app = make_app();
  REQUIRE(open_link(app, "text=a+b+c&matrices=random"));
  toggle_job(app);
  CHECK_FALSE(change(app, io::Patch{{"temperature", "2"}, {"pin", "Q[50,0]"}}));
  CHECK(app.works());
  while (advance(app, 0, 1000)) {
  }
  const double compute_ms = app.compute_ms;
  CHECK_FALSE(change(app, io::Patch{{"temperature", "2"}, {"pin", "Q[50,0]"}}));
  CHECK(app.job != nullptr);
  CHECK(app.compute_ms == compute_ms);
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
  app.width = 390;
  app.height = 600;
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
  std::string words;
  for (int i = 0; i < 64; ++i) words += " w" + std::to_string(i);
  REQUIRE(change(app, io::Patch{{"text", words.substr(1)}, {"d", "64"}, {"step", "5"}}));
  const figure::Rect K = page_of(app).figure.find("K")->rect;
  Pointer pointer;
  pointer_moved(app, page_of(app), pointer, {K.x + 0.95F * K.w, K.y + 0.05F * K.h});
  for (int i = 0; i < 6; ++i) wheel_turned(app, page_of(app), pointer, 1);
  REQUIRE(app.zoom.tensor == "K");
  CHECK(app.zoom.row > 32);  // the keys run to the right
  CHECK(app.zoom.column < 8);
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
      REQUIRE(change(app, {{"scene", scene}, {"preset", preset}, {"step", std::to_string(step)}}));
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
  for (const scenes::SceneDef* scene : scenes::all())
    for (int step = 1; step <= static_cast<int>(scene->steps().size()); ++step) {
      CAPTURE(scene->id);
      CAPTURE(step);
      App app = make_app();
      app.width = 360;
      app.height = 3000;  // all of it is seen
      app.touch = true;
      app.resources = models.resources;
      REQUIRE(change(app, {{"scene", std::string(scene->id)}, {"step", std::to_string(step)}}));
      for (const figure::Element& button : page_of(app).figure.elements) {
        if (button.role != figure::Role::button || !button.id.starts_with("shell.zoom.in.")) continue;
        CAPTURE(button.id);
        ++buttons;
        App pressed = make_app();
        pressed.width = app.width;
        pressed.height = app.height;
        pressed.touch = true;
        pressed.resources = models.resources;
        REQUIRE(change(pressed, {{"scene", std::string(scene->id)}, {"step", std::to_string(step)}}));
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
  CHECK(buttons > 0);
}

TEST_CASE("wheel: zooms a matrix whose numbers have no room around the pointer, and back to all of it") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  std::string words;
  for (int i = 0; i < 60; ++i) words += "+w" + std::to_string(i);
  REQUIRE(open_link(app, "step=9&preset=own&text=" + words.substr(1)));
  Pointer pointer;
  pointer.at = cell_centre(page_of(app), "weights", 50, 10);
  for (int i = 0; i < 6; ++i) wheel_turned(app, page_of(app), pointer, 1);
  REQUIRE(app.zoom.rows > 0);
  CHECK(app.zoom.rows < 30);
  CHECK(app.zoom.row <= 50);
  CHECK(app.zoom.row + app.zoom.rows > 50);
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

TEST_CASE("notices: an error goes with the next change that is accepted") {
  for (const char* refused : {"text=", "temperature=99", "X=0.0:2000"})
    for (const auto& [field, value] : {std::pair{"text", "hello"}, {"temperature", "2"}, {"X", "0.0:2"}}) {
      App app = make_app();
      REQUIRE(call(app, "set", refused).find("\"ok\":false") != std::string::npos);
      REQUIRE(!app.notice.text.empty());
      REQUIRE(changed_to(app, field, value));
      CHECK(app.notice.text.empty());
    }
  App app = make_app();
  notify(app, "The link is copied.", true);
  REQUIRE(changed_to(app, "temperature", "2"));
  CHECK(!app.notice.text.empty());  // what was done stays done
}

TEST_CASE("notices: what was refused while typing goes with Escape, what was done stays") {
  for (const bool typed : {true, false}) {
    App app = make_app();
    call(app, "edit", "W_q 0.1");
    REQUIRE(app.typing);
    call(app, "cell", "W_q 0.1 -0,5");
    REQUIRE(!app.notice.text.empty());
    if (typed)
      call(app, "edit", "cancel");
    else
      key_pressed(app, page_of(app), Key::escape);
    CHECK(app.notice.text.empty());
    notify(app, "The link is copied.", true);
    call(app, "edit", "cancel");
    CHECK(!app.notice.text.empty());
  }
}

TEST_CASE("links: a frame stays a frame, in its theme, when the rest is refused") {
  for (const char* rest : {"step=99", "scene=nowhere", "v=99", "nonsense=1"}) {
    App app = make_app();
    REQUIRE_FALSE(open_link(app, std::string(rest) + "&theme=dark&embed=1"));
    CHECK(app.settings.embed);
    CHECK(app.theme() == figure::Theme::dark);
    CHECK(app.place == scenes::Place{});
  }
}

TEST_CASE("touch: no text tells a finger to click") {
  for (const char* preset : {"coffee", "day1", "fox"})
    for (int step = 1; step <= 9; ++step)
      for (const char* pin : {"", "X[0,0]", "W_q[0,1]", "Q[0,0]", "weights[0,0]"}) {
        App app = make_app();
        app.touch = true;
        REQUIRE(changed_to(app, "preset", preset));
        REQUIRE(changed_to(app, "step", std::to_string(step)));
        const scenes::View view = view_of(app, 756, 572);
        std::string text = app.scene->narrate(app.state, app.trace, view);
        if (const auto inspection = app.scene->inspect(app.state, app.trace, view, pin)) text += inspection->note;
        CAPTURE(text);
        CHECK(text.find("click") == std::string::npos);
      }
}

TEST_CASE("narration: on a phone on its side it is said to its end") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  app.width = 844;
  app.height = 390;
  for (scenes::Place before{0, 0}; app.place != before; next(app)) {
    before = app.place;
    CAPTURE(link(app));
    bool cut = false;
    for (const figure::Element& element : page_of(app).figure.elements)
      if (const auto* piece = std::get_if<figure::Text>(&element.shape);
          piece != nullptr && element.id.starts_with("shell.narration"))
        cut = cut || piece->text == "…";
    CHECK(!cut);
  }
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

TEST_CASE("arcs: pointing at one shows its weight, a click keeps it") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "step", "9"));
  const Page page = page_of(app);
  const figure::Element* arcs = page.figure.find("arcs");
  REQUIRE(arcs != nullptr);
  const figure::Rect& rect = arcs->rect;
  // Arcs from the second word cross the middle half way to where they go.
  const auto at = [&](int row, int column) {
    return figure::Point{rect.centre().x, rect.y + rect.h * (static_cast<float>(row + column) + 1) / 6};
  };
  Pointer pointer;
  pointer_moved(app, page, pointer, at(2, 2));
  CHECK(app.hovered == "weights[2,2]");
  pointer_moved(app, page, pointer, {rect.centre().x, rect.y + 1});
  CHECK(app.hovered.empty());
  pointer_moved(app, page, pointer, {rect.x + 1, rect.y + rect.h / 2});
  CHECK(app.hovered == "weights[1,1]");  // the heaviest of those that begin there
  click(app, pointer, at(2, 2));
  CHECK(app.pinned == "weights[2,2]");
  REQUIRE(changed_to(app, "threshold", "1"));
  pin(app, {});
  pointer_moved(app, page_of(app), pointer, at(2, 2));
  CHECK(app.hovered.empty());
}

TEST_CASE("day 1 begins with Q, K and V: nothing leads before them") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "preset", "day1"));
  CHECK(app.place.step == 4);
  previous(app);
  CHECK(app.place.step == 4);
  REQUIRE(changed_to(app, "step", "1"));
  CHECK(app.place.step == 4);
  const Page page = page_of(app);
  for (const figure::Element& element : page.figure.elements)
    if (element.edit && element.edit->field == "step") {
      CAPTURE(element.id);
      CHECK(element.edit->value[0] >= '4');
    }
  CHECK(page.figure.find("shell.step.2")->label.find("Given directly in this example.") != std::string::npos);
  CHECK(page.figure.find("map.0")->label.find("Given directly in this example.") != std::string::npos);
  undo(app);
  CHECK(app.place.step == 4);
  previous(app);
  CHECK(app.place.step == 3);
  redo(app);
  CHECK(app.place.step == 4);
}

TEST_CASE("reset is offered for changed numbers, not for what is looked at") {
  App app = make_app();
  for (const auto& [field, value] : {std::pair{"query", "2"}, {"map", "grey"}, {"threshold", "0.3"}})
    REQUIRE(changed_to(app, field, value));
  CHECK_FALSE(differs_from_example(app));
  REQUIRE(changed_to(app, "X", "0.0:0.7"));
  CHECK(differs_from_example(app));
}

TEST_CASE("tooltips: a control's covers neither the figure nor the control, comes after a rest and goes with a click") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "step", "9"));
  const auto box = [&app] {
    const Page page = page_of(app);
    const figure::Element* element = page.figure.find("shell.tooltip");
    return element == nullptr ? std::nullopt : std::optional(element->rect);
  };
  for (const char* id : {"field.temperature", "field.scale.off", "field.mask.causal"}) {
    hover(app, id);
    CHECK(advance(app, app.now + 0.6, 0));
    CHECK_FALSE(box());
    advance(app, app.now + 0.2, 0);
    REQUIRE(box());
    const Page page = page_of(app);
    CHECK(box()->x >= page.regions.inspector.x);
    CHECK(box()->right() <= app.width);
    CHECK_FALSE(overlap(*box(), page.figure.find(id)->rect));
  }
  Pointer pointer;
  pointer_pressed(app, page_of(app), pointer, centre_of(page_of(app), "field.temperature"));
  CHECK_FALSE(box());
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

TEST_CASE("inspector: the title of what is looked at is never cut, wherever there is an inspector") {
  REQUIRE(test::load_fonts());
  for (const Size size : {Size{620, 700}, {768, 1024}, {844, 390}, {1280, 800}})
    for (const char* id : {"X[0,0]", "W_q[0,1]", "Q[0,0]", "scores[0,1]", "weights[0,2]", "output[0,1]"})
      for (const bool pinned : {false, true}) {
        App app = make_app();
        app.width = size.width;
        app.height = size.height;
        (pinned ? app.pinned : app.hovered) = id;
        for (const figure::Element& element : page_of(app).figure.elements)
          if (const auto* piece = std::get_if<figure::Text>(&element.shape);
              piece != nullptr && element.id.starts_with("shell.inspect.title")) {
            CAPTURE(id);
            CAPTURE(piece->text);
            CHECK(piece->text.find("…") == std::string::npos);
          }
      }
}

TEST_CASE("typing: a number that is refused is repeated as it was typed") {
  App app = make_app();
  CHECK(call(app, "cell", "X 1.2 1e9").find("\\\"1e9\\\"") != std::string::npos);
  CHECK(call(app, "set", "temperature=1e9").find("\\\"1e9\\\"") != std::string::npos);
}

TEST_CASE("commands: an unknown one is refused, a good one answers ok") {
  App app = make_app();
  CHECK(call(app, "nonsense", "").find("\"ok\":false") != std::string::npos);
  CHECK(call(app, "set", "temperature=0.5").find("\"ok\":true") != std::string::npos);
  CHECK(call(app, "set", "temperature=-5").find("\"ok\":false") != std::string::npos);
  CHECK(call(app, "trace", "weights").find("\"shape\":[3,3]") != std::string::npos);
  CHECK(call(app, "trace", "nothing").find("\"ok\":false") != std::string::npos);
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

TEST_CASE("a click on a word chooses the query, and every number that follows is its row") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "step", "7"));
  Pointer pointer;
  click(app, pointer, centre_of(page_of(app), "weights.row.2"));
  const scenes::View view = view_of(app, 756, 592);
  CHECK(app.scene->narrate(app.state, app.trace, view).find("**coffee** gives 38") != std::string::npos);
}

// Whatever is done in whatever order, by hand, by script or by link, at whatever size: every number that is shown
// exists. The page that the pointer meets may be an older one, as it is when a script was faster than the next frame.
TEST_CASE("storm: thousands of random events never leave what is there") {
  REQUIRE(test::load_fonts());
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    Random random(seed);
    const auto pick = [&](int count) { return static_cast<int>(random.uniform() * count); };
    App app = make_app();
    Pointer pointer;
    Page page = page_of(app);
    app.frames = 1;  // links are followed on a page that is there
    // Without the query token: a pinned number brings its row along, which is no step of its own.
    const auto encoded = [](const scenes::SceneDef& scene, const std::any& state) {
      io::Patch patch = scene.encode(state);
      std::erase_if(patch, [](const auto& entry) { return entry.first == "query"; });
      return std::string(scene.id) + "&" + io::write_patch(patch);
    };
    bool dragging = false;  // the last change was a drag's
    static constexpr const char* kLinks[] = {
        "scene=spotlight&preset=fox&step=9",
        "scene=spotlight&text=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w&d=16&step=7&pin=weights%5B20%2C20%5D",
        "scene=spotlight&preset=day1&step=8",
        "scene=spotlight&embed=1&step=7",
        "scene=spotlight&preset=own&text=x&matrices=random&step=9",
        "scene=spotlight&mask=causal&step=6&theme=dark"};
    static constexpr const char* kCommands[] = {"undo", "redo",    "reset", "next",  "previous", "play",  "job",
                                                "menu", "presets", "close", "sheet", "theme",    "share", "dismiss"};
    for (int event = 0; event < 700; ++event) {
      const figure::Point at{static_cast<float>(random.uniform()) * app.width,
                             static_cast<float>(random.uniform()) * app.height};
      app.now += random.uniform() * 0.3;
      const std::string before = encoded(*app.scene, app.state);
      const bool was_revealed = !app.revealed.empty();
      const std::size_t undo_depth = app.undo_stack.size(), redo_depth = app.redo_stack.size();
      const std::string behind =
          app.undo_stack.empty() ? "" : encoded(*app.undo_stack.back().scene, app.undo_stack.back().state);
      const int kind = pick(14);
      switch (kind) {
        case 0:
          pointer_pressed(app, page, pointer, at);
          break;
        case 1:
        case 2:
          pointer_released(app, page, pointer, at);
          break;
        case 3:
          wheel_turned(app, page, pointer, random.uniform() < 0.5 ? 1.F : -1.F);
          break;
        case 4:
          key_pressed(app, page, static_cast<Key>(pick(13)));
          break;
        case 5:
          call(app, kCommands[pick(static_cast<int>(std::size(kCommands)))], "");
          break;
        case 6:
          if (pick(6) == 0) CHECK(open_link(app, kLinks[pick(static_cast<int>(std::size(kLinks)))]));
          break;
        case 7:
          character_typed(app, page, U'0' + static_cast<char32_t>(pick(10)));
          break;
        case 8:
          if (pick(8) == 0) {
            app.width = 60 + static_cast<float>(pick(1500));
            app.height = 60 + static_cast<float>(pick(900));
            app.touch = pick(2) == 0;
          }
          break;
        case 9:
          advance(app, app.now, 0.1);
          break;
        case 10:
          call(app, "set", "text=one+two+three");
          break;
        default:
          pointer_moved(app, page, pointer, at);
          break;
      }
      // Undo leads back through exactly the states that were passed, of a drag through its ends; what an answer set
      // goes back without it.
      const std::string after = encoded(*app.scene, app.state);
      const bool undone = app.undo_stack.size() < undo_depth && app.redo_stack.size() > redo_depth;
      const bool ended = was_revealed && app.revealed.empty() && app.undo_stack.size() <= undo_depth;
      const bool redone = !undone && app.redo_stack.size() < redo_depth && !app.redo_stack.empty();
      const bool by_hand = kind == 0 || kind > 10;
      CAPTURE(event);
      if (kind < 3) dragging = false;
      if (undone) {
        REQUIRE(after == behind);
        REQUIRE(encoded(*app.redo_stack.back().scene, app.redo_stack.back().state) == before);
      } else if (after != before && !redone && !ended && !(dragging && by_hand)) {
        REQUIRE_FALSE(app.undo_stack.empty());
        REQUIRE(encoded(*app.undo_stack.back().scene, app.undo_stack.back().state) == before);
      }
      if (after != before) dragging = by_hand && !undone && !redone;
      if (pick(3) == 0) continue;  // the next event comes before the next frame
      page = page_of(app);
      for (const figure::Element& element : page.figure.elements) {
        CAPTURE(seed);
        CAPTURE(event);
        CAPTURE(element.id);
        REQUIRE(std::isfinite(element.rect.x + element.rect.y + element.rect.w + element.rect.h));
      }
      const bool pin_exists = app.pinned.empty() || [&] {
        const auto source = figure::parse_cell_id(app.pinned);
        return source && app.trace.cell(source->tensor, source->row, source->column) != nullptr;
      }();
      REQUIRE(pin_exists);
      if (app.zoom.rows > 0) {
        const Tensor* tensor = app.trace.find(app.zoom.tensor);
        REQUIRE(tensor != nullptr);
        REQUIRE(app.zoom.row + app.zoom.rows <= tensor->rows());
        REQUIRE(app.zoom.column + app.zoom.columns <= tensor->columns());
      }
    }
  }
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
