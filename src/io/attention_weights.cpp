#include "io/attention_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "io/attention_weights_json.h"
#include "io/distance.h"
#include "io/npy.h"
#include "io/numbers.h"
#include "io/pretrained.h"
#include "io/safetensors.h"
#include "io/tokenizer_text.h"
#include "io/utf8.h"

namespace limelight::io {
namespace {

using Eigen::Index;

constexpr double kSumTolerance = 0.01;  // half precision keeps 11 bits of each weight, bfloat16 8
constexpr int kLongestName = 40;        // characters of a token that are shown

struct Sizes {
  std::uint64_t layers = 1, heads = 1, queries = 1, keys = 1;
};

// `what` is what the messages call the numbers: a file, or a tensor of one. Errors: another number of dimensions,
// nothing at all, more than is shown.
Result<Sizes> read_sizes(std::vector<std::uint64_t> shape, const std::string& what, std::uint64_t layers = 0) {
  const std::string text = what + " has the shape " + shape_text(shape);
  if (shape.size() == 5 && shape[1] == 1) shape.erase(shape.begin() + 1);  // a batch of one
  if (layers > 0 && shape.size() == 4 && shape[0] == 1) shape.erase(shape.begin());
  const std::size_t most = layers > 0 ? 3 : 4;
  if (shape.size() < 2 || shape.size() > most)
    return fail(text + (layers > 0 ? "; [heads, T, S] is needed of each layer."
                                   : "; [T, S], [heads, T, S] or [layers, heads, T, S] is needed."));
  Sizes sizes{.keys = shape.back()};
  sizes.queries = shape[shape.size() - 2];
  if (shape.size() > 2) sizes.heads = shape[shape.size() - 3];
  sizes.layers = layers > 0 ? layers : shape.size() > 3 ? shape[0] : 1;
  struct Limit {
    std::string_view of;
    std::uint64_t found, most;
  };
  const Limit limits[] = {{"layers", sizes.layers, kMostWeightLayers},
                          {"heads", sizes.heads, kMostWeightHeads},
                          {"queries", sizes.queries, kMostWeightTokens},
                          {"keys", sizes.keys, kMostWeightTokens}};
  for (const auto& [of, found, largest] : limits)
    if (found < 1 || found > largest)
      return fail(text + ", which is " + std::to_string(found) + " " + std::string(of) + "; 1 to " +
                  std::to_string(largest) + " are shown.");
  if (const std::uint64_t all = sizes.layers * sizes.heads * sizes.queries * sizes.keys; all > kMostWeights)
    return fail(text + ", which is " + std::to_string(all) + " weights; at most " + std::to_string(kMostWeights) +
                " are held, so give fewer layers or tokens.");
  return sizes;
}

// Matrices of these sizes, to be filled. Errors: no memory.
Result<AttentionWeights> begin_weights(const Sizes& sizes, const std::string& file) {
  const std::uint64_t count = sizes.layers * sizes.heads;
  if (const Result<void> room = check_room(count * sizes.queries * sizes.keys * sizeof(float), file); !room)
    return std::unexpected(room.error());
  AttentionWeights made;
  made.layers = static_cast<int>(sizes.layers);
  made.heads = static_cast<int>(sizes.heads);
  for (std::uint64_t i = 0; i < count; ++i)
    made.weights.emplace_back(static_cast<Index>(sizes.queries), static_cast<Index>(sizes.keys));
  return made;
}

std::span<float> numbers_of(Matrix& matrix) { return {matrix.data(), static_cast<std::size_t>(matrix.size())}; }

// "layer 2, head 1, row 5", counted from 1
std::string place_of(const AttentionWeights& all, std::size_t matrix, Index row) {
  const auto heads = static_cast<std::size_t>(all.heads);
  return "layer " + std::to_string(matrix / heads + 1) + ", head " + std::to_string(matrix % heads + 1) + ", row " +
         std::to_string(row + 1);
}

// All of them are weights.
Result<void> check_rows(const AttentionWeights& all, const std::string& file) {
  std::size_t wrong = 0;
  std::string first;
  for (std::size_t i = 0; i < all.weights.size(); ++i)
    for (Index row = 0; row < all.weights[i].rows(); ++row) {
      const auto weights = all.weights[i].row(row);
      if (const float least = weights.minCoeff(); least < 0)
        return fail(file + " has " + format_exact(least) + " in " + place_of(all, i, row) +
                    "; weights are 0 or more, as they are after the softmax.");
      const double sum = weights.template cast<double>().sum();
      if (sum == 0 || std::abs(sum - 1) <= kSumTolerance) continue;
      if (wrong++ == 0) first = place_of(all, i, row) + " sums to " + format_exact(round_to(sum, 1e-4));
    }
  if (wrong == 0) return {};
  return fail(file + " has " + count_of(static_cast<std::int64_t>(wrong), "row") +
              " whose weights do not sum to 1: " + first + "; each row must sum to 1, or be 0 throughout.");
}

// ---- the names of the tokens ----

constexpr std::string_view kNameBlanks = " \t\r\n";

std::vector<std::string> shown_names(const std::vector<std::string>& given,
                                     std::string (*for_reader)(std::string_view)) {
  std::vector<std::string> names;
  for (const std::string& name : given) {
    const std::string shown = ellipsize(without_directions(for_reader(name)), kLongestName);
    names.push_back(shown.empty() ? "·" : shown);
  }
  return names;
}

Result<std::vector<std::string>> read_names(const std::vector<std::string>& own, const std::vector<std::string>& both,
                                            Index count, std::string_view of, const std::string& file) {
  const std::vector<std::string>& given = own.empty() ? both : own;
  std::vector<std::string> names;
  if (given.empty()) {
    for (Index i = 1; i <= count; ++i) names.push_back(std::to_string(i));
    return names;
  }
  if (given.size() != static_cast<std::size_t>(count))
    return fail(file + " names " + count_of(std::ssize(given), "token") + ", and its weights are of " +
                count_of(count, of) + "; there must be as many of both.");
  return shown_names(given, for_eyes);
}

// The names of a line before it is known how many there must be: all of it in `tokens`, what stands on both sides of a
// "|" in `queries` and `keys`. Nothing where a JSON list is broken.
std::optional<TokenNames> split_line(std::string_view line) {
  TokenNames names;
  if (line.find_first_not_of(kNameBlanks) != std::string_view::npos &&
      line[line.find_first_not_of(kNameBlanks)] == '[') {
    if (read_token_names(line, names.tokens)) return names;
    for (std::size_t bar = line.find('|'); bar != std::string_view::npos; bar = line.find('|', bar + 1)) {
      names = {};
      if (read_token_names(line.substr(0, bar), names.queries) && read_token_names(line.substr(bar + 1), names.keys))
        return names;
    }
    return std::nullopt;
  }
  bool after = false;
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find_first_of(kNameBlanks, begin), line.size());
    if (end > begin) {
      const std::string word(line.substr(begin, end - begin));
      names.tokens.push_back(word);
      if (word == "|" && !after)
        after = true;
      else
        (after ? names.keys : names.queries).push_back(word);
    }
    begin = end + 1;
  }
  return names;
}

