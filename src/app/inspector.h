// The inspector: the formula of what is looked at with its numbers, then the controls, then what these numbers are.
#pragma once

#include <optional>
#include <vector>

#include "app/app.h"
#include "app/regions.h"
#include "figure/figure.h"
#include "io/fields.h"

namespace limelight::app {

// Of the number that is looked at, and beside which other one it stands when two states are compared.
std::optional<scenes::Inspection> inspection_of(const App& app);

// Returns the height that all of it needs.
float add_inspector(figure::Figure& figure, const App& app, const Regions& regions,
                    const std::vector<io::FieldInfo>& fields);

}  // namespace limelight::app
