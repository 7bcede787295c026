#include "cli/attend.h"

namespace limelight::cli {

using Eigen::Index;

std::vector<Matrix> split_array(const io::Array& array) {
  const std::size_t dimensions = array.shape.size();
  const Index tokens = array.shape[dimensions - 2], size = array.shape[dimensions - 1];
  const Index heads = dimensions == 4 ? array.shape[1] : 1;
  std::vector<Matrix> entries(static_cast<std::size_t>(dimensions == 2 ? 1 : array.shape[0]));
  const float* from = array.data.data();
  for (Matrix& entry : entries) {
    entry.resize(tokens, heads * size);
    for (Index h = 0; h < heads; ++h, from += tokens * size)
      entry.middleCols(h * size, size) = Eigen::Map<const Matrix>(from, tokens, size);
  }
  return entries;
}

io::Array join_array(const std::vector<Matrix>& entries, int dimensions, int heads) {
  const Index parts = dimensions == 4 ? heads : 1;
  const Index tokens = entries.front().rows(), size = entries.front().cols() / parts;
  io::Array array;
  if (dimensions > 2) array.shape.push_back(static_cast<Index>(entries.size()));
  if (dimensions > 3) array.shape.push_back(parts);
  array.shape.push_back(tokens);
  array.shape.push_back(size);
  array.data.resize(entries.size() * static_cast<std::size_t>(parts * tokens * size));
  float* to = array.data.data();
  for (const Matrix& entry : entries)
    for (Index h = 0; h < parts; ++h, to += tokens * size)
      Eigen::Map<Matrix>(to, tokens, size) = entry.middleCols(h * size, size);
  return array;
}

}  // namespace limelight::cli
