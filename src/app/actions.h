// What can be pressed in the page and is set by nothing else in the text view: no control of a field, no step, scene,
// answer or table. The text view has a button for each of these.
#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "app/page.h"

namespace limelight::app {

struct Action {
  std::string id;
  std::string label;
  figure::Edit edit;
};

// In the order of the figure; what two elements do is there once.
std::vector<Action> actions(const App& app, const Page& page);

// Whether the text view has a control for this field: cells are set in their matrix's table.
bool has_control(const io::FieldInfo& info);

// What the button of the scene's job says now; empty when there is none.
std::string job_button(const App& app);

}  // namespace limelight::app
