#include "io/safetensors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

using namespace limelight;
using namespace limelight::io;

namespace {

using Bytes = std::vector<std::byte>;

Safetensors example() {
  return {.metadata = {{"task", "reverse"}, {"words", "\"é\"\n\\ \x01 😀"}},
          .tensors = {{"a", {{2, 3}, {1, -2, 0.5F, 1e-30F, 65504, -0.F}}}, {"b", {{1}, {7}}}, {"empty", {{0, 4}, {}}}}};
}

Bytes file(std::string_view header, std::size_t numbers) {
  Bytes bytes(8);
  for (std::size_t i = 0; i < 8; ++i)
    bytes[i] = static_cast<std::byte>(std::uint64_t{header.size()} >> (8 * i) & 0xFFU);
  for (const char c : header) bytes.push_back(static_cast<std::byte>(c));
  bytes.resize(bytes.size() + numbers);
  return bytes;
}

// It is refused by a sentence that names the file and has these words.
void check_refused(const Bytes& bytes, std::string_view words) {
  const Result<Safetensors> read = read_safetensors(bytes, "m.safetensors");
  CAPTURE(words);
  REQUIRE(!read);
  CAPTURE(read.error().message);
  CHECK(read.error().message.find("m.safetensors") != std::string::npos);
  CHECK(read.error().message.find(words) != std::string::npos);
  CHECK(read.error().message.ends_with('.'));
}

}  // namespace

TEST_CASE("safetensors: what was written is read back, in names, texts, shapes and bits") {
  const Safetensors written = example();
  const Result<Safetensors> read = read_safetensors(write_safetensors(written), "m.safetensors");
  REQUIRE(read);
  CHECK(read->metadata == written.metadata);
  REQUIRE(read->tensors.size() == written.tensors.size());
  for (const auto& [name, array] : written.tensors) {
    CHECK(read->tensors.at(name).shape == array.shape);
    CHECK(read->tensors.at(name).data == array.data);
  }
  CHECK(std::signbit(read->tensors.at("a").data[5]));
}

TEST_CASE("safetensors: a tensor may begin after a round number of bytes, which is written with all its digits") {
  const Safetensors written{.metadata = {},
                            .tensors = {{"a", {{100000}, std::vector<float>(100000, 1)}}, {"b", {{1}, {2}}}}};
  for (const Precision precision : {Precision::single, Precision::half}) {
    const Result<Safetensors> read = read_safetensors(write_safetensors(written, precision), "m.safetensors");
    REQUIRE(read);
    CHECK(read->tensors.at("b").data == std::vector<float>{2});
  }
}

TEST_CASE("safetensors: half precision keeps eleven bits, and ends at its largest number") {
  Safetensors written = example();
  written.tensors["a"].data = {0.1F, -3.14159F, 1e6F, 0x1p-24F, 0x1p-26F, 1};
  const Result<Safetensors> read = read_safetensors(write_safetensors(written, Precision::half), "m.safetensors");
  REQUIRE(read);
  const std::vector<float>& half = read->tensors.at("a").data;
  CHECK(half == std::vector<float>{0.0999755859375F, -3.140625F, 65504, 0x1p-24F, 0, 1});
}

TEST_CASE("every finite half is itself again, and every float goes to the nearest") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float x = from_half(static_cast<std::uint16_t>(bits));
    if (!std::isfinite(x)) continue;
    CHECK(to_half(x) == bits);
    if ((bits & 0x7FFFU) >= 0x7BFFU || (bits & 0x8000U) != 0) continue;
    const float next = from_half(static_cast<std::uint16_t>(bits + 1)), middle = (x + next) / 2;
    CHECK(to_half(middle) == bits + (bits & 1U));  // ties to even
    CHECK(to_half(std::nextafter(middle, x)) == bits);
    CHECK(to_half(std::nextafter(middle, next)) == bits + 1);
  }
}

TEST_CASE("a shortened half ends in two zeros and is the nearest of those, ties to even") {
  for (unsigned bits = 0; bits < 0x7C00; ++bits) {
    const unsigned made = shortened(static_cast<std::uint16_t>(bits));
    CHECK(made % 4 == 0);
    CHECK(made < 0x7C00);
    const auto distance = [bits](unsigned other) { return std::abs(static_cast<int>(other) - static_cast<int>(bits)); };
    if (made != 0x7BFC) CHECK(distance(made) <= 2);
    if (distance(made) == 2 && made != 0x7BFC) CHECK(made / 4 % 2 == 0);
    CHECK(shortened(static_cast<std::uint16_t>(bits | 0x8000U)) == (made | 0x8000U));
  }
}

TEST_CASE("safetensors: a file that ends anywhere too early is refused") {
  const Bytes whole = write_safetensors(example());
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK(!read_safetensors(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)), "m"));
}

