// Pictures of the reader's own: named by the state of a scene, kept here.
#include <algorithm>
#include <ranges>

#include "app/app.h"
#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::app {

Result<void> takes_pictures(const App& app) {
  if (!app.scene->picture.name.empty()) return {};
  const auto takes = [](const scenes::SceneDef* scene) { return !scene->picture.name.empty(); };
  std::string titles;
  for (const scenes::SceneDef* scene : scenes::all() | std::views::filter(takes))
    titles += (titles.empty() ? "" : " or ") + std::string(scene->title);
  return fail(std::string(app.scene->title) + " takes no pictures. Open " + titles + " and give it there.");
}

Result<std::string> picture_came(App& app, std::span<const std::byte> rgb, std::string_view said) {
  if (const Result<void> takes = takes_pictures(app); !takes) return std::unexpected(takes.error());
  Result<scenes::Picture> picture = scenes::read_picture(rgb);
  if (!picture) return std::unexpected(picture.error());
  if (picture->side != app.scene->picture.side)
    return fail("The picture was given to a scene that is not open any more. Give it again in " +
                std::string(app.scene->title) + " if it is to be shown here.");
  std::string name = scenes::name_of(*picture);
  app.pictures.insert_or_assign(name, std::move(*picture));
  if (const Result<void> shown = change(app, app.scene->picture.name, name); !shown)
    return std::unexpected(shown.error());
  notify(app, std::string(said), true);
  return name;
}

Result<void> kept_picture_came(App& app, std::string_view name, std::span<const std::byte> rgb) {
  Result<scenes::Picture> picture = scenes::read_picture(rgb);
  if (!picture) return std::unexpected(picture.error());
  if (scenes::name_of(*picture) != name) return fail("The picture that was kept is another one.");
  const bool wanted = missing_picture(app, *app.scene, app.state) == name;
  app.pictures.insert_or_assign(std::string(name), std::move(*picture));
  if (wanted) compute_again(app);
  return {};
}

std::string missing_picture(const App& app, const scenes::SceneDef& scene, const std::any& state) {
  if (scene.picture.name.empty()) return {};
  for (const io::FieldInfo& info : scene.fields(state))
    if (info.field.name == scene.picture.name) return app.pictures.contains(info.value) ? std::string() : info.value;
  return {};
}

}  // namespace limelight::app
