// How any scene is shown: what links, states and scripts name besides its own fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/fields.h"

namespace limelight::scenes {

enum class ThemeChoice { light, dark, system };

struct Settings {
  ThemeChoice theme = ThemeChoice::system;
  bool projector = false;  // all is half as large again, for those who sit far away
  bool embed = false;
  bool debug = false;
  std::vector<std::string> hidden;  // panels and fields that are left out; its names are the scene's

  void fields(io::FieldVisitor& field);
};

bool is_setting(std::string_view name);
// One of the fields, by its name. Switches are read as links, states and scripts write them. True when there is one of
// this name.
Result<bool> read_setting(Settings& settings, std::string_view name, std::string_view text);
// All of the fields, as states have them.
io::Patch write_settings(const Settings& settings);
// Those that differ from their defaults, as a link has them: a switch that is on is 1.
io::Patch settings_of_link(const Settings& settings);

}  // namespace limelight::scenes
