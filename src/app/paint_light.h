// A light of a figure as what the light's shaders take.
#pragma once

#include "figure/figure.h"
#include "gfx/light.h"

namespace limelight::app {

// Its clip is left open.
gfx::LightQuad light_quad(const figure::Light& light);
// The numbers of figure/light.h.
gfx::Constants light_constants();

}  // namespace limelight::app
