// Every intermediate of one computation, by name. All numbers on the screen come from here.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"

namespace limelight {

// A named matrix. The labels name its rows and columns (tokens, features); either may be empty.
struct Tensor {
  std::string name;
  Matrix values;  // [rows, columns]
  std::vector<std::string> row_labels;
  std::vector<std::string> column_labels;

  [[nodiscard]] int rows() const { return static_cast<int>(values.rows()); }
  [[nodiscard]] int columns() const { return static_cast<int>(values.cols()); }
};

struct Trace {
  std::deque<Tensor> tensors;  // in the order of computation; a deque, so that references stay good while it grows

  Tensor& add(std::string_view name, Matrix values, std::vector<std::string> row_labels = {},
              std::vector<std::string> column_labels = {});
  // Null when there is no tensor of this name.
  [[nodiscard]] const Tensor* find(std::string_view name) const;
  // The tensor must exist.
  [[nodiscard]] const Tensor& at(std::string_view name) const;
  // Null when there is no such cell.
  [[nodiscard]] const float* cell(std::string_view name, int row, int column) const;
};

}  // namespace limelight
