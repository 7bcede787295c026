// The headless command: all that the program does without a window, a display or a page.
#pragma once

#include <span>
#include <string_view>

namespace limelight::cli {

// What the process ends with. Bad usage: the command line itself. Bad data: what it names (a file, a state).
enum class Exit { fine = 0, bad_data = 1, bad_usage = 2 };

// arguments: what follows the program's name; at least one.
Exit run(std::span<const std::string_view> arguments);

}  // namespace limelight::cli
