// Jobs, and the time in which they and all else go on.
#include <utility>

#include "app/change.h"
#include "app/ghost.h"
#include "app/playing.h"
#include "app/undo.h"

namespace limelight::app {
namespace {

void show_job(App& app) {
  app.job->shown = app.job->snapshot.revision;
  show(app, compute(app, *app.scene, app.state, &app.job->snapshot));
  drop_stale(app);
  app.changed = true;
}

void rest_job(App& app) {
  app.job->rest();
  show_job(app);
}

// What it does is looked at; there is nothing to undo in that.
void look_at_job(App& app) {
  if (!app.job || app.job->seen_by.empty()) return;
  app.gesture_remembered = true;
  report(app, change_state(app, io::Patch(app.job->seen_by), true));
  app.gesture_remembered = false;
}

void start_job(App& app) {
  app.job = app.scene->job(app.state, inputs_of(app));
  app.changed = true;
  look_at_job(app);
  if (!app.job && !app.scene->job_label(app.state).empty())
    notify(app, "This cannot be started: what it is computed from is not here.");
}

// Works, or shows what has come of it: what is shown is computed anew, which takes a frame of its own.
void advance_job(App& app, double budget_ms) {
  scenes::Job& job = *app.job;
  app.changed = true;
  if (!job.news()) {
    job.advance(budget_ms);
    return;
  }
  job.running = !job.snapshot.finished();
  if (!job.running && !job.lasts) job.step = {};  // and what it worked with
  show_job(app);
}

// Once for each trace: where it cannot be started, it is tried again when there is something new.
void start_at_once(App& app) {
  if (app.job || app.started_for == app.revision || !app.scene->starts_job(app.state)) return;
  app.started_for = app.revision;
  start_job(app);
}

}  // namespace

void toggle_job(App& app) {
  app.paused_unseen = false;
  app.changed = true;
  if (!app.job) return start_job(app);
  if (app.works()) return rest_job(app);
  app.job->running = !app.job->snapshot.finished();
  look_at_job(app);
}

void step_job(App& app) {
  if (app.job) look_at_job(app);
  if (!app.job) start_job(app);
  if (!app.job || !app.job->lasts) return;
  app.paused_unseen = false;
  scenes::JobSnapshot& snapshot = app.job->snapshot;
  for (const int before = snapshot.done; snapshot.done == before && !snapshot.finished();) app.job->advance(0);
  rest_job(app);
}

void start_job_again(App& app) {
  if (!app.job || !app.job->snapshot.finished()) return;
  remember(app, true);
  start_job(app);
}

void drop_job(App& app) {
  if (!app.job) return;
  app.job->rest();
  remember(app, true);
  app.job.reset();
  show(app, compute(app, *app.scene, app.state));
  drop_stale(app);
  app.changed = true;
}

void take_job_back(App& app) {
  if (!app.job || !app.job->go_back) return;
  app.job->rest();
  remember(app, true);
  auto [job, better] = app.job->go_back(app.job->snapshot);
  app.job = std::move(job);
  rest_job(app);
  app.gesture_remembered = true;  // both are undone as one
  report(app, change_state(app, better, true));
  app.gesture_remembered = false;
}

void hide(App& app) {
  if (!app.works() || !app.job->lasts) return;
  rest_job(app);
  app.paused_unseen = true;
}

bool advance(App& app, double now, double budget_ms) {
  app.now = now;
  keep_promise(app);
  start_at_once(app);
  if (app.works()) advance_job(app, budget_ms);
  if (app.playing && app.t < 1) move_on(app);
  if (app.playing && now >= app.next_step_at) play_on(app);
  if (!app.notice.text.empty() && now >= app.notice.until) {
    app.notice.text.clear();
    app.changed = true;
  }
  if (app.explains_from > 0 && now >= app.explains_from && !app.in_gesture) {
    app.explains_from = 0;
    ++app.view_revision;  // the figure makes room
    app.changed = true;
  }
  if (app.tooltip_at && now >= *app.tooltip_at && !app.in_gesture) {
    app.tooltip_at.reset();
    app.tooltip = app.changed = true;
  }
  const bool ghost = advance_ghost(app);
  return ghost || app.works() || app.playing || !app.notice.text.empty() || app.tooltip_at || app.explains_from > 0;
}

}  // namespace limelight::app
