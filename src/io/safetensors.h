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

// Reads F32, F16 and BF16, all of it into memory. `name` is what the messages call the file. Errors: those of the
// header and of each tensor below; more than four dimensions.
Result<Safetensors> read_safetensors(std::span<const std::byte> bytes, std::string_view name);

// Where a tensor of a file stands.
struct TensorEntry {
  std::string name = {}, dtype = {};
  std::vector<std::uint64_t> shape = {};
  std::uint64_t begin = 0, end = 0;  // of its bytes, counted from where the header ends
};

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorEntry> tensors;  // in the order of their bytes
  std::size_t size = 0;              // bytes before the first tensor

  [[nodiscard]] const TensorEntry* find(std::string_view name) const;
};

// Only the header of a whole file, so that large files are read tensor by tensor. Every entry lies within the file and
// has as many bytes as its shape and its dtype, any of the format's, ask for. Errors: not .safetensors, truncated,
// bytes left over, an unknown dtype, a shape that does not match its bytes, tensors that overlap or leave gaps, a name
// given twice.
Result<SafetensorsHeader> read_safetensors_header(std::span<const std::byte> bytes, std::string_view name);

// The tensor's numbers where they lie in the file; empty where they cannot be used so: not F32, not aligned, or the
// machine has another order of bytes.
std::span<const float> numbers_in_place(std::span<const std::byte> file, const SafetensorsHeader& header,
                                        const TensorEntry& entry);

// The same or, where that is empty, in `copy`, of F32, F16 and BF16 (the upper half of an F32). They live as long as
// the file's bytes and `copy`. Errors: another dtype, a value that is not finite.
Result<std::span<const float>> read_tensor(std::span<const std::byte> file, const SafetensorsHeader& header,
                                           const TensorEntry& entry, std::string_view name, std::vector<float>& copy);

// "[2, 3]"
std::string shape_text(std::span<const std::uint64_t> shape);

// Half: rounded to the nearest, ties to even; 11 bits, from 6e-8 up to 65504, where what is larger ends. Short half: 9
// of them, the last two 0, which a compressor takes away: for trained weights, which bear more noise than that.
enum class Precision { single, half, short_half };
std::vector<std::byte> write_safetensors(const Safetensors& file, Precision precision = Precision::single);

// The two halves of a half: bits of IEEE 754's binary16.
std::uint16_t to_half(float x);               // finite
std::uint16_t shortened(std::uint16_t half);  // to the nearest finite one that ends in two zeros, ties to even
float from_half(std::uint16_t bits);

}  // namespace limelight::io
