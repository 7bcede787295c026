#include "io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "io/json.h"
#include "io/json_reader.h"
#include "io/utf8.h"

namespace limelight::io {
namespace {

constexpr std::size_t kLengthSize = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // the format's own limit
constexpr std::size_t kMostDimensions = 4;

struct Dtype {
  std::string_view name;
  std::uint64_t size;  // bytes
};
constexpr Dtype kDtypes[] = {{"F32", 4}, {"F16", 2}};

struct Entry {
  std::string name, dtype;
  std::vector<std::uint64_t> shape, offsets;
};

// What a header may hold of JSON: objects of texts, and of objects of texts and lists of whole numbers.
bool read_numbers(JsonReader& json, std::vector<std::uint64_t>& numbers) {
  return json.list([&] {
    const std::optional<std::int64_t> number = json.whole_number();
    if (number && *number >= 0) numbers.push_back(static_cast<std::uint64_t>(*number));
    return number && *number >= 0;
  });
}

bool read_entry(JsonReader& json, Entry& entry) {
  int members = 0;
  const bool read = json.object([&](const std::string& key) {
    ++members;
    if (key == "dtype") {
      std::optional<std::string> text = json.text();
      if (text) entry.dtype = std::move(*text);
      return text.has_value();
    }
    if (key == "shape") return read_numbers(json, entry.shape);
    return key == "data_offsets" && read_numbers(json, entry.offsets);
  });
  return read && members == 3 && !entry.dtype.empty() && entry.offsets.size() == 2;
}

// False where the text is not such a header.
bool read_header(JsonReader json, std::vector<Entry>& entries,
                 std::vector<std::pair<std::string, std::string>>& metadata) {
  const bool read = json.object([&](std::string key) {
    if (key == "__metadata__")
      return json.object([&](std::string name) {
        std::optional<std::string> text = json.text();
        if (text) metadata.emplace_back(std::move(name), std::move(*text));
        return text.has_value();
      });
    entries.push_back({.name = std::move(key), .dtype = {}, .shape = {}, .offsets = {}});
    return read_entry(json, entries.back());
  });
  return read && json.ends();
}

std::uint64_t read_little_endian(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8U | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

void append_little_endian(std::vector<std::byte>& bytes, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 0xFFU));
}

// How many numbers; none when they are more than 64 bits can count.
std::optional<std::uint64_t> count_numbers(const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) {
    if (size != 0 && count > std::numeric_limits<std::uint64_t>::max() / 8 / size) return std::nullopt;
    count *= size;
  }
  return count;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

// The shape fits the bytes, which begin where those before end.
Result<void> check_entry(const Entry& entry, std::uint64_t expected_begin, std::uint64_t available,
                         const std::string& file) {
  const std::string tensor = "The tensor " + quote(entry.name) + " of " + file;
  const auto dtype = std::ranges::find(kDtypes, entry.dtype, &Dtype::name);
  if (dtype == std::end(kDtypes))
    return fail(tensor + " has the dtype " + quote(entry.dtype) + "; F32 or F16 is needed.");
  if (entry.shape.size() > kMostDimensions)
    return fail(tensor + " has " + std::to_string(entry.shape.size()) + " dimensions; at most 4 are read.");
  const std::uint64_t begin = entry.offsets[0], end = entry.offsets[1];
  const std::optional<std::uint64_t> count = count_numbers(entry.shape);
  if (end < begin || !count || *count * dtype->size != end - begin)
    return fail(tensor + " has the shape " + shape_text(entry.shape) + " and the bytes from " + std::to_string(begin) +
                " to " + std::to_string(end) + ", which do not match.");
  if (begin < expected_begin) return fail(tensor + " overlaps the tensor before it; each needs bytes of its own.");
  if (begin > expected_begin)
    return fail(tensor + " leaves a gap of " + std::to_string(begin - expected_begin) +
                " bytes after the tensor before it; there may be none.");
  if (end > available)
    return fail(file + " is truncated: " + std::to_string(end) + " bytes of numbers are expected, " +
                std::to_string(available) + " were found.");
  return {};
}

Result<Array> read_numbers(const Entry& entry, std::span<const std::byte> numbers, const std::string& file) {
  Array array;
  for (const std::uint64_t size : entry.shape) array.shape.push_back(static_cast<Eigen::Index>(size));
  const bool half = entry.dtype == "F16";
  const std::size_t size = half ? 2 : 4, begin = static_cast<std::size_t>(entry.offsets[0]),
                    count = (static_cast<std::size_t>(entry.offsets[1]) - begin) / size;
  array.data.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = read_little_endian(numbers.subspan(begin + i * size, size));
    const float x =
        half ? from_half(static_cast<std::uint16_t>(bits)) : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (!std::isfinite(x))
      return fail("The tensor " + quote(entry.name) + " of " + file + " has a value that is not a finite number, at " +
                  std::to_string(i) + "; all must be finite.");
    array.data.push_back(x);
  }
  return array;
}

}  // namespace