Result<AttentionWeights> finish(AttentionWeights made, const TokenNames& names, const std::string& file) {
  if (const Result<void> checked = check_rows(made, file); !checked) return std::unexpected(checked.error());
  const Matrix& first = made.weights.front();
  Result<std::vector<std::string>> queries = read_names(names.queries, names.tokens, first.rows(), "query", file);
  if (!queries) return std::unexpected(queries.error());
  Result<std::vector<std::string>> keys = read_names(names.keys, names.tokens, first.cols(), "key", file);
  if (!keys) return std::unexpected(keys.error());
  made.queries = std::move(*queries);
  made.keys = std::move(*keys);
  made.label = file;
  return made;
}

// ---- the formats ----

Result<AttentionWeights> read_from_npy(std::span<const std::byte> bytes, const std::string& file) {
  const Result<NpyNumbers> from = find_npy_numbers(bytes, file);
  if (!from) return std::unexpected(from.error());
  const Result<Sizes> sizes = read_sizes({from->shape.begin(), from->shape.end()}, file);
  if (!sizes) return std::unexpected(sizes.error());
  Result<AttentionWeights> made = begin_weights(*sizes, file);
  if (!made) return made;
  std::size_t first = 0;
  for (Matrix& matrix : made->weights) {
    const std::span<float> numbers = numbers_of(matrix);
    if (const Result<void> read = read_npy_numbers(*from, first, numbers, file); !read)
      return std::unexpected(read.error());
    first += numbers.size();
  }
  return finish(std::move(*made), {}, file);
}

