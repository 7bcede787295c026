// A picture in the light that a row of weights throws on it.
#include <algorithm>
#include <cmath>

#include "figure/paint.h"

namespace limelight::figure {
namespace {

constexpr float kUnlit = 0.26F;  // what is left of a colour where there is no light

// The weights over a picture of width × height pixels, the largest as 1.
class Daylight {
 public:
  Daylight(const Pixels& pixels, const Trace& trace, int height) : width_(pixels.width), height_(height) {
    const Tensor* weights = trace.find(pixels.light.tensor);
    const CellRange& range = pixels.light;
    const int rows = std::max(range.rows, 1);
    if (weights == nullptr || pixels.light_across <= 0 || range.row + rows > weights->rows() ||
        range.column + range.columns > weights->columns())
      return;
    across_ = pixels.light_across;
    down_ = rows * range.columns / across_;
    smooth_ = pixels.smooth;
    cells_ = weights->values.block(range.row, range.column, rows, range.columns)
                 .reshaped<Eigen::RowMajor>(1, rows * range.columns);
    const float largest = cells_.maxCoeff();
    if (largest > 0) cells_ = (cells_ / largest).cwiseMax(0);
  }

  // At a pixel.
  [[nodiscard]] float at(int x, int y) const {
    if (across_ == 0) return 1;
    const float u = (static_cast<float>(x) + 0.5F) * static_cast<float>(across_) / static_cast<float>(width_);
    const float v = (static_cast<float>(y) + 0.5F) * static_cast<float>(down_) / static_cast<float>(height_);
    if (!smooth_) return cell(static_cast<int>(u), static_cast<int>(v));
    // Between the middles of four cells.
    const float left = std::floor(u - 0.5F), top = std::floor(v - 0.5F);
    const float right_share = u - 0.5F - left, lower_share = v - 0.5F - top;
    const int i = static_cast<int>(left), j = static_cast<int>(top);
    const float upper = std::lerp(cell(i, j), cell(i + 1, j), right_share);
    return std::lerp(upper, std::lerp(cell(i, j + 1), cell(i + 1, j + 1), right_share), lower_share);
  }

 private:
  [[nodiscard]] float cell(int x, int y) const {
    return cells_(0, std::clamp(y, 0, down_ - 1) * across_ + std::clamp(x, 0, across_ - 1));
  }

  int width_, height_;
  int across_ = 0, down_ = 0;
  bool smooth_ = false;
  Matrix cells_{};  // [1, across · down]
};

}  // namespace

Image image_of(const Pixels& pixels, const Trace& trace) {
  const Matrix& colours = trace.at(pixels.tensor).values;
  Image image{.width = pixels.width, .height = static_cast<int>(colours.rows()) / pixels.width, .rgba = {}};
  image.rgba.reserve(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4);
  const Daylight light(pixels, trace, image.height);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const float bright = kUnlit + (1 - kUnlit) * light.at(x, y);
      for (int c = 0; c < 3; ++c)
        image.rgba.push_back(static_cast<std::uint8_t>(
            std::lround(255 * std::clamp(colours(y * image.width + x, c) * bright, 0.F, 1.F))));
      image.rgba.push_back(255);
    }
  return image;
}

}  // namespace limelight::figure
