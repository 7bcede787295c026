#include "app/opened.h"

#include "app/hidden.h"

namespace limelight::app {

std::optional<scenes::Question> question_of(const App& app) {
  const bool last = app.place.step == static_cast<int>(app.scene->steps().size());
  return last && !hides(app, "question") ? app.scene->ask(app.state, app.trace) : std::nullopt;
}

bool inspector_open(const App& app) {
  if (hides(app, "inspector") || app.inspector == InspectorChoice::folded) return false;
  return app.inspector == InspectorChoice::open || (!app.pinned.empty() && app.explains_from == 0) ||
         question_of(app).has_value();
}

void toggle_inspector(App& app) {
  app.inspector = inspector_open(app) ? InspectorChoice::folded : InspectorChoice::open;
  app.inspector_scroll = 0;
  ++app.view_revision;  // the figure moves into its new room
  app.changed = true;
}

}  // namespace limelight::app
