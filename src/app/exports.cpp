#include "app/exports.h"

#include <algorithm>
#include <ranges>

#include "app/commands.h"
#include "app/page.h"
#include "app/regions.h"
#include "figure/paint.h"
#include "io/base64.h"
#include "io/npy.h"
#include "io/state_file.h"
#include "io/table.h"
#include "io/utf8.h"
#include "scenes/moment.h"
#include "scenes/place.h"

namespace limelight::app {

namespace exchange {
namespace {

// What is looked at, but that no pointer is on it.
scenes::View view_of(const App& app) {
  const Regions r = regions(app);
  scenes::View view = view_of(app, r.stage.w, r.stage.h);
  view.look_away();
  return view;
}

std::string svg_of(const App& app, const figure::Figure& figure, const scenes::View& view) {
  return figure::svg(figure, app.trace, app.scene->title,
                     scenes::without_marks(app.scene->narrate(app.state, app.trace, view)));
}

constexpr Eigen::Index kMostNumbers = 1 << 20;  // of one tensor as a file

struct Format {
  std::string_view ending;
  std::string_view mime;
  std::string (*write)(const Tensor& tensor);
  bool base64 = false;  // what `write` gives
};
constexpr Format kFormats[] = {
    {"csv", "text/csv", io::table::csv},
    {"npy", "application/octet-stream", [](const Tensor& tensor) { return io::base64(io::write_npy(tensor.values)); },
     true},
    {"json", "application/json", io::table::json},
    {"tex", "application/x-tex", io::table::latex},
};

std::string file_name(const App& app, std::string_view rest) {
  return std::string(app.scene->id) + "-" + std::string(rest);
}

}  // namespace

Result<void> write_still(App& app, std::string_view, io::JsonWriter& json) {
  const scenes::View view = view_of(app);
  json.member("svg", std::string_view(svg_of(app, draw_stage(app, view), view)));
  return {};
}

Result<PictureFile> picture_of(const App& app, const Wanted& wanted) {
  const auto& [place, t, panels, ground, gaps] = wanted;
  for (const scenes::Resource* resource : app.scene->needs(app.state, place))
    if (place != app.place && app.resources.find(resource->name) == app.resources.end())
      return fail("Step " + scenes::number_of(place) + " is computed from \"" + std::string(resource->label) +
                  "\", which is not here; open that step first.");
  scenes::View view = view_of(app);
  if (ground == figure::Ground::white)  // dark ink is what is read on it
    view.theme = app.more_contrast ? figure::stark(figure::Theme::light) : figure::Theme::light;
  if (place != app.place) {
    view.missing.reset();
    view.t = 1;
  }
  if (t) view.t = *t;
  view.place = place;
  const figure::Figure stage = draw_stage(app, view);
  const Result<figure::Cut> cut = figure::cut_out(stage, app.trace, panels, ground, gaps);
  if (!cut) return std::unexpected(cut.error());
  // Pictures of another moment, of other panels or on another ground are other files.
  std::string name = scenes::number_of(place);
  if (view.t < 1) name += "-" + scenes::write_t(view.t);
  if (panels != "all") name += "-" + std::string(panels);
  if (ground != figure::Ground::theme) name += ground == figure::Ground::white ? "-white" : "-transparent";
  std::ranges::replace(name, ',', '-');
  return PictureFile{.name = file_name(app, name + ".svg"),
                     .svg = svg_of(app, cut->figure, view),
                     .corner = cut->corner,
                     .panels = figure::panels_of(stage)};
}

Result<void> write_picture(App& app, std::string_view argument, io::JsonWriter& json) {
  const Result<io::Patch> patch = io::parse_patch(argument);
  if (!patch) return std::unexpected(patch.error());
  Wanted wanted{.place = app.place};
  for (const auto& [key, value] : *patch) {
    if (key == "step") {
      const Result<scenes::Place> read = scenes::read_place(*app.scene, value);
      if (!read) return std::unexpected(read.error());
      wanted.place = *read;
    } else if (key == "t") {
      const Result<float> read = scenes::read_t(value);
      if (!read) return std::unexpected(read.error());
      wanted.t = *read;
    } else if (key == "ground") {
      const Result<figure::Ground> read = figure::read_ground(value);
      if (!read) return std::unexpected(read.error());
      wanted.ground = *read;
    } else if (key == "panels") {
      wanted.panels = value;
    } else if (key == "gaps" && value == "kept") {
      wanted.gaps = figure::Gaps::kept;
    } else {
      return fail("A picture is asked for by step, t, panels, ground and gaps=kept; there is no " + io::quote(key) +
                  ".");
    }
  }
  const Result<PictureFile> picture = picture_of(app, wanted);
  if (!picture) return std::unexpected(picture.error());
  json.member("name", std::string_view(picture->name))
      .member("svg", std::string_view(picture->svg))
      .member("x", picture->corner.x)
      .member("y", picture->corner.y)
      .member("seconds", scenes::motion_at(*app.scene, wanted.place).seconds)
      .key("panels")
      .begin_array();
  for (const auto& [id, title] : picture->panels)
    json.begin_object().member("id", id).member("title", title).end_object();
  json.end_array();
  return {};
}

Result<void> write_tensors(App& app, std::string_view, io::JsonWriter& json) {
  json.member("principal", app.scene->principal(app.state, app.trace, app.place)).key("tensors").begin_array();
  for (const Tensor& tensor : app.trace.tensors)
    json.begin_object()
        .member("name", std::string_view(tensor.name))
        .member("rows", tensor.rows())
        .member("columns", tensor.columns())
        .end_object();
  json.end_array();
  return {};
}

Result<void> write_file(App& app, std::string_view argument, io::JsonWriter& json) {
  const std::size_t space = std::min(argument.rfind(' '), argument.size());
  const std::string_view ending = argument.substr(std::min(space + 1, argument.size()));
  const auto* const format = std::ranges::find(kFormats, ending, &Format::ending);
  if (format == std::end(kFormats))
    return fail("A file is asked for as \"weights csv\": a tensor and " +
                io::one_of(kFormats | std::views::transform(&Format::ending)) + ".");
  const Result<const Tensor*> tensor = tensor_named(app, argument.substr(0, space));
  if (!tensor) return std::unexpected(tensor.error());
  if ((*tensor)->values.size() > kMostNumbers)
    return fail((*tensor)->name + " has " + std::to_string((*tensor)->values.size()) + " numbers; up to " +
                std::to_string(kMostNumbers) + " are saved here. The command limelight render writes all of them.");
  json.member("name", std::string_view(file_name(app, (*tensor)->name + "." + std::string(ending))))
      .member("mime", format->mime)
      .member(format->base64 ? "base64" : "text", std::string_view(format->write(**tensor)));
  return {};
}

Result<void> write_code(App& app, std::string_view argument, io::JsonWriter& json) {
  const Result<scenes::code::Language> language = scenes::code::read_language(argument);
  if (!language) return std::unexpected(language.error());
  const Result<std::string> code = app.scene->code(*app.scene, app.state, app.trace, app.place, *language);
  if (!code) return std::unexpected(code.error());
  json.member("name",
              std::string_view(file_name(app, scenes::number_of(app.place) + "-" + std::string(argument) + ".py")))
      .member("code", std::string_view(*code));
  return {};
}

Result<void> write_state(App& app, std::string_view, io::JsonWriter& json) {
  json.member("name", std::string_view(std::string(app.scene->id) + std::string(io::kStateEnding)))
      .member("mime", "text/plain")
      .member("text", std::string_view(io::write_state_file(link(app))));
  return {};
}

}  // namespace exchange
}  // namespace limelight::app