// Of each layer its tensor: those of floats, in the order of the numbers that their names end with. Errors: other
// names.
Result<std::vector<const TensorEntry*>> find_layers(const SafetensorsHeader& header, const std::string& file) {
  std::map<int, const TensorEntry*> layers;
  std::string prefix;
  std::size_t floats = 0;
  for (const TensorEntry& entry : header.tensors) {
    if (!entry.dtype.starts_with('F') && !entry.dtype.starts_with("BF")) continue;  // input_ids and the like
    ++floats;
    const std::size_t digits = entry.name.find_last_not_of("0123456789") + 1;
    const Result<int> number = parse_integer(std::string_view(entry.name).substr(digits));
    if (floats == 1) prefix = entry.name.substr(0, digits);
    if (number && entry.name.substr(0, digits) == prefix) layers[*number] = &entry;
  }
  if (floats == 0) return fail(file + " has no tensor of floating-point numbers; attention weights are needed.");
  if (floats == 1)
    for (const TensorEntry& entry : header.tensors)
      if (entry.dtype.starts_with('F') || entry.dtype.starts_with("BF")) return std::vector{&entry};
  const bool whole = layers.size() == floats && std::int64_t{layers.rbegin()->first} - layers.begin()->first + 1 ==
                                                    static_cast<std::int64_t>(floats);
  if (!whole)
    return fail(file + " has " + std::to_string(floats) + " tensors, " + quote(header.tensors.front().name) +
                " among them; attention weights are one tensor, or one for each layer: \"layer_0\", \"layer_1\" and " +
                "so on. If it is a model, give its config.json with it.");
  std::vector<const TensorEntry*> found;
  for (const auto& [number, entry] : layers) found.push_back(entry);
  return found;
}

Result<TokenNames> read_metadata(const SafetensorsHeader& header, const std::string& file) {
  TokenNames names;
  struct Part {
    std::string key;
    std::vector<std::string>* to;
  };
  for (const auto& [key, to] :
       {Part{"tokens", &names.tokens}, Part{"queries", &names.queries}, Part{"keys", &names.keys}}) {
    const auto found = header.metadata.find(key);
    if (found == header.metadata.end()) continue;
    if (!read_token_names(found->second, *to))
      return fail("The metadata " + quote(key) + " of " + file + " are " + quote(found->second) +
                  "; a JSON list of texts is needed, at most " + std::to_string(kMostWeightTokens) + " of them.");
  }
  return names;
}

