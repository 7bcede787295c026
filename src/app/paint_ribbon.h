// A ribbon as triangles of a draw list.
#pragma once

#include "figure/figure.h"

struct ImDrawList;

namespace limelight::app {

// Its edges are smoothed over the list's fringe, ends as well as sides; what is thinner than that is as much fainter.
void add_ribbon(ImDrawList& list, const figure::Ribbon& ribbon, float opacity);

}  // namespace limelight::app
