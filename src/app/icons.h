// The shell's few signs, drawn as strokes so that they look the same everywhere.
#pragma once

#include <string>

#include "figure/figure.h"

namespace limelight::app {

enum class Icon { none, undo, redo, again, moon, sun };

// 16 px around its middle. Ids begin with `id`.
void add_icon(figure::Figure& figure, const std::string& id, Icon icon, figure::Point middle, figure::Colour ink);

}  // namespace limelight::app
