#include "app/hidden.h"

#include <algorithm>

namespace limelight::app {
namespace {

constexpr std::string_view kPanels[] = {"title", "scenes", "inspector", "question", "narration", "timeline"};

bool is_known(const std::vector<io::FieldInfo>& fields, std::string_view name) {
  return std::ranges::find(kPanels, name) != std::end(kPanels) ||
         std::ranges::any_of(fields, [name](const io::FieldInfo& info) { return info.field.name == name; });
}

}  // namespace

Result<std::vector<std::string>> read_hidden(const scenes::SceneDef& scene, const std::any& state,
                                             std::string_view text) {
  const std::vector<io::FieldInfo> fields = scene.fields(state);
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (!is_known(fields, name)) {
      std::string known;
      for (const std::string_view panel : kPanels) known += std::string(panel) + ", ";
      std::string of_scene;
      for (const io::FieldInfo& info : fields)
        of_scene += (of_scene.empty() ? "" : ", ") + std::string(info.field.name);
      return fail("There is nothing called " + io::quote(name) + " to hide; there are the panels " +
                  known.substr(0, known.size() - 2) + " and the fields " + of_scene + ".");
    }
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }
  return names;
}

std::string write_hidden(const App& app) {
  const std::vector<io::FieldInfo> fields = app.scene->fields(app.state);
  std::string text;
  for (const std::string& name : app.settings.hidden)
    if (is_known(fields, name)) text += (text.empty() ? "" : ",") + name;
  return text;
}

bool hides(const App& app, std::string_view name) {
  return std::ranges::find(app.settings.hidden, name) != app.settings.hidden.end();
}

std::vector<io::FieldInfo> shown_fields(const App& app) {
  std::vector<io::FieldInfo> fields = app.scene->fields(app.state);
  std::erase_if(fields, [&app](const io::FieldInfo& info) { return hides(app, info.field.name); });
  return fields;
}

}  // namespace limelight::app
