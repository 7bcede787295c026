#include <cassert>
#include <span>

#include "figure/paint.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#if defined(__GNUC__)  // the formats that nobody calls
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace limelight::figure {
namespace {

void append(void* context, void* data, int size) {
  auto& bytes = *static_cast<std::vector<std::byte>*>(context);
  const std::span<const std::byte> more(static_cast<const std::byte*>(data), static_cast<std::size_t>(size));
  bytes.insert(bytes.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::byte> png(const Image& image) {
  constexpr int kChannels = 4;
  assert(image.width > 0 && image.height > 0);
  assert(image.rgba.size() ==
         static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * kChannels);
  std::vector<std::byte> bytes;
  stbi_write_png_compression_level = 5;  // the fastest; figures are flat, so that more gains little
  stbi_write_png_to_func(append, &bytes, image.width, image.height, kChannels, image.rgba.data(),
                         image.width * kChannels);
  return bytes;
}

}  // namespace limelight::figure
