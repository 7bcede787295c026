#include "app/draft.h"

#include <utility>
#include <vector>

#include "app/beside.h"
#include "app/compare.h"
#include "app/hidden.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/moment.h"
#include "scenes/place.h"

namespace limelight::app {
namespace {

Result<scenes::Zoom> read_zoom(std::string_view text) {
  if (text.empty()) return scenes::Zoom{};
  // tensor:row.column:rows.columns
  std::vector<int> numbers;
  const std::size_t colon = text.find(':');
  std::string_view rest = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of(".:");
    const Result<int> number = io::parse_integer(rest.substr(0, end));
    if (!number || *number < 0 || *number > 1'000'000) break;
    numbers.push_back(*number);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  }
  if (numbers.size() != 4 || numbers[2] < 1 || numbers[3] < 1)
    return fail("The zoom is " + io::quote(text) + "; it is written matrix:row.column:rows.columns.");
  return scenes::Zoom{std::string(text.substr(0, colon)), numbers[0], numbers[1], numbers[2], numbers[3]};
}

// True when the key was one of the app's, not a field of the scene's.
Result<bool> read_app_key(Draft& draft, const std::string& key, const std::string& value) {
  if (key == "v") {
    const Result<void> known = io::check_version(value);
    if (!known) return std::unexpected(known.error());
    return true;
  }
  if (key == "step") {
    const Result<scenes::Place> place = scenes::read_place(*draft.scene, value);
    if (!place) return std::unexpected(place.error());
    draft.place = *place;
    return true;
  }
  if (key == "t") {
    const Result<float> t = scenes::read_t(value);
    if (!t) return std::unexpected(t.error());
    draft.t = *t;
    return true;
  }
  if (key == "pin") {
    if (!value.empty() && !figure::parse_cell_id(value))
      return fail("The pin is " + io::quote(value) + "; it names a cell, as in weights[0,2].");
    draft.pinned = value;
    return true;
  }
  if (key == "guess") {
    const Result<int> guess = io::parse_integer(value);
    if (!guess || *guess < -1 || *guess > 9)
      return fail("The guess is " + io::quote(value) + "; it is the number of an answer, from 0.");
    draft.guess = *guess;
    return true;
  }
  if (key == "zoom") {
    const Result<scenes::Zoom> zoom = read_zoom(value);
    if (!zoom) return std::unexpected(zoom.error());
    draft.zoom = *zoom;
    return true;
  }
  if (key == "against") {
    draft.compared.reset();
    if (value.empty()) return true;
    Result<std::any> state = read_compared(*draft.scene, value);
    if (!state) return std::unexpected(state.error());
    draft.compared = std::make_shared<Compared>(Compared{.state = std::move(*state), .draw = beside::draw});
    return true;
  }
  if (key == "hide") {
    Result<std::vector<std::string>> hidden = read_hidden(*draft.scene, draft.state, value);
    if (!hidden) return std::unexpected(hidden.error());
    draft.settings.hidden = std::move(*hidden);
    return true;
  }
  return read_setting(draft.settings, key, value);
}

// Sets what belongs to the pinned number, unless the patch says it otherwise. Whether there was anything to set.
Result<bool> follow_pin(Draft& draft, const io::Patch& patch) {
  const std::optional<figure::Source> pinned = figure::parse_cell_id(draft.pinned);
  if (!pinned || !io::names(patch, "pin")) return false;
  io::Patch follow = draft.scene->follow(draft.state, *pinned);
  std::erase_if(follow, [&](const auto& entry) { return io::names(patch, entry.first); });
  if (follow.empty()) return false;
  if (const Result<void> set = draft.scene->change(draft.state, follow); !set) return std::unexpected(set.error());
  return true;
}

// What a patch asks for by name has to exist; what it does not name and no longer exists is dropped in silence.
Result<void> check_named(const App& app, const Draft& draft, const io::Patch& patch) {
  if (lacks(app, *draft.scene, draft.state, draft.place)) return {};  // what exists is only known then
  const Trace& trace = draft.computed ? draft.computed->trace : app.trace;
  for (const auto& [key, value] : patch) {
    if (key == "pin" && !value.empty() && !is_cell(trace, value))
      return fail("There is no cell " + io::quote(value) + " to pin here.");
    if (key == "zoom" && !value.empty() && !fits(trace, draft.zoom))
      return fail("There is nothing to zoom into at " + io::quote(value) + " here.");
    if (key == "guess" && draft.guess >= 0) {
      const auto question = draft.scene->ask(draft.state, trace);
      if (!question || draft.guess >= static_cast<int>(question->options.size()))
        return fail("The guess is " + std::to_string(draft.guess) +
                    (question ? "; the answers are numbered 0 to " + std::to_string(question->options.size() - 1) + "."
                              : "; there is no question here."));
    }
  }
  return {};
}

// What is compared with has been named, and has no numbers yet. Error: it has too many.
Result<void> compute_compared(const App& app, Draft& draft) {
  if (!draft.compared || draft.compared->trace.tensors.size() > 0) return {};
  Compared held{.state = draft.compared->state, .draw = draft.compared->draw};
  const bool here = draft.scene == app.scene;
  if (here && app.compared && draft.scene->same(app.compared->state, held.state, io::Counted::job))
    held.job = app.compared->job;
  else if (here && draft.scene->same(app.state, held.state, io::Counted::job))
    held.job = app.job ? std::optional(app.job->snapshot) : std::nullopt;
  held.trace = compute(app, *draft.scene, held.state, held.job ? &*held.job : nullptr).trace;
  if (Result<void> small = check_compared(held.trace); !small) return small;
  draft.compared = std::make_shared<Compared>(std::move(held));
  return {};
}

}  // namespace

