#include "cli/kind.h"

#include <algorithm>
#include <filesystem>

#include "cli/files.h"
#include "cli/learn.h"
#include "io/utf8.h"
#include "learn/checkpoint.h"

namespace limelight::cli {
namespace {

constexpr const Kind* kKinds[] = {&translation_kind, &captioner_kind, &encoder_kind, &pretrained_kind};

bool has_option(std::span<const Option> options, std::string_view name) {
  return std::ranges::find(options, name, &Option::name) != options.end();
}

bool has_option(const Kind& kind, const Command& command, std::string_view name) {
  return has_option(command.options, name) || has_option((kind.*command.of_kinds).options, name);
}

bool has(const Kind& kind, const Command& command) { return (kind.*command.of_kinds).run != nullptr; }

// Those that the command is there for.
std::vector<TaskName> tasks_of(const Kind& kind, const Command& command) {
  return kind.tasks == nullptr || !has(kind, command) ? std::vector<TaskName>() : kind.tasks();
}

std::vector<TaskName> all_tasks(const Command& command) {
  std::vector<TaskName> all;
  for (const Kind* kind : kKinds) std::ranges::copy(tasks_of(*kind, command), std::back_inserter(all));
  return all;
}

// "is for captioners, and m.safetensors is none", by the first kind that has the option.
std::string belongs_elsewhere(const Command& command, std::string_view option, std::string_view model) {
  const auto* const owner = std::ranges::find_if(
      kKinds, [&](const Kind* kind) { return has_option((kind->*command.of_kinds).options, option); });
  return "is for " + std::string((*owner)->plural) + ", and " + std::string(model) + " is none";
}

std::unexpected<Failure> refuse(std::string_view option, const std::string& why) {
  return bad_usage(std::string(option) + " " + why + "; leave it out.");
}

Outcome check_options(const Arguments& arguments, const Command& command, const Kind& kind) {
  const std::string_view model = arguments.subjects.front();
  for (const auto& [option, values] : arguments.values) {
    if (has_option(kind, command, option)) continue;
    std::string why(kind.refusal);
    if (why.empty()) return refuse(option, belongs_elsewhere(command, option, model));
    if (const std::size_t place = why.find('%'); place != std::string::npos) why.replace(place, 1, model);
    return refuse(option, why);
  }
  return {};
}

bool is_folder(std::string_view path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

// By what its metadata says; none where it cannot be read, or says something else.
const Kind* kind_of_file(std::string_view path) {
  const Result<std::vector<std::byte>> bytes = read_file(path, kLargestModel);
  if (!bytes) return nullptr;
  const Result<io::Safetensors> file = io::read_safetensors(*bytes, path);
  if (!file) return nullptr;
  for (const Kind* kind : kKinds)
    if (!kind->format.empty() && learn::has_format(*file, kind->format)) return kind;
  return nullptr;
}

}  // namespace

std::span<const Kind* const> kinds() { return kKinds; }

std::string list_tasks(const Command& command) {
  std::vector<std::string> words;
  for (const TaskName& task : all_tasks(command))
    words.push_back(std::string(task.name) + (task.about.empty() ? "" : " (" + std::string(task.about) + ")"));
  return io::one_of(words);
}

Outcome run_for_task(const Arguments& arguments, const Command& command) {
  const std::string_view name = arguments.subjects.front();
  for (const Kind* kind : kKinds) {
    const std::vector<TaskName> tasks = tasks_of(*kind, command);
    if (std::ranges::find(tasks, name, &TaskName::name) == tasks.end()) continue;
    for (const auto& [option, values] : arguments.values)
      if (!has_option(*kind, command, option)) return refuse(option, "is not of the task " + std::string(name));
    return (kind->*command.of_kinds).run(arguments);
  }
  const std::vector<TaskName> all = all_tasks(command);
  const auto names = all | std::views::transform(&TaskName::name);
  return bad_usage(io::quote(name) + " is not a task; a task is " + io::one_of(names) + "." +
                   did_you_mean(name, names));
}

Outcome run_for_model(const Arguments& arguments, const Command& command) {
  const std::string_view path = arguments.subjects.front();
  const bool folder = is_folder(path);
  for (const Kind* kind : kKinds) {
    const KindCommand& own = kind->*command.of_kinds;
    if (!folder || !kind->format.empty() || own.run == nullptr) continue;
    if (Outcome allowed = check_options(arguments, command, *kind); !allowed) return allowed;
    return own.run(arguments);
  }
  // No file has them, whatever is in it.
  const auto in_files = [&](std::string_view option) {
    return std::ranges::any_of(
        kKinds, [&](const Kind* kind) { return !kind->format.empty() && has_option(*kind, command, option); });
  };
  for (const auto& [option, values] : arguments.values)
    if (!in_files(option)) return refuse(option, belongs_elsewhere(command, option, path));
  const Kind* const kind = kind_of_file(path);
  if (kind == nullptr) return (kKinds[0]->*command.of_kinds).run(arguments);
  if (!has(*kind, command))
    return bad_usage(io::quote(path) + " is " + std::string(kind->called) + ", for which there is no " +
                     std::string(command.name) + ".");
  if (Outcome allowed = check_options(arguments, command, *kind); !allowed) return allowed;
  return (kind->*command.of_kinds).run(arguments);
}

}  // namespace limelight::cli
