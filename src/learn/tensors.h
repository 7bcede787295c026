// A model's weights and settings as the tensors and the metadata of a .safetensors file.
#pragma once

#include <string>
#include <string_view>

#include "core/matrix.h"
#include "io/fields.h"
#include "io/safetensors.h"

namespace limelight::learn {

void put_tensor(const Matrix& matrix, const std::string& name, io::Safetensors& file);

// Takes it out of the file. `of` is what the messages call that. Errors: no tensor of this name, another shape than the
// matrix has.
Result<void> take_tensor(io::Safetensors& file, const std::string& name, std::string_view of, Matrix& matrix);

void put_fields(const io::Walk& state, std::map<std::string, std::string>& metadata);

// Errors: a field that is missing, a value that is none.
Result<void> take_fields(const io::Walk& state, const std::map<std::string, std::string>& metadata,
                         std::string_view of);

// All weights of a model, empty ones left out; their names begin with the prefix.
template <class Weights>
void put_weights(const Weights& weights, std::string_view prefix, io::Safetensors& file) {
  Weights::each(
      [&](const std::string& name, const Matrix& weight) {
        if (weight.size() > 0) put_tensor(weight, std::string(prefix) + name, file);
      },
      weights);
}

template <class Weights>
Result<void> take_weights(io::Safetensors& file, std::string_view prefix, std::string_view of, Weights& weights) {
  Result<void> result;
  Weights::each(
      [&](const std::string& name, Matrix& weight) {
        if (weight.size() > 0 && result) result = take_tensor(file, std::string(prefix) + name, of, weight);
      },
      weights);
  return result;
}

}  // namespace limelight::learn
