// What a reader takes along: the figure as SVG, a tensor as a file, everything that was set as a state file. Each is a
// command of app/commands.cpp and writes its answer's members.
#pragma once

#include <string>
#include <string_view>

#include "app/app.h"
#include "figure/cut.h"
#include "io/json.h"

namespace limelight::app {

// These come to a page with the other scenes; tools/split.mjs tells by the namespace.
namespace exchange {

// → svg, the stage as it is: it stands in for the figure where that cannot be.
Result<void> write_still(App& app, std::string_view argument, io::JsonWriter& json);
// Of which picture is asked.
struct Wanted {
  scenes::Place place;
  std::optional<float> t{};  // the moment within it; none: the one that is shown, of another place as it stands
  std::string_view panels = "all";
  figure::Ground ground = figure::Ground::theme;
  figure::Gaps gaps = figure::Gaps::closed;
};
// The figure alone, as figure::cut_out takes it. On white it has the colours of the light theme. Errors: the step is
// computed from a file that is not here; there is no such panel.
struct PictureFile {
  std::string name;
  std::string svg;
  figure::Point corner;                     // where its top left is in the stage
  std::vector<figure::TitledPanel> panels;  // that there are to choose from
};
Result<PictureFile> picture_of(const App& app, const Wanted& wanted);
// "step=7.2&t=0.4&panels=weights,V&ground=white", each may be left out: → name, svg, x and y of the corner, the seconds
// that playing takes to that place, and panels: [{id, title}].
Result<void> write_picture(App& app, std::string_view argument, io::JsonWriter& json);
// → principal, the name of the step's own, and tensors: [{name, rows, columns}].
Result<void> write_tensors(App& app, std::string_view argument, io::JsonWriter& json);
// "weights csv": → name and mime of the file, and its text, or bytes in base64. Errors: no such tensor, no such format,
// more numbers than a page hands out.
Result<void> write_file(App& app, std::string_view argument, io::JsonWriter& json);
// "numpy" or "pytorch": → name and code, which computes the step's numbers. The name has the language in it.
Result<void> write_code(App& app, std::string_view argument, io::JsonWriter& json);
// → name, mime and text.
Result<void> write_state(App& app, std::string_view argument, io::JsonWriter& json);

}  // namespace exchange
}  // namespace limelight::app
