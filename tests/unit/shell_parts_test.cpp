// The laws of the shell's parts around the figure: controls, inspector, narration, provenance and timeline.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/actions.h"
#include "app/app.h"
#include "app/commands.h"
#include "app/input.h"
#include "app/opening.h"
#include "app/page.h"
#include "app/provenance.h"
#include "scenes/common/words.h"
#include "scenes/place.h"
#include "unit/app_support.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;
using namespace limelight::test;

TEST_CASE("controls: each of a step's stands under the figure, in the inspector or behind a button to it, once") {
  REQUIRE(test::load_fonts());
  for (const Size size : kSizes)
    for (const scenes::SceneDef* scene : scenes::all())
      for (const InspectorChoice choice : {InspectorChoice::folded, InspectorChoice::open}) {
        App app = make_app();
        app.width = size.width;
        app.height = size.height;
        app.sheet_open = choice == InspectorChoice::open;
        REQUIRE(open_link(app, "scene=" + std::string(scene->id)));
        for (scenes::Place before{0, 0}; app.place != before; next(app)) {
          before = app.place;
          app.inspector = choice;
          const Page page = page_of(app);
          CAPTURE(size.width);
          CAPTURE(size.height);
          CAPTURE(link(app));
          std::set<std::string> seen;
          for (const auto& [id, rect] : controls_in(page)) {
            CAPTURE(id);
            CHECK(seen.insert(id).second);
          }
          const bool all = app.compact() ? app.sheet_open : choice == InspectorChoice::open;
          const bool more = page.figure.find("shell.more_controls") != nullptr;
          CHECK_FALSE((all && more));
          for (const io::FieldInfo& info : app.scene->fields(app.state)) {
            if (info.field.place != io::Place::panel || !info.field.shown || info.kind != io::FieldKind::toggle)
              continue;
            const bool here = info.field.steps.has(scenes::step_at(*app.scene, app.place).id);
            CAPTURE(info.field.name);
            const bool shown = seen.contains("field." + std::string(info.field.name));
            CHECK((!shown || here));
            if (here && !app.compact() && size.height >= 500) CHECK((shown || more));
            if (here && all) CHECK(shown);
          }
        }
      }
}

TEST_CASE("controls: a second press on the switch of a sentence's numbers meets the same switch") {
  REQUIRE(test::load_fonts());
  for (const float width : {1024.F, 1280.F, 1440.F, 1920.F})
    for (const std::string text :
         {"she reads", "the old keeper walked home", "my mother told the teacher that she forgot"}) {
      CAPTURE(width);
      CAPTURE(text);
      App app = make_app();
      app.width = width;
      app.height = 800;
      REQUIRE(change_by_hand(app, {{"text", text}}));
      REQUIRE(change_by_hand(app, {{"trained", "off"}}));
      const figure::Point off = centre_of(page_of(app), "field.trained.on");
      REQUIRE(change_by_hand(app, {{"trained", "on"}}));
      CHECK(centre_of(page_of(app), "field.trained.on").x == doctest::Approx(off.x).epsilon(0.001));
    }
}

TEST_CASE("inspector: a click opens it for a number once no second click can follow, and Escape folds it up again") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "step", "7"));
  CHECK(page_of(app).figure.find("shell.inspector.tab") != nullptr);
  const float wide = page_of(app).regions.stage.w;
  Pointer pointer;
  const Page page = page_of(app);
  const figure::Element* cells = page.figure.find("weights");
  REQUIRE(cells != nullptr);
  const figure::Point at{cells->rect.x + 4, cells->rect.y + 4};
  pointer_pressed(app, page, pointer, at);
  pointer_released(app, page, pointer, at);
  CHECK(app.pinned == "weights[0,0]");
  CHECK(page_of(app).regions.stage.w == wide);
  CHECK(advance(app, app.now + 0.2, 0));
  CHECK(page_of(app).regions.stage.w == wide);
  advance(app, app.now + 0.3, 0);
  CHECK(page_of(app).regions.inspector.w == 248);
  CHECK(page_of(app).figure.find("shell.inspector.tab") == nullptr);
  key_pressed(app, page_of(app), Key::escape);
  CHECK(page_of(app).regions.stage.w == wide);
  // Folded up by hand it stays so, until another number is pinned.
  pin(app, "weights[0,1]");
  CHECK(page_of(app).regions.inspector.w == 248);
  key_pressed(app, page_of(app), Key::inspect);
  CHECK(page_of(app).regions.inspector.w == 0);
  pin(app, "weights[0,2]");
  CHECK(page_of(app).regions.inspector.w == 248);
}