Result<Safetensors> read_safetensors(std::span<const std::byte> bytes, std::string_view name) {
  const std::string file(name);
  const Error foreign{file + " is not a .safetensors file; one begins with the length of its header."};
  if (bytes.size() < kLengthSize + 2) return std::unexpected(foreign);
  const std::uint64_t length = read_little_endian(bytes.first(kLengthSize));
  if (length < 2 || length > kLongestHeader) return std::unexpected(foreign);
  if (bytes[kLengthSize] != static_cast<std::byte>('{')) return std::unexpected(foreign);
  if (length > bytes.size() - kLengthSize)
    return fail(file + " is truncated: its header has " + std::to_string(length) + " bytes, " +
                std::to_string(bytes.size() - kLengthSize) + " were found.");
  const std::span<const std::byte> header = bytes.subspan(kLengthSize, static_cast<std::size_t>(length));
  const std::span<const std::byte> numbers = bytes.subspan(kLengthSize + header.size());

  std::vector<Entry> entries;
  std::vector<std::pair<std::string, std::string>> metadata;
  const std::string_view text(reinterpret_cast<const char*>(header.data()), header.size());
  if (!read_header(JsonReader(text), entries, metadata))
    return fail("The header of " + file +
                " is broken; it must be JSON with dtype, shape and data_offsets of each tensor.");

  Safetensors result;
  for (auto& [key, value] : metadata) result.metadata[key] = std::move(value);
  std::ranges::sort(entries, {}, [](const Entry& entry) { return std::pair(entry.offsets[0], entry.offsets[1]); });
  std::uint64_t end = 0;
  for (const Entry& entry : entries) {
    if (const Result<void> fits = check_entry(entry, end, numbers.size(), file); !fits)
      return std::unexpected(fits.error());
    end = entry.offsets[1];
    Result<Array> array = read_numbers(entry, numbers, file);
    if (!array) return std::unexpected(array.error());
    if (!result.tensors.emplace(entry.name, std::move(*array)).second)
      return fail(file + " has two tensors " + quote(entry.name) + "; names must differ.");
  }
  if (end != numbers.size())
    return fail(file + " has " + std::to_string(numbers.size() - end) +
                " bytes after its last tensor; none are expected.");
  return result;
}

std::vector<std::byte> write_safetensors(const Safetensors& file, Precision precision) {
  const Dtype& dtype = kDtypes[precision == Precision::half ? 1 : 0];
  JsonWriter json;
  json.begin_object();
  if (!file.metadata.empty()) {
    json.key("__metadata__").begin_object();
    for (const auto& [key, value] : file.metadata) json.member(key, value);
    json.end_object();
  }
  std::size_t offset = 0;
  for (const auto& [name, array] : file.tensors) {
    json.key(name).begin_object().member("dtype", dtype.name).key("shape").begin_array();
    for (const Eigen::Index size : array.shape) json.value(static_cast<int>(size));
    json.end_array().key("data_offsets").begin_array().value(static_cast<double>(offset));
    offset += array.data.size() * static_cast<std::size_t>(dtype.size);
    json.value(static_cast<double>(offset)).end_array().end_object();
  }
  std::string header = json.end_object().take();
  header.resize((header.size() + 7) / 8 * 8, ' ');  // the numbers are aligned
  std::vector<std::byte> bytes;
  bytes.reserve(kLengthSize + header.size() + offset);
  append_little_endian(bytes, header.size(), kLengthSize);
  for (const char c : header) bytes.push_back(static_cast<std::byte>(c));
  for (const auto& [name, array] : file.tensors)
    for (const float x : array.data)
      if (precision == Precision::half)
        append_little_endian(bytes, to_half(x), 2);
      else
        append_little_endian(bytes, std::bit_cast<std::uint32_t>(x), 4);
  return bytes;
}

std::uint16_t to_half(float x) {
  constexpr float kLargest = 65504, kSmallestNormal = 0x1p-14F;
  const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000U : 0U);
  if (std::isnan(x)) return 0x7E00U;
  const float magnitude = std::min(std::abs(x), kLargest);
  if (magnitude < kSmallestNormal)  // steps of 2⁻²⁴; nearbyint rounds ties to even
    return static_cast<std::uint16_t>(sign | static_cast<unsigned>(std::nearbyint(magnitude * 0x1p24F)));
  const auto bits = std::bit_cast<std::uint32_t>(magnitude);
  // 13 bits go; half of the last that stays is added, one less where that is even and stays so.
  const std::uint32_t rounded = bits + 0xFFFU + (bits >> 13U & 1U);
  return static_cast<std::uint16_t>(sign | ((rounded >> 13U) - (112U << 10U)));
}

float from_half(std::uint16_t bits) {
  const unsigned exponent = bits >> 10U & 0x1FU, fraction = bits & 0x3FFU;
  float magnitude = 0;
  if (exponent == 0)
    magnitude = static_cast<float>(fraction) * 0x1p-24F;
  else if (exponent == 31)
    magnitude = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  else
    magnitude = std::bit_cast<float>((exponent + 112U) << 23U | fraction << 13U);
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

}  // namespace limelight::io
