// A sentence of the reader's own begins with trained numbers, which come to a page later than its first scene.
#include <algorithm>

#include "app/app.h"

namespace limelight::app {
namespace {

bool has(const App& app, std::string_view name, std::string_view value) {
  return std::ranges::any_of(app.scene->fields(app.state),
                             [&](const io::FieldInfo& info) { return info.field.name == name && info.value == value; });
}

bool is_own(const App& app) { return app.scene->begins != nullptr && has(app, "preset", "own"); }

// By the rule, and without what a reader has set by hand, which goes with other numbers.
bool is_plain(const App& app) {
  return has(app, app.scene->borrows, io::write_value(false)) &&
         std::ranges::none_of(app.scene->fields(app.state), [](const io::FieldInfo& info) {
           return info.kind == io::FieldKind::cells && !info.value.empty();
         });
}

void say_spelled(App& app, const std::string& reason, bool good) {
  notify(app, reason + " So its numbers are by spelling.", good);
}

// Until the reader writes a sentence that fits.
void spell_unfit(App& app, const std::string& reason) {
  app.promised = false;
  if (!std::exchange(app.unfit, true)) say_spelled(app, reason, true);
}

// The state, begun as its scene says. Error: it does not fit.
Result<std::any> begun(const App& app) {
  std::any state = app.state;
  if (Result<void> fits = app.scene->change(state, app.scene->begins()); !fits) return std::unexpected(fits.error());
  return state;
}

// A patch that changes the sentence or its numbers, with what suits them.
io::Patch with_suited(const App& app, io::Patch patch) {
  const bool changes = io::names(patch, "text") || io::names(patch, "preset") || io::names(patch, app.scene->borrows);
  const bool waits = !app.all_scenes && io::names(patch, app.scene->borrows);  // for what would be called here
  if (app.scene->suited == nullptr || !changes || waits) return patch;
  std::any state = app.state;
  if (Result<void> fits = app.scene->change(state, patch); !fits) return patch;  // it is refused
  for (auto& [field, value] : app.scene->suited(app.state, state, inputs_of(app)))
    if (!io::names(patch, field)) patch.emplace_back(std::move(field), std::move(value));
  return patch;
}

constexpr double kTypingPause = 2;  // seconds; what is typed after a longer one is undone by itself

// The one field of text that a patch sets; empty: it sets another one or more.
std::string typed_text(const App& app, const io::Patch& patch) {
  if (patch.size() != 1) return {};
  const std::vector<io::FieldInfo> fields = app.scene->fields(app.state);
  const bool is_text = std::ranges::any_of(fields, [&](const io::FieldInfo& info) {
    return info.kind == io::FieldKind::text && info.field.name == patch.front().first;
  });
  return is_text ? patch.front().first : std::string();
}

}  // namespace

Result<void> change_by_hand(App& app, const io::Patch& patch) {
  const bool own = is_own(app), plain = !own || is_plain(app);
  const scenes::SceneDef* scene = app.scene;
  if (!own || !plain) app.unfit = false;
  const bool chosen = own && plain && patch == io::Patch{{std::string(app.scene->borrows), io::write_value(true)}};
  Result<void> result = change(app, with_suited(app, chosen ? app.scene->begins() : patch));
  if (!result && own && !plain && io::names(patch, "text") && !io::names(patch, app.scene->borrows)) {
    // It may be that only the trained numbers are not to be had for it.
    io::Patch without{{std::string(app.scene->borrows), io::write_value(false)}};
    without.insert(without.end(), patch.begin(), patch.end());
    if (const Result<void> spelled = change(app, with_suited(app, without)); !spelled) return spelled;
    spell_unfit(app, result.error().message);
    return {};
  }
  if (result && own && io::names(patch, scene->borrows)) app.promised = app.unfit = false;  // the reader's choice now
  if (result && scene == app.scene && (!own || app.unfit) && is_own(app) && is_plain(app)) {
    app.promised = true;
    keep_promise(app);
  }
  if (const std::string typed = typed_text(app, patch); result && !typed.empty())
    app.typed = {.field = typed, .until = app.now + kTypingPause};
  return result;
}

bool keep_promise(App& app) {
  if (!app.promised || app.scene->begins == nullptr) return false;  // another scene is open: on the way back
  app.promised = is_own(app) && is_plain(app);
  if (!app.promised || !app.all_scenes) return false;
  const Result<std::any> state = begun(app);
  if (!state) {
    spell_unfit(app, state.error().message);
    return false;
  }
  for (const scenes::Resource* resource : app.scene->needs(*state, app.place))
    if (!want_resource(app, *resource)) return false;
  app.promised = app.unfit = false;
  // Undone with the words.
  const TypedText typed =
      std::exchange(app.typed, {.field = std::string(app.scene->borrows), .until = app.now + kTypingPause});
  const bool kept = report(app, change(app, with_suited(app, app.scene->begins())));
  app.typed = typed;
  return kept;
}

bool promise_needs(const App& app, const scenes::Resource& resource) {
  if (!app.promised || app.scene->begins == nullptr) return false;
  const Result<std::any> state = begun(app);
  return state && std::ranges::count(app.scene->needs(*state, app.place), &resource) > 0;
}

void break_promise(App& app, const std::string& reason) {
  if (std::exchange(app.promised, false)) say_spelled(app, reason, false);
}

}  // namespace limelight::app