TEST_CASE("inspector: a double click types into the number where it is") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "step", "2"));
  const Page page = page_of(app);
  const figure::Element* cells = page.figure.find("X.0");
  REQUIRE(cells != nullptr);
  const figure::Point at{cells->rect.x + 4, cells->rect.y + 4};
  Pointer pointer;
  for (int i = 0; i < 2; ++i) {
    pointer_pressed(app, page_of(app), pointer, at);
    pointer_released(app, page_of(app), pointer, at);
  }
  REQUIRE(app.typing);
  CHECK(app.typing->id == "X[0,0]");
  advance(app, app.now + 1, 0);
  CHECK(page_of(app).regions.inspector.w == 0);
}

TEST_CASE("text view: it tells what the inspector has while that is folded up, and the question's way back") {
  REQUIRE(test::load_fonts());
  for (const scenes::SceneDef* scene : scenes::all()) {
    App app = make_app();
    REQUIRE(open_link(app, "scene=" + std::string(scene->id) + "&step=" + std::string(scene->steps().back().id)));
    if (app.scene->ask(app.state, app.trace)) REQUIRE(changed_to(app, "guess", "0"));
    const auto told = [&app](InspectorChoice choice) {
      app.inspector = choice;
      std::set<std::string> labels;
      const Page page = page_of(app);
      for (const Action& action : actions(app, page)) labels.insert(action.label);
      return labels;
    };
    CAPTURE(scene->id);
    CHECK(told(InspectorChoice::folded) == told(InspectorChoice::open));
  }
}

TEST_CASE("narration: words that point hover what they mean, pin it or press it, and say nothing of its id") {
  REQUIRE(test::load_fonts());
  CHECK(scenes::without_marks("a " + scenes::pointing("fox", "weights[0,3]", scenes::MeansA::weight) + " b**c**" +
                              scenes::hint(" d")) == "a fox bc d");
  CHECK(scenes::without_marks(scenes::pointing("fox", "weights[0,3]", scenes::MeansA::weight)) == "fox");
  for (const Size size : {Size{390, 844}, {1280, 800}}) {
    App app = make_app();
    app.width = size.width;
    app.height = size.height;
    REQUIRE(open_link(app, "preset=fox&step=9"));
    const auto link_to = [&app](std::string_view id) {
      for (const figure::Element& element : page_of(app).figure.elements)
        if (element.edit && element.edit->field == "point" && element.edit->value == id) return element;
      return figure::Element{};
    };
    const figure::Element word = link_to("weights[4,3]");
    CHECK(word.role == figure::Role::link);
    CHECK(word.label == "fox");
    CHECK(page_of(app).regions.narration.contains(word.rect.centre()));
    for (const figure::Element& element : page_of(app).figure.elements)
      if (const auto* text = std::get_if<figure::Text>(&element.shape))
        CHECK(text->text.find(scenes::kPoints) == std::string::npos);
    Pointer pointer;
    pointer_moved(app, page_of(app), pointer, word.rect.centre());
    CHECK(app.hovered == "weights[4,3]");
    pointer_pressed(app, page_of(app), pointer, word.rect.centre());
    pointer_released(app, page_of(app), pointer, word.rect.centre());
    CHECK(app.pinned == "weights[4,3]");
  }
  App app = make_app();
  REQUIRE(open_link(app, "preset=fox&step=4&query=2"));
  activate(app, {"point", "Q.row.5"});  // a word beside a matrix, which chooses the query
  CHECK(link(app).find("query=5") != std::string::npos);
  activate(app, {"point", "nothing of this name"});
  CHECK(link(app).find("query=5") != std::string::npos);
}

TEST_CASE("provenance: pressed, its chip says the sentence") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  Pointer pointer;
  const figure::Point chip = centre_of(page_of(app), "shell.provenance");
  CHECK(page_of(app).figure.find("shell.tooltip") == nullptr);
  pointer_pressed(app, page_of(app), pointer, chip);
  pointer_released(app, page_of(app), pointer, chip);
  CHECK(page_of(app).figure.find("shell.tooltip") != nullptr);
}

