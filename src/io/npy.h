// NumPy's .npy format, versions 1.0 to 3.0, as https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
// describes it: bytes in, value or error out.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/mask.h"
#include "core/matrix.h"
#include "io/error.h"

namespace limelight::io {

// Reads a two-dimensional float32 or float64 array, little or big endian, C or Fortran order, as float32 in C order.
// `name` is what the messages call it ("q.npy"). Errors: not .npy, truncated, another dtype, another number of
// dimensions, sizes that overflow or do not match the bytes, a value that is not finite in float32.
Result<Matrix> read_npy(std::span<const std::byte> bytes, std::string_view name);

// Of any number of dimensions, in C order.
struct Array {
  std::vector<Eigen::Index> shape;
  std::vector<float> data;
};

// The same for one to four dimensions.
Result<Array> read_npy_array(std::span<const std::byte> bytes, std::string_view name);

// A file of one to five dimensions, float16 among its types, of which the numbers are read piece by piece.
struct NpyNumbers {
  std::vector<Eigen::Index> shape;
  std::size_t count;  // of items
  std::size_t item;   // bytes of one
  bool big_endian;
  bool fortran_order;
  std::span<const std::byte> data;
};
Result<NpyNumbers> find_npy_numbers(std::span<const std::byte> bytes, std::string_view name);
// As many as there is room for, from number `first` of C order on. Errors: one that is not finite in float32.
Result<void> read_npy_numbers(const NpyNumbers& from, std::size_t first, std::span<float> numbers,
                              std::string_view name);

// A two-dimensional array of bool.
Result<BoolMatrix> read_npy_mask(std::span<const std::byte> bytes, std::string_view name);

// Version 1.0, '<f4', C order.
std::vector<std::byte> write_npy(ConstMatrixRef matrix);
std::vector<std::byte> write_npy(const Array& array);

}  // namespace limelight::io
