#include "scenes/patches/features.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limelight::scenes::patches {
namespace {

constexpr float kAlike = 1e-5F;  // deviations below it are rounding

float linear(float srgb) { return srgb <= 0.04045F ? srgb / 12.92F : std::pow((srgb + 0.055F) / 1.055F, 2.4F); }

}  // namespace

const Group& group_of(int feature) {
  return *std::ranges::find_if(kGroups, [feature](const Group& g) { return feature < g.first + g.count; });
}

Matrix oklab(ConstMatrixRef rgb) {
  Matrix lab(rgb.rows(), 3);
  for (Eigen::Index i = 0; i < rgb.rows(); ++i) {
    const float r = linear(rgb(i, 0)), g = linear(rgb(i, 1)), b = linear(rgb(i, 2));
    const float l = std::cbrt(0.4122214708F * r + 0.5363325363F * g + 0.0514459929F * b);
    const float m = std::cbrt(0.2119034982F * r + 0.6806995451F * g + 0.1073969566F * b);
    const float s = std::cbrt(0.0883024619F * r + 0.2817188376F * g + 0.6299787005F * b);
    lab(i, 0) = 0.2104542553F * l + 0.7936177850F * m - 0.0040720468F * s;
    lab(i, 1) = 1.9779984951F * l - 2.4285922050F * m + 0.4505937099F * s;
    lab(i, 2) = 0.0259040371F * l + 0.7827717662F * m - 0.8086757660F * s;
  }
  return lab;
}

Matrix edge_votes(ConstMatrixRef lightness, int side) {
  constexpr float kPi = std::numbers::pi_v<float>;
  Matrix votes = Matrix::Zero(lightness.rows(), kOrientations);
  const auto at = [&](int x, int y) {
    return lightness(std::clamp(y, 0, side - 1) * side + std::clamp(x, 0, side - 1), 0);
  };
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const float right = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1);
      const float left = at(x - 1, y - 1) + 2 * at(x - 1, y) + at(x - 1, y + 1);
      const float below = at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1);
      const float above = at(x - 1, y - 1) + 2 * at(x, y - 1) + at(x + 1, y - 1);
      const float gx = (right - left) / 8, gy = (below - above) / 8;  // y points down
      const float size = std::hypot(gx, gy);
      if (size < kAlike) continue;
      float angle = std::atan2(gx, gy);  // of the edge, against the clock from lying
      if (angle < 0) angle += kPi;
      const float place = angle / kPi * kOrientations;
      const int lower = static_cast<int>(place);
      const float share = place - static_cast<float>(lower);
      votes(y * side + x, lower % kOrientations) += (1 - share) * size;
      votes(y * side + x, (lower + 1) % kOrientations) += share * size;
    }
  return votes;
}

Matrix features(ConstMatrixRef rgb, const Cut& cut) {
  const Matrix lab = oklab(rgb);
  const Matrix votes = edge_votes(lab.leftCols(1), cut.side);
  Matrix made(cut.patches(), kFeatures);
  const int pixels = cut.patch() * cut.patch();
  std::vector<int> of(static_cast<std::size_t>(pixels));
  for (int p = 0; p < cut.patches(); ++p) {
    for (int i = 0; i < pixels; ++i) of[static_cast<std::size_t>(i)] = cut.pixel(p, i);
    const Matrix colours = lab(of, Eigen::all);
    const Eigen::RowVectorXf mean = colours.colwise().mean();
    made.row(p).head(3) = mean;
    made(p, 3) = std::sqrt((colours.rowwise() - mean).rowwise().squaredNorm().mean());
    const Matrix edges = votes(of, Eigen::all);
    made.row(p).segment(kGroups[1].first, kOrientations) = edges.colwise().mean().cwiseSqrt();
    made.row(p).tail(2) << static_cast<float>(p / cut.grid + 1), static_cast<float>(p % cut.grid + 1);
  }
  return made;
}

double Shares::of(int feature) const {
  const double all[] = {colour, edges, place};
  return all[&group_of(feature) - kGroups.data()];
}

Matrix standard(ConstMatrixRef features) {
  Matrix made(2, kFeatures);
  made.row(0) = features.colwise().mean();
  for (const Group& group : kGroups) {
    const Matrix apart = (features.rowwise() - made.row(0)).middleCols(group.first, group.count);
    const float deviation = std::sqrt(apart.squaredNorm() / static_cast<float>(apart.size()));
    made.row(1).segment(group.first, group.count).setConstant(deviation < kAlike ? 0 : deviation);
  }
  return made;
}

Matrix standardised(ConstMatrixRef features, ConstMatrixRef standard, const Shares& shares) {
  Matrix made = features.rowwise() - standard.row(0);
  for (int f = 0; f < kFeatures; ++f)
    made.col(f) *= standard(1, f) > 0 ? static_cast<float>(std::sqrt(shares.of(f))) / standard(1, f) : 0;
  return made;
}

Matrix patches_of(ConstMatrixRef rgb, const Cut& cut) {
  const int pixels = cut.patch() * cut.patch();
  Matrix made(cut.patches(), 3 * pixels);
  for (int p = 0; p < cut.patches(); ++p)
    for (int i = 0; i < pixels; ++i) made.row(p).segment(3 * i, 3) = rgb.row(cut.pixel(p, i));
  return made;
}

Matrix picture_of(ConstMatrixRef patches, const Cut& cut) {
  const int pixels = cut.patch() * cut.patch();
  Matrix made(cut.side * cut.side, 3);
  for (int p = 0; p < cut.patches(); ++p)
    for (int i = 0; i < pixels; ++i) made.row(cut.pixel(p, i)) = patches.row(p).segment(3 * i, 3);
  return made;
}

}  // namespace limelight::scenes::patches