TEST_CASE("provenance: each example of each scene has a word for it, in one place, over nothing") {
  REQUIRE(test::load_fonts());
  for (const float width : {390.F, 1280.F, 1920.F}) {
    int chips = 0;
    for (const scenes::SceneDef* scene : scenes::all()) {
      App app = make_app();
      app.width = width;
      app.height = width < 600 ? 844 : 800;
      REQUIRE(changed_to(app, "scene", std::string(scene->id)));
      for (const io::FieldInfo& info : app.scene->fields(app.state)) {
        if (info.field.name != "preset") continue;
        for (const io::Choice& choice : info.field.choices) {
          App other = app;
          if (!change(other, "preset", choice.value)) continue;  // one that needs a file
          CAPTURE(width);
          CAPTURE(scene->id);
          CAPTURE(choice.value);
          CHECK_FALSE(origin_in_short(scenes::without_marks(other.scene->provenance(other.state))).empty());
          const Page page = page_of(other);
          const figure::Element* chip = page.figure.find("shell.provenance");
          REQUIRE(chip != nullptr);
          ++chips;
          const bool phone = width < 600;
          const figure::Rect bar = phone ? page.regions.inspector : page.regions.top;
          CHECK(chip->rect.y > bar.y);
          CHECK(chip->rect.bottom() < bar.bottom());
          for (const char* words : {"shell.question", "shell.scene", "shell.sheet.title", "shell.undo", "shell.share"})
            if (const figure::Element* beside = page.figure.find(words); beside != nullptr && !phone)
              CHECK_FALSE(lie_over(chip->rect, beside->rect));
        }
      }
    }
    CHECK(chips > 30);
  }
  CHECK(origin_in_short("Not trained: embeddings made from the spelling, matrices drawn at random.") == "by spelling");
  CHECK(origin_in_short("Trained: layer 2. Nothing set by hand.") == "trained");
  CHECK(origin_in_short("Out of thin air.").empty());
}

TEST_CASE("timeline: dragging the playhead goes to the nearest step or part, and each step's name is in the window") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  const auto place_of = [&app](std::string_view id) { return centre_of(page_of(app), id); };
  Pointer pointer;
  pointer_pressed(app, page_of(app), pointer, place_of("shell.step.1"));
  pointer_moved(app, page_of(app), pointer, place_of("shell.step.4"));
  CHECK(app.place == scenes::Place{4, 0});
  pointer_moved(app, page_of(app), pointer, place_of("shell.step.7.2"));
  CHECK(app.place == scenes::Place{7, 2});
  const figure::Element* head = nullptr;
  const Page page = page_of(app);
  head = page.figure.find("shell.playhead");
  REQUIRE(head != nullptr);
  CHECK(head->rect.centre().x == doctest::Approx(place_of("shell.step.7.2").x).epsilon(0.001));
  pointer_released(app, page, pointer, place_of("shell.step.7.2"));
  CHECK(app.place == scenes::Place{7, 2});
  for (const Size size : kSizes)
    for (const scenes::SceneDef* scene : scenes::all()) {
      if (size.width < 600) continue;
      App other = make_app();
      other.width = size.width;
      other.height = size.height;
      REQUIRE(changed_to(other, "scene", std::string(scene->id)));
      CAPTURE(size.width);
      CAPTURE(scene->id);
      for (const figure::Element& element : page_of(other).figure.elements) {
        const auto* name = std::get_if<figure::Text>(&element.shape);
        if (name == nullptr || !element.id.starts_with("shell.step.")) continue;
        const float width = text::measure(name->face, name->size, name->text);
        const float x = name->align == figure::Align::left ? element.rect.x : element.rect.centre().x - width / 2;
        CHECK(x >= 0);
        CHECK(x + width <= size.width);
      }
    }
}

TEST_CASE("timeline: on a phone a finger drags the playhead from step to step, and a tap goes to one") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  app.width = 390;
  app.height = 844;
  app.touch = app.coarse = true;
  Pointer pointer;
  const auto place_of = [&app](int step) { return centre_of(page_of(app), "shell.step." + std::to_string(step)); };
  pointer_pressed(app, page_of(app), pointer, place_of(1));
  for (const int step : {3, 7, 5}) {
    pointer_moved(app, page_of(app), pointer, place_of(step));
    CHECK(app.place == scenes::Place{step, 0});
    CHECK(centre_of(page_of(app), "shell.playhead").x == doctest::Approx(place_of(step).x).epsilon(0.001));
  }
  pointer_released(app, page_of(app), pointer, place_of(5));
  CHECK(app.place == scenes::Place{5, 0});
  pointer_pressed(app, page_of(app), pointer, place_of(2));
  pointer_released(app, page_of(app), pointer, place_of(2));
  CHECK(app.place == scenes::Place{2, 0});
  for (const figure::Element& element :
       page_of(app).figure.elements)  // a finger that means a way on does not meet a step
    if (element.id.starts_with("shell.step.") && element.role != figure::Role::none)
      for (const char* way : {"shell.previous", "shell.next"})
        CHECK_FALSE(lie_over(element.rect, page_of(app).figure.find(way)->rect));
}

