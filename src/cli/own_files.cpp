#include "cli/own_files.h"

#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

namespace limelight::cli {
namespace {

namespace fs = std::filesystem;

// "gpt2" of "models/gpt2/" and of "." in it.
std::string name_of_folder(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  return (error ? path : whole).filename().string();
}

struct Found {
  std::vector<scenes::own::Offered> offered;
  std::vector<fs::path> paths;  // as many
};

void add(Found& found, const fs::path& path, const std::string& name) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);  // of a link, what it points to
  found.offered.push_back({name, error ? 0 : static_cast<std::uint64_t>(size)});
  found.paths.push_back(path);
}

Result<Found> find(const fs::path& path) {
  Found found;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (!fs::is_regular_file(path, error))
      return fail(path.string() + " is neither a folder nor a file that is there.");
    add(found, path, path.filename().string());
    return found;
  }
  const std::string folder = name_of_folder(path) + "/";
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (std::error_code ignored; entry->is_regular_file(ignored))
      add(found, entry->path(), folder + entry->path().filename().string());
  if (error) return fail(path.string() + " cannot be read: " + error.message() + ".");
  if (found.offered.empty()) return fail(path.string() + " has no files; a model's folder is needed.");
  return found;
}

}  // namespace

Result<OwnFiles> open_own(const std::string& path, const scenes::OwnField& field) {
  const Result<Found> found = find(path);
  if (!found) return std::unexpected(found.error());
  Result<scenes::own::Choice> choice = field.choose(found->offered);
  if (!choice) return std::unexpected(choice.error());
  auto kept = std::make_shared<std::vector<MappedFile>>();
  OwnFiles opened{.label = std::move(choice->label), .files = {}, .kept = kept};
  for (const std::size_t i : choice->files) {
    Result<MappedFile> mapped = MappedFile::open(found->paths[i].string());
    if (!mapped) return std::unexpected(mapped.error());
    opened.files.push_back({found->offered[i].name, mapped->bytes()});
    kept->push_back(std::move(*mapped));
  }
  return opened;
}

}  // namespace limelight::cli
