// What the kinds of models share in generate, train, evaluate and infer.
#pragma once

#include <functional>

#include "cli/command.h"
#include "cli/files.h"
#include "io/fields.h"
#include "io/json.h"
#include "io/npy.h"
#include "learn/tasks.h"

namespace limelight::cli {

// 512 wide in every size, with the optimiser's state, is a fifth of this.
inline constexpr std::uint64_t kLargestModel = std::uint64_t{256} << 20U;
inline constexpr int kLargestSeed = 2147483647;

// By the function of its kind. Errors: those of read_file and of that function.
template <class Training>
Result<Training> read_model(std::string_view path,
                            Result<Training> (*read)(std::span<const std::byte>, std::string_view)) {
  const Result<std::vector<std::byte>> bytes = read_file(path, kLargestModel);
  if (!bytes) return std::unexpected(bytes.error());
  return read(*bytes, path);
}

// "--min-words" is the setting min_words.
std::string option_of(const io::Field& field);
// Sets what options say. Errors: a value that is none.
Result<void> read_settings(const Arguments& arguments, const io::Walk& settings);

// A whole number from least to most; `otherwise` when the option is not given.
Result<int> read_number(const Arguments& arguments, std::string_view option, int otherwise, int least, int most);

void print_text(const std::string& text);
void write_values(io::JsonWriter& json, std::string_view name, const auto& values) {
  json.key(name).begin_array();
  for (const auto& value : values) json.value(value);
  json.end_array();
}
// null where it is below 0: there is none.
void write_share(io::JsonWriter& json, std::string_view name, double share);

// ---- generate ----

struct Wanted {
  int seed = 0, count = 10;
  std::optional<learn::Part> part = {};  // none: any of the two
};
// --seed, --count, --split.
Result<Wanted> read_wanted(const Arguments& arguments);
// One line after the other, each from make(i).
Outcome print_lines(int count, const std::function<std::expected<std::string, Failure>(int)>& make);

// ---- evaluate ----

// Errors: --task is another one than the model's.
Outcome check_task(const Arguments& arguments, std::string_view task);

struct Tried {
  int seed = 1, count = 1000;
};
// --seed, --count.
Result<Tried> read_tried(const Arguments& arguments);

// ---- infer ----

// Errors: --weights and the model name the same file.
Outcome check_weights(const Arguments& arguments);

// The text, after the file that --weights asks for.
template <class Weights>
Outcome print_with_weights(const Arguments& arguments, const std::string& text, const Weights& weights) {
  std::vector<Output> outputs;
  if (const auto path = arguments.find("--weights")) outputs.push_back({std::string(*path), io::write_npy(weights)});
  if (const Result<void> written = write_files(outputs, text); !written) return bad_data(written.error());
  return {};
}

}  // namespace limelight::cli
