// What the shell says, at every size: the inspector, the narration, the question and the news.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "app/app.h"
#include "app/page.h"
#include "scenes/place.h"
#include "unit/app_support.h"
#include "unit/fonts.h"
#include "unit/swept.h"

using namespace limelight;
using namespace limelight::app;
using namespace limelight::test;

namespace {

bool same(const std::vector<std::pair<std::string, figure::Rect>>& a,
          const std::vector<std::pair<std::string, figure::Rect>>& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    return one.first == other.first && one.second.x == other.second.x && one.second.y == other.second.y;
  });
}

}  // namespace

TEST_CASE("inspector: at 1280×800 nearly all of it is seen, and the controls stand still whatever is looked at") {
  REQUIRE(test::load_fonts());
  for (const char* preset : {"coffee", "day1", "fox", "cat", "apple"})
    for (int step = 1; step <= 9; ++step) {
      App app = make_app();
      REQUIRE(changed_to(app, "preset", preset));
      REQUIRE(changed_to(app, "step", std::to_string(step)));
      app.inspector = InspectorChoice::open;
      const auto unpinned = controls_in(page_of(app));
      REQUIRE(unpinned.size() > 3);
      const auto looked_at = [&](const char* field, const char* id) {
        CAPTURE(preset);
        CAPTURE(step);
        CAPTURE(id);
        (std::string_view(field) == "pin" ? app.pinned : app.hovered) = id;
        const Page page = page_of(app);
        CHECK(page.inspector_height <= 1.05F * page.regions.inspector.h);  // the rest is scrolled to
        CHECK(same(controls_in(page), unpinned));
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
  for (const scenes::SceneDef* scene : test::swept())
    for (const Size size : kSizes)
      for (const bool answered : {false, true}) {
        App app = make_app();
        app.width = size.width;
        app.height = size.height;
        REQUIRE(open_link(app, "scene=" + std::string(scene->id) + "&step=" + std::string(scene->steps().back().id)));
        if (!app.scene->ask(app.state, app.trace)) continue;
        if (answered) REQUIRE(changed_to(app, "guess", "0"));
        app.sheet_open = true;
        pin(app, figure::cell_id({app.trace.tensors.back().name, 0, 0}));
        CAPTURE(scene->id);
        CAPTURE(size.width);
        CAPTURE(app.pinned);
        const auto says_question = [](const Page& page) {
          const figure::Element* unpin = page.figure.find("shell.unpin");
          return unpin != nullptr && unpin->label == "Unpin, back to the question";
        };
        if (!app.compact() && !app.large()) CHECK_FALSE(says_question(page_of(app)));  // without the pin it folds up
        app.inspector = InspectorChoice::open;
        const Page page = page_of(app);
        CHECK(says_question(page) == (page.figure.find("shell.answer.0") == nullptr));
        REQUIRE(changed_to(app, "pin", ""));
        CHECK(page_of(app).figure.find("shell.answer.0") != nullptr);
      }
}

TEST_CASE("inspector: a pinned number has a chip that says so, beside its title and the key that ends it") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  app.width = 1280;
  app.height = 800;
  app.inspector = InspectorChoice::open;
  for (const char* step : {"words", "softmax", "glance"}) {
    REQUIRE(open_link(app, "scene=spotlight&v=2&preset=fox&step=" + std::string(step)));
    CHECK(page_of(app).figure.find("shell.unpin.chip") == nullptr);
    pin(app, "weights[4,3]");
    const Page page = page_of(app);
    const figure::Element* chip = page.figure.find("shell.unpin.chip");
    REQUIRE(chip != nullptr);
    CHECK(std::get<figure::Rectangle>(chip->shape).stroke.a == 255);
    const auto words = [&](const char* id) { return std::get<figure::Text>(page.figure.find(id)->shape); };
    CHECK(words("shell.unpin.text").text == "pinned");
    CHECK(words("shell.unpin.key").text == "Esc");
    const float key = page.figure.find("shell.unpin.key")->rect.x;
    CHECK(key >= chip->rect.right());
    CHECK(key + text::measure(text::Face::regular, words("shell.unpin.key").size, "Esc") <=
          page.figure.find("shell.inspector.fold")->rect.x);
    pin(app, "");
  }
}

TEST_CASE("foot: on a large screen its row is a fifth larger, begins where the map does and stays in the ground") {
  REQUIRE(test::load_fonts());
  const auto page_at = [](Size size, const char* step) {
    App app = make_app();
    app.width = size.width;
    app.height = size.height;
    REQUIRE(open_link(app, "scene=spotlight&v=2&preset=fox&step=" + std::string(step)));
    return page_of(app);
  };
  for (const char* step : {"words", "softmax", "glance"}) {
    CAPTURE(step);
    const Page usual = page_at({1280, 800}, step), large = page_at({1920, 1080}, step);
    REQUIRE(usual.inputs.size() == 1);
    REQUIRE(large.inputs.size() == 1);
    CHECK(large.inputs[0].font_size == doctest::Approx(1.2F * usual.inputs[0].font_size));
    CHECK(large.inputs[0].pill.h == doctest::Approx(1.2F * usual.inputs[0].pill.h));
    CHECK(large.inputs[0].pill.x == large.figure.find("field.text")->rect.x);
    const figure::Rect foot = large.regions.foot;
    for (const figure::Element& element : large.figure.elements) {
      const bool of_row = element.id.starts_with("field.") || element.id.starts_with("shell.presets") ||
                          element.id.starts_with("shell.more_controls") || element.id.starts_with("shell.ask");
      if (!of_row) continue;
      CAPTURE(element.id);
      CHECK(element.rect.x >= foot.x);
      CHECK(element.rect.right() <= foot.right());
      CHECK(element.rect.y >= foot.y);
      CHECK(element.rect.bottom() <= foot.bottom());
      const auto* words = std::get_if<figure::Text>(&element.shape);
      const figure::Element* same = usual.figure.find(element.id);
      if (words != nullptr && same != nullptr)
        CHECK(words->size == doctest::Approx(1.2F * std::get<figure::Text>(same->shape).size));
    }
  }
  const Page glance = page_at({1920, 1080}, "glance");
  CHECK(std::abs(glance.inputs[0].pill.x - glance.figure.find("weights")->rect.x) < 4);
}

TEST_CASE("inspector: every control's name fits before it") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  app.width = 1280;
  app.height = 800;
  app.inspector = InspectorChoice::open;
  for (const char* preset : {"fox", "cat"})
    for (const scenes::Step& step : app.scene->steps()) {
      REQUIRE(open_link(app, "scene=spotlight&v=2&preset=" + std::string(preset) + "&step=" + std::string(step.id)));
      for (const figure::Element& element : page_of(app).figure.elements) {
        const auto* name = std::get_if<figure::Text>(&element.shape);
        if (name == nullptr || !element.id.starts_with("field.") || !element.id.ends_with(".label")) continue;
        CAPTURE(name->text);
        CHECK(name->text.find('_') == std::string::npos);
        CHECK(text::measure(name->face, name->size, name->text) <= element.rect.w);
      }
    }
}

