#include "cli/learn.h"

#include <algorithm>
#include <cstdio>

#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::cli {
namespace {

// --split; none: any of the two parts. Errors: no part has that name.
Result<std::optional<learn::Part>> read_split(const Arguments& arguments) {
  constexpr std::string_view kAny = "any";
  const std::string_view split = arguments.find("--split").value_or(kAny);
  if (split == kAny) return std::nullopt;
  const auto* const found = std::ranges::find(learn::kParts, split);
  if (found != std::end(learn::kParts)) return static_cast<learn::Part>(found - std::begin(learn::kParts));
  std::vector<std::string_view> names{kAny};
  names.insert(names.end(), std::begin(learn::kParts), std::end(learn::kParts));
  return fail("--split is " + io::quote(split) + "; it is " + io::one_of(names) + ".");
}

}  // namespace

std::string option_of(const io::Field& field) {
  std::string option = "--" + std::string(field.name);
  std::ranges::replace(option, '_', '-');
  return option;
}

Result<void> read_settings(const Arguments& arguments, const io::Walk& settings) {
  for (const io::FieldInfo& info : io::describe(settings, settings)) {
    const std::string option = option_of(info.field);
    const auto given = arguments.find(option);
    if (!given) continue;
    const io::Patch patch = {{std::string(info.field.name), std::string(*given)}};
    if (const Result<void> read = io::apply_patch(settings, patch, [](std::string_view) {}); !read)
      return fail(option + ": " + read.error().message);
  }
  return {};
}

Result<int> read_number(const Arguments& arguments, std::string_view option, int otherwise, int least, int most) {
  const auto given = arguments.find(option);
  if (!given) return otherwise;
  const Result<int> number = io::parse_integer(*given);
  if (number && *number >= least && *number <= most) return *number;
  return fail(std::string(option) + " is " + io::quote(*given) + "; it must be a whole number from " +
              std::to_string(least) + " to " + std::to_string(most) + ".");
}

void print_text(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void write_share(io::JsonWriter& json, std::string_view name, double share) {
  json.key(name);
  if (share < 0)
    json.null();
  else
    json.value(share);
}

Result<Wanted> read_wanted(const Arguments& arguments) {
  const Result<int> seed = read_number(arguments, "--seed", 0, 0, kLargestSeed);
  if (!seed) return std::unexpected(seed.error());
  const Result<int> count = read_number(arguments, "--count", 10, 1, kLargestSeed);
  if (!count) return std::unexpected(count.error());
  const Result<std::optional<learn::Part>> part = read_split(arguments);
  if (!part) return std::unexpected(part.error());
  return Wanted{.seed = *seed, .count = *count, .part = *part};
}

Outcome print_lines(int count, const std::function<std::expected<std::string, Failure>(int)>& make) {
  for (int i = 0; i < count; ++i) {
    const std::expected<std::string, Failure> line = make(i);
    if (!line) return std::unexpected(line.error());
    if (std::fwrite(line->data(), 1, line->size(), stdout) != line->size()) break;  // said when all is printed
  }
  return {};
}

Outcome check_task(const Arguments& arguments, std::string_view task) {
  const auto asked = arguments.find("--task");
  if (!asked || *asked == task) return {};
  return bad_data(std::string(arguments.subjects.front()) + " was trained on " + std::string(task) + "; --task is " +
                  io::quote(*asked) + ".");
}

Result<Tried> read_tried(const Arguments& arguments) {
  const Result<int> seed = read_number(arguments, "--seed", 1, 0, kLargestSeed);
  if (!seed) return std::unexpected(seed.error());
  const Result<int> count = read_number(arguments, "--count", 1000, 1, 100000);
  if (!count) return std::unexpected(count.error());
  return Tried{.seed = *seed, .count = *count};
}

Outcome check_weights(const Arguments& arguments) {
  const auto weights = arguments.find("--weights");
  if (!weights || !same_file(*weights, arguments.subjects.front())) return {};
  return bad_usage("--weights and the model name the same file; no input is overwritten, so give the result its own.");
}

}  // namespace limelight::cli