TEST_CASE("timeline: at the end what led on begins again, and says so") {
  REQUIRE(test::load_fonts());
  for (const Size size : kSizes) {
    App app = make_app();
    app.width = size.width;
    app.height = size.height;
    const std::string button = size.width < 600 ? "shell.next" : "shell.play";
    const auto find = [&] {
      const Page page = page_of(app);
      const figure::Element* element = page.figure.find(button);
      REQUIRE(element != nullptr);
      return *element;
    };
    CAPTURE(size.width);
    REQUIRE(changed_to(app, "step", "8"));
    CHECK(find().label.find("gain") == std::string::npos);
    REQUIRE(changed_to(app, "step", "9"));
    CHECK(find().label.find("gain") != std::string::npos);
    CHECK(find().opacity == 1);
    activate(app, *find().edit);
    CHECK(app.place == scenes::Place{1, 0});
  }
}

TEST_CASE("timeline: a tick's card has the name and the formula of the step or the part, and lies in the window") {
  REQUIRE(test::load_fonts());
  for (const Size size : {Size{1024, 700}, {1280, 800}, {1920, 1080}})
    for (const scenes::SceneDef* scene : scenes::all()) {
      App app = make_app();
      app.width = size.width;
      app.height = size.height;
      REQUIRE(changed_to(app, "scene", std::string(scene->id)));
      const Page rest = page_of(app);
      for (const figure::Element& tick : rest.figure.elements) {
        if (tick.role != figure::Role::button || !tick.id.starts_with("shell.step.")) continue;
        CAPTURE(size.width);
        CAPTURE(tick.label);
        hover(app, tick.id);
        advance(app, app.now + 1, 0);
        const Page page = page_of(app);
        const scenes::Place place = *scenes::read_place(*scene, tick.edit->value);
        const scenes::Step& step = scenes::step_at(*scene, place);
        const std::string name(place.part == 0 ? step.name : step.parts[static_cast<std::size_t>(place.part - 1)].name);
        std::string said;
        for (const figure::Element& element : page.figure.elements)
          if (const auto* text = std::get_if<figure::Text>(&element.shape);
              text != nullptr && element.id.starts_with("shell.tooltip"))
            said += text->text + " ";
        CHECK(said.find(name) != std::string::npos);
        const figure::Element* card = page.figure.find("shell.tooltip");
        REQUIRE(card != nullptr);
        CHECK(card->rect.x >= 0);
        CHECK(card->rect.right() <= size.width);
        CHECK(card->rect.bottom() <= tick.rect.y);
        const figure::Element* formula = page.figure.find("shell.tooltip.formula");
        if (scene == scenes::all().front()) REQUIRE(formula != nullptr);
        if (formula == nullptr) continue;
        CHECK(formula->rect.x >= card->rect.x);
        CHECK(formula->rect.right() <= card->rect.right());
        CHECK(formula->rect.bottom() <= card->rect.bottom());
      }
    }
}

TEST_CASE("inspector: the numbers that one comes from are seen there, and the pointer on them explains nothing else") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "v=2&scene=spotlight&preset=fox&step=glance&pin=weights[4,3]"));
  const Page page = page_of(app);
  int lists = 0;
  for (const figure::Element& element : page.figure.elements) {
    const auto* cells = std::get_if<figure::MatrixCells>(&element.shape);
    if (cells == nullptr || element.rect.x < page.regions.inspector.x) continue;
    ++lists;
    CHECK(cells->range.tensor == (lists == 1 ? "Q" : "K"));
    CHECK(cells->range.row == (lists == 1 ? 4 : 3));
    CHECK_FALSE(figure::hit(page.figure, element.rect.centre(), &app.trace).source);
    CHECK(element.label.empty());  // its tensor keeps its own name in the text view
  }
  CHECK(lists == 2);
}

