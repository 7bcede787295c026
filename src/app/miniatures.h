// A small drawing for each scene: what the rail and the menu show of it.
#pragma once

#include <string>
#include <string_view>

#include "figure/figure.h"

namespace limelight::app {

inline constexpr float kMiniatureWidth = 44, kMiniatureHeight = 28;  // px

struct MiniatureLook {
  figure::Theme theme = figure::Theme::light;
  bool lit = false;  // the scene is open: its drawing is a dark stage in both themes
};

// Its elements are named after `id`. False, and nothing is added, for a scene that has no drawing.
bool add_miniature(figure::Figure& figure, const std::string& id, std::string_view scene, figure::Point top_left,
                   MiniatureLook look);

}  // namespace limelight::app
