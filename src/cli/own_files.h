// Models and weights of the reader's own, from a folder or a file, as scenes have them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/mapped_file.h"
#include "io/error.h"
#include "scenes/common/own.h"

namespace limelight::cli {

struct OwnFiles {
  std::string label;
  std::vector<io::NamedFile> files;
  std::shared_ptr<const std::vector<MappedFile>> kept;  // whose bytes they are
};

// Maps what a scene takes of a model's folder, or a file of weights. Errors: there is neither, or it cannot be mapped.
Result<OwnFiles> open_own(const std::string& path, const scenes::OwnField& field);

}  // namespace limelight::cli
