#include "io/safetensors.h"

#include <doctest/doctest.h>

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
  check_refused(file(one, 9), "1 bytes after its last tensor");
  check_refused(file(R"({"a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})", 4), "BF16");
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
