#include "app/undo.h"

#include <algorithm>
#include <utility>

#include "app/change.h"
#include "app/links.h"

namespace limelight::app {
namespace {

constexpr std::size_t kMostUndo = 200;

// As it is now, on top of a stack. given_up: the job, although it would hold for what comes instead.
void keep(const App& app, std::vector<Snapshot>& stack, bool given_up) {
  stack.push_back(
      {app.scene, app.state, app.guess, app.revealed, app.job && app.job->lasts ? app.job : nullptr, given_up});
  if (stack.size() > kMostUndo) stack.erase(stack.begin());
  int jobs = 0;
  const scenes::Job* above = nullptr;
  for (auto at = stack.rbegin(); at != stack.rend(); ++at) {
    if (at->job && at->job.get() != std::exchange(above, at->job.get())) ++jobs;
    if (jobs > kMostKeptJobs) at->job.reset();
  }
}

// Brings the scene's state back, not what is looked at of it; another scene is looked at as it was left.
void restore(App& app, std::vector<Snapshot>& from, std::vector<Snapshot>& to) {
  if (from.empty()) return;
  app.promised = false;
  Snapshot back = std::move(from.back());
  from.pop_back();
  keep(app, to, back.given_up);
  Draft draft = draft_of(app);
  if (back.scene != app.scene) enter(draft, back.scene);
  draft.state = std::move(back.state);
  draft.guess = back.guess;
  draft.revealed = std::move(back.revealed);
  if (back.given_up || (back.job && !job_for(app, draft))) {
    if (back.job) back.job->rest();
    draft.job = std::move(back.job);
  }
  app.gesture_remembered = false;
  app.typed = {};
  if (app.typing) app.typing->remembered = false;
  compute_other(app, draft);
  take(app, std::move(draft));
  watch_length(app);
}

}  // namespace

void remember(App& app, bool job_given_up) {
  keep(app, app.undo_stack, job_given_up);
  app.redo_stack.clear();
  app.gesture_remembered = false;
  app.typed = {};
}

void undo(App& app) { restore(app, app.undo_stack, app.redo_stack); }
void redo(App& app) { restore(app, app.redo_stack, app.undo_stack); }

bool differs_from_example(const App& app) {
  return std::ranges::any_of(app.scene->fields(app.state), [](const io::FieldInfo& info) {
    return info.field.place != io::Place::top && !info.field.look && info.value != info.initial;
  });
}

void reset(App& app) {
  io::Patch patch;
  for (const io::FieldInfo& info : app.scene->fields(app.state))
    if (info.field.place != io::Place::top && info.value != info.initial)
      patch.emplace_back(info.field.name, info.initial);
  if (!patch.empty()) report(app, change(app, patch));
}

}  // namespace limelight::app
