// Attention weights from files: what is read, and that everything else is refused by one sentence.
#include "io/attention_weights.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io/npy.h"
#include "io/safetensors.h"

using namespace limelight;
using namespace limelight::io;

namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// Rows that sum to 1, each head and row its own.
Array weights(std::vector<Eigen::Index> shape) {
  const auto keys = static_cast<std::size_t>(shape.back());
  Array all{std::move(shape), {}};
  std::size_t count = 1;
  for (const Eigen::Index size : all.shape) count *= static_cast<std::size_t>(size);
  for (std::size_t row = 0; row < count / keys; ++row) {
    float sum = 0;
    for (std::size_t key = 0; key < keys; ++key) sum += static_cast<float>(1 + (row + key) % keys);
    for (std::size_t key = 0; key < keys; ++key) all.data.push_back(static_cast<float>(1 + (row + key) % keys) / sum);
  }
  return all;
}

AttentionWeights read(const Bytes& bytes, std::string_view name) {
  Result<AttentionWeights> read = read_attention_weights(bytes, name);
  if (!read) FAIL(read.error().message);
  return *read;
}

void check_refused(const Bytes& bytes, std::string_view name, std::string_view words) {
  CAPTURE(words);
  const Result<AttentionWeights> result = read_attention_weights(bytes, name);
  REQUIRE(!result);
  CAPTURE(result.error().message);
  CHECK(result.error().message.find(words) != std::string::npos);
  CHECK(result.error().message.find(name) != std::string::npos);
  CHECK(result.error().message.ends_with('.'));
}
void check_json_refused(std::string_view text, std::string_view words) {
  check_refused(bytes_of(text), "w.json", words);
}

// Head by head, row by row.
void check_same(const AttentionWeights& read, const Array& expected, float tolerance = 0) {
  std::size_t at = 0;
  for (const Matrix& matrix : read.weights)
    for (Eigen::Index i = 0; i < matrix.size(); ++i, ++at)
      if (std::abs(matrix.data()[i] - expected.data[at]) > tolerance) FAIL("number " << at << " differs");
  CHECK(at == expected.data.size());
}

}  // namespace

TEST_CASE("attention weights: a .npy of two to five dimensions is layers, heads, queries and keys") {
  struct Case {
    std::vector<Eigen::Index> shape;
    int layers, heads;
  };
  for (const auto& [shape, layers, heads] :
       {Case{{3, 4}, 1, 1}, Case{{2, 3, 4}, 1, 2}, Case{{5, 2, 3, 4}, 5, 2}, Case{{5, 1, 2, 3, 4}, 5, 2}}) {
    const Array array = weights(shape);
    const AttentionWeights all = read(write_npy(array), "w.npy");
    CHECK(all.label == "w.npy");
    CHECK(all.layers == layers);
    CHECK(all.heads == heads);
    CHECK(all.queries == std::vector<std::string>{"1", "2", "3"});
    CHECK(all.keys == std::vector<std::string>{"1", "2", "3", "4"});
    check_same(all, array);
  }
}

TEST_CASE("attention weights: a .npy of half and of double precision is read as well") {
  for (const bool half : {true, false}) {
    const Array array = weights({2, 3, 4});
    Bytes bytes = bytes_of(std::string("\x93NUMPY\x01\x00\x76\x00", 10) + "{'descr': '<f" + (half ? "2" : "8") +
                           "', 'fortran_order': False, 'shape': (2, 3, 4), }");
    bytes.resize(128, static_cast<std::byte>(' '));
    for (const float x : array.data) {
      const std::uint64_t bits = half ? to_half(x) : std::bit_cast<std::uint64_t>(static_cast<double>(x));
      for (int b = 0; b < (half ? 2 : 8); ++b) bytes.push_back(static_cast<std::byte>(bits >> (8 * b) & 0xFFU));
    }
    check_same(read(bytes, "w.NPY"), array, half ? 5e-4F : 0);
  }
}

