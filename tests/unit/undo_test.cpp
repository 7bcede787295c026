// What is taken back: by undo, by reset, and where an answer ends.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/app.h"
#include "app/commands.h"
#include "app/input.h"
#include "app/page.h"
#include "core/random.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/app_support.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;
using namespace limelight::test;

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
  app.inspector = InspectorChoice::open;  // where all controls are
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
  CHECK(io::write_patch(app.scene->encode(app.state)) == "preset=fox&temperature=2");
}

TEST_CASE("slider: pressed near the place of a whole number it has that number, and elsewhere none") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "step", "glance"));
  const figure::Element slider = *page_of(app).figure.find("field.temperature");
  const auto pressed_at = [&](float temperature, float beside) {
    const float share = std::log(temperature / 0.05F) / std::log(20 / 0.05F);
    Pointer pointer;
    const figure::Point at{slider.rect.x + slider.rect.w * share + beside, slider.rect.centre().y};
    pointer_pressed(app, page_of(app), pointer, at);
    pointer_released(app, page_of(app), pointer, at);
    return scenes::state_in<scenes::spotlight::State>(app.state).temperature;
  };
  for (const float whole : {1.F, 2.F, 3.F})
    for (const float beside : {-1.5F, 0.F, 1.5F}) CHECK(pressed_at(whole, beside) == doctest::Approx(whole));
  CHECK(pressed_at(0.5F, 0) == doctest::Approx(0.5F).epsilon(0.05));
  CHECK(pressed_at(1, 6) > 1.1);
}

TEST_CASE("undo: in the middle of a drag no state is lost, neither by undo nor by what a script changes meanwhile") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "step", "7"));  // where the temperature acts
  app.inspector = InspectorChoice::open;  // where all controls are
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
  CHECK(now() == "preset=fox&temperature=3");
  pointer_moved(app, page_of(app), pointer, at(0.9F));
  const std::string dragged = now();
  pointer_released(app, page_of(app), pointer, at(0.9F));
  undo(app);
  CHECK(now() == "preset=fox&temperature=3");
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

TEST_CASE("question: an answer shows what it was about, as one step that undo takes back and redo brings again") {
  App app = make_app();
  REQUIRE(open_link(app, "preset=coffee"));
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

TEST_CASE("undo: a step or a pin is no change of the state") {
  App app = make_app();
  REQUIRE(changed_to(app, "step", "7.2"));
  REQUIRE(changed_to(app, "pin", "weights[0,1]"));
  CHECK(app.undo_stack.empty());
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

TEST_CASE("reset is offered for changed numbers, not for what is looked at") {
  App app = make_app();
  for (const auto& [field, value] : {std::pair{"query", "2"}, {"map", "grey"}, {"threshold", "0.3"}})
    REQUIRE(changed_to(app, field, value));
  CHECK_FALSE(differs_from_example(app));
  REQUIRE(changed_to(app, "X", "0.0:0.7"));
  CHECK(differs_from_example(app));
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

TEST_CASE("undo: the letters of a typed sentence are taken back at once, what is typed after that as well") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  const std::string before = link(app);
  const Page page = page_of(app);
  REQUIRE(std::ranges::any_of(page.inputs, [](const auto& input) { return input.field == "text"; }));
  app.typing = Typing{.field = "text", .key = {}, .id = "shell.sentence", .begun = {}};
  for (const char* text : {"she", "she r", "she reads"}) REQUIRE(change_by_hand(app, {{"text", text}}));
  const std::string typed = link(app);
  undo(app);
  CHECK(link(app) == before);
  redo(app);
  CHECK(link(app) == typed);
  REQUIRE(change_by_hand(app, {{"text", "she reads on"}}));
  undo(app);
  CHECK(link(app) == typed);
  // What a script sets meanwhile is a change of its own.
  REQUIRE(change_by_hand(app, {{"text", "she reads a"}}));
  REQUIRE(changed_to(app, "mask", "causal"));
  const std::string masked = link(app);
  REQUIRE(change_by_hand(app, {{"text", "she reads a b"}}));
  undo(app);
  CHECK(link(app) == masked);
}

TEST_CASE("undo: letters that a field of the page sends are taken back at once, those after a pause by themselves") {
  App app = make_app();
  const std::string before = link(app);
  for (const char* text : {"she", "she r", "she reads"}) {
    app.now += 0.5;
    REQUIRE(change_by_hand(app, {{"text", text}}));
  }
  const std::string typed = link(app);
  app.now += 10;
  REQUIRE(change_by_hand(app, {{"text", "she reads on"}}));
  undo(app);
  CHECK(link(app) == typed);
  undo(app);
  CHECK(link(app) == before);
  CHECK(app.undo_stack.empty());
}
