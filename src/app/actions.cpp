#include "app/actions.h"

#include <algorithm>
#include <string_view>

#include "app/hidden.h"
#include "scenes/place.h"

namespace limelight::app {

using namespace figure;

namespace {

// The text view's own buttons do these, or they only make room in the window.
constexpr std::string_view kKnown[] = {"undo",     "redo",       "reset",     "next",   "previous",     "play",
                                       "job",      "theme",      "projector", "share",  "picture_file", "own_files",
                                       "own_stop", "own_remove", "dismiss",   "export", "compare",      "glossary",
                                       "about",    "menu",       "presets",   "close",  "sheet",        "inspector"};
// Likewise: its lists of scenes, steps and answers.
constexpr std::string_view kLists[] = {"scene", "step", "guess"};

bool is_known(const std::vector<io::FieldInfo>& fields, const Edit& edit) {
  if (edit.field == "do") return std::ranges::find(kKnown, edit.value) != std::end(kKnown);
  if (edit.field == "point") return true;  // to a number of a table, or to a button that is told itself
  if (edit.field == "pin" && edit.value.empty()) return true;  // beside the number's formula
  if (std::ranges::find(kLists, edit.field) != std::end(kLists)) return true;
  return std::ranges::any_of(
      fields, [&](const io::FieldInfo& info) { return info.field.name == edit.field && has_control(info); });
}

}  // namespace

bool has_control(const io::FieldInfo& info) { return info.field.shown && info.kind != io::FieldKind::cells; }

std::vector<Action> actions(const App& app, const Page& page) {
  const std::vector<io::FieldInfo> fields = shown_fields(app);
  std::vector<Action> list;
  std::vector<const Element*> elements;
  for (const Figure* part : {&page.figure, &page.folded})
    for (const Element& element : part->elements) elements.push_back(&element);
  for (const Element* const one : elements) {
    const Element& element = *one;
    // Without a value it is dragged or typed into: a table or a field takes that.
    if (!element.edit || element.role == Role::none || (element.edit->value.empty() && element.role != Role::button))
      continue;
    const Edit edit{.field = element.edit->field, .value = element.edit->value};
    const bool is_there = std::ranges::any_of(
        list, [&](const Action& a) { return a.edit.field == edit.field && a.edit.value == edit.value; });
    if (!is_there && !element.edit->plane && !is_known(fields, edit)) list.push_back({element.id, element.label, edit});
  }
  return list;
}

std::string job_button(const App& app) {
  if (app.job) return app.works() ? "Pause" : app.job->snapshot.finished() ? "" : "Go on";
  const bool shown = scenes::step_at(*app.scene, app.place).shows_job;
  return shown ? std::string(app.scene->job_label(app.state)) : std::string();
}

}  // namespace limelight::app
