#include "cli/learn.h"

#include <algorithm>

#include "cli/files.h"
#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::cli {

Result<learn::Training> read_model(std::string_view path) {
  const Result<std::vector<std::byte>> bytes = read_file(path, kLargestModel);
  if (!bytes) return std::unexpected(bytes.error());
  return learn::read_training(*bytes, path);
}

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

Result<const learn::TaskDef*> read_task(const Arguments& arguments) {
  const std::string_view name = arguments.subjects.front();
  const Result<const learn::TaskDef*> task = learn::find_task(name);
  if (task) return task;
  return fail(task.error().message +
              did_you_mean(name, learn::task_definitions() | std::views::transform(&learn::TaskDef::name)));
}

Result<int> read_number(const Arguments& arguments, std::string_view option, int otherwise, int least, int most) {
  const auto given = arguments.find(option);
  if (!given) return otherwise;
  const Result<int> number = io::parse_integer(*given);
  if (number && *number >= least && *number <= most) return *number;
  return fail(std::string(option) + " is " + io::quote(*given) + "; it must be a whole number from " +
              std::to_string(least) + " to " + std::to_string(most) + ".");
}

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

Result<learn::Lengths> read_lengths(const Arguments& arguments, const learn::Lengths& otherwise,
                                    std::string_view task) {
  const Result<const learn::TaskDef*> def = learn::find_task(task);
  const learn::Lengths possible = def ? (*def)->possible : learn::Lengths{1, learn::kMostWords};
  const auto read = [&](std::string_view option, int otherwise_this) -> Result<int> {
    Result<int> length = read_number(arguments, option, otherwise_this, possible.least, possible.most);
    if (!length && def)
      return fail(length.error().message + " The task " + std::string(task) + " has no other sources.");
    return length;
  };
  const Result<int> least = read("--min-words", otherwise.least);
  if (!least) return std::unexpected(least.error());
  const Result<int> most = read("--max-words", otherwise.most);
  if (!most) return std::unexpected(most.error());
  if (*most < *least)
    return fail("--max-words is " + std::to_string(*most) + ", below --min-words, " + std::to_string(*least) + ".");
  return learn::Lengths{*least, *most};
}

}  // namespace limelight::cli
