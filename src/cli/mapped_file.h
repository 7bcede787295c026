// A file's bytes without reading them all: the system brings in the pages that are looked at.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "io/error.h"

namespace limelight::cli {

// Mapped until this ends. Whoever cuts the file short meanwhile ends the program, as with every mapped file.
class MappedFile {
 public:
  // Errors: a file that cannot be opened or mapped, or is none; one larger than memory has addresses.
  static Result<MappedFile> open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) = delete;
  ~MappedFile();

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

}  // namespace limelight::cli