TEST_CASE("inspector: no words lie on each other, nor on the button that folds it up") {
  REQUIRE(test::load_fonts());
  const auto ink = [](const figure::Element& element) {
    const auto& text = std::get<figure::Text>(element.shape);
    const float width = text::measure(text.face, text.size, text.text);
    const figure::Rect& r = element.rect;
    const float x = text.align == figure::Align::centre  ? r.centre().x - width / 2
                    : text.align == figure::Align::right ? r.right() - width
                                                         : r.x;
    return figure::Rect{x, r.centre().y - text.size * 0.36F, width, text.size * 0.72F};
  };
  int answered = 0;
  for (const Size size : kSizes)
    for (const scenes::SceneDef* scene : scenes::all())
      for (const int guess : {-1, 0, 1}) {
        App app = make_app();
        app.width = size.width;
        app.height = size.height;
        if (app.compact()) continue;
        REQUIRE(changed_to(app, "scene", std::string(scene->id)));
        REQUIRE(changed_to(app, "step", std::string(scene->steps().back().id)));
        if (guess >= 0 && !changed_to(app, "guess", std::to_string(guess))) continue;
        app.inspector = InspectorChoice::open;
        answered += guess >= 0 ? 1 : 0;
        const Page page = page_of(app);
        std::vector<std::pair<std::string, figure::Rect>> words;
        for (const figure::Element& element : page.figure.elements)
          if (std::holds_alternative<figure::Text>(element.shape) &&
              page.regions.inspector.contains(element.rect.centre()))
            words.emplace_back(element.id, ink(element));
        words.emplace_back("shell.inspector.fold", page.figure.find("shell.inspector.fold")->rect.inset(8));
        CAPTURE(size.width);
        CAPTURE(size.height);
        CAPTURE(scene->id);
        CAPTURE(guess);
        for (std::size_t i = 0; i < words.size(); ++i)
          for (std::size_t j = 0; j < i; ++j) {
            CAPTURE(words[i].first);
            CAPTURE(words[j].first);
            CHECK_FALSE(lie_over(words[i].second, words[j].second));
          }
      }
  CHECK(answered > 10);
}

TEST_CASE(
    "narration: the query is purple as in the figure, what it lights has a line of light, what to do next stands "
    "back") {
  REQUIRE(test::load_fonts());
  for (const figure::Theme theme : {figure::Theme::light, figure::Theme::dark}) {
    App app = make_app();
    REQUIRE(open_link(app, "scene=spotlight&preset=fox&step=words&query=4"));
    app.settings.theme = figure::is_dark(theme) ? ThemeChoice::dark : ThemeChoice::light;
    const figure::Palette& colours = figure::palette(theme);
    const Page page = page_of(app);
    std::map<std::string, figure::Colour> said;
    for (const figure::Element& element : page.figure.elements)
      if (const auto* text = std::get_if<figure::Text>(&element.shape);
          text != nullptr && element.id.starts_with("shell.narration."))
        said.emplace(text->text, text->colour);
    CHECK(said.at("jumped") == colours.query);
    CHECK(said.at("fox") == colours.ink);
    CHECK(said.at("looks") == colours.ink);
    CHECK(said.at("Move") == colours.muted);
    const auto line_of = [&](const char* id) {
      const figure::Element* dot = page.figure.find(id);
      REQUIRE(dot != nullptr);
      return std::get<figure::Rectangle>(dot->shape).fill;
    };
    CHECK(line_of("point.0.dot.0") == colours.query);
    CHECK(line_of("point.1.dot.0") == colours.amber_text);
  }
}

TEST_CASE("inspector: where there is a question a button under the figure says so and opens it, in any window") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "scene=spotlight&preset=fox&step=glance"));
  for (const auto& [width, height] : {std::pair{1280, 800}, {1920, 1080}, {900, 700}}) {
    CAPTURE(width);
    app.width = static_cast<float>(width);
    app.height = static_cast<float>(height);
    app.inspector = InspectorChoice::by_itself;
    CHECK(page_of(app).regions.inspector.w == 0);
    const Page page = page_of(app);
    const figure::Element* button = page.figure.find("shell.ask");
    REQUIRE(button != nullptr);
    CHECK(button->rect.right() <= app.width - 20);
    activate(app, figure::Edit(*button->edit));
    CHECK(page_of(app).figure.find("shell.answer.0") != nullptr);
  }
  REQUIRE(open_link(app, "scene=spotlight&preset=fox&step=words"));
  app.inspector = InspectorChoice::by_itself;
  CHECK(page_of(app).figure.find("shell.ask") == nullptr);
}
