#include "app/links.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/change.h"
#include "app/compare.h"
#include "app/hidden.h"
#include "app/playing.h"
#include "app/undo.h"
#include "scenes/moment.h"
#include "scenes/place.h"
#include "scenes/version_1.h"

namespace limelight::app {
namespace {

constexpr std::size_t kLongestKept = std::size_t{1} << 20U;  // bytes; several times what a state can have

void open_draft(App& app, Draft draft) {
  app.gesture_remembered = app.promised = app.unfit = app.keep_address = false;
  if (app.frames > 0 && !same_state(app, *draft.scene, draft.state)) remember(app);  // another link, on the same page
  take(app, std::move(draft));
  app.playing = app.plays_once = false;  // what moved was elsewhere
  play_at_once(app);
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
    if (entry.first == "scene" || scenes::is_setting(entry.first)) static_cast<void>(read_patch(draft, {entry}));
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

// What plays is told of as where it arrives.
float t_at_rest(const App& app) { return app.playing ? 1 : app.t; }

}  // namespace

Result<void> open_patch(App& app, const io::Patch& patch) {
  if (waits(app, patch, true)) return {};
  Draft draft = blank(app);
  if (Result<void> result = apply(app, draft, scenes::with_preset_of_its_day(patch, scenes::all().front()->id));
      !result)
    return result;
  open_draft(app, std::move(draft));
  return {};
}

Result<void> open_link(App& app, std::string_view text) { return open_address(app, text, io::kLongestLink); }

Result<void> open_kept(App& app, std::string_view text) { return open_address(app, text, kLongestKept); }

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
      borrows = borrows || value == io::write_value(true);
    } else if (key == "against") {
      borrows = borrows || !value.empty();  // what draws two states comes with the other scenes
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
                  {"t", scenes::write_t(t_at_rest(app))},
                  {"pin", app.pinned},
                  {"zoom", app.zoom.rows > 0 ? write_zoom(app.zoom) : std::string()},
                  {"guess", std::to_string(app.guess)},
                  {"against", write_compared(app)},
                  {"hide", write_hidden(app)}};
  std::ranges::move(write_settings(app.settings), std::back_inserter(patch));
  for (const io::FieldInfo& info : app.scene->fields(app.state)) patch.emplace_back(info.field.name, info.value);
  return patch;
}

std::string link(const App& app) {
  io::Patch patch{{"v", std::to_string(io::kLinkVersion)},
                  {"scene", std::string(app.scene->id)},
                  {"step", scenes::write_place(*app.scene, app.place)}};
  if (const float t = t_at_rest(app); t < 1) patch.emplace_back("t", scenes::write_t(t));
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

void watch_length(App& app) {
  const bool was = std::exchange(app.link_too_long, link(app).size() > io::kLongestLink);
  if (app.link_too_long && !was) notify(app, std::string(kLinkTooLong));
}

}  // namespace limelight::app
