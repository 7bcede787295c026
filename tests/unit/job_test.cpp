// The laws of what a job has made, in the app: it lasts as long as it is of the numbers that are there.
#include <doctest/doctest.h>

#include <chrono>

#include "app/app.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;

namespace {

// Scale, whose job has run to its end.
App after_job() {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(change(app, {{"scene", "scale"}, {"d", "4"}, {"keys", "2"}}));
  toggle_job(app);
  for (double now = 0; app.job; now += 1) advance(app, now, 1000);
  REQUIRE(app.job_result);
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
  CHECK(app.job_result);
}

TEST_CASE("job: a scene that is come back to has what its job has made, if its numbers are the same") {
  App app = after_job();
  const float drawn = pairs(app);
  REQUIRE(change(app, "scene", "spotlight"));
  CHECK_FALSE(app.job_result);
  REQUIRE(change(app, "scene", "scale"));
  CHECK(pairs(app) == drawn);
  REQUIRE(change(app, "scene", "spotlight"));
  REQUIRE(change(app, {{"scene", "scale"}, {"seed", "2"}}));
  CHECK(pairs(app) < drawn);
  CHECK_FALSE(app.job_result);
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
  for (double now = 0; app.job; now += 1) {
    const int done = app.job->snapshot.done, revision = app.revision;
    advance(app, now, 0);
    const bool works = app.job && app.job->snapshot.done != done, shows = app.revision != revision;
    CHECK_FALSE((works && shows));
    worked += works ? 1 : 0;
    shown += shows ? 1 : 0;
  }
  CHECK(worked > 1);
  CHECK(shown > 0);
}