Result<AttentionWeights> read_from_safetensors(std::span<const std::byte> bytes, const std::string& file) {
  const Result<SafetensorsHeader> header = read_safetensors_header(bytes, file);
  if (!header) return std::unexpected(header.error());
  const Result<std::vector<const TensorEntry*>> layers = find_layers(*header, file);
  if (!layers) return std::unexpected(layers.error());
  const Result<TokenNames> names = read_metadata(*header, file);
  if (!names) return std::unexpected(names.error());
  const auto tensor = [&](const TensorEntry& entry) { return "The tensor " + quote(entry.name) + " of " + file; };
  const bool several = layers->size() > 1;
  const TensorEntry& first = *layers->front();
  const Result<Sizes> sizes = read_sizes(first.shape, tensor(first), several ? layers->size() : 0);
  if (!sizes) return std::unexpected(sizes.error());
  for (const TensorEntry* entry : *layers)
    if (entry->shape != first.shape)
      return fail(tensor(*entry) + " has the shape " + shape_text(entry->shape) + " and " + quote(first.name) + " " +
                  shape_text(first.shape) + "; all layers must have one shape.");
  Result<AttentionWeights> made = begin_weights(*sizes, file);
  if (!made) return made;
  auto matrix = made->weights.begin();
  for (const TensorEntry* entry : *layers) {
    if (const Result<void> room = check_room((entry->end - entry->begin) * 2, file); !room)  // of halves
      return std::unexpected(room.error());
    std::vector<float> copy;
    const Result<std::span<const float>> numbers = read_tensor(bytes, *header, *entry, file, copy);
    if (!numbers) return std::unexpected(numbers.error());
    for (auto from = numbers->begin(); from != numbers->end(); ++matrix) {
      std::copy_n(from, matrix->size(), matrix->data());
      from += matrix->size();
    }
  }
  return finish(std::move(*made), *names, file);
}

Result<AttentionWeights> read_from_json(std::span<const std::byte> bytes, const std::string& file) {
  if (const Result<void> holds = check_holds(bytes.size(), file, kLargestWeightsJson); !holds)
    return fail(holds.error().message + " As .npy or .safetensors it is smaller.");
  const Result<JsonWeights> read = read_json_weights({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file);
  if (!read) return std::unexpected(read.error());
  const Result<Sizes> sizes = read_sizes(read->shape, file);
  if (!sizes) return std::unexpected(sizes.error());
  Result<AttentionWeights> made = begin_weights(*sizes, file);
  if (!made) return made;
  auto from = read->numbers.begin();
  for (Matrix& matrix : made->weights) {
    std::copy_n(from, matrix.size(), matrix.data());
    from += matrix.size();
  }
  return finish(std::move(*made), read->names, file);
}

}  // namespace

Result<AttentionWeights> read_attention_weights(std::span<const std::byte> bytes, std::string_view name) {
  const std::string file(name);
  const auto ends = [&](std::string_view ending) {
    return file.size() > ending.size() && lower_case(file.substr(file.size() - ending.size())) == ending;
  };
  if (ends(".npy")) return read_from_npy(bytes, file);
  if (ends(".safetensors")) return read_from_safetensors(bytes, file);
  if (ends(".json")) return read_from_json(bytes, file);
  return fail(file +
              " has another ending than .npy, .safetensors and .json, the files that attention weights are read from.");
}

std::string tokens_of(const AttentionWeights& of) {
  if (of.queries.size() == of.keys.size()) return count_of(std::ssize(of.queries), "token");
  return count_of(std::ssize(of.queries), "query") + " and " + count_of(std::ssize(of.keys), "key");
}

Result<TokenLine> read_token_line(std::string_view line, const AttentionWeights& of) {
  const bool alike = of.queries.size() == of.keys.size();
  const auto refused = [&](const std::string& named) {
    return fail(of.label + " has " + tokens_of(of) + ", and " + named + "; " +
                (alike ? "name each, with spaces between." : "name the queries, then | and the keys."));
  };
  std::optional<TokenNames> names = split_line(line);
  if (!names) return refused("the names are no JSON list of texts");
  // Of as many words as there are tokens, "|" is one of them.
  if (alike && names->tokens.size() == of.keys.size()) names->queries = names->keys = names->tokens;
  if (names->keys.empty())
    return refused(count_of(std::ssize(names->tokens), "name") + (names->tokens.size() == 1 ? " is" : " are") +
                   " given");
  if (names->queries.size() != of.queries.size() || names->keys.size() != of.keys.size())
    return refused(std::to_string(names->queries.size()) + " and " + std::to_string(names->keys.size()) +
                   " names are given");
  return TokenLine{shown_names(names->queries, normalise_spaces), shown_names(names->keys, normalise_spaces)};
}

}  // namespace limelight::io
