// What a patch of a picture is described by, without any training: its mean colour, its edges, its place.
#pragma once

#include <array>
#include <string_view>

#include "core/matrix.h"

namespace limelight::scenes::patches {

// Numbers of a patch, in groups that stand side by side.
inline constexpr int kOrientations = 8;
struct Group {
  std::string_view name;
  int first, count;
};
inline constexpr std::array<Group, 3> kGroups = {
    {{"colour", 0, 4}, {"edges", 4, kOrientations}, {"place", 4 + kOrientations, 2}}};
inline constexpr int kFeatures = 4 + kOrientations + 2;
inline constexpr std::array<std::string_view, kFeatures> kFeatureNames = {
    "L", "a", "b", "σ", "0°", "22.5°", "45°", "67.5°", "90°", "112.5°", "135°", "157.5°", "row", "column"};
const Group& group_of(int feature);

// A square picture cut into grid × grid patches, numbered row by row.
struct Cut {
  int side = 64;  // pixels of the picture
  int grid = 8;   // patches, which divide it

  [[nodiscard]] int patch() const { return side / grid; }  // pixels of a patch's side
  [[nodiscard]] int patches() const { return grid * grid; }
  // The picture's row of a patch's pixel; i: of its own, row by row.
  [[nodiscard]] int pixel(int of, int i) const {
    return (of / grid * patch() + i / patch()) * side + of % grid * patch() + i % patch();
  }
};

// [pixels, 3]: sRGB from 0 to 1 → Oklab's lightness L and opponents a (green to red) and b (blue to yellow), in which
// equal distances look about equally large (Ottosson 2020).
Matrix oklab(ConstMatrixRef rgb);

// [side², kOrientations]: each pixel's gradient of lightness (Sobel's kernels / 8, the rim repeated; Sobel & Feldman
// 1968), its size shared between the two nearest orientations of the edge that it stands across: 0° lies, 90° is
// upright (the votes of histograms of oriented gradients, Dalal & Triggs 2005, §6.3, here per pixel). lightness:
// [side², 1]
Matrix edge_votes(ConstMatrixRef lightness, int side);

// [patches, kFeatures]: the mean of L, a and b; σ, the root of the mean squared distance from that mean; the root of
// the mean vote for each orientation, so that a few strong edges do not outweigh all else (Arandjelović & Zisserman
// 2012); row and column, from 1.
Matrix features(ConstMatrixRef rgb, const Cut& cut);

// How much each group counts in a score; 0 leaves it out.
struct Shares {
  double colour = 1, edges = 1, place = 0;

  [[nodiscard]] double of(int feature) const;
};
// [2, kFeatures]: what is subtracted from a feature, its mean over the patches, and what it is divided by, the standard
// deviation of its group's numbers together, so that distances within a group keep their proportions; 0 where all
// patches are alike in the whole group.
Matrix standard(ConstMatrixRef features);
// [patches, kFeatures]: (feature − mean) / deviation · √share, so that a group's part of a product of two patches grows
// with its share; 0 where the deviation is.
Matrix standardised(ConstMatrixRef features, ConstMatrixRef standard, const Shares& shares);

// [patches, 3 · pixels of a patch], and back.
Matrix patches_of(ConstMatrixRef rgb, const Cut& cut);
Matrix picture_of(ConstMatrixRef patches, const Cut& cut);

}  // namespace limelight::scenes::patches
