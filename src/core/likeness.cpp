#include "core/likeness.h"

#include <algorithm>
#include <iterator>

namespace limelight {

using Eigen::Index;

float total_variation(const Matrix& a, const Matrix& b) {
  return 0.5F * (a - b).cwiseAbs().sum() / static_cast<float>(a.rows());
}

std::vector<int> cluster(const Matrix& distances) {
  std::vector<std::vector<int>> groups;
  for (int i = 0; i < distances.rows(); ++i) groups.push_back({i});
  Matrix between = distances;
  while (groups.size() > 1) {
    std::size_t left = 0, right = 1;
    for (std::size_t i = 0; i < groups.size(); ++i)
      for (std::size_t j = i + 1; j < groups.size(); ++j)
        if (between(static_cast<Index>(i), static_cast<Index>(j)) <
            between(static_cast<Index>(left), static_cast<Index>(right))) {
          left = i;
          right = j;
        }
    const auto a = static_cast<float>(groups[left].size()), b = static_cast<float>(groups[right].size());
    const auto l = static_cast<Index>(left), r = static_cast<Index>(right), last = std::ssize(groups) - 1;
    const Matrix merged = (a * between.row(l) + b * between.row(r)) / (a + b);
    between.row(l) = merged.row(0);
    between.col(l) = merged.row(0).transpose();
    between.row(r) = Matrix(between.row(last));
    between.col(r) = Matrix(between.col(last));
    groups[left].insert(groups[left].end(), groups[right].begin(), groups[right].end());
    groups[right] = groups.back();
    groups.pop_back();
  }
  return groups.empty() ? std::vector<int>{} : groups.front();
}

Matrix pooled(const Matrix& weights, int most) {
  const Index rows = std::min<Index>(weights.rows(), most), columns = std::min<Index>(weights.cols(), most);
  if (rows == weights.rows() && columns == weights.cols()) return weights;
  Matrix made(rows, columns);
  const auto edge = [](Index i, Index count, Index all) { return i * all / count; };
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) {
      const Index top = edge(i, rows, weights.rows()), left = edge(j, columns, weights.cols());
      made(i, j) =
          weights.block(top, left, edge(i + 1, rows, weights.rows()) - top, edge(j + 1, columns, weights.cols()) - left)
              .maxCoeff();
    }
  return made;
}

}  // namespace limelight