TEST_CASE("attention weights: a .safetensors has one tensor or one for each layer, and names of tokens") {
  const Array array = weights({2, 2, 3, 3});
  Safetensors file;
  file.tensors["attention"] = array;
  file.metadata["tokens"] = R"(["The", " cat", "\n"])";
  for (const Precision precision : {Precision::single, Precision::half}) {
    const AttentionWeights all = read(write_safetensors(file, precision), "w.safetensors");
    CHECK(all.layers == 2);
    CHECK(all.queries == std::vector<std::string>{"The", "·cat", "\\n"});
    CHECK(all.keys == all.queries);
    check_same(all, array, precision == Precision::half ? 5e-4F : 0);
  }
  Safetensors layers;  // of which "layer_10" comes after "layer_9"
  Array whole{{12, 2, 3, 3}, {}};
  for (int layer = 0; layer < 12; ++layer) {
    Array one = weights({1, 2, 3, 3});
    for (std::size_t row = 0; row < 6; ++row)
      std::rotate(&one.data[3 * row], &one.data[3 * row + layer % 3], &one.data[3 * row] + 3);
    layers.tensors["layer_" + std::to_string(layer)] = one;
    whole.data.insert(whole.data.end(), one.data.begin(), one.data.end());
  }
  layers.metadata["queries"] = R"(["a", "b", "c"])";
  layers.metadata["keys"] = R"(["x", "y", "z"])";
  const AttentionWeights all = read(write_safetensors(layers), "w.safetensors");
  CHECK(all.layers == 12);
  CHECK(all.heads == 2);
  CHECK(all.queries.front() == "a");
  CHECK(all.keys.front() == "x");
  check_same(all, whole);
}

TEST_CASE("attention weights: JSON is nested lists, alone or with the names of tokens") {
  const AttentionWeights bare = read(bytes_of(" [[0.25, 0.75], [1, 0]]"), "w.json");
  CHECK(bare.heads == 1);
  CHECK(bare.weights.front()(0, 1) == 0.75F);
  const AttentionWeights named = read(
      bytes_of(
          R"({"model": {"name": "x"}, "attention": [[[1, 0], [0, 1]], [[0, 0], [0.5, 0.5]]], "tokens": ["a", "b"]})"),
      "w.json");
  CHECK(named.heads == 2);
  CHECK(named.keys == std::vector<std::string>{"a", "b"});
  CHECK(named.weights[1](1, 0) == 0.5F);
  const AttentionWeights across =
      read(bytes_of(R"({"queries": ["je"], "keys": ["I", "go"], "weights": [[0.5, 0.5]]})"), "w.json");
  CHECK(across.queries.size() == 1);
  CHECK(across.keys.back() == "go");
}

TEST_CASE("attention weights: what is no weight is refused, with its layer, head and row") {
  Array array = weights({2, 2, 3, 4});
  array.data[4 * 3 * 2 + 5] = -0.25F;  // layer 2, head 1, row 2
  check_refused(write_npy(array), "w.npy", "-0.25 in layer 2, head 1, row 2");
  array = weights({2, 2, 3, 4});
  array.data[4 * 3 * 3 + 8] += 0.5F;  // layer 2, head 2, row 3
  check_refused(write_npy(array), "w.npy", "1 row whose weights do not sum to 1: layer 2, head 2, row 3 sums to 1.5");
  array.data[0] += 1;
  check_refused(write_npy(array), "w.npy", "2 rows whose weights do not sum to 1: layer 1, head 1, row 1 sums to 2");
  array = weights({2, 3});
  array.data[1] = std::numeric_limits<float>::quiet_NaN();
  check_refused(write_npy(array), "w.npy", "nan at [0, 1]");
  Safetensors file;
  file.tensors["attention"] = array;
  check_refused(write_safetensors(file), "w.safetensors", "is not a finite number, at 1");
  check_json_refused("[[0.5, NaN]]", "a number is needed there");
  check_json_refused("[[0.5, 1e400]]", "\"1e400\" is too large; numbers reach up to 3.4e38.");
}

TEST_CASE("attention weights: a row that is 0 throughout, and half precision's sums, are good") {
  Array array = weights({2, 3});
  for (std::size_t i = 0; i < 3; ++i) array.data[i] = 0;
  array.data[3] += 0.008F;
  read(write_npy(array), "w.npy");
}

