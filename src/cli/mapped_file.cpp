#include "cli/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "io/pretrained.h"

namespace limelight::cli {
namespace {

Error because(const std::string& path, const char* what) {
  return {path + " cannot be " + what + ": " + std::generic_category().message(errno) + "."};
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::unexpected(because(path, "opened"));
  struct stat status = {};
  Result<MappedFile> mapped = MappedFile(std::span<const std::byte>());
  if (::fstat(file, &status) != 0) {
    mapped = std::unexpected(because(path, "read"));
  } else if (!S_ISREG(status.st_mode)) {
    mapped = fail(path + " is not a regular file; one is needed.");
  } else if (const Result<void> holds = io::check_holds(static_cast<std::uint64_t>(status.st_size), path); !holds) {
    mapped = std::unexpected(holds.error());
  } else if (status.st_size > 0) {  // nothing cannot be mapped
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (at == MAP_FAILED)
      mapped = std::unexpected(because(path, "mapped"));
    else
      mapped->bytes_ = {static_cast<const std::byte*>(at), size};
  }
  ::close(file);
  return mapped;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace limelight::cli
