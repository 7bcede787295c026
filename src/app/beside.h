// How two states beside each other are drawn. Nothing of it is needed before a state is compared.
#pragma once

#include "app/app.h"
#include "figure/figure.h"

namespace limelight::app::beside {

// A and B side by side, or below each other where that is too narrow, and the difference of the step's principal
// tensor.
figure::Figure draw(const App& app, scenes::View view);

}  // namespace limelight::app::beside
