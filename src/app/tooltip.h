// Signs, blocks and controls explain themselves in words when the mouse rests on them.
#pragma once

#include <vector>

#include "app/app.h"
#include "app/regions.h"
#include "figure/figure.h"
#include "io/fields.h"

namespace limelight::app {

void add_tooltip(figure::Figure& figure, const App& app, const Regions& regions,
                 const std::vector<io::FieldInfo>& fields);

}  // namespace limelight::app
