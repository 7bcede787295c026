#include "io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "core/sort.h"
#include "io/json.h"
#include "io/json_reader.h"
#include "io/utf8.h"

namespace limelight::io {
namespace {

constexpr std::size_t kLengthSize = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // the format's own limit
constexpr std::size_t kMostDimensions = 4;

// Bytes of one number of the format's own types.
constexpr std::pair<std::string_view, std::uint64_t> kDtypes[] = {
    {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"I16", 2}, {"U16", 2}, {"F16", 2},
    {"BF16", 2}, {"I32", 4}, {"U32", 4}, {"F32", 4},     {"I64", 8},     {"U64", 8}, {"F64", 8}};
constexpr std::string_view kRead[] = {"F32", "F16", "BF16"};

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

// What a header may hold of JSON: objects of texts, and of objects of texts and lists of whole numbers.
bool read_sizes(JsonReader& json, std::vector<std::uint64_t>& sizes) {
  return json.list([&] {
    const std::optional<std::int64_t> size = json.whole_number();
    if (size && *size >= 0) sizes.push_back(static_cast<std::uint64_t>(*size));
    return size && *size >= 0;
  });
}

bool read_entry(JsonReader& json, TensorEntry& entry) {
  int members = 0;
  std::vector<std::uint64_t> offsets;
  const bool read = json.object([&](const std::string& key) {
    ++members;
    if (key == "dtype") {
      entry.dtype = json.text().value_or("");
      return !entry.dtype.empty();
    }
    if (key == "shape") return read_sizes(json, entry.shape);
    return key == "data_offsets" && read_sizes(json, offsets);
  });
  if (!read || members != 3 || entry.dtype.empty() || offsets.size() != 2) return false;
  entry.begin = offsets[0];
  entry.end = offsets[1];
  return true;
}

// False where the text is not such a header.
bool read_header_json(JsonReader json, SafetensorsHeader& header) {
  const bool read = json.object([&](std::string key) {
    if (key == "__metadata__")
      return json.object([&](const std::string& name) {
        std::optional<std::string> text = json.text();
        if (text) header.metadata[name] = std::move(*text);
        return text.has_value();
      });
    TensorEntry& entry = header.tensors.emplace_back();
    entry.name = std::move(key);
    return read_entry(json, entry);
  });
  return read && json.ends();
}

std::string tensor_of(const TensorEntry& entry, const std::string& file) {
  return "The tensor " + quote(entry.name) + " of " + file;
}

// The shape fits the bytes, which begin where those before end.
Result<void> check_entry(const TensorEntry& entry, std::uint64_t expected_begin, std::uint64_t available,
                         const std::string& file) {
  const std::string tensor = tensor_of(entry, file);
  const auto* const dtype = std::ranges::find(kDtypes, entry.dtype, [](const auto& known) { return known.first; });
  if (dtype == std::end(kDtypes))
    return fail(tensor + " has the dtype " + quote(entry.dtype) + ", which .safetensors has not; F32 is one.");
  const std::optional<std::uint64_t> count = count_numbers(entry.shape);
  if (entry.end < entry.begin || !count || *count * dtype->second != entry.end - entry.begin)
    return fail(tensor + " has the shape " + shape_text(entry.shape) + " and the bytes from " +
                std::to_string(entry.begin) + " to " + std::to_string(entry.end) + ", which do not match.");
  if (entry.begin < expected_begin)
    return fail(tensor + " overlaps the tensor before it; each needs bytes of its own.");
  if (entry.begin > expected_begin)
    return fail(tensor + " leaves a gap of " + std::to_string(entry.begin - expected_begin) +
                " bytes after the tensor before it; there may be none.");
  if (entry.end > available)
    return fail(file + " is truncated: " + count_of(static_cast<std::int64_t>(entry.end), "byte") +
                " of numbers are expected, " + std::to_string(available) + " were found.");
  return {};
}

std::span<const std::byte> bytes_of(std::span<const std::byte> file, const SafetensorsHeader& header,
                                    const TensorEntry& entry) {
  return file.subspan(header.size + static_cast<std::size_t>(entry.begin),
                      static_cast<std::size_t>(entry.end - entry.begin));
}

// The little-endian numbers, whatever the machine's order of bytes: number(bits) of each.
template <std::size_t Size, class F>
void convert(std::span<const std::byte> bytes, std::span<float> numbers, const F& number) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::uint32_t bits = 0;
    for (std::size_t b = 0; b < Size; ++b) bits |= std::to_integer<std::uint32_t>(bytes[i * Size + b]) << (8 * b);
    numbers[i] = number(bits);
  }
}

