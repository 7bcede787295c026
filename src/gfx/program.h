// A shader program from two bodies without version or precision.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limelight::gfx {

// The source that CMake embedded.
std::string_view text_of(std::span<const unsigned char> bytes);

// Put in front of both bodies as #define NAME value.
using Constants = std::vector<std::pair<std::string, std::string>>;

// 0 when it does not compile, with the driver's words
// on stderr.
unsigned compile_program(std::string_view vertex_body, std::string_view fragment_body, const Constants& constants);

}  // namespace limelight::gfx
