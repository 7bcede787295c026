// Whole files in and out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"

namespace limelight::cli {

// Errors: a file that cannot be opened or read, or has more than `most` bytes.
Result<std::vector<std::byte>> read_file(std::string_view path, std::uint64_t most);

// Whether both paths end in the same file, which need not be there: "o.npy" and "./o.npy", a link and what it points
// to.
bool same_file(std::string_view a, std::string_view b);

// Whether a file could be written there, for work that takes long before it has something to write. Errors: a folder, a
// folder that is missing or may not be written to.
Result<void> check_writable(std::string_view path);

struct Output {
  std::string path;
  std::vector<std::byte> bytes;
};

// All of them or none, and each whole: they are written beside their targets first, and take their places when all are
// complete and `printed` has gone to stdout.
Result<void> write_files(std::span<const Output> outputs, std::string_view printed = {});

}  // namespace limelight::cli
