#include "io/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "io/numbers.h"
#include "io/safetensors.h"
#include "io/utf8.h"

namespace limelight::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;  // the magic bytes, then the major and the minor version
constexpr std::size_t kAlignment = 64;  // that the header's length is padded to

using Bytes = std::span<const std::byte>;

std::uint64_t read_unsigned(Bytes bytes, bool big_endian) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[big_endian ? i : bytes.size() - 1 - i]);
  }
  return value;
}

Error truncated(std::string_view name, std::uint64_t expected, std::uint64_t found) {
  return {std::string(name) + " is truncated: " + std::to_string(expected) + " bytes are expected, " +
          std::to_string(found) + " were found."};
}

// The header is a Python dict literal of exactly the keys descr, fortran_order and shape, in any order.
struct Header {
  std::optional<std::string> descr;  // starts with '[' when the type has fields; then the other keys were not read
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::uint64_t>> shape;
};

struct Cursor {
  std::string_view rest;

  void skip_spaces() { rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size())); }
  bool take(std::string_view token) {
    skip_spaces();
    if (!rest.starts_with(token)) return false;
    rest.remove_prefix(token.size());
    return true;
  }
};

// A string in single or double quotes. One with a backslash is refused: no name and no dtype has one.
std::optional<std::string> take_string(Cursor& cursor) {
  cursor.skip_spaces();
  if (!cursor.rest.starts_with('\'') && !cursor.rest.starts_with('"')) return std::nullopt;
  const std::size_t end = cursor.rest.find(cursor.rest[0], 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = cursor.rest.substr(1, end - 1);
  if (text.find_first_of("\\\r\n") != std::string_view::npos) return std::nullopt;
  cursor.rest.remove_prefix(end + 1);
  return std::string(text);
}

std::optional<bool> take_bool(Cursor& cursor) {
  if (cursor.take("True")) return true;
  if (cursor.take("False")) return false;
  return std::nullopt;
}

// A size past 64 bits is the largest there is: it is refused later, as too large.
std::optional<std::uint64_t> take_size(Cursor& cursor) {
  cursor.skip_spaces();
  const std::string_view rest = cursor.rest;
  std::uint64_t size = 0;
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), size);
  if (read.ec == std::errc::invalid_argument) return std::nullopt;
  if (read.ec == std::errc::result_out_of_range) size = std::numeric_limits<std::uint64_t>::max();
  cursor.rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
  return size;
}

// "()", "(3,)", "(3, 4)", "(3, 4,)"; "(3)" is a number in Python, not a tuple.
std::optional<std::vector<std::uint64_t>> take_shape(Cursor& cursor) {
  if (!cursor.take("(")) return std::nullopt;
  std::vector<std::uint64_t> shape;
  bool comma = true;
  while (!cursor.take(")")) {
    if (!comma) return std::nullopt;
    const std::optional<std::uint64_t> size = take_size(cursor);
    if (!size) return std::nullopt;
    shape.push_back(*size);
    comma = cursor.take(",");
  }
  if (shape.size() == 1 && !comma) return std::nullopt;
  return shape;
}

std::optional<Header> parse_header(std::string_view text) {
  Header header;
  Cursor cursor{text};
  if (!cursor.take("{")) return std::nullopt;
  bool comma = true;
  while (!cursor.take("}")) {
    const std::optional<std::string> key = comma ? take_string(cursor) : std::nullopt;
    if (!key || !cursor.take(":")) return std::nullopt;
    if (*key == "descr" && !header.descr) {
      cursor.skip_spaces();
      if (cursor.rest.starts_with('[')) {
        header.descr = cursor.rest;
        return header;
      }
      header.descr = take_string(cursor);
      if (!header.descr) return std::nullopt;
    } else if (*key == "fortran_order" && !header.fortran_order) {
      header.fortran_order = take_bool(cursor);
      if (!header.fortran_order) return std::nullopt;
    } else if (*key == "shape" && !header.shape) {
      header.shape = take_shape(cursor);
      if (!header.shape) return std::nullopt;
    } else {
      return std::nullopt;
    }
    comma = cursor.take(",");
  }
  cursor.skip_spaces();
  if (!cursor.rest.empty() || !header.descr || !header.fortran_order || !header.shape) return std::nullopt;
  return header;
}

