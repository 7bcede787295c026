#include "learn/tensors.h"

#include <algorithm>

#include "io/utf8.h"

namespace limelight::learn {

void put_tensor(const Matrix& matrix, const std::string& name, io::Safetensors& file) {
  file.tensors[name] = {{matrix.rows(), matrix.cols()}, {matrix.data(), matrix.data() + matrix.size()}};
}

Result<void> take_tensor(io::Safetensors& file, const std::string& name, std::string_view of, Matrix& matrix) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end())
    return fail(std::string(of) + " has no tensor " + io::quote(name) + "; the model needs it.");
  const io::Array& array = found->second;
  if (array.shape != std::vector<Eigen::Index>{matrix.rows(), matrix.cols()}) {
    std::string shape;
    for (const Eigen::Index size : array.shape) shape += (shape.empty() ? "" : "×") + std::to_string(size);
    return fail("The tensor " + io::quote(name) + " of " + std::string(of) + " is " + shape +
                "; its settings ask for " + std::to_string(matrix.rows()) + "×" + std::to_string(matrix.cols()) + ".");
  }
  std::ranges::copy(array.data, matrix.data());
  file.tensors.erase(found);
  return {};
}

void put_fields(const io::Walk& state, std::map<std::string, std::string>& metadata) {
  for (const io::FieldInfo& info : io::describe(state, state)) metadata[std::string(info.field.name)] = info.value;
}

Result<void> take_fields(const io::Walk& state, const std::map<std::string, std::string>& metadata,
                         std::string_view of) {
  io::Patch patch;
  for (const io::FieldInfo& info : io::describe(state, state)) {
    const auto found = metadata.find(std::string(info.field.name));
    if (found == metadata.end())
      return fail(std::string(of) + " does not say its " + std::string(info.field.name) +
                  "; a model has it in its metadata.");
    patch.emplace_back(found->first, found->second);
  }
  if (const Result<void> applied = io::apply_patch(state, patch, [](std::string_view) {}); !applied)
    return fail(std::string(of) + " has unusable metadata. " + applied.error().message);
  return {};
}

}  // namespace limelight::learn
