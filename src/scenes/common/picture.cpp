#include "scenes/common/picture.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "io/utf8.h"

namespace limelight::scenes {
namespace {

constexpr std::size_t kDigits = 16;
constexpr std::string_view kHex = "0123456789abcdef";

}  // namespace

Result<Picture> read_picture(std::span<const std::byte> rgb) {
  const auto side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(rgb.size()) / 3)));
  if (side < 1 || side > kLargestPicture || rgb.size() != static_cast<std::size_t>(3 * side * side))
    return fail("A picture of " + std::to_string(rgb.size()) +
                " bytes came; there have to be three for each pixel of a square of 1 to " +
                std::to_string(kLargestPicture) + " pixels a side.");
  Picture picture{.side = side, .rgb = {}};
  for (const std::byte byte : rgb) picture.rgb.push_back(std::to_integer<std::uint8_t>(byte));
  return picture;
}

std::string name_of(const Picture& picture) {
  return name_of_bytes({reinterpret_cast<const char*>(picture.rgb.data()), picture.rgb.size()});
}

std::string name_of_bytes(std::string_view bytes) {
  std::uint64_t hash = hash_text(bytes);
  std::string name(kDigits, '0');
  for (auto digit = name.rbegin(); digit != name.rend(); ++digit, hash >>= 4U) *digit = kHex[hash & 15U];
  return name;
}

Result<void> check_picture_name(std::string_view field, std::string_view name) {
  const bool good = name.empty() || (name.size() == kDigits && name.find_first_not_of(kHex) == std::string_view::npos);
  if (good) return {};
  return fail(std::string(field) + " is " + io::quote(name) +
              "; a picture of your own is named by 16 hexadecimal digits. Drop one, paste one or choose a file.");
}

Matrix pixels_of(const Picture& picture) {
  Matrix pixels(picture.side * picture.side, 3);
  std::ranges::transform(picture.rgb, pixels.data(),
                         [](std::uint8_t value) { return static_cast<float>(value) / 255; });
  return pixels;
}

}  // namespace limelight::scenes
