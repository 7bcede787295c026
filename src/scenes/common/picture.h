// Pictures of the reader's own. A state, and so a link, holds only the name of one; its pixels stay with the app, as
// resources do, and reach a scene with what it computes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "io/error.h"

namespace limelight::scenes {

inline constexpr int kLargestPicture = 128;  // pixels of a side

// A square of side × side pixels.
struct Picture {
  int side = 0;
  std::vector<std::uint8_t> rgb;  // red, green and blue of each, row by row from the top
};

// Where a scene takes them: the text field of its state that holds the name, and how large it wants them.
struct PictureField {
  std::string_view name{};  // of the field; empty: the scene takes none
  int side = 0;             // pixels
};

// Error: these are not three bytes for each pixel of a square of 1 to kLargestPicture pixels a side.
Result<Picture> read_picture(std::span<const std::byte> rgb);

// The name of its pixels: 16 hexadecimal digits of their FNV-1a hash.
std::string name_of(const Picture& picture);
// The same of any bytes.
std::string name_of_bytes(std::string_view bytes);
// Error: it is not written as such a name. An empty one is none, and good.
Result<void> check_picture_name(std::string_view field, std::string_view name);

// [side², 3]: red, green and blue, from 0 to 1, row by row from the top.
Matrix pixels_of(const Picture& picture);

}  // namespace limelight::scenes
