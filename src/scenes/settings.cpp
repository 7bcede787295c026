#include "scenes/settings.h"

#include <algorithm>
#include <variant>

namespace limelight::scenes {
namespace {

constexpr io::Choice kThemeChoices[] = {{"light", "Light"}, {"dark", "Dark"}, {"auto", "The system's"}};

std::string_view read_switch(std::string_view text) {
  if (text == "1" || text == "true") return "on";
  if (text == "0" || text == "false") return "off";
  return text;
}

struct SettingReader final : io::FieldVisitor {
  std::string_view name, text;
  Result<bool> known = false;

  SettingReader(std::string_view n, std::string_view t) : name(n), text(t) {}

  void visit(const io::Field& field, const io::ValueRef& value) override {
    if (field.name != name) return;
    const bool is_switch = std::holds_alternative<bool*>(value);
    const Result<void> read = io::read_field(field, is_switch ? read_switch(text) : text, value);
    known = read ? Result<bool>(true) : std::unexpected(read.error());
  }
};

std::vector<io::FieldInfo> infos_of(const Settings& settings) {
  const Settings initial;
  return io::describe(io::walk(settings), io::walk(initial));
}

}  // namespace

void Settings::fields(io::FieldVisitor& field) {
  field({.name = "theme", .label = "the theme", .choices = kThemeChoices}, theme);
  field({.name = "projector", .label = "projector"}, projector);
  field({.name = "embed", .label = "embed"}, embed);
  field({.name = "debug", .label = "debug"}, debug);
}

bool is_setting(std::string_view name) {
  return std::ranges::any_of(infos_of({}), [name](const io::FieldInfo& info) { return info.field.name == name; });
}

Result<bool> read_setting(Settings& settings, std::string_view name, std::string_view text) {
  SettingReader reader(name, text);
  settings.fields(reader);
  return reader.known;
}

io::Patch write_settings(const Settings& settings) {
  io::Patch patch;
  for (io::FieldInfo& info : infos_of(settings)) patch.emplace_back(info.field.name, std::move(info.value));
  return patch;
}

io::Patch settings_of_link(const Settings& settings) {
  io::Patch patch;
  for (io::FieldInfo& info : infos_of(settings))
    if (info.value != info.initial)
      patch.emplace_back(info.field.name, info.kind != io::FieldKind::toggle ? std::move(info.value)
                                          : info.value == "on"               ? "1"
                                                                             : "0");
  return patch;
}

}  // namespace limelight::scenes