// NumPy's name of a dtype, for the message; empty when there is none.
std::string_view dtype_name(std::string_view descr) {
  struct Name {
    std::string_view code;
    std::string_view name;
  };
  static constexpr Name kNames[] = {
      {"b1", "bool"},      {"i1", "int8"},      {"i2", "int16"},       {"i4", "int32"},         {"i8", "int64"},
      {"u1", "uint8"},     {"u2", "uint16"},    {"u4", "uint32"},      {"u8", "uint64"},        {"f2", "float16"},
      {"f16", "float128"}, {"c8", "complex64"}, {"c16", "complex128"}, {"O", "Python objects"},
  };
  static constexpr Name kKinds[] = {
      {"S", "bytes"}, {"U", "text"}, {"V", "raw memory"}, {"M", "dates"}, {"m", "durations"}};
  if (descr.empty()) return {};
  const std::string_view code = descr.substr(1);
  for (const Name& known : kNames) {
    if (code == known.code) return known.name;
  }
  for (const Name& kind : kKinds) {
    if (code.starts_with(kind.code)) return kind.name;
  }
  return {};
}

std::string tuple_text(const std::vector<std::uint64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return ellipsize(text, 60) + (shape.size() == 1 ? ",)" : ")");
}

// The header's text and where the data begin.
struct Layout {
  std::string_view header;
  Bytes data;
};

Result<Layout> find_header(Bytes bytes, std::string_view name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (bytes.empty()) return fail(std::string(name) + " is empty; a .npy file, as numpy.save writes it, is needed.");
  if (!kMagic.starts_with(text.substr(0, kMagic.size()))) {
    return fail(std::string(name) + " is not a .npy file; numpy.save writes one.");
  }
  if (bytes.size() < kVersionEnd) return std::unexpected(truncated(name, kVersionEnd, bytes.size()));
  const auto major = std::to_integer<int>(bytes[6]);
  const auto minor = std::to_integer<int>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0) {
    return fail(std::string(name) + " has .npy version " + std::to_string(major) + '.' + std::to_string(minor) +
                "; 1.0, 2.0 or 3.0 is needed.");
  }
  const std::size_t header_begin = kVersionEnd + (major == 1 ? 2 : 4);
  if (bytes.size() < header_begin) return std::unexpected(truncated(name, header_begin, bytes.size()));
  const std::uint64_t length = read_unsigned(bytes.subspan(kVersionEnd, header_begin - kVersionEnd), false);
  if (length > bytes.size() - header_begin)
    return std::unexpected(truncated(name, header_begin + length, bytes.size()));
  const auto header_end = static_cast<std::size_t>(header_begin + length);
  return Layout{text.substr(header_begin, header_end - header_begin), bytes.subspan(header_end)};
}

// What a reader takes.
struct Wanted {
  bool truth_values;  // bool, or else float32 and float64
  std::size_t fewest_dimensions;
  std::size_t most_dimensions;
  bool halves = false;  // float16, too
};

std::optional<Error> wrong_type(const std::string& descr, const Wanted& wanted, std::string_view name) {
  const bool is_float = descr == "<f4" || descr == ">f4" || descr == "<f8" || descr == ">f8";
  if (wanted.truth_values ? descr == "|b1" : is_float) return std::nullopt;
  if (wanted.halves && (descr == "<f2" || descr == ">f2")) return std::nullopt;
  const std::string_view needed = wanted.truth_values ? "; bool is needed."
                                  : wanted.halves     ? "; float16, float32 or float64 is needed."
                                                      : "; float32 or float64 is needed.";
  if (descr.starts_with('[')) return Error{std::string(name) + " holds records" + std::string(needed)};
  const std::string code = "'" + ellipsize(normalise_spaces(descr), 40) + "'";
  const std::string_view known = is_float ? (descr[2] == '4' ? "float32" : "float64") : dtype_name(descr);
  return Error{std::string(name) + " holds " +
               (known.empty() ? "the type " + code : std::string(known) + " (" + code + ")") + std::string(needed)};
}

