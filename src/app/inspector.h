// The inspector: the formula of what is looked at with its numbers, then the controls for which there is no room under
// the figure, then what these numbers are. It is folded up to a tab at the right until it is wanted.
#pragma once

#include <optional>
#include <vector>

#include "app/app.h"
#include "app/foot.h"
#include "app/regions.h"
#include "figure/figure.h"
#include "io/fields.h"

namespace limelight::app {

// Of the number that is looked at, and beside which other one it stands when two states are compared.
std::optional<scenes::Inspection> inspection_of(const App& app);

// Returns the height that all of it needs.
float add_inspector(figure::Figure& figure, const App& app, const Regions& regions, const Offered& offered);

// What opens it while it is folded up.
void add_inspector_tab(figure::Figure& figure, const App& app, figure::Rect tab, const Offered& offered);

}  // namespace limelight::app
