// What values are poured into, and what pours: blue where it comes from, pink where it comes to.
#pragma once

#include <string>
#include <vector>

#include "figure/figure.h"

namespace limelight::figure {

// Of a ribbon from values to an output, as opaque as `seen` says.
std::vector<Ribbon::Stop> poured(float seen, Theme theme);

// A vessel, open above, as full as `level` says, from 0 to 1. Returns where its cells may stand.
Rect add_vessel(Figure& figure, const std::string& id, Rect glass, float level, Theme theme);

}  // namespace limelight::figure
