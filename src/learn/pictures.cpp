#include "learn/pictures.h"

#include <algorithm>
#include <cstdlib>

namespace limelight::learn::pictures {
namespace {

constexpr int kUnit = 256;  // lengths in shapes are in this part of a pixel

// By shape and size, so that all shapes of a size have 90, 170 or 290 pixels: a circle's radius, half of a square's
// side, the distance from a triangle's or a star's middle to its tips, half of a cross's width.
constexpr int kRadius[kShapes][kSizes] = {
    {1370, 1883, 2460}, {1214, 1669, 2180}, {2131, 2929, 3825}, {2003, 2754, 3596}, {1629, 2239, 2924}};

constexpr std::array<std::uint8_t, 3> kRgb[kColours] = {{219, 41, 41},  {41, 168, 61},  {41, 82, 219},
                                                        {242, 217, 38}, {143, 51, 184}, {245, 135, 26}};

bool in_triangle(int radius, int dx, int dy) {
  // Its base lies half the radius below the middle; its sides rise √3 for each step to the middle.
  return 2 * dy <= radius && 1732 * std::abs(dx) <= 1000 * (dy + radius);
}

bool in_star(int radius, int dx, int dy) {
  // The five directions of the tips, the first upwards, in 1024ths.
  constexpr int kTips[5][2] = {{0, -1024}, {974, -316}, {602, 828}, {-602, 828}, {-974, -316}};
  // Of the nearest tip: how far out along its direction, and how far beside it.
  int along = -(1 << 30), beside = 0;
  for (const auto& [x, y] : kTips)
    if (const int out = dx * x + dy * y; out > along) {
      along = out;
      beside = std::abs(dx * y - dy * x);
    }
  // The edge runs from the tip to a corner half as far out, 36° beside it.
  return std::int64_t{2939} * (std::int64_t{radius} * 1024 - along) >= std::int64_t{5955} * beside;
}

// dx, dy: from the middle, in units.
bool in_shape(Shape shape, int radius, int dx, int dy) {
  switch (shape) {
    case Shape::circle:
      return dx * dx + dy * dy <= radius * radius;
    case Shape::square:
      return std::max(std::abs(dx), std::abs(dy)) <= radius;
    case Shape::triangle:
      return in_triangle(radius, dx, dy);
    case Shape::star:
      return in_star(radius, dx, dy);
    case Shape::cross:
      return std::max(std::abs(dx), std::abs(dy)) <= radius && 3 * std::min(std::abs(dx), std::abs(dy)) <= radius;
  }
  return false;
}

int radius_of(Shape shape, Size size) { return kRadius[static_cast<int>(shape)][static_cast<int>(size)]; }

// Of grey, from 0 to 100.
int shade_at(const Background& background, int x, int y) {
  constexpr int kContrast = 8, kWidth = 6;
  const bool odd = background.texture == Texture::stripes  ? (x + y) / kWidth % 2 != 0
                   : background.texture == Texture::checks ? (x / kWidth + y / kWidth) % 2 != 0
                                                           : false;
  int shade = background.shade + (odd ? (background.shade < 50 ? kContrast : -kContrast) : 0);
  if (background.texture == Texture::grain) {
    auto bits = static_cast<std::uint32_t>(y * kSide + x + 1) * 2654435761U;
    bits ^= bits >> 15U;
    bits *= 2246822519U;
    shade += static_cast<int>((bits >> 16U) % (2 * kContrast + 1)) - kContrast;
  }
  return std::clamp(shade, 0, 100);
}

int cell_at(int pixel, int grid) { return (2 * pixel + 1) * grid / (2 * kSide); }

}  // namespace

std::array<std::uint8_t, 3> rgb_of(Colour colour) { return kRgb[static_cast<int>(colour)]; }

int reach(Shape shape, Size size) { return (radius_of(shape, size) + kUnit - 1) / kUnit; }

bool covers(const Object& object, int x, int y) {
  const int dx = (x - object.x) * kUnit + kUnit / 2, dy = (y - object.y) * kUnit + kUnit / 2;
  return in_shape(object.shape, radius_of(object.shape, object.size), dx, dy);
}

std::array<std::int8_t, kPixels> owners(const Scene& scene) {
  std::array<std::int8_t, kPixels> owner;
  owner.fill(-1);
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const Object& object = scene.objects[i];
    const int far = reach(object.shape, object.size);
    for (int y = std::max(object.y - far, 0); y < std::min(object.y + far, kSide); ++y)
      for (int x = std::max(object.x - far, 0); x < std::min(object.x + far, kSide); ++x)
        if (covers(object, x, y)) owner[static_cast<std::size_t>(y * kSide + x)] = static_cast<std::int8_t>(i);
  }
  return owner;
}

Matrix paint(const Scene& scene) {
  const auto owner = owners(scene);
  Matrix picture(kPixels, 3);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const int pixel = y * kSide + x, of = owner[static_cast<std::size_t>(pixel)];
      if (of < 0) {
        picture.row(pixel).setConstant(static_cast<float>(shade_at(scene.background, x, y)) / 100);
        continue;
      }
      const auto rgb = rgb_of(scene.objects[static_cast<std::size_t>(of)].colour);
      for (std::size_t c = 0; c < 3; ++c)
        picture(pixel, static_cast<Eigen::Index>(c)) = static_cast<float>(rgb[c]) / 255;
    }
  return picture;
}

std::vector<std::vector<std::uint8_t>> cells_of(const Scene& scene, int grid) {
  const auto cells = static_cast<std::size_t>(grid * grid);
  const auto owner = owners(scene);
  std::vector<std::vector<int>> seen(scene.objects.size(), std::vector<int>(cells, 0));
  std::vector<int> pixels(cells, 0), visible(scene.objects.size(), 0);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const auto cell = static_cast<std::size_t>(cell_at(y, grid) * grid + cell_at(x, grid));
      ++pixels[cell];
      const int of = owner[static_cast<std::size_t>(y * kSide + x)];
      if (of < 0) continue;
      ++seen[static_cast<std::size_t>(of)][cell];
      ++visible[static_cast<std::size_t>(of)];
    }
  std::vector<std::vector<std::uint8_t>> belongs(scene.objects.size(), std::vector<std::uint8_t>(cells, 0));
  for (std::size_t i = 0; i < belongs.size(); ++i)
    for (std::size_t cell = 0; cell < cells; ++cell)
      belongs[i][cell] =
          seen[i][cell] > 0 && (4 * seen[i][cell] >= pixels[cell] || 2 * seen[i][cell] > visible[i]) ? 1 : 0;
  return belongs;
}

}  // namespace limelight::learn::pictures
