// NumPy's .npy format, versions 1.0 to 3.0, as https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
// describes it: bytes in, value or error out.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "io/error.h"

namespace limelight::io {

// Reads a two-dimensional float32 or float64 array, little or big endian, C or Fortran order, as float32 in C order.
// `name` is what the messages call it ("q.npy"). Errors: not .npy, truncated, another dtype, another number of
// dimensions, sizes that overflow or do not match the bytes, a value that is not finite in float32.
Result<Matrix> read_npy(std::span<const std::byte> bytes, std::string_view name);

// Version 1.0, '<f4', C order.
std::vector<std::byte> write_npy(ConstMatrixRef matrix);

}  // namespace limelight::io
