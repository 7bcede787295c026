// What a reader brings along: a state file, a matrix as text, files of a model. Each is a command of app/commands.cpp.
#pragma once

#include <string_view>

#include "app/app.h"
#include "io/json.h"

// These come to a page with the other scenes; tools/split.mjs tells by the namespace.
namespace limelight::app::exchange {

// A state file's text: all that it holds, in the window as it is. Can be undone; on an error nothing changes.
Result<void> open_state(App& app, std::string_view text);

// "W_q 1.2" and a line's end, or only that for the cell that is typed into or pinned; then a matrix as text. As large
// as the tensor it takes its place, else it goes there from this cell on. Undone as one. Error: a sentence with the row
// and the column, and nothing changes.
Result<void> paste(App& app, std::string_view argument);

Result<void> open_state_command(App& app, std::string_view argument, io::JsonWriter& json);
Result<void> paste_command(App& app, std::string_view argument, io::JsonWriter& json);

// "1234 gpt2/config.json", a line for each file, with its bytes. The answer says which of them are to be copied here,
// by own_piece of the platform and then own_arrived, and the ticket that both want.
Result<void> offer_own(App& app, std::string_view argument, io::JsonWriter& json);
// The ticket of what has been copied whole → its name.
Result<void> end_own(App& app, std::string_view argument, io::JsonWriter& json);
// "3 The file cannot be read any more.": a ticket, and why what it stands for does not come.
Result<void> break_own(App& app, std::string_view argument, io::JsonWriter& json);

}  // namespace limelight::app::exchange
