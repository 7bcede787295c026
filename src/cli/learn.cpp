#include "cli/learn.h"

#include <algorithm>

#include "cli/files.h"

namespace limelight::cli {

Result<learn::Training> read_model(std::string_view path) {
  const Result<std::vector<std::byte>> bytes = read_file(path, kLargestModel);
  if (!bytes) return std::unexpected(bytes.error());
  return learn::read_training(*bytes, path);
}

Result<void> read_settings(const Arguments& arguments, learn::Settings& settings) {
  for (const io::FieldInfo& info : io::describe(io::walk(settings), io::walk(settings))) {
    std::string option = "--" + std::string(info.field.name);
    std::ranges::replace(option, '_', '-');
    const auto given = arguments.find(option);
    if (!given) continue;
    const io::Patch patch = {{std::string(info.field.name), std::string(*given)}};
    if (const Result<void> read = io::apply_patch(io::walk(settings), patch, [](std::string_view) {}); !read)
      return fail(option + ": " + read.error().message);
  }
  return {};
}

}  // namespace limelight::cli