TEST_CASE("attention weights: another shape, a larger one, and files that are cut off or lie are refused") {
  const Array array = weights({2, 3, 4});
  check_refused(write_npy(weights({4})), "w.npy", "[T, S], [heads, T, S] or [layers, heads, T, S] is needed");
  check_refused(write_npy(weights({2, 2, 2, 3, 4})), "w.npy", "has the shape [2, 2, 2, 3, 4]");
  check_refused(write_npy(weights({129, 1, 1, 2})), "w.npy", "129 layers; 1 to 128 are shown");
  check_refused(write_npy(weights({257, 1, 2})), "w.npy", "257 heads");
  check_refused(write_npy(weights({4097, 1})), "w.npy", "4097 queries");
  check_refused(write_npy(weights({1, 4097})), "w.npy", "4097 keys");
  Bytes bytes = write_npy(array);
  bytes.resize(bytes.size() - 1);
  check_refused(bytes, "w.npy", "is truncated");
  Safetensors file;
  file.tensors["a"] = array;
  bytes = write_safetensors(file);
  bytes.resize(bytes.size() - 1);
  check_refused(bytes, "w.safetensors", "is truncated");
  file.tensors["b"] = array;
  check_refused(write_safetensors(file), "w.safetensors", "2 tensors, \"a\" among them");
  file.tensors = {{"layer_0", array}, {"layer_1", weights({2, 3, 3})}};
  check_refused(write_safetensors(file), "w.safetensors", "all layers must have one shape");
  file.tensors = {{"layer_0", array}, {"layer_2", array}};
  check_refused(write_safetensors(file), "w.safetensors", "one for each layer");
  check_json_refused("[[0.5, 0.5], [1]]", "lists of 2 and of 1");
  check_json_refused("[[0.5, 0.5], 1]", "numbers where it has lists");
  check_json_refused("[[0.5, 0.5], [[1]]]", "lists where it has numbers");
  check_json_refused("[[0.5, 0.5], []]", "an empty list");
  check_json_refused("[[[[[[1]]]]]]", "more than 5 deep");
  check_json_refused("[[0.5, 0.5", "truncated");
  check_json_refused("{}", "no attention weights");
  check_json_refused(R"({"attention": [[1]], "weights": [[1]]})", "twice");
  check_json_refused(R"({"tokens": ["a", 1], "attention": [[1]]})", "a list of the tokens' texts is needed");
  check_refused(bytes_of("x"), "w.csv", "another ending than .npy");
}

TEST_CASE("attention weights: names that are not as many as the tokens are refused") {
  check_json_refused(R"({"tokens": ["a"], "attention": [[0.5, 0.5]]})", "names 1 token, and its weights are of 2 keys");
  check_json_refused(R"({"tokens": ["a", "b"], "attention": [[0.5, 0.5]]})",
                     "names 2 tokens, and its weights are of 1 query");
  Safetensors file;
  file.tensors["a"] = weights({2, 2});
  file.metadata["tokens"] = "The cat";
  check_refused(write_safetensors(file), "w.safetensors", "a JSON list of texts is needed");
}
TEST_CASE("attention weights: a line names the tokens, queries before keys where they differ") {
  const auto of = [](int queries, int keys) {
    AttentionWeights made;
    made.label = "w.npy";
    made.queries.resize(static_cast<std::size_t>(queries));
    made.keys.resize(static_cast<std::size_t>(keys));
    return made;
  };
  using Names = std::vector<std::string>;
  for (const std::string_view line : {"She likes coffee", " She\tlikes  coffee\n", R"(["She", "likes", "coffee"])"}) {
    const Result<TokenLine> read = read_token_line(line, of(3, 3));
    REQUIRE(read);
    CHECK(read->queries == Names{"She", "likes", "coffee"});
    CHECK(read->keys == read->queries);
  }
  for (const std::string_view line : {"elle aime | she likes it", R"(["elle", "aime"] | ["she", "likes", "it"])"}) {
    const Result<TokenLine> read = read_token_line(line, of(2, 3));
    REQUIRE(read);
    CHECK(read->queries == Names{"elle", "aime"});
    CHECK(read->keys == Names{"she", "likes", "it"});
  }
  CHECK(read_token_line("a b | c d", of(2, 2)).value().keys == Names{"c", "d"});
  CHECK(read_token_line("a | b", of(3, 3)).value().keys == Names{"a", "|", "b"});  // as many as there are tokens
  CHECK(read_token_line(R"(["New York", "a | b"])", of(2, 2)).value().keys == Names{"New York", "a | b"});
  const auto complaint = [](std::string_view line, const AttentionWeights& weights) {
    const Result<TokenLine> read = read_token_line(line, weights);
    return read ? std::string() : read.error().message;
  };
  CHECK(complaint("one", of(2, 2)) == "w.npy has 2 tokens, and 1 name is given; name each, with spaces between.");
  CHECK(complaint("a b c", of(2, 3)) ==
        "w.npy has 2 queries and 3 keys, and 3 names are given; name the queries, then | and the keys.");
  CHECK(complaint("a | b c", of(2, 3)).find("1 and 2 names are given") != std::string::npos);
  CHECK(complaint("[\"a\", 3]", of(2, 2)).find("no JSON list") != std::string::npos);
}