std::string write_zoom(const scenes::Zoom& zoom) {
  return zoom.tensor + ":" + std::to_string(zoom.row) + "." + std::to_string(zoom.column) + ":" +
         std::to_string(zoom.rows) + "." + std::to_string(zoom.columns);
}

Draft draft_of(const App& app) {
  return {.scene = app.scene,
          .state = app.state,
          .place = app.place,
          .zoom = app.zoom,
          .pinned = app.pinned,
          .guess = app.guess,
          .revealed = app.revealed,
          .settings = app.settings,
          .compared = app.compared,
          .left = &app.left,
          .t = app.t};
}

Draft blank(const App& app) { return {app.scene, app.scene->initial(), {}, {}, {}, -1, {}, {}}; }

void enter(Draft& draft, const scenes::SceneDef* scene) {
  const bool known = draft.left != nullptr && draft.left->contains(scene);
  const Left begun = known ? draft.left->at(scene) : Left{.state = scene->initial(), .place = {}};
  draft.scene = scene;
  draft.state = begun.state;
  draft.place = begun.place;
  draft.t = 1;
  draft.zoom = begun.zoom;
  draft.pinned = begun.pinned;
  draft.guess = begun.guess;
  draft.revealed.clear();
  draft.compared = begun.compared;
}

Result<void> read_patch(Draft& draft, const io::Patch& patch) {
  for (const auto& [key, value] : patch) {
    if (key != "scene" || value == draft.scene->id) continue;
    const Result<const scenes::SceneDef*> scene = scenes::named(value);
    if (!scene) return std::unexpected(scene.error());
    enter(draft, *scene);
  }
  io::Patch fields;
  for (const auto& [key, value] : patch) {
    if (key == "scene") continue;
    const Result<bool> own = read_app_key(draft, key, value);
    if (!own) return std::unexpected(own.error());
    if (!*own) fields.emplace_back(key, value);
  }
  if (fields.empty()) return {};
  return draft.scene->change(draft.state, fields);
}

bool same_state(const App& app, const scenes::SceneDef& scene, const std::any& state, io::Counted counted) {
  return &scene == app.scene && scene.same(state, app.state, counted);
}

std::shared_ptr<scenes::Job> job_for(const App& app, const Draft& draft) {
  if (draft.job) return *draft.job;
  const auto left = app.left.find(draft.scene);
  const bool here = draft.scene == app.scene;
  if (!here && left == app.left.end()) return {};
  if (!draft.scene->same(here ? app.state : left->second.state, draft.state, io::Counted::job)) return {};
  return here ? app.job : left->second.job;
}

void compute_other(const App& app, Draft& draft) {
  if (!draft.job && same_state(app, *draft.scene, draft.state, io::Counted::numbers)) return;
  draft.computed = compute(app, *draft.scene, draft.state, made_by(job_for(app, draft)));
}

Result<void> apply(const App& app, Draft& draft, const io::Patch& patch) {
  if (Result<void> result = read_patch(draft, patch); !result) return result;
  if (io::names(patch, "step") && !io::names(patch, "t")) draft.t = 1;  // a step is gone to as it stands
  compute_other(app, draft);
  if (Result<void> result = compute_compared(app, draft); !result) return result;
  if (Result<void> there = check_named(app, draft, patch); !there) return there;
  const Result<bool> followed = follow_pin(draft, patch);
  if (!followed) return std::unexpected(followed.error());
  if (*followed) {
    draft.computed.reset();
    compute_other(app, draft);
  }
  return {};
}

}  // namespace limelight::app