std::optional<Error> wrong_shape(const std::vector<std::uint64_t>& shape, const Wanted& wanted, std::string_view name) {
  const std::string file(name);
  if (shape.size() < wanted.fewest_dimensions || shape.size() > wanted.most_dimensions) {
    return Error{file + " has " + count_of(std::ssize(shape), "dimension") + ", shape " + tuple_text(shape) +
                 (wanted.most_dimensions == 2   ? "; two are needed: (rows, columns)."
                  : wanted.most_dimensions == 4 ? "; one to four are needed."
                                                : "; one to five are needed.")};
  }
  if (std::ranges::find(shape, 0U) != shape.end()) {
    const std::string_view nothing = shape.size() != 2 ? " has no numbers"
                                     : shape[0] == 0   ? " has no rows"
                                                       : " has no columns";
    return Error{file + std::string(nothing) + ": its shape is " + tuple_text(shape) + "; at least one is needed."};
  }
  std::uint64_t room = std::numeric_limits<std::uint64_t>::max() / sizeof(double);
  for (const std::uint64_t size : shape) room /= size;
  if (room == 0)
    return Error{file + " has shape " + tuple_text(shape) + ", more than any file can hold; its header is broken."};
  return std::nullopt;
}

// An array whose header is right and whose data are as long as it says.
Result<NpyNumbers> find_contents(Bytes bytes, const Wanted& wanted, std::string_view name) {
  const std::string file(name);
  const Result<Layout> layout = find_header(bytes, name);
  if (!layout) return std::unexpected(layout.error());
  const std::optional<Header> header = parse_header(layout->header);
  if (!header) {
    return fail(file + " has a broken header: " + quote(layout->header) +
                "; one like {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } is needed.");
  }
  const std::string& descr = *header->descr;
  if (const auto error = wrong_type(descr, wanted, name)) return std::unexpected(*error);
  if (const auto error = wrong_shape(*header->shape, wanted, name)) return std::unexpected(*error);

  const std::size_t item = static_cast<std::size_t>(descr[2] - '0');
  std::uint64_t count = 1;
  for (const std::uint64_t size : *header->shape) count *= size;
  const std::uint64_t expected = count * item;
  const Bytes data = layout->data;
  if (data.size() != expected) {
    return fail(file + (data.size() < expected ? " is truncated" : " is too long") + ": after its header " +
                std::to_string(expected) + " bytes are expected, " + std::to_string(data.size()) + " were found.");
  }
  // From here on every size is at most that of the bytes in memory.
  return NpyNumbers{{header->shape->begin(), header->shape->end()},
                    static_cast<std::size_t>(count),
                    item,
                    descr[0] == '>',
                    *header->fortran_order,
                    data};
}

// Where the item stands that is number `index` in C order.
std::vector<Eigen::Index> position(const std::vector<Eigen::Index>& shape, std::size_t index) {
  std::vector<Eigen::Index> at(shape.size());
  auto rest = static_cast<Eigen::Index>(index);
  for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) at[d] = rest % shape[d];
  return at;
}

// The bytes of the item that is number `index` in C order.
Bytes item_bytes(const NpyNumbers& contents, std::size_t index) {
  if (contents.fortran_order) {
    std::size_t rest = std::exchange(index, 0);
    std::size_t stride = contents.count;  // in items, of dimension d
    for (std::size_t d = contents.shape.size(); d-- > 0;) {
      const auto size = static_cast<std::size_t>(contents.shape[d]);
      stride /= size;
      index += rest % size * stride;
      rest /= size;
    }
  }
  return contents.data.subspan(index * contents.item, contents.item);
}

