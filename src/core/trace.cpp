#include "core/trace.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace limelight {

Tensor& Trace::add(std::string_view name, Matrix values, std::vector<std::string> row_labels,
                   std::vector<std::string> column_labels) {
  assert(find(name) == nullptr);
  return tensors.emplace_back(std::string(name), std::move(values), std::move(row_labels), std::move(column_labels));
}

const Tensor* Trace::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &Tensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

const float* Trace::cell(std::string_view name, int row, int column) const {
  const Tensor* tensor = find(name);
  if (tensor == nullptr || row < 0 || column < 0 || row >= tensor->rows() || column >= tensor->columns())
    return nullptr;
  return &tensor->values(row, column);
}

const Tensor& Trace::at(std::string_view name) const {
  const Tensor* tensor = find(name);
  assert(tensor != nullptr);
  return *tensor;
}

}  // namespace limelight