TEST_CASE("safetensors: a file with one bit turned is read or refused, and never more is read than there is") {
  const Bytes whole = write_safetensors(example());
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (unsigned bit = 0; bit < 8; ++bit) {
      Bytes broken = whole;
      broken[at] ^= static_cast<std::byte>(1U << bit);
      const Result<Safetensors> read = read_safetensors(broken, "m");
      if (!read) CHECK(read.error().message.ends_with('.'));
    }
}

TEST_CASE("safetensors: what is wrong is said") {
  const std::string one = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  CHECK(read_safetensors(file(one, 8), "m"));
  check_refused({}, "is not a .safetensors file");
  check_refused(file("PK not this", 0), "is not a .safetensors file");
  check_refused(file(one, 7), "truncated: 8 bytes of numbers are expected, 7 were found");
  check_refused(file(one, 9), "1 byte after its last tensor");
  check_refused(file(R"({"a":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}})", 8), "I32");
  check_refused(file(R"({"a":{"dtype":"F12","shape":[2],"data_offsets":[0,3]}})", 3), "F12");
  check_refused(file(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8), "header");
  check_refused(file(R"({"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", 8), "header");
  check_refused(file(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8), "the shape [3]");
  check_refused(file(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8), "do not match");
  check_refused(file(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296,2],"data_offsets":[0,0]}})", 0),
                "do not match");
  check_refused(file(R"({"a":{"dtype":"F32","shape":[1,1,1,1,1],"data_offsets":[0,4]}})", 4), "5 dimensions");
  check_refused(file(R"({"a":{"dtype":"F32","shape":[2]}})", 8), "header");
  check_refused(file(R"({"a":)", 8), "header");
  check_refused(
      file(
          R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
          8),
      "overlaps");
  check_refused(file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8), "gap");
  check_refused(
      file(
          R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
          8),
      "two tensors");
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    Bytes bytes = file(one, 8);
    std::memcpy(bytes.data() + bytes.size() - 4, &value, 4);
    check_refused(bytes, "not a finite number");
  }
}

TEST_CASE("safetensors: a bfloat16 is the upper half of a float") {
  const std::string header = R"({"a":{"dtype":"BF16","shape":[4],"data_offsets":[0,8]}})";
  Bytes bytes = file(header, 8);
  const std::uint16_t bits[] = {0x3F80, 0xC048, 0x7F7F, 0x0001};
  for (std::size_t i = 0; i < 4; ++i) {
    bytes[bytes.size() - 8 + 2 * i] = static_cast<std::byte>(bits[i] & 0xFFU);
    bytes[bytes.size() - 7 + 2 * i] = static_cast<std::byte>(bits[i] >> 8U);
  }
  const Result<Safetensors> read = read_safetensors(bytes, "m.safetensors");
  REQUIRE(read);
  CHECK(read->tensors.at("a").data == std::vector<float>{1, -3.125F, 0x1.FEp127F, 0x1p-133F});
  bytes.back() = static_cast<std::byte>(0x7F);  // 0x7F80 follows: infinity
  bytes[bytes.size() - 2] = static_cast<std::byte>(0x80);
  check_refused(bytes, "\"a\" of m.safetensors has a value that is not a finite number, at 3");
}

TEST_CASE("safetensors: of a header alone every tensor is found, and floats lie in place where they are aligned") {
  const Bytes whole = write_safetensors(example());
  const Result<SafetensorsHeader> header = read_safetensors_header(whole, "m.safetensors");
  REQUIRE(header);
  CHECK(header->find("c") == nullptr);
  const TensorEntry* a = header->find("a");
  REQUIRE(a != nullptr);
  CHECK(a->shape == std::vector<std::uint64_t>{2, 3});
  std::vector<float> copy;
  const Result<std::span<const float>> in_place = read_tensor(whole, *header, *a, "m.safetensors", copy);
  REQUIRE(in_place);
  CHECK(copy.empty());
  CHECK(std::ranges::equal(*in_place, example().tensors.at("a").data));
  // The same file, moved by a byte.
  Bytes moved(whole.size() + 1);
  std::ranges::copy(whole, moved.begin() + 1);
  const Result<std::span<const float>> copied =
      read_tensor(std::span<const std::byte>(moved).subspan(1), *header, *a, "m.safetensors", copy);
  REQUIRE(copied);
  CHECK(copied->data() == copy.data());
  CHECK(std::ranges::equal(*copied, example().tensors.at("a").data));
}

TEST_CASE("safetensors: the value that is not finite is found wherever it stands in a large tensor") {
  for (const std::size_t at : {std::size_t{0}, std::size_t{4095}, std::size_t{4096}, std::size_t{9999}}) {
    Safetensors large{.metadata = {}, .tensors = {{"w", {{10000}, std::vector<float>(10000, 1)}}}};
    large.tensors["w"].data[at] = std::numeric_limits<float>::quiet_NaN();
    check_refused(write_safetensors(large), "not a finite number, at " + std::to_string(at) + ";");
  }
}
