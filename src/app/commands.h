// Every way in from outside, by name: the mirror, scripts and the shell's own buttons all call these.
#pragma once

#include <string>
#include <string_view>

#include "app/app.h"
#include "app/page.h"

namespace limelight::app {

// Runs a command and answers in JSON: {"ok":true,…} or {"ok":false,"message":"a sentence"}. Commands that fail because
// of what a reader typed also show the sentence.
std::string call(App& app, std::string_view command, std::string_view argument);

// What a click on an element does.
void activate(App& app, const figure::Edit& edit);

// Everything a reader can perceive, as JSON, for the mirror. The matrices' numbers are most of it, and may be left out.
std::string describe_page(const App& app, const Page& page, bool animating, bool with_tables = true);

// Error: there is none of this name; which there are.
Result<const Tensor*> tensor_named(const App& app, std::string_view name);

// The field that sets a tensor's cells here, in its own matrix or by handles that are dragged; empty where none does.
std::string_view edited_by(const figure::Figure& figure, std::string_view tensor);

}  // namespace limelight::app
