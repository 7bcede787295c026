// The .safetensors format (https://huggingface.co/docs/safetensors): eight bytes of length, a header in JSON, numbers.
// Bytes in, value or error out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "io/npy.h"

namespace limelight::io {

struct Safetensors {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Array> tensors;  // at most four dimensions
};

// Reads F32 and F16. `name` is what the messages call the file. Errors: not .safetensors, truncated, bytes left over,
// another dtype, a shape that does not match its bytes, tensors that overlap or leave gaps, a name given twice, a value
// that is not finite.
Result<Safetensors> read_safetensors(std::span<const std::byte> bytes, std::string_view name);

// Half: rounded to the nearest, ties to even; 11 bits, from 6e-8 up to 65504, where what is larger ends.
enum class Precision { single, half };
std::vector<std::byte> write_safetensors(const Safetensors& file, Precision precision = Precision::single);

// The two halves of a half: bits of IEEE 754's binary16.
std::uint16_t to_half(float x);  // finite
float from_half(std::uint16_t bits);

}  // namespace limelight::io