void convert(std::span<const std::byte> bytes, std::string_view dtype, std::span<float> numbers) {
  if (dtype == "F32") convert<4>(bytes, numbers, [](std::uint32_t bits) { return std::bit_cast<float>(bits); });
  if (dtype == "F16")
    convert<2>(bytes, numbers, [](std::uint32_t bits) { return from_half(static_cast<std::uint16_t>(bits)); });
  if (dtype == "BF16") convert<2>(bytes, numbers, [](std::uint32_t bits) { return std::bit_cast<float>(bits << 16U); });
}

// Not finite: a sentence that says where.
Result<void> check_finite(std::span<const float> numbers, const TensorEntry& entry, const std::string& file) {
  // Without a branch for each, so that a large tensor is passed over at the memory's speed.
  constexpr std::uint32_t kExponent = 0x7F800000U;
  constexpr std::size_t kPiece = 4096;
  for (std::size_t begin = 0; begin < numbers.size(); begin += kPiece) {
    const std::span<const float> piece = numbers.subspan(begin, std::min(kPiece, numbers.size() - begin));
    unsigned found = 0;
    for (const float x : piece)
      found |= static_cast<unsigned>((std::bit_cast<std::uint32_t>(x) & kExponent) == kExponent);
    if (found == 0) continue;
    const auto at = static_cast<std::size_t>(std::ranges::find_if(piece, [](float x) { return !std::isfinite(x); }) -
                                             piece.begin());
    return fail(tensor_of(entry, file) + " has a value that is not a finite number, at " + std::to_string(begin + at) +
                "; all must be finite.");
  }
  return {};
}

}  // namespace

std::string shape_text(std::span<const std::uint64_t> shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

const TensorEntry* SafetensorsHeader::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &TensorEntry::name);
  return found == tensors.end() ? nullptr : &*found;
}

Result<SafetensorsHeader> read_safetensors_header(std::span<const std::byte> bytes, std::string_view name) {
  const std::string file(name);
  const Error foreign{file + " is not a .safetensors file; one begins with the length of its header."};
  if (bytes.size() < kLengthSize + 2) return std::unexpected(foreign);
  const std::uint64_t length = read_little_endian(bytes.first(kLengthSize));
  if (length < 2 || length > kLongestHeader) return std::unexpected(foreign);
  if (bytes[kLengthSize] != static_cast<std::byte>('{')) return std::unexpected(foreign);
  if (length > bytes.size() - kLengthSize)
    return fail(file + " is truncated: its header has " + std::to_string(length) + " bytes, " +
                std::to_string(bytes.size() - kLengthSize) + " were found.");
  SafetensorsHeader header;
  header.size = kLengthSize + static_cast<std::size_t>(length);
  const std::span<const std::byte> text = bytes.subspan(kLengthSize, static_cast<std::size_t>(length));
  if (!read_header_json(JsonReader({reinterpret_cast<const char*>(text.data()), text.size()}), header))
    return fail("The header of " + file +
                " is broken; it must be JSON with dtype, shape and data_offsets of each tensor.");

  heap_sort(header.tensors, {}, &TensorEntry::name);
  if (const auto twice = std::ranges::adjacent_find(header.tensors, {}, &TensorEntry::name);
      twice != header.tensors.end())
    return fail(file + " has two tensors " + quote(twice->name) + "; names must differ.");
  heap_sort(header.tensors, {}, [](const TensorEntry& entry) { return std::pair(entry.begin, entry.end); });
  const std::size_t available = bytes.size() - header.size;
  std::uint64_t end = 0;
  for (const TensorEntry& entry : header.tensors) {
    if (const Result<void> fits = check_entry(entry, end, available, file); !fits) return std::unexpected(fits.error());
    end = entry.end;
  }
  if (end != available)
    return fail(file + " has " + count_of(static_cast<std::int64_t>(available - end), "byte") +
                " after its last tensor; none are expected.");
  return header;
}

