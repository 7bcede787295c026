#include "app/app.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/compare.h"
#include "app/hidden.h"
#include "io/utf8.h"
#include "scenes/place.h"
#include "scenes/version_1.h"

namespace limelight::app {
namespace {

constexpr double kNoticeSeconds = 7;
constexpr double kPlaySeconds = 3;
constexpr double kPlayWithinSeconds = 1.2;  // where it stays in a step
constexpr double kTooltipSeconds = 0.7;     // of rest: what a mouse only passes over says nothing
constexpr std::size_t kMostUndo = 200;
constexpr std::size_t kLongestKept = std::size_t{1} << 20U;  // bytes; several times what a state can have

struct Computed {
  Trace trace;
  double ms;
};

Computed compute(const App& app, const scenes::SceneDef& scene, const std::any& state,
                 const scenes::JobSnapshot* job = nullptr) {
  const auto start = std::chrono::steady_clock::now();
  Trace trace = scene.compute(state, inputs_of(app, job));
  return {std::move(trace),
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count()};
}

void show(App& app, Computed computed) {
  app.trace = std::move(computed.trace);
  add_compared(app);
  app.compute_ms = computed.ms;
  ++app.revision;
}

bool is_cell(const Trace& trace, std::string_view id) {
  const std::optional<figure::Source> source = figure::parse_cell_id(id);
  return source && trace.cell(source->tensor, source->row, source->column) != nullptr;
}

bool fits(const Trace& trace, const scenes::Zoom& zoom) {
  const Tensor* tensor = trace.find(zoom.tensor);
  return tensor != nullptr && zoom.row + zoom.rows <= tensor->rows() && zoom.column + zoom.columns <= tensor->columns();
}

bool lacks(const App& app, const scenes::SceneDef& scene, const std::any& state, scenes::Place place) {
  return !missing_picture(app, scene, state).empty() || !missing_own(app, scene, state).empty() ||
         std::ranges::any_of(scene.needs(state, place), [&](const scenes::Resource* resource) {
           return app.resources.find(resource->name) == app.resources.end();
         });
}

// What was pinned, hovered, zoomed into or typed into may no longer exist, unless it is still to come.
void drop_stale(App& app) {
  if (lacks(app, *app.scene, app.state, app.place)) return;
  if (!is_cell(app.trace, app.pinned)) app.pinned.clear();
  if (figure::parse_cell_id(app.hovered) && !is_cell(app.trace, app.hovered)) app.hovered.clear();
  if (app.typing && !app.typing->key.empty() && !is_cell(app.trace, app.typing->id)) app.typing.reset();
  if (!fits(app.trace, app.zoom)) app.zoom = {};
}

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

std::string write_zoom(const scenes::Zoom& zoom) {
  return zoom.tensor + ":" + std::to_string(zoom.row) + "." + std::to_string(zoom.column) + ":" +
         std::to_string(zoom.rows) + "." + std::to_string(zoom.columns);
}

// The app's own settings while a patch is being read; taken over only when all of it is good.
struct Draft {
  const scenes::SceneDef* scene;
  std::any state;
  scenes::Place place;
  scenes::Zoom zoom;
  std::string pinned;
  int guess;
  io::Patch revealed;
  Settings settings;
  std::shared_ptr<const Compared> compared{};
  const std::map<const scenes::SceneDef*, Left>* left = nullptr;  // how other scenes were left, where they go on so
  std::optional<Computed> computed{};                             // of the new state, when that is another one
  std::optional<std::shared_ptr<scenes::Job>> job{};              // where it is not the one that there is for the state
};

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
    draft.compared = std::make_shared<Compared>(Compared{.state = std::move(*state)});
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

// Goes to another scene: as it was left where that is known, else to its beginning.
void enter(Draft& draft, const scenes::SceneDef* scene) {
  const bool known = draft.left != nullptr && draft.left->contains(scene);
  const Left begun = known ? draft.left->at(scene) : Left{.state = scene->initial(), .place = {}};
  draft.scene = scene;
  draft.state = begun.state;
  draft.place = begun.place;
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

Draft draft_of(const App& app) {
  return {app.scene, app.state,    app.place,    app.zoom,     app.pinned,
          app.guess, app.revealed, app.settings, app.compared, &app.left};
}

bool same_state(const App& app, const scenes::SceneDef& scene, const std::any& state,
                io::Counted counted = io::Counted::all) {
  return &scene == app.scene && scene.same(state, app.state, counted);
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

const scenes::JobSnapshot* made_by(const std::shared_ptr<scenes::Job>& job) { return job ? &job->snapshot : nullptr; }

// The job of the draft's scene, if what it has made holds for the draft.
std::shared_ptr<scenes::Job> job_for(const App& app, const Draft& draft) {
  if (draft.job) return *draft.job;
  const auto left = app.left.find(draft.scene);
  const bool here = draft.scene == app.scene;
  if (!here && left == app.left.end()) return {};
  if (!draft.scene->same(here ? app.state : left->second.state, draft.state, io::Counted::job)) return {};
  return here ? app.job : left->second.job;
}

// Where other numbers than those that are there follow from the draft.
void compute_other(const App& app, Draft& draft) {
  if (!draft.job && same_state(app, *draft.scene, draft.state, io::Counted::numbers)) return;
  draft.computed = compute(app, *draft.scene, draft.state, made_by(job_for(app, draft)));
}

// What is compared with has been named, and has no numbers yet. Error: it has too many.
Result<void> compute_compared(const App& app, Draft& draft) {
  if (!draft.compared || draft.compared->trace.tensors.size() > 0) return {};
  Compared held{.state = draft.compared->state};
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

// The whole patch or nothing.
Result<void> apply(const App& app, Draft& draft, const io::Patch& patch) {
  if (Result<void> result = read_patch(draft, patch); !result) return result;
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

// What to set where the open answer ends. One that came with a link does not tell what was before: that is then what
// the question's own way back says, or the example.
io::Patch before_answer(const App& app) {
  if (app.guess < 0 || !app.revealed.empty()) return app.revealed;
  const std::optional<scenes::Question> question = app.scene->ask(app.state, app.trace);
  if (!question) return {};
  if (!question->back.field.empty()) return {{question->back.field, question->back.value}};
  io::Patch before;
  for (io::FieldInfo& info : app.scene->fields(app.state))
    if (io::names(question->reveal, info.field.name)) before.emplace_back(info.field.name, std::move(info.initial));
  return before;
}

// Where the answer of the draft's scene, which is open, set something: ends it, and that is as it was before.
bool give_back(const App& app, Draft& draft) {
  const io::Patch before = before_answer(app);
  if (before.empty()) return false;
  draft.guess = -1;
  draft.revealed.clear();
  return draft.scene->change(draft.state, before).has_value();
}

void take(App& app, Draft draft) {
  if (draft.scene != app.scene) {
    if (Draft back = draft_of(app); give_back(app, back)) {
      compute_other(app, back);
      take(app, std::move(back));
    }
  }
  if (const int first = draft.scene->first_step(draft.state); draft.place.step < first) draft.place = {first, 0};
  const bool moved = draft.place != app.place || draft.computed.has_value() ||
                     (draft.compared == nullptr) != (app.compared == nullptr);
  const std::span<const scenes::Resource* const> needed = app.scene->needs(app.state, app.place);
  if (draft.place != app.place) app.stage_scroll = 0;
  std::shared_ptr<scenes::Job> job = job_for(app, draft);
  if (draft.scene != app.scene) {
    const bool stays = app.job && (app.job->lasts || app.job->snapshot.finished());
    if (stays) app.job->rest();
    app.left[app.scene] = {std::move(app.state),  app.place, std::move(app.zoom),
                           std::move(app.pinned), app.guess, stays ? std::move(app.job) : nullptr,
                           app.compared};
    if (!app.hovered.starts_with("shell.")) hover(app, {});  // it names something else there
    app.typing.reset();
  }
  const bool other_compared = app.compared != draft.compared;
  app.compared = std::move(draft.compared);
  app.scene = draft.scene;
  app.state = std::move(draft.state);
  app.place = draft.place;
  app.zoom = std::move(draft.zoom);
  app.pinned = std::move(draft.pinned);
  app.guess = draft.guess;
  app.revealed = std::move(draft.revealed);
  app.settings = std::move(draft.settings);
  if (draft.computed) {
    app.job = std::move(job);
    show(app, std::move(*draft.computed));
  } else if (other_compared) {
    add_compared(app);
    ++app.revision;
  }
  want_resources(app, needed);
  if (std::string name = missing_picture(app, *app.scene, app.state); !name.empty())
    app.wish_kept_picture = std::move(name);
  if (app.job && app.job->heed) app.job->heed(app.job->snapshot, app.state);
  drop_stale(app);
  if (!app.notice.good) app.notice.text.clear();  // the error is mended, or left behind
  if (moved) ++app.view_revision;                 // what moves is animated
  app.changed = true;
}

// Said once, when the state becomes too long for an address.
void watch_length(App& app) {
  const bool was = std::exchange(app.link_too_long, link(app).size() > io::kLongestLink);
  if (app.link_too_long && !was) notify(app, std::string(kLinkTooLong));
}

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

void remember(App& app, bool job_given_up = false) {
  keep(app, app.undo_stack, job_given_up);
  app.redo_stack.clear();
  app.gesture_remembered = false;
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
  compute_other(app, draft);
  take(app, std::move(draft));
  watch_length(app);
}

// Puts aside what leads to functions that have not come; whichever was wanted last.
bool waits(App& app, const io::Patch& patch, bool link) {
  if (app.all_scenes) return false;
  if (link) app.waiting.reset();
  const scenes::SceneDef& first = *scenes::all().front();
  bool leaves = false, borrows = false;
  for (const auto& [key, value] : patch) {
    if (key == "scene") {
      const scenes::SceneDef* wanted = scenes::find(value);
      leaves = wanted != nullptr && wanted != &first;
    } else if (key == first.borrows) {
      borrows = value == io::write_value(true);
    } else {
      continue;
    }
    app.waiting.reset();
  }
  if (!leaves && !borrows) return false;
  app.waiting = Waiting{patch, link};
  ++app.put_aside;
  return true;
}

Result<void> change_state(App& app, const io::Patch& patch, bool dragged) {
  if (waits(app, patch, false)) return {};
  Draft draft = draft_of(app);
  if (Result<void> result = apply(app, draft, patch); !result) return result;
  const bool here = draft.scene == app.scene, other = !same_state(app, *draft.scene, draft.state);
  // An answer belongs to the question as it stood; another scene's is as that was left.
  if (other && (here || patch.size() > 1) && !io::names(patch, "guess")) draft.guess = -1;
  bool ended = here && (other || draft.guess < 0 || draft.place.step != app.place.step);
  if (Draft back = draft_of(app); ended && (ended = give_back(app, back))) {
    if (Result<void> result = apply(app, back, patch); !result) return result;
    draft = std::move(back);
  }
  // What the reader sets himself stays.
  if (!io::names(patch, "guess"))
    for (auto& [field, value] : draft.revealed)
      for (const auto& [key, set] : patch)
        if (key == field) value = set;
  app.keep_address = false;
  // What a pin brings with it is only looked at.
  if (const bool only_pin = patch.size() == 1 && patch[0].first == "pin"; other && !only_pin) {
    if (!dragged || !app.gesture_remembered) remember(app);
    app.gesture_remembered = dragged;
  }
  take(app, std::move(draft));
  // An answer that is over leaves nothing to undo.
  if (ended && !other && !app.undo_stack.empty() &&
      same_state(app, *app.undo_stack.back().scene, app.undo_stack.back().state))
    app.undo_stack.pop_back();
  if (other) watch_length(app);
  return {};
}

}  // namespace

App make_app() {
  App app;
  app.scene = scenes::all().front();
  app.state = app.scene->initial();
  show(app, compute(app, *app.scene, app.state));
  return app;
}

namespace {

// What answering sets, too, so that the figure shows what the question is about.
io::Patch reveal_of(const App& app, const io::Patch& patch) {
  if (app.guess >= 0 || patch.size() != 1 || patch[0].first != "guess" || patch[0].second == "-1") return {};
  const std::optional<scenes::Question> question = app.scene->ask(app.state, app.trace);
  return question ? question->reveal : io::Patch();
}

}  // namespace

Result<void> change(App& app, const io::Patch& patch) {
  const io::Patch reveal = reveal_of(app, patch);
  if (reveal.empty()) return change_state(app, patch, false);
  io::Patch whole = patch, before;
  std::ranges::copy(reveal, std::back_inserter(whole));
  for (io::FieldInfo& info : app.scene->fields(app.state))
    if (io::names(reveal, info.field.name)) before.emplace_back(info.field.name, std::move(info.value));
  Result<void> result = change_state(app, whole, false);
  if (result) app.revealed = std::move(before);
  return result;
}

Result<void> change(App& app, std::string_view field, std::string_view value) {
  return change(app, io::Patch{{std::string(field), std::string(value)}});
}

Result<void> change_cell(App& app, std::string_view field, std::string_view cell, std::string_view text) {
  std::string value = std::string(cell) + ":";
  if (text.find_first_not_of(' ') != std::string_view::npos) {
    // In a link's cells "0.5,0.0:9" are two numbers; here they are none.
    const Result<double> number = io::parse_number(text);
    if (!number) return std::unexpected(number.error());
    value += text;  // as it was typed, for the sentence that may refuse it
  }
  return change(app, field, value);
}

Result<void> drag(App& app, std::string_view field, std::string_view value) {
  app.in_gesture = true;
  return change_state(app, {{std::string(field), std::string(value)}}, true);
}

void end_drag(App& app) { app.in_gesture = app.gesture_remembered = false; }

namespace {

// As a link begins: it says all that is otherwise than in its scene's example.
Draft blank(const App& app) { return {app.scene, app.scene->initial(), {}, {}, {}, -1, {}, {}}; }

void open_draft(App& app, Draft draft) {
  app.gesture_remembered = app.promised = app.unfit = app.keep_address = false;
  if (app.frames > 0 && !same_state(app, *draft.scene, draft.state)) remember(app);  // another link, on the same page
  take(app, std::move(draft));
  app.link_too_long = link(app).size() > io::kLongestLink;
}

// Of a refused link: its scene with the example, and how it wanted to be shown, since what is framed in an article
// stays a frame.
// Returns whether the link names a scene that there is.
bool open_rest(App& app, const io::Patch& patch) {
  Draft draft = draft_of(app);
  bool named = false;
  for (const auto& [key, value] : patch) named = named || (key == "scene" && scenes::find(value) != nullptr);
  if (named) draft = blank(app);
  for (const auto& entry : patch)
    if (entry.first == "scene" || is_setting(entry.first)) static_cast<void>(read_patch(draft, {entry}));
  compute_other(app, draft);
  open_draft(app, std::move(draft));
  return named;
}

Result<void> open_shared(App& app, const io::Patch& patch) {
  Result<void> result = open_patch(app, patch);
  if (!result)
    result = fail(result.error().message + " So the link was left out" +
                  (open_rest(app, patch) ? ", and this is the example." : "."));
  app.keep_address = !result || app.waiting;
  return result;
}

Result<void> open_address(App& app, std::string_view text, std::size_t longest) {
  app.keep_address = true;
  if (text.size() > longest)
    return fail("The link has " + std::to_string(text.size()) + " bytes; at most " + std::to_string(longest) +
                " are read. It was left out.");
  const Result<io::Patch> patch = io::parse_patch(text);
  if (!patch) return std::unexpected(patch.error());
  return open_shared(app, *patch);
}

}  // namespace

Result<void> open_patch(App& app, const io::Patch& patch) {
  if (waits(app, patch, true)) return {};
  Draft draft = blank(app);
  if (Result<void> result = apply(app, draft, scenes::with_preset_of_its_day(patch)); !result) return result;
  open_draft(app, std::move(draft));
  return {};
}

Result<void> open_link(App& app, std::string_view text) { return open_address(app, text, io::kLongestLink); }

Result<void> open_kept(App& app, std::string_view text) { return open_address(app, text, kLongestKept); }

Result<void> scenes_came(App& app) {
  app.all_scenes = true;
  if (app.notice.text == kScenesLate) app.notice.text.clear();
  keep_promise(app);
  if (!app.waiting) return {};
  const Waiting waited = *std::exchange(app.waiting, std::nullopt);
  Result<void> result = waited.link ? open_shared(app, waited.patch) : change(app, waited.patch);
  report(app, result);
  return result;
}

void scenes_failed(App& app, const std::string& reason, const std::string& advice) {
  app.waiting.reset();
  notify(app, reason + " " + advice);
  break_promise(app, reason);
}

void scenes_late(App& app) {
  if (app.notice.text.empty() || app.notice.good || app.notice.text == kScenesLate)
    notify(app, std::string(kScenesLate));
}

io::Patch state_of(const App& app) {
  io::Patch patch{{"scene", std::string(app.scene->id)},
                  {"step", scenes::write_place(*app.scene, app.place)},
                  {"pin", app.pinned},
                  {"zoom", app.zoom.rows > 0 ? write_zoom(app.zoom) : std::string()},
                  {"guess", std::to_string(app.guess)},
                  {"against", write_compared(app)},
                  {"hide", write_hidden(app)}};
  std::ranges::move(write_settings(app.settings), std::back_inserter(patch));
  for (const io::FieldInfo& info : app.scene->fields(app.state)) patch.emplace_back(info.field.name, info.value);
  return patch;
}

namespace {

// A link with a pin brings along what follows from it: what is otherwise now has to be named, although it is what an
// example starts with.
io::Patch against_follow(const App& app, const io::Patch& named) {
  const std::optional<figure::Source> pinned = figure::parse_cell_id(app.pinned);
  if (!pinned) return {};
  const io::Patch follow = app.scene->follow(app.state, *pinned);
  io::Patch patch;
  for (const io::FieldInfo& info : app.scene->fields(app.state)) {
    if (io::names(follow, info.field.name) && !io::names(named, info.field.name))
      patch.emplace_back(info.field.name, info.value);
  }
  return patch;
}

}  // namespace

std::string link(const App& app) {
  io::Patch patch{{"v", std::to_string(io::kLinkVersion)},
                  {"scene", std::string(app.scene->id)},
                  {"step", scenes::write_place(*app.scene, app.place)}};
  for (auto& entry : app.scene->encode(app.state)) patch.push_back(std::move(entry));
  if (!app.pinned.empty()) {
    for (auto& entry : against_follow(app, patch)) patch.push_back(std::move(entry));
    patch.emplace_back("pin", app.pinned);
  }
  if (app.zoom.rows > 0) patch.emplace_back("zoom", write_zoom(app.zoom));
  if (app.guess >= 0) patch.emplace_back("guess", std::to_string(app.guess));
  if (app.compared) patch.emplace_back("against", write_compared(app));
  if (std::string hidden = write_hidden(app); !hidden.empty()) patch.emplace_back("hide", std::move(hidden));
  std::ranges::move(settings_of_link(app.settings), std::back_inserter(patch));
  return io::write_patch(patch);
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
  if (on && app.place.step == static_cast<int>(app.scene->steps().size()))
    report(app, change(app, "step", scenes::write_place(*app.scene, {})));
  app.playing = on;
  app.next_step_at = app.now + kPlaySeconds;
  app.changed = true;
}

namespace {

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

}  // namespace

void pin(App& app, std::string id) {
  if (!is_cell(app.trace, id)) id.clear();
  if (id == app.pinned) return;
  if (!id.empty()) report(app, change(app, "pin", id));
  app.pinned = std::move(id);
  app.changed = true;
}

void hover(App& app, std::string id) {
  if (figure::parse_cell_id(id) && !is_cell(app.trace, id)) id.clear();
  if (id == app.hovered) return;
  app.hovered = std::move(id);
  app.tooltip = false;
  app.tooltip_at = app.hovered.empty() ? std::nullopt : std::optional(app.now + kTooltipSeconds);
  app.changed = true;
}

void hide_tooltip(App& app) {
  app.tooltip_at.reset();
  if (std::exchange(app.tooltip, false)) app.changed = true;
}

bool move_pin(App& app, int rows, int columns) {
  std::optional<figure::Source> source = figure::parse_cell_id(app.pinned);
  if (!source) return false;
  const Tensor* tensor = app.trace.find(source->tensor);
  if (tensor == nullptr) return false;
  source->row = std::clamp(source->row + rows, 0, tensor->rows() - 1);
  source->column = std::clamp(source->column + columns, 0, tensor->columns() - 1);
  pin(app, figure::cell_id(*source));
  return true;
}

void zoom_by(App& app, const std::string& tensor, float factor, float u, float v) {
  const Tensor* whole = app.trace.find(tensor);
  if (whole == nullptr) return;
  const bool zoomed = app.zoom.tensor == tensor && app.zoom.rows > 0;
  const scenes::Zoom now = zoomed ? app.zoom : scenes::Zoom{tensor, 0, 0, whole->rows(), whole->columns()};
  const auto count = [&](int shown, int all) {
    return std::clamp(static_cast<int>(std::lround(static_cast<float>(shown) * factor)), std::min(4, all), all);
  };
  const auto start = [](int first, int shown, int next, int all, float share) {
    const float centre = static_cast<float>(first) + share * static_cast<float>(shown);
    return std::clamp(static_cast<int>(std::lround(centre - share * static_cast<float>(next))), 0, all - next);
  };
  const int rows = count(now.rows, whole->rows()), columns = count(now.columns, whole->columns());
  app.zoom = {tensor, start(now.row, now.rows, rows, whole->rows(), v),
              start(now.column, now.columns, columns, whole->columns(), u), rows, columns};
  if (rows == whole->rows() && columns == whole->columns()) app.zoom = {};
  app.changed = true;
}

void notify(App& app, std::string text, bool good) {
  app.notice = {app.notice.serial + 1, std::move(text), good, app.now + kNoticeSeconds};
  app.changed = true;
}

void dismiss_error(App& app) {
  if (app.notice.good || app.notice.text.empty()) return;
  app.notice.text.clear();
  app.changed = true;
}

bool report(App& app, const Result<void>& result) {
  if (!result) notify(app, result.error().message);
  return result.has_value();
}

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

void start_job(App& app) {
  app.job = app.scene->job(app.state, inputs_of(app));
  app.changed = true;
  if (!app.job && !app.scene->job_label(app.state).empty())
    notify(app, "This cannot be started: what it is computed from is not here.");
}

}  // namespace

void toggle_job(App& app) {
  app.paused_unseen = false;
  app.changed = true;
  if (!app.job) return start_job(app);
  if (app.works()) return rest_job(app);
  app.job->running = !app.job->snapshot.finished();
}

void step_job(App& app) {
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

bool advance(App& app, double now, double budget_ms) {
  app.now = now;
  keep_promise(app);
  start_at_once(app);
  if (app.works()) advance_job(app, budget_ms);
  if (app.playing && now >= app.next_step_at) {
    play_on(app);
  }
  if (!app.notice.text.empty() && now >= app.notice.until) {
    app.notice.text.clear();
    app.changed = true;
  }
  if (app.tooltip_at && now >= *app.tooltip_at) {
    app.tooltip_at.reset();
    app.tooltip = app.changed = true;
  }
  return app.works() || app.playing || !app.notice.text.empty() || app.tooltip_at;
}

void compute_again(App& app) {
  if (app.compared) {
    Compared held{.state = app.compared->state, .job = app.compared->job};
    held.trace = compute(app, *app.scene, held.state, held.job ? &*held.job : nullptr).trace;
    app.compared = std::make_shared<Compared>(std::move(held));
  }
  show(app, compute(app, *app.scene, app.state, made_by(app.job)));
  drop_stale(app);
  ++app.view_revision;
  app.changed = true;
}

scenes::View view_of(const App& app, float width, float height) {
  return {.width = width,
          .height = height,
          .place = app.place,
          .hovered = app.hovered,
          .pinned = app.pinned,
          .theme = app.theme(),
          .zoom = app.zoom,
          .touch = app.touch,
          .working = app.job && !app.job->snapshot.finished()
                         ? static_cast<float>(app.job->snapshot.done) /
                               static_cast<float>(std::max(app.job->snapshot.total, 1))
                         : -1,
          .rests = !app.works(),
          .missing = missing(app, app.state),
          .asks = app.guess < 0 && !hides(app, "question")};
}

}  // namespace limelight::app
