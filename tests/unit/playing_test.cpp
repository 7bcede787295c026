// What goes on: from step to step, and in jobs.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/page.h"
#include "scenes/place.h"
#include "unit/app_support.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;
using namespace limelight::test;

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

TEST_CASE("steps: the next one is seen being computed once, and then rests") {
  App app = make_app();
  REQUIRE(open_link(app, "scene=spotlight&step=qkv"));
  app.frames = 1;
  next(app);
  CHECK(scenes::number_of(app.place) == "5");
  CHECK(app.t == 0);
  CHECK(link(app).find("&t=") == std::string::npos);  // what moves is told of as where it arrives
  float before = 0;
  double second = 0;
  for (; app.playing; second += 0.1) {
    REQUIRE(second < 30);
    advance(app, second, 8);
    CHECK(app.t >= before);
    before = app.t;
  }
  CHECK(app.t == 1);
  for (const double later : {10.0, 20.0}) advance(app, second + later, 8);
  CHECK(scenes::number_of(app.place) == "5");

  next(app);  // whoever goes on meanwhile does not have to wait
  advance(app, second + 21, 8);
  REQUIRE(app.t < 1);
  next(app);
  CHECK(scenes::number_of(app.place).starts_with("7"));

  REQUIRE(open_link(app, "scene=spotlight&step=scores&t=0.3"));  // a moment that was chosen is gone on from
  next(app);
  CHECK(scenes::number_of(app.place) == "5");
  CHECK(app.t == 1);

  app.reduced_motion = true;
  next(app);
  CHECK(app.t == 1);
}

TEST_CASE("play: a first step that needs nothing before it is seen being computed, and any other begins at rest") {
  App app = make_app();
  REQUIRE(open_link(app, "scene=layer&step=query"));
  CHECK(app.t == 1);
  play(app, true);
  CHECK(app.place == scenes::Place{1, 0});
  CHECK(app.t == 0);
  play(app, false);
  app.reduced_motion = true;
  play(app, true);
  CHECK(app.t == 1);
  App other = make_app();
  REQUIRE(open_link(other, "scene=limits"));
  play(other, true);
  CHECK(other.t == 1);
}

TEST_CASE("play: passes details by, which next visits") {
  App app = make_app();
  REQUIRE(open_link(app, "scene=heads&trained=off"));
  app.frames = 1;
  play(app, true);
  for (int second = 1; second < 100 && app.playing; ++second) advance(app, second, 8);
  const std::span<const scenes::Step> steps = app.scene->steps();
  CHECK_FALSE(scenes::step_at(*app.scene, app.place).detail);
  REQUIRE(app.place.step < std::ssize(steps));
  for (int step = app.place.step; step < std::ssize(steps); ++step) CHECK(steps[static_cast<std::size_t>(step)].detail);
  app.reduced_motion = true;
  for (int step = app.place.step + 1; step <= std::ssize(steps); ++step) {
    next(app);
    CHECK(app.place.step == step);
  }
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
  REQUIRE(open_link(app, "scene=translate&step=context&preset=constructed&word=2"));
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
  REQUIRE(seen.size() >= 7);
  seen.resize(7);  // and on through what comes after it
  CHECK(seen == std::vector<std::string>{"1:2", "2:2", "3:0", "3:1", "3:2", "3:3", "4:0"});
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
  undo(app);
  CHECK(app.place.step == 4);
  previous(app);
  CHECK(app.place.step == 3);
  redo(app);
  CHECK(app.place.step == 4);
}