std::span<const float> numbers_in_place(std::span<const std::byte> file, const SafetensorsHeader& header,
                                        const TensorEntry& entry) {
  const std::span<const std::byte> bytes = bytes_of(file, header, entry);
  if (std::endian::native != std::endian::little || entry.dtype != "F32" ||
      reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(float) != 0)
    return {};
  return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

Result<std::span<const float>> read_tensor(std::span<const std::byte> file, const SafetensorsHeader& header,
                                           const TensorEntry& entry, std::string_view name, std::vector<float>& copy) {
  const std::string file_name(name);
  if (std::ranges::find(kRead, entry.dtype) == std::end(kRead))
    return fail(tensor_of(entry, file_name) + " has the dtype " + quote(entry.dtype) + "; " + one_of(kRead) +
                " is needed.");
  std::span<const float> numbers = numbers_in_place(file, header, entry);
  if (numbers.empty()) {
    const std::span<const std::byte> bytes = bytes_of(file, header, entry);
    copy.resize(bytes.size() / (entry.dtype == "F32" ? 4 : 2));
    convert(bytes, entry.dtype, copy);
    numbers = copy;
  }
  if (const Result<void> finite = check_finite(numbers, entry, file_name); !finite)
    return std::unexpected(finite.error());
  return numbers;
}

Result<Safetensors> read_safetensors(std::span<const std::byte> bytes, std::string_view name) {
  Result<SafetensorsHeader> header = read_safetensors_header(bytes, name);
  if (!header) return std::unexpected(header.error());
  Safetensors result;
  result.metadata = std::move(header->metadata);
  for (const TensorEntry& entry : header->tensors) {
    if (entry.shape.size() > kMostDimensions)
      return fail(tensor_of(entry, std::string(name)) + " has " + std::to_string(entry.shape.size()) +
                  " dimensions; at most 4 are read.");
    std::vector<float> copy;
    const Result<std::span<const float>> numbers = read_tensor(bytes, *header, entry, name, copy);
    if (!numbers) return std::unexpected(numbers.error());
    if (copy.empty()) copy.assign(numbers->begin(), numbers->end());
    result.tensors[entry.name] = {{entry.shape.begin(), entry.shape.end()}, std::move(copy)};
  }
  return result;
}

std::vector<std::byte> write_safetensors(const Safetensors& file, Precision precision) {
  const bool half = precision != Precision::single;
  JsonWriter json;
  json.begin_object();
  if (!file.metadata.empty()) {
    json.key("__metadata__").begin_object();
    for (const auto& [key, value] : file.metadata) json.member(key, value);
    json.end_object();
  }
  std::size_t offset = 0;
  for (const auto& [name, array] : file.tensors) {
    json.key(name).begin_object().member("dtype", half ? "F16" : "F32").key("shape").begin_array();
    for (const Eigen::Index size : array.shape) json.value(static_cast<int>(size));
    json.end_array().key("data_offsets").begin_array().value(static_cast<std::int64_t>(offset));
    offset += array.data.size() * (half ? 2 : 4);
    json.value(static_cast<std::int64_t>(offset)).end_array().end_object();
  }
  std::string header = json.end_object().take();
  header.resize((header.size() + 7) / 8 * 8, ' ');  // the numbers are aligned
  std::vector<std::byte> bytes;
  bytes.reserve(kLengthSize + header.size() + offset);
  append_little_endian(bytes, header.size(), kLengthSize);
  for (const char c : header) bytes.push_back(static_cast<std::byte>(c));
  for (const auto& [name, array] : file.tensors)
    for (const float x : array.data)
      if (half)
        append_little_endian(bytes, precision == Precision::half ? to_half(x) : shortened(to_half(x)), 2);
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

std::uint16_t shortened(std::uint16_t half) {
  constexpr unsigned kLargest = 0x7BFCU;
  const unsigned magnitude = half & 0x7FFFU;
  if (magnitude >= 0x7C00U) return half;  // no number
  const unsigned rounded = std::min((magnitude + 1U + (magnitude >> 2U & 1U)) & ~3U, kLargest);
  return static_cast<std::uint16_t>((half & 0x8000U) | rounded);
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
