// By which a lamp is taken and moved along the words.
#pragma once

#include "figure/figure.h"
#include "figure/lamp.h"

namespace limelight::scenes {

// Three dots on the lamp, and around it, wide enough for a finger, what is dragged. held: the pointer is on it.
void add_lamp_handle(figure::Figure& figure, const figure::Lamp& lamp, bool held);

}  // namespace limelight::scenes