TEST_CASE("inspector: only the controls of the step are shown") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  app.inspector = InspectorChoice::open;
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

TEST_CASE("narration: two lines of it keep clear of the edge above them and of the transport below them") {
  REQUIRE(test::load_fonts());
  for (const Size size : {Size{1280, 800}, {1280, 720}, {1024, 768}}) {
    App app = make_app();
    app.width = size.width;
    app.height = size.height;
    REQUIRE(open_link(app, "scene=spotlight&v=2&preset=cat&step=glance"));
    const Page page = page_of(app);
    float first = size.height, last = 0;  // baselines
    for (const figure::Element& element : page.figure.elements)
      if (element.id.starts_with("shell.narration"))
        for (const figure::Primitive& primitive : figure::primitives(element, app.trace))
          if (const auto* text = std::get_if<figure::TextPrimitive>(&primitive.shape)) {
            first = std::min(first, text->baseline.y);
            last = std::max(last, text->baseline.y);
          }
    CHECK(last > first + 15);  // two lines
    CHECK(last < first + 27);
    CHECK(first - page.regions.ground.bottom() >= 24);
    CHECK(first - page.regions.ground.bottom() <= 30);
    const figure::Element* play = page.figure.find("shell.play");
    REQUIRE(play != nullptr);
    CHECK(play->rect.y - last >= 10);
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
    CHECK_FALSE(lie_over(notice->rect, page.regions.narration));
    CHECK_FALSE(lie_over(notice->rect, page.regions.stage));
    CHECK_FALSE(lie_over(notice->rect, page.regions.timeline));
  }
}

TEST_CASE("narration: it is said to its end in one size of type, 14 px or more, at every step of every scene") {
  REQUIRE(test::load_fonts());
  for (const Size size : kSizes)
    for (const scenes::SceneDef* scene : test::swept())
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

TEST_CASE("inspector: the title of what is looked at is never cut, wherever there is an inspector") {
  REQUIRE(test::load_fonts());
  for (const Size size : {Size{620, 700}, {768, 1024}, {844, 390}, {1280, 800}})
    for (const char* id : {"X[0,0]", "W_q[0,1]", "Q[0,0]", "scores[0,1]", "weights[0,2]", "output[0,1]"})
      for (const bool pinned : {false, true}) {
        App app = make_app();
        app.width = size.width;
        app.height = size.height;
        app.inspector = InspectorChoice::open;
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

TEST_CASE("inspector: the rows that a number comes from are called by what they are, pointed at or not") {
  REQUIRE(load_fonts());
  App app = make_app();
  for (const char* pinned : {"", "&pin=weights[4,3]"})
    for (const std::string step : {"words", "glance"}) {
      if (step == "glance" && *pinned == 0) continue;  // says what the output is
      CAPTURE(step);
      REQUIRE(open_link(app, "scene=spotlight&preset=fox&query=4&step=" + step + pinned));
      const auto made = inspection_of(app);
      REQUIRE(made);
      std::vector<std::string> labels;
      for (const scenes::Origin& origin : made->origins) labels.push_back(origin.label);
      CHECK(labels == std::vector<std::string>{"query of jumped", "key of fox"});
    }
}
