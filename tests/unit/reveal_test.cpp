// An answer shows what the question was about by setting some of the scene's fields: only for as long as it stands.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "app/app.h"
#include "app/commands.h"
#include "unit/scenes/scene_support.h"

using namespace limelight;
using namespace limelight::app;

namespace {

// At its question, with what it needs, and what begins by itself is through.
App asking(const scenes::SceneDef* scene) {
  App app = make_app();
  REQUIRE(open_link(app, "scene=" + std::string(scene->id) + "&step=" + std::string(scene->steps().back().id)));
  test::bring_resources(app);
  for (int slice = 0; slice < 200 && (slice == 0 || app.works()); ++slice) advance(app, slice, 20);
  app.frames = 1;
  return app;
}

App asking(std::string_view scene) { return asking(scenes::find(scene)); }

std::string asked(const App& app) {
  const auto question = app.scene->ask(app.state, app.trace);
  return question ? question->text : std::string();
}

std::string value_of(const App& app, std::string_view field) {
  for (const auto& [name, value] : state_of(app))
    if (name == field) return value;
  return "none";
}

// Every scene whose question reveals something, answered, beside how it was before.
template <class Visit>
void each_answer(Visit visit) {
  int visited = 0;
  for (const scenes::SceneDef* scene : scenes::all()) {
    App before = asking(scene);
    const auto question = scene->ask(before.state, before.trace);
    if (!question || question->reveal.empty()) continue;
    CAPTURE(scene->id);
    App app = asking(scene);
    REQUIRE(change(app, "guess", "0"));
    for (const auto& [field, value] : question->reveal) CHECK(value_of(app, field) == value);
    visit(before, app);
    ++visited;
  }
  CHECK(visited > 8);
}

}  // namespace

TEST_CASE("reveal: what an answer set goes back with its step, and the question is the same again") {
  each_answer([](App& before, App& app) {
    const std::size_t undoable = before.undo_stack.size();
    const std::string last = value_of(before, "step");
    REQUIRE(change(app, state_of(app)));  // as a script may, which changes nothing
    for (App* one : {&before, &app}) REQUIRE(change(*one, "step", std::string(one->scene->steps().front().id)));
    CHECK(state_of(app) == state_of(before));
    CHECK(app.undo_stack.size() == undoable);
    for (App* one : {&before, &app}) REQUIRE(change(*one, "step", last));
    CHECK(asked(app) == asked(before));
    REQUIRE(change(app, "guess", "0"));
    play(app, true);  // from the first step again
    play(before, true);
    CHECK(state_of(app) == state_of(before));
  });
}

TEST_CASE("reveal: what an answer set goes back with another example and with another scene") {
  each_answer([](App& before, App& app) {
    const App first_before = before, first = app;
    const io::Field preset = before.scene->fields(before.state).front().field;
    for (const io::Choice& choice : preset.choices) {
      CAPTURE(choice.value);
      App other = first_before, answered = first;
      const bool taken = change(other, preset.name, choice.value).has_value();
      REQUIRE(change(answered, preset.name, choice.value).has_value() == taken);
      if (choice.value != value_of(before, preset.name)) CHECK(state_of(answered) == state_of(other));
    }
    const std::string id(before.scene->id);
    const std::string elsewhere = id == "score" ? "layer" : "score";
    for (App* one : {&before, &app}) {
      REQUIRE(change(*one, "scene", elsewhere));
      REQUIRE(change(*one, "scene", id));
    }
    CHECK(state_of(app) == state_of(before));
    CHECK(asked(app) == asked(before));
  });
}

TEST_CASE("reveal: another sentence is not asked about what the last answer set") {
  App app = asking("spotlight"), other = asking("spotlight");
  REQUIRE(change(app, "guess", "0"));
  for (App* one : {&app, &other}) REQUIRE(change(*one, "text", "dogs chase cats"));
  CHECK(asked(app) == asked(other));
  CHECK(value_of(app, "temperature") == "1");
  for (App* one : {&app, &other}) REQUIRE(change(*one, "guess", "0"));
  for (App* one : {&app, &other}) REQUIRE(change(*one, "pin", "weights[1,1]"));
  CHECK(asked(app) == asked(other));
  CHECK(state_of(app) == state_of(other));
}

TEST_CASE("reveal: what the reader has set since then is the reader's") {
  App app = asking("spotlight");
  REQUIRE(change(app, "guess", "0"));
  REQUIRE(change(app, "temperature", "3"));
  CHECK(app.guess == -1);
  REQUIRE(change(app, "step", "2"));
  CHECK(value_of(app, "temperature") == "3");
  App same = asking("heads");
  REQUIRE(change(same, "guess", "0"));
  REQUIRE(change(same, "alike", "on"));  // as it is already
  REQUIRE(change(same, "step", "2"));
  CHECK(value_of(same, "alike") == "on");
  App before = asking("heads");
  REQUIRE(change(before, "alike", "on"));
  REQUIRE(change(before, "guess", "0"));
  REQUIRE(change(before, "step", "2"));
  CHECK(value_of(before, "alike") == "on");
}

TEST_CASE(
    "reveal: undo and redo lead through what the reader did, and an answer that they bring back ends as any other") {
  each_answer([](App& before, App& app) {
    const io::Patch state = state_of(before), answered = state_of(app);
    if (app.undo_stack.empty()) return;  // the figure showed it before
    undo(app);
    CHECK(state_of(app) == state);
    redo(app);
    CHECK(state_of(app) == answered);
    REQUIRE(change(app, "scene", app.scene->id == "score" ? "layer" : "score"));
    undo(app);
    CHECK(state_of(app) == answered);
    for (App* one : {&before, &app}) REQUIRE(change(*one, "step", std::string(one->scene->steps().front().id)));
    CHECK(state_of(app) == state_of(before));
  });
  App app = asking("spotlight");
  REQUIRE(change(app, "temperature", "2"));
  REQUIRE(change(app, "guess", "0"));
  REQUIRE(change(app, "step", "3"));
  CHECK(value_of(app, "temperature") == "2");
  undo(app);  // the answer is gone already: what was done before it is taken back
  CHECK(value_of(app, "temperature") == "1");
}

TEST_CASE("reveal: a link shows what its author saw, and what is the answer's goes back with its step") {
  each_answer([](App& before, App& app) {
    App opened = make_app();
    REQUIRE(open_link(opened, link(app)));
    test::bring_resources(opened);
    for (int slice = 0; slice < 200 && (slice == 0 || opened.works()); ++slice) advance(opened, slice, 20);
    CHECK(state_of(opened) == state_of(app));
    for (App* one : {&before, &opened}) REQUIRE(change(*one, "step", std::string(one->scene->steps().front().id)));
    CHECK(state_of(opened) == state_of(before));
  });
}

TEST_CASE("reveal: a script that takes the answer back takes back what it set") {
  App app = asking("spotlight");
  const io::Patch before = state_of(app);
  call(app, "set", "guess=1");
  CHECK(value_of(app, "temperature") == "0.5");
  call(app, "set", "guess=-1");
  CHECK(state_of(app) == before);
  CHECK(app.undo_stack.empty());
}
