// What a reader takes along: the figure as SVG, a tensor as a file, everything that was set as a state file. Each is a
// command of app/commands.cpp and writes its answer's members.
#pragma once

#include <string>
#include <string_view>

#include "app/app.h"
#include "io/json.h"

namespace limelight::app {

// The stage at this place, whichever is looked at. Error: it is computed from a file that is not here.
Result<std::string> still_svg(const App& app, scenes::Place place);

// "" or a step, "7.2": → svg.
Result<void> write_still(App& app, std::string_view argument, io::JsonWriter& json);
// These come to a page with the other scenes; tools/split.mjs tells by the namespace.
namespace exchange {

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
