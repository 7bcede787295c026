// The trained weights that scenes compute from, as files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"

namespace limelight::cli {

// web/models of the sources that this program was built from.
std::string default_models();

// Errors: the file cannot be read; the sentence names it.
Result<std::vector<std::byte>> read_model_file(std::string_view folder, std::string_view name);

}  // namespace limelight::cli
