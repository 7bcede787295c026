// The scenes that a long sweep goes through: all, but for those that have not changed since everything passed.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "scenes/scene.h"
#include "unit/unchanged.h"

namespace limelight::test {

inline std::vector<const scenes::SceneDef*> swept() {
  const std::vector<std::string> left_out = unchanged();
  std::vector<const scenes::SceneDef*> list;
  for (const scenes::SceneDef* scene : scenes::all())
    if (std::ranges::find(left_out, scene->id) == left_out.end()) list.push_back(scene);
  return list;
}

// Whether a sweep can be asked to meet something somewhere: not every scene has it.
inline bool sweeps_all() { return swept().size() == scenes::all().size(); }

}  // namespace limelight::test
