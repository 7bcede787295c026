#include "app/playing.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/change.h"
#include "scenes/moment.h"
#include "scenes/place.h"

namespace limelight::app {
namespace {

constexpr double kPlaySeconds = 4;
constexpr double kPlayWithinSeconds = 2.5;  // where it stays in a step

// Slow at both ends.
float eased(double share) {
  const auto s = static_cast<float>(std::clamp(share, 0.0, 1.0));
  return s * s * (3 - 2 * s);
}

// Where it is at that t: the inverse.
double share_of(float t) { return 0.5 - std::sin(std::asin(1 - 2 * static_cast<double>(t)) / 3); }

// From what stands before the place that is shown.
double seconds_of(const App& app) { return static_cast<double>(scenes::motion_at(*app.scene, app.place).seconds); }

// Until t is 1.
double seconds_left(const App& app) { return (1 - share_of(app.t)) * seconds_of(app); }

void go(App& app, scenes::Place place, float t) {
  report(app, change(app, {{"step", scenes::write_place(*app.scene, place)}, {"t", scenes::write_t(t)}}));
}

// Which steps are gone through, one after the other.
enum class Going { all, story };

// Nothing after the last.
std::optional<scenes::Place> after(const App& app, Going going) {
  const std::span<const scenes::Step> steps = app.scene->steps();
  const auto at = [&](int step) -> const scenes::Step& { return steps[static_cast<std::size_t>(step - 1)]; };
  scenes::Place place = app.place;
  if (place.part > 0 && place.part < std::ssize(at(place.step).parts)) return scenes::Place{place.step, place.part + 1};
  do {
    if (++place.step > std::ssize(steps)) return std::nullopt;
  } while (going == Going::story && at(place.step).detail);
  place.part = at(place.step).parts.empty() ? 0 : 1;
  return place;
}

// Whether what is shown leads to a place. All of a step stands where its last part does.
bool leads_to(const App& app, scenes::Place place) {
  const std::optional<scenes::Place> from = scenes::before(*app.scene, app.state, place);
  return from && from->step == app.place.step && (from->part == app.place.part || app.place.part == 0);
}

}  // namespace

void next(App& app) {
  const bool on_its_way = app.playing && app.plays_once;
  play(app, false);
  if (app.t < 1 && !on_its_way) return go(app, app.place, 1);
  const std::optional<scenes::Place> place = after(app, Going::all);
  if (!place) return go(app, app.place, 1);
  const scenes::Motion& motion = scenes::motion_at(*app.scene, *place);
  const bool moves =
      (motion.timing != nullptr || motion.computes_from < 1) && !app.reduced_motion && leads_to(app, *place);
  go(app, *place, moves ? 0 : 1);
  if (app.t >= 1) return;
  play(app, true);
  app.plays_once = true;
}

bool at_last(const App& app) { return app.t >= 1 && !after(app, Going::all); }

bool story_ends(const App& app) { return app.t >= 1 && !after(app, Going::story); }

void previous(App& app) {
  if (app.t < 1) {
    if (const std::optional<scenes::Place> place = scenes::before(*app.scene, app.state, app.place)) go(app, *place, 1);
    return;
  }
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
  go(app, place, 1);
}

void play(App& app, bool on) {
  if (on && story_ends(app)) report(app, change(app, "step", scenes::write_place(*app.scene, {})));
  const bool alone =
      !scenes::before(*app.scene, app.state, app.place) && scenes::motion_at(*app.scene, app.place).begins_alone();
  if (on && alone && app.t >= 1 && !app.reduced_motion) go(app, app.place, 0);
  if (on && app.reduced_motion && app.t < 1) go(app, app.place, 1);
  app.playing = on;
  app.plays_once = false;
  move_from_here(app);
  app.next_step_at = app.now + seconds_left(app) + kPlaySeconds;
  app.changed = true;
}

// What playing sets is only looked at: there is nothing to undo, and an answer stays.
void play_on(App& app) {
  const scenes::Place before = app.place;
  const io::Patch patch = app.scene->play(app.state, app.trace, app.place);
  if (patch.empty()) {
    if (const std::optional<scenes::Place> place = after(app, Going::story)) {
      go(app, *place, app.reduced_motion || !leads_to(app, *place) ? 1 : 0);
    }
    app.playing = app.place != before;
  } else {
    Draft draft = draft_of(app);
    app.playing = report(app, apply(app, draft, patch));
    if (app.playing) take(app, std::move(draft));
  }
  app.next_step_at = app.now + seconds_left(app) + (app.place == before ? kPlayWithinSeconds : kPlaySeconds);
  app.changed = true;
}

void play_at_once(App& app) {
  const bool first = !scenes::before(*app.scene, app.state, app.place);
  if (app.t < 1 || app.reduced_motion || !first || !scenes::motion_at(*app.scene, app.place).at_once) return;
  app.t = 0;
  play(app, true);
  app.plays_once = true;
}

void move_from_here(App& app) { app.moves_from = app.now - share_of(app.t) * seconds_of(app); }

void move_on(App& app) {
  // What it is about is on its way.
  if (const auto awaited = missing(app, app.state); awaited && awaited->refused.empty()) {
    app.next_step_at = app.now + seconds_left(app) + kPlaySeconds;
    return move_from_here(app);
  }
  app.t = eased((app.now - app.moves_from) / seconds_of(app));
  if (app.t >= 1 && app.plays_once) play(app, false);
  app.changed = true;
}

}  // namespace limelight::app
