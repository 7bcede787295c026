// A state as a file: a line that says so, then what a link would hold, however long.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/error.h"

namespace limelight::io {

inline constexpr std::string_view kStateEnding = ".limelight";
inline constexpr std::size_t kLongestStateFile = 1'000'000;  // bytes

// link: "v=1&scene=…"
std::string write_state_file(std::string_view link);

// The link. Errors: no such file, one of another version, too large, or cut off.
Result<std::string> read_state_file(std::string_view text);

}  // namespace limelight::io
