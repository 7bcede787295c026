#include "app/opened.h"

#include "app/hidden.h"

namespace limelight::app {

std::optional<scenes::Question> question_of(const App& app) {
  const bool last = app.place.step == static_cast<int>(app.scene->steps().size());
  return last && !hides(app, "question") ? app.scene->ask(app.state, app.trace) : std::nullopt;
}

namespace {

bool may_open(const App& app) { return !hides(app, "inspector") && app.inspector != InspectorChoice::folded; }

}  // namespace

bool open_unpinned(const App& app) { return may_open(app) && app.inspector == InspectorChoice::open; }

bool inspector_open(const App& app) {
  const bool explains = !app.pinned.empty() && app.explains_from == 0;
  return open_unpinned(app) || (explains && may_open(app));
}

void toggle_inspector(App& app) {
  app.inspector = inspector_open(app) ? InspectorChoice::folded : InspectorChoice::open;
  app.inspector_scroll = 0;
  ++app.view_revision;  // the figure moves into its new room
  app.changed = true;
}

}  // namespace limelight::app
