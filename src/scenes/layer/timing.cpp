// When what moves between two forms of the machine moves: from 0 to 1 while t does.
#include <algorithm>
#include <string_view>

#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

bool begins(std::string_view id, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return id.starts_with(beginning); });
}

}  // namespace

// The second sequence comes, or goes last; the tap travels; then other queries ask, and their light falls elsewhere.
float timing_tap(const figure::Element& element, float t) {
  if (element.id.starts_with("Z.")) return figure::smoothstep(0, 0.4F, t);
  if (begins(element.id, {"tap.query", "pipe.query", "lens.query", "W_Q"})) return figure::smoothstep(0.15F, 0.7F, t);
  return figure::smoothstep(0.5F, 1, t);
}

}  // namespace limelight::scenes::layer
