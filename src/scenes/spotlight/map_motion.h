// How Glance's map of weights comes out of the lamp's row.
#pragma once

#include "scenes/spotlight/parts.h"

namespace limelight::scenes::spotlight {

// The lamp's row opens below the words and comes down; from behind it each other row slides to its place, the nearest
// first, with its name and its arcs. A row has its digits once no other lies over it, and no colour is faded, or it
// would mean another number. Changes the map that is drawn at rest. t: from 0 to 1.
void come_down(Drawing& d, float t);

}  // namespace limelight::scenes::spotlight
