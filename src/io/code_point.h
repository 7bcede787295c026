// One code point of UTF-8 at a time, for those who must know where in the bytes it stands.
#pragma once

#include <cstddef>
#include <string_view>

namespace limelight::io {

struct CodePoint {
  char32_t value;
  std::size_t bytes;  // how many it takes: 1 to 4
};

// The code point at byte `at` < text.size(). A broken byte is U+FFFD and takes one byte; the true U+FFFD takes three.
CodePoint code_point_at(std::string_view text, std::size_t at);

inline bool is_broken(CodePoint c) { return c.value == 0xFFFD && c.bytes == 1; }

}  // namespace limelight::io
