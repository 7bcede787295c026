#include "app/playing.h"

#include <utility>

#include "app/change.h"
#include "scenes/place.h"

namespace limelight::app {
namespace {

constexpr double kPlaySeconds = 4;
constexpr double kPlayWithinSeconds = 2.5;  // where it stays in a step

}  // namespace

void next(App& app) {
  const std::span<const scenes::Step> steps = app.scene->steps();
  scenes::Place place = app.place;
  const int parts = static_cast<int>(steps[static_cast<std::size_t>(place.step - 1)].parts.size());
  if (place.part > 0 && place.part < parts) {
    ++place.part;
  } else if (place.step < static_cast<int>(steps.size())) {
    ++place.step;
    place.part = steps[static_cast<std::size_t>(place.step - 1)].parts.empty() ? 0 : 1;
  } else {
    return;
  }
  report(app, change(app, "step", scenes::write_place(*app.scene, place)));
}

bool at_end(const App& app) {
  const std::span<const scenes::Step> steps = app.scene->steps();
  const bool whole = app.place.part == 0 || app.place.part == std::ssize(steps.back().parts);
  return app.place.step == std::ssize(steps) && whole;
}

void previous(App& app) {
  const std::span<const scenes::Step> steps = app.scene->steps();
  scenes::Place place = app.place;
  const int parts = static_cast<int>(steps[static_cast<std::size_t>(place.step - 1)].parts.size());
  const int part = place.part == 0 ? parts : place.part;
  if (part > 1) {
    place.part = part - 1;
  } else if (place.step > 1) {
    --place.step;
    place.part = static_cast<int>(steps[static_cast<std::size_t>(place.step - 1)].parts.size());
  } else {
    return;
  }
  report(app, change(app, "step", scenes::write_place(*app.scene, place)));
}

void play(App& app, bool on) {
  if (on && at_end(app)) report(app, change(app, "step", scenes::write_place(*app.scene, {})));
  app.playing = on;
  app.next_step_at = app.now + kPlaySeconds;
  app.changed = true;
}

// What playing sets is only looked at: there is nothing to undo, and an answer stays.
void play_on(App& app) {
  const scenes::Place before = app.place;
  const io::Patch patch = app.scene->play(app.state, app.trace, app.place);
  if (patch.empty()) {
    next(app);
    app.playing = app.place != before;
  } else {
    Draft draft = draft_of(app);
    app.playing = report(app, apply(app, draft, patch));
    if (app.playing) take(app, std::move(draft));
  }
  app.next_step_at = app.now + (app.place == before ? kPlayWithinSeconds : kPlaySeconds);
  app.changed = true;
}

}  // namespace limelight::app
