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
#include "scenes/place.h"

namespace limelight::app {

Result<std::string> still_svg(const App& app, scenes::Place place) {
  const Regions r = regions(app);
  scenes::View view = view_of(app, r.stage.w, r.stage.h);
  view.hovered.clear();
  if (place != app.place) {
    view.place = place;
    view.missing.reset();
    for (const scenes::Resource* resource : app.scene->needs(app.state, place))
      if (app.resources.find(resource->name) == app.resources.end())
        return fail("Step " + scenes::write_place(place) + " is computed from \"" + std::string(resource->label) +
                    "\", which is not here; open that step first.");
  }
  return figure::svg(draw_stage(app, view), app.trace, app.scene->title,
                     scenes::without_marks(app.scene->narrate(app.state, app.trace, view)));
}

Result<void> write_still(App& app, std::string_view argument, io::JsonWriter& json) {
  scenes::Place place = app.place;
  if (!argument.empty()) {
    const Result<scenes::Place> read = scenes::read_place(app.scene->steps(), argument);
    if (!read) return std::unexpected(read.error());
    place = *read;
  }
  const Result<std::string> svg = still_svg(app, place);
  if (!svg) return std::unexpected(svg.error());
  json.member("svg", std::string_view(*svg));
  return {};
}

namespace exchange {
namespace {

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
              std::string_view(file_name(app, scenes::write_place(app.place) + "-" + std::string(argument) + ".py")))
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
