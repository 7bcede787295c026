// The scenes that tools/test has found unchanged since everything passed. Their own tests are left out, and the long
// sweeps over all scenes pass over them.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace limelight::test {

inline std::vector<std::string> unchanged() {
  const char* const given = std::getenv("LIMELIGHT_UNCHANGED");  // their ids, with spaces between
  std::istringstream words(given == nullptr ? "" : given);
  std::vector<std::string> scenes;
  for (std::string id; words >> id;) scenes.push_back(id);
  return scenes;
}

}  // namespace limelight::test
