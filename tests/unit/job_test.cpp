// The laws of what a job has made, in the app: it lasts as long as it is of the numbers that are there.
#include <doctest/doctest.h>

#include <chrono>

#include "app/app.h"
#include "app/commands.h"
#include "app/input.h"
#include "app/page.h"
#include "unit/app_support.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;
using test::page_of;

namespace {

void finish(App& app) {
  for (double now = 0; app.works(); now += 1) advance(app, now, 1000);
  REQUIRE(app.job);
  REQUIRE(app.job->snapshot.finished());
}

void press(App& app, figure::Point at) {
  Pointer pointer;
  pointer_pressed(app, page_of(app), pointer, at);
  pointer_released(app, page_of(app), pointer, at);
}

// Where the figure and the panel beside it have the button of the job, as far as it can be seen.
std::vector<figure::Point> job_buttons(const App& app) {
  std::vector<figure::Point> list;
  const Page page = page_of(app);
  for (const figure::Element& element : page.figure.elements)
    if (element.edit && element.edit->field == "do" && element.edit->value == "job" &&
        figure::hit(page.figure, element.rect.centre()).id == element.id)
      list.push_back(element.rect.centre());
  return list;
}

// Scale, whose job has run to its end.
App after_job() {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(change(app, {{"scene", "scale"}, {"d", "4"}, {"keys", "2"}}));
  toggle_job(app);
  finish(app);
  return app;
}

float pairs(const App& app) { return *app.trace.cell("spread", 0, 5); }

}  // namespace

TEST_CASE("job: what it has made outlasts changes of what is only looked at, and their undoing") {
  App app = after_job();
  const float drawn = pairs(app);
  REQUIRE(change(app, "curves", "weights"));
  CHECK(pairs(app) == drawn);
  undo(app);
  CHECK(pairs(app) == drawn);
  CHECK(app.job);
}

TEST_CASE("job: a scene that is come back to has what its job has made, if its numbers are the same") {
  App app = after_job();
  const float drawn = pairs(app);
  REQUIRE(change(app, "scene", "spotlight"));
  CHECK_FALSE(app.job);
  REQUIRE(change(app, "scene", "scale"));
  CHECK(pairs(app) == drawn);
  REQUIRE(change(app, "scene", "spotlight"));
  REQUIRE(change(app, {{"scene", "scale"}, {"seed", "2"}}));
  CHECK(pairs(app) < drawn);
  CHECK_FALSE(app.job);
}

TEST_CASE("job: a step is only begun where the time that is left has room for one as long as the longest before it") {
  int steps = 0;
  const auto wait = [](double milliseconds) {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::duration<double, std::milli>(milliseconds)) {
    }
  };
  scenes::Job job;
  job.snapshot.total = 100;
  job.step = [&](scenes::JobSnapshot& snapshot) {
    wait(steps++ == 0 ? 6 : 0.01);
    ++snapshot.done;
  };
  CHECK(job.advance(10));
  CHECK(steps == 1);  // a second as long would end after 12
  steps = 0;
  CHECK(job.advance(12.5));
  CHECK(steps < 99);  // short ones are followed by others only until 6.5
}

TEST_CASE("job: a frame works, or shows what came of it, and never both") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(change(app, {{"scene", "scale"}, {"step", "2"}}));
  toggle_job(app);
  REQUIRE(app.job);
  int worked = 0, shown = 0;
  for (double now = 0; app.works(); now += 1) {
    const int done = app.job->snapshot.done, revision = app.revision;
    advance(app, now, 0);
    const bool works = app.job->snapshot.done != done, shows = app.revision != revision;
    CHECK_FALSE((works && shows));
    worked += works ? 1 : 0;
    shown += shows ? 1 : 0;
  }
  CHECK(worked > 1);
  CHECK(shown > 0);
}

TEST_CASE("job: no press where its button stood while it ran loses anything, then or once it is done") {
  REQUIRE(test::load_fonts());
  struct Size {
    float width, height;
  };
  for (const Size size : {Size{1280, 800}, Size{390, 844}})
    for (const char* link : {"scene=scale&d=4&keys=2&step=2", "scene=cost&up_to=1024&d=8&step=2",
                             "preset=own&text=a+b+c&matrices=random&step=7", "scene=train&length=3&hidden=16&step=2",
                             "scene=train&length=3&hidden=16&step=4"}) {
      CAPTURE(size.width);
      CAPTURE(std::string(link));
      App app = make_app();
      app.width = size.width;
      app.height = size.height;
      REQUIRE(open_link(app, link));
      toggle_job(app);
      advance(app, 0, 0);
      advance(app, 0, 0);
      app.sheet_open = job_buttons(app).empty();  // on a phone, where the figure has none
      app.inspector_scroll = 2000;                // from its end up to where the button is seen
      while (job_buttons(app).empty() && app.inspector_scroll > 0) app.inspector_scroll -= 20;
      const std::vector<figure::Point> places = job_buttons(app);
      REQUIRE_FALSE(places.empty());
      const std::shared_ptr<scenes::Job> job = app.job;
      for (const figure::Point at : places) {
        CAPTURE(at.x);
        CAPTURE(at.y);
        for (int i = 0; i < 2; ++i) {
          const int done = job->snapshot.done;
          press(app, at);
          CHECK(app.job == job);
          CHECK(app.works() == (i == 1));
          CHECK(job->snapshot.done >= done);
        }
      }
      // It is done, as a long training is: what is left to do is of no account here.
      if (job->lasts && job->go_back) job->snapshot.ended = true;
      finish(app);
      const io::Patch state = state_of(app);
      for (const figure::Point at : places) {
        CAPTURE(at.x);
        CAPTURE(at.y);
        press(app, at);
        CHECK(app.job == job);
        CHECK_FALSE(app.works());
        CHECK(state_of(app) == state);
      }
    }
}

TEST_CASE("job: a measurement that is made again, which gives other numbers, can be undone") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "scene=cost&up_to=1024&d=8&step=2"));
  toggle_job(app);
  finish(app);
  const Matrix first = app.trace.at("time").values;
  activate(app, {"do", "job_again"});
  CHECK(app.works());
  finish(app);
  const Matrix second = app.trace.at("time").values;
  CHECK(first != second);
  undo(app);
  CHECK(app.trace.at("time").values == first);
  redo(app);
  CHECK(app.trace.at("time").values == second);
}
