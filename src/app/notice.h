// What was done, or refused and why, on a card that goes by itself.
#pragma once

#include "app/app.h"
#include "app/regions.h"
#include "figure/figure.h"

namespace limelight::app {

// As wide as its words in one line; 0 when there is none.
float notice_width(const App& app);

void add_notice_card(figure::Figure& figure, const App& app, figure::Rect card);

// Where it covers least, unless the top bar says it; the figure is seen down to `bottom`.
void add_notice(figure::Figure& figure, const App& app, const Regions& regions, float bottom);

}  // namespace limelight::app
