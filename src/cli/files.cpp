#include "cli/files.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace limelight::cli {
namespace {

namespace fs = std::filesystem;

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

std::string reason(int error_number) { return std::generic_category().message(error_number); }

// A file beside its target that takes the target's place when it is complete, and is removed otherwise.
struct Draft {
  fs::path target;
  fs::path path;

  Draft(fs::path to, fs::path at) : target(std::move(to)), path(std::move(at)) {}
  Draft(Draft&& other) noexcept : target(std::move(other.target)), path(std::exchange(other.path, {})) {}
  Draft& operator=(Draft&&) = delete;
  ~Draft() {
    std::error_code ignored;
    if (!path.empty()) fs::remove(path, ignored);
  }
};

// What was at a target before, under another name, until all drafts have taken their places: put back when one cannot.
struct Backup {
  fs::path target;
  fs::path path;  // empty: there was nothing

  void restore() const {
    std::error_code ignored;
    if (path.empty())
      fs::remove(target, ignored);
    else
      fs::rename(path, target, ignored);
  }
};

Result<Backup> back_up(const fs::path& target) {
  std::error_code error;
  if (!fs::exists(target, error)) return Backup{target, {}};
  fs::path path;
  // A second name for the same file where the file system has that, so that the first never points to nothing.
  for (int attempt = 0; attempt < 100; ++attempt) {
    path = target;
    path += ".before" + std::to_string(attempt);
    fs::create_hard_link(target, path, error);
    if (error && error != std::errc::file_exists) fs::copy_file(target, path, error);
    if (error != std::errc::file_exists) break;
  }
  if (error) return fail(target.string() + " cannot be replaced: " + error.message() + ".");
  return Backup{target, path};
}

// Where the bytes go in the end: the file that a link points to stays where it is.
Result<fs::path> find_target(const std::string& given) {
  std::error_code error;
  fs::path target(given);
  if (fs::is_symlink(fs::symlink_status(target, error))) {
    target = fs::weakly_canonical(target, error);
    if (error) return fail(given + " cannot be written: " + error.message() + ".");
  }
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status)) return fail(given + " is a folder; the name of a file is needed.");
  if (fs::exists(status) && !fs::is_regular_file(status)) return fail(given + " is not a regular file; one is needed.");
  return target;
}

Result<Draft> write_draft(const Output& output) {
  const Result<fs::path> target = find_target(output.path);
  if (!target) return std::unexpected(target.error());
  File file;
  fs::path path;
  // "x" never opens what is there: several commands may write to one folder at once.
  for (int attempt = 0; attempt < 100 && !file; ++attempt) {
    path = *target;
    path += ".part" + std::to_string(attempt);
    file.reset(std::fopen(path.c_str(), "wbx"));
    if (!file && errno != EEXIST) break;
  }
  if (!file) return fail(output.path + " cannot be written: " + reason(errno) + ".");
  Draft draft(*target, path);
  bool complete = std::fwrite(output.bytes.data(), 1, output.bytes.size(), file.get()) == output.bytes.size();
  int error_number = complete ? 0 : errno;
  if (std::fclose(file.release()) != 0 && complete) {
    complete = false;
    error_number = errno;
  }
  if (!complete) return fail(output.path + " cannot be written: " + reason(error_number) + ".");
  // What replaces a file may be read by the same people.
  std::error_code ignored;
  if (const fs::file_status status = fs::status(*target, ignored); fs::exists(status))
    fs::permissions(path, status.permissions(), ignored);
  return draft;
}

}  // namespace

Result<std::vector<std::byte>> read_file(std::string_view path, std::uint64_t most) {
  const std::string name(path);
  const File file(std::fopen(name.c_str(), "rb"));
  if (!file) return fail(name + " cannot be opened: " + reason(errno) + ".");
  std::vector<std::byte> bytes;
  std::vector<std::byte> piece(std::size_t{1} << 16U);
  while (true) {
    const std::size_t count = std::fread(piece.data(), 1, piece.size(), file.get());
    if (count == 0) break;
    if (bytes.size() + count > most)
      return fail(name + " has more than " + std::to_string(most >> 20U) + " MiB, which is the most that is read.");
    bytes.insert(bytes.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
  }
  if (std::ferror(file.get()) != 0) return fail(name + " cannot be read: " + reason(errno) + ".");
  return bytes;
}

bool same_file(std::string_view a, std::string_view b) {
  const auto whole = [](std::string_view path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    const fs::path canonical = fs::weakly_canonical(absolute, error);
    return error ? absolute : canonical;
  };
  return whole(a) == whole(b);
}

Result<void> check_writable(std::string_view path) {
  const Result<fs::path> target = find_target(std::string(path));
  if (!target) return std::unexpected(target.error());
  const std::string folder = target->has_parent_path() ? target->parent_path().string() : ".";
  if (access(folder.c_str(), W_OK) != 0) return fail(std::string(path) + " cannot be written: " + reason(errno) + ".");
  return {};
}

Result<void> write_files(std::span<const Output> outputs, std::string_view printed) {
  std::vector<Draft> drafts;
  for (const Output& output : outputs) {
    Result<Draft> draft = write_draft(output);
    if (!draft) return std::unexpected(draft.error());
    drafts.push_back(std::move(*draft));
  }
  if (!printed.empty() &&
      (std::fwrite(printed.data(), 1, printed.size(), stdout) != printed.size() || std::fflush(stdout) != 0))
    return fail("What was to be printed could not be written: " + reason(errno) + ".");
  std::vector<Backup> backups;
  Result<void> done;
  for (Draft& draft : drafts) {
    const Result<Backup> backup = back_up(draft.target);
    if (!backup) {
      done = std::unexpected(backup.error());
      break;
    }
    std::error_code error, ignored;
    fs::rename(draft.path, draft.target, error);
    if (error) {
      if (!backup->path.empty()) fs::remove(backup->path, ignored);
      done = fail(draft.target.string() + " cannot be written: " + error.message() + ".");
      break;
    }
    draft.path.clear();
    backups.push_back(*backup);
  }
  for (const Backup& backup : backups) {
    std::error_code ignored;
    if (!done)
      backup.restore();
    else if (!backup.path.empty())
      fs::remove(backup.path, ignored);
  }
  return done;
}

}  // namespace limelight::cli