double read_value(Bytes bytes, bool big_endian) {
  const std::uint64_t bits = read_unsigned(bytes, big_endian);
  if (bytes.size() == sizeof(double)) return std::bit_cast<double>(bits);
  if (bytes.size() == sizeof(std::uint16_t)) return static_cast<double>(from_half(static_cast<std::uint16_t>(bits)));
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

// A file of float32 in C order, without its data.
std::vector<std::byte> begin_file(const std::vector<std::uint64_t>& shape) {
  std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': " + tuple_text(shape) + ", }";
  const std::size_t header_begin = kVersionEnd + 2;
  const std::size_t unpadded = header_begin + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';

  std::string start(kMagic);
  start += {'\x01', '\x00', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  start += text;
  std::size_t size = sizeof(float);
  for (const std::uint64_t extent : shape) size *= static_cast<std::size_t>(extent);
  std::vector<std::byte> bytes;
  bytes.reserve(start.size() + size);
  for (const char c : start) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

void append_float(std::vector<std::byte>& bytes, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(bits >> shift & 0xFF));
}

}  // namespace

Result<NpyNumbers> find_npy_numbers(Bytes bytes, std::string_view name) {
  return find_contents(bytes, {.truth_values = false, .fewest_dimensions = 1, .most_dimensions = 5, .halves = true},
                       name);
}

Result<void> read_npy_numbers(const NpyNumbers& from, std::size_t first, std::span<float> numbers,
                              std::string_view name) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double value = read_value(item_bytes(from, first + i), from.big_endian);
    if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()))) {
      std::string at;
      for (const Eigen::Index index : position(from.shape, first + i))
        at += (at.empty() ? "" : ", ") + std::to_string(index);
      return fail(std::string(name) + " holds " + format_exact(value) + " at [" + at +
                  "]; every value must be finite and at most 3.4e38 in size, as float32 is.");
    }
    numbers[i] = static_cast<float>(value);
  }
  return {};
}

Result<Matrix> read_npy(Bytes bytes, std::string_view name) {
  const Result<NpyNumbers> contents =
      find_contents(bytes, {.truth_values = false, .fewest_dimensions = 2, .most_dimensions = 2}, name);
  if (!contents) return std::unexpected(contents.error());
  Matrix matrix(contents->shape[0], contents->shape[1]);
  if (const Result<void> read = read_npy_numbers(*contents, 0, {matrix.data(), contents->count}, name); !read)
    return std::unexpected(read.error());
  return matrix;
}

Result<Array> read_npy_array(Bytes bytes, std::string_view name) {
  const Result<NpyNumbers> contents =
      find_contents(bytes, {.truth_values = false, .fewest_dimensions = 1, .most_dimensions = 4}, name);
  if (!contents) return std::unexpected(contents.error());
  Array array{contents->shape, std::vector<float>(contents->count)};
  if (const Result<void> read = read_npy_numbers(*contents, 0, array.data, name); !read)
    return std::unexpected(read.error());
  return array;
}

Result<BoolMatrix> read_npy_mask(Bytes bytes, std::string_view name) {
  const Result<NpyNumbers> contents =
      find_contents(bytes, {.truth_values = true, .fewest_dimensions = 2, .most_dimensions = 2}, name);
  if (!contents) return std::unexpected(contents.error());
  BoolMatrix matrix(contents->shape[0], contents->shape[1]);
  for (std::size_t i = 0; i < contents->count; ++i)
    matrix.data()[i] = item_bytes(*contents, i)[0] != std::byte{0};  // as NumPy takes any byte but 0 for true
  return matrix;
}

std::vector<std::byte> write_npy(ConstMatrixRef matrix) {
  std::vector<std::byte> bytes =
      begin_file({static_cast<std::uint64_t>(matrix.rows()), static_cast<std::uint64_t>(matrix.cols())});
  for (Eigen::Index row = 0; row < matrix.rows(); ++row)
    for (Eigen::Index column = 0; column < matrix.cols(); ++column) append_float(bytes, matrix(row, column));
  return bytes;
}

std::vector<std::byte> write_npy(const Array& array) {
  std::vector<std::byte> bytes = begin_file({array.shape.begin(), array.shape.end()});
  for (const float value : array.data) append_float(bytes, value);
  return bytes;
}

}  // namespace limelight::io
