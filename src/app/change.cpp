#include "app/change.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/compare.h"
#include "app/links.h"
#include "app/opened.h"
#include "app/opening.h"
#include "app/playing.h"
#include "app/rail.h"
#include "app/regions.h"
#include "app/undo.h"
#include "scenes/moment.h"

namespace limelight::app {
namespace {

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

// What answering sets, too, so that the figure shows what the question is about.
io::Patch reveal_of(const App& app, const io::Patch& patch) {
  if (app.guess >= 0 || patch.size() != 1 || patch[0].first != "guess" || patch[0].second == "-1") return {};
  const std::optional<scenes::Question> question = app.scene->ask(app.state, app.trace);
  return question ? question->reveal : io::Patch();
}

// That have a weight.
std::size_t words_in(const Trace& trace) {
  const Tensor* weights = trace.find("weights");
  return weights == nullptr ? 0 : static_cast<std::size_t>(weights->columns());
}

}  // namespace

void take(App& app, Draft draft) {
  const bool was_open = inspector_open(app);
  app.asking.clear();
  if (draft.scene != app.scene) {
    if (Draft back = draft_of(app); give_back(app, back)) {
      compute_other(app, back);
      take(app, std::move(back));
    }
  }
  if (const int first = draft.scene->first_step(draft.state); draft.place.step < first) {
    draft.place = {first, 0};
  }
  if (!scenes::before(*draft.scene, draft.state, draft.place) &&
      !scenes::motion_at(*draft.scene, draft.place).begins_alone())
    draft.t = 1;  // nothing leads there
  // Within a step every moment is a picture of its own.
  const bool moved = (draft.t >= 1 && (draft.place != app.place || app.t < 1)) || draft.computed.has_value() ||
                     (draft.compared == nullptr) != (app.compared == nullptr);
  const std::span<const scenes::Resource* const> needed = app.scene->needs(app.state, app.place);
  end_opening(app);
  const bool other_place = draft.place != app.place;
  const std::size_t words = words_in(app.trace);
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
  const bool other_scene = draft.scene != app.scene, other_compared = app.compared != draft.compared;
  app.compared = std::move(draft.compared);
  app.scene = draft.scene;
  app.state = std::move(draft.state);
  app.place = draft.place;
  if (other_place) app.held.reset();
  if (other_place) hide_tooltip(app);  // it tells of what was there
  app.t = draft.t;
  if (app.playing) move_from_here(app);
  app.zoom = std::move(draft.zoom);
  const bool pins = !draft.pinned.empty() && draft.pinned != app.pinned;
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
  if (other_place || words_in(app.trace) != words) {
    app.stage_scroll = 0;
    app.seeks_lamp = true;
  }
  want_resources(app, needed);
  if (std::string name = missing_picture(app, *app.scene, app.state); !name.empty())
    app.wish_kept_picture = std::move(name);
  if (app.job && app.job->heed) app.job->heed(app.job->snapshot, app.state);
  drop_stale(app);
  // Whoever pins a number expects its explanation.
  if (app.inspector == InspectorChoice::folded && pins) app.inspector = InspectorChoice::by_itself;
  if (other_scene) show_in_rail(app, regions(app).rail);
  if (!app.notice.good || (other_place && !app.arriving))
    app.notice.text.clear();  // an error is mended; what was said is left behind
  if (moved || inspector_open(app) != was_open) ++app.view_revision;  // what moves is animated
  app.changed = true;
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
  if (here && other && app.t < 1 && scenes::motion_at(*draft.scene, draft.place).at_once) {
    draft.t = 1;  // the reader takes over
    app.playing = false;
  }
  app.keep_address = false;
  // What a pin brings with it is only looked at.
  if (const bool only_pin = patch.size() == 1 && patch[0].first == "pin"; other && !only_pin) {
    // All letters of one typing are undone at once.
    Typing* typing = app.typing && io::names(patch, app.typing->field) ? &*app.typing : nullptr;
    const bool typed_on = app.now < app.typed.until && io::names(patch, app.typed.field);
    if (!(dragged && app.gesture_remembered) && !(typing != nullptr && typing->remembered) && !typed_on) remember(app);
    app.gesture_remembered = dragged;
    if (app.typing) app.typing->remembered = typing != nullptr;
  }
  if (!here) app.visited.insert(app.scene);
  if (here && other) ++app.lamp_revision;
  take(app, std::move(draft));
  if (!here && app.plays_once) play(app, false);  // what began there ends there
  if (!here && !app.visited.contains(app.scene)) play_at_once(app);
  // An answer that is over leaves nothing to undo.
  if (ended && !other && !app.undo_stack.empty() &&
      same_state(app, *app.undo_stack.back().scene, app.undo_stack.back().state))
    app.undo_stack.pop_back();
  if (other) watch_length(app);
  return {};
}

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

}  // namespace limelight::app
