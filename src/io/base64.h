// Bytes as text, RFC 4648.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace limelight::io {

std::string base64(std::span<const std::byte> bytes);

}  // namespace limelight::io
